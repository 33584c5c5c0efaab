//! One crate for several releases: row 36.

use informer_gen::{Release, Request};

use crate::document::{Document, Resource, WIDGET, ZONE, file, refused, text};

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
