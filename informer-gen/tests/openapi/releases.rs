//! One crate for several releases: row 36.

use std::collections::BTreeMap;

use informer_gen::{Input, Release, Request, generate};
use serde_json::{Value, json};

use crate::document::{Document, Resource, WIDGET, ZONE, file, reference, refused, text};

const OLD: Resource = Resource { version: "v1beta1", ..WIDGET };

fn request() -> Request {
    let documents = [(33, vec![OLD, ZONE]), (34, vec![OLD, WIDGET, ZONE]), (35, vec![WIDGET, ZONE])];
    let request = Request::new("shop-informers", "out").command("make it");
    let mut request = documents.into_iter().fold(request, |request, (minor, resources)| {
        let name = format!("1.{minor}.json");
        request.release(Release::new(minor), text(&name, &Document::of(&resources).v2()))
    });
    request.group_features = true;
    request
}

#[test]
fn h36_every_program_gets_the_kinds_of_its_release() {
    let request = request();
    let group = file(&request, "src/shop_example_test/mod.rs");
    let version = file(&request, "src/shop_example_test/v1/mod.rs");
    assert!(group.contains("#[cfg(not(k8s_ge_1_35))]\npub mod v1beta1;"), "{group}");
    assert!(version.contains("#[cfg(k8s_ge_1_34)]\npub mod widget;"), "{version}");
    assert!(!version.contains("cfg(k8s_ge_1_34)]\npub mod zone;"), "{version}");
    let library = file(&request, "src/lib.rs");
    assert!(library.contains(r#"#[cfg(all(feature = "shop_example_test", not(k8s_ge_1_35)))]"#), "{library}");
    // The preferred version where there is one, the older one before.
    let aliases: Vec<&str> = library.lines().filter(|line| line.contains("WidgetEventHandlerFuncs")).collect();
    assert_eq!(aliases.len(), 2, "{library}");
    assert!(library.contains("#[cfg(not(k8s_ge_1_33))]\n::std::compile_error!("), "{library}");
    assert!(library.contains("choose one of these releases by the feature v1_33 to v1_35"), "{library}");
    assert!(file(&request, "build.rs").contains("&[33, 34, 35]"));
    let manifest = file(&request, "Cargo.toml");
    assert!(
        manifest.contains("default = [\"rustls-tls\", \"shop_example_test\"]")
            && manifest.contains("\nshop_example_test = []\n"),
        "{manifest}"
    );
    assert!(manifest.contains("\nbuild = \"build.rs\"\n"), "{manifest}");
}

#[test]
fn releases_that_contradict_each_other_are_refused() {
    let other = Resource { namespaced: false, ..WIDGET };
    let request = request().release(Release::new(36), text("1.36.json", &Document::of(&[other]).v2()));
    assert!(refused(&request).contains("differ in their scope"));
}

/// A document whose widgets have this in their spec, by a definition and in place.
fn told(size: &Value) -> Value {
    let mut document = Document::of(&[WIDGET, ZONE]);
    let parts = json!({"type": "object", "properties": {"size": size, "mode": mode(size)}});
    for of in [WIDGET, ZONE] {
        let properties = &mut document.definitions.get_mut(&of.definition()).unwrap()["properties"];
        properties["spec"] = json!({"type": "object", "properties": {"own": parts, "shared": reference("shop.Parts")}});
        properties["spec"]["description"] = size["description"].clone();
    }
    document.definitions.insert("shop.Parts".to_owned(), parts);
    document.v2()
}

/// An enum with the same words on it.
fn mode(size: &Value) -> Value {
    json!({"type": "string", "enum": ["A", "B"], "description": size["description"]})
}

/// What is only told may change from document to document, of a kind as of a definition. What is taken is of the first
/// release, or else of the first document by name or text, whatever the order in which they are given.
#[test]
fn what_is_only_told_may_differ_and_the_order_of_flags_changes_nothing() {
    let sizes = [
        json!({"type": "integer", "maximum": 5, "description": "Told so."}),
        json!({"type": "integer", "maximum": 7, "description": "Told so."}),
        json!({"type": "integer", "maximum": 5, "description": "Told otherwise."}),
        json!({"type": "integer"}),
    ];
    for (first, second) in [(0, 1), (1, 0), (0, 2), (2, 0), (0, 3), (3, 0), (1, 2), (2, 1)] {
        let documents = [told(&sizes[first]), told(&sizes[second])];
        let ways: [&dyn Fn(usize) -> (Option<Release>, Input); 3] = [
            &|at| (Some(Release::new([36, 37][at])), text(["b.json", "a.json"][at], &documents[at])),
            &|at| (Some(Release::new(36)), text("same.json", &documents[at])),
            &|at| (None, text(["a.json", "b.json"][at], &documents[at])),
        ];
        for (number, way) in ways.iter().enumerate() {
            let made = [[0, 1], [1, 0]].map(|order| {
                let request = order.into_iter().map(way).fold(
                    Request::new("shop-informers", "out").command("make it"),
                    |request, given| match given {
                        (Some(release), input) => request.release(release, input),
                        (None, input) => request.openapi(input),
                    },
                );
                let generated = generate(&request).unwrap_or_else(|problems| panic!("{problems}"));
                let files = generated.tree.iter().map(|(path, text)| (path.to_owned(), text.to_owned()));
                files.collect::<BTreeMap<_, _>>()
            });
            assert!(made[0] == made[1], "{first}, {second}, {number}");
            let widget = &made[0]["src/shop_example_test/v1/widget.rs"];
            let taken = &sizes[first];
            let is_told = |words: &str| widget.contains(words);
            if number != 1 {
                assert_eq!(is_told("Told so."), taken["description"] == "Told so.", "{first}, {second}: {widget}");
                assert_eq!(is_told("At most 7"), taken["maximum"] == 7, "{first}, {second}: {widget}");
            }
        }
    }
}
