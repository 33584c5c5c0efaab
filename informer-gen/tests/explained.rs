//! What `explain` says of types is what is generated: every path that it gives exists, and no type is missing.

use std::collections::BTreeSet;
use std::path::Path;

use informer_gen::{Input, Request, Tree, explain, generate};
use syn::Item;

fn request(name: &str) -> Request {
    let input = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name).join("input.yaml");
    Request::new("x", "x").command("make it").input(Input::Path(input))
}

/// The paths of all types in the files with the types of kinds, but for the kinds' own.
fn declared(tree: &Tree) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (path, text) in tree.iter().filter(|(_, text)| text.contains("const URL_PATH_SEGMENT")) {
        let module = path.trim_start_matches("src/").trim_end_matches(".rs").replace('/', "::");
        let file = syn::parse_file(text).unwrap();
        let root = file.items.iter().find_map(|item| match item {
            Item::Struct(item) => Some(format!("{module}::{}", item.ident)),
            _ => None,
        });
        let mut open = vec![(module, file.items)];
        while let Some((module, items)) = open.pop() {
            for item in items {
                match item {
                    Item::Struct(item) => drop(found.insert(format!("{module}::{}", item.ident))),
                    Item::Enum(item) => drop(found.insert(format!("{module}::{}", item.ident))),
                    Item::Mod(item) => {
                        let (_, items) = item.content.unwrap();
                        open.push((format!("{module}::{}", item.ident), items));
                    }
                    _ => {}
                }
            }
        }
        assert!(found.remove(&root.expect("the kind's own type comes first")));
    }
    found
}

#[test]
fn every_type_is_told_by_its_path() {
    for name in ["deep", "docs", "groups", "names", "roots", "shapes", "shop"] {
        let text = explain(&request(name)).unwrap_or_else(|problems| panic!("{name}: {problems}"));
        let told = text.lines().filter_map(|line| line.rsplit_once(") = ")).map(|(_, path)| path.to_owned());
        let told: BTreeSet<String> = told.collect();
        assert_eq!(told, declared(&generate(&request(name)).unwrap().tree), "{name}");
    }
}

#[test]
fn fields_are_told_by_both_of_their_names() {
    let text = explain(&request("shop")).unwrap();
    for line in [
        "    spec: object (required) = shop_example_test::v1::widget::WidgetSpec",
        "      ports: list of object (optional) = shop_example_test::v1::widget::spec::Ports",
        "        lastTransitionTime (`last_transition_time`): string (optional)",
        "        status: one of some strings (required) = shop_example_test::v1::widget::status::conditions::Status",
    ] {
        assert!(text.lines().any(|told| told == line), "{line} in:\n{text}");
    }
}

/// Whatever a key is made of, it moves and paints nothing around it.
#[test]
fn what_is_explained_is_plain_text() {
    let text = r#"{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.shop.example.test"},
        "spec": {"group": "shop.example.test", "scope": "Namespaced", "names": {"kind": "Widget", "plural": "widgets"},
        "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {"type": "object", "properties":
            {"a\u001b[31mred\nfake line\u2066": {"type": "string"}}}}}]}}"#;
    let input = Input::Text { name: "widget.json".into(), text: text.into() };
    let told = explain(&Request::new("x", "x").input(input)).unwrap();
    assert!(told.contains("a[31mred fake line ("), "{told}");
    assert!(told.chars().all(|c| c == '\n' || !c.is_control() && !('\u{202a}'..='\u{2069}').contains(&c)), "{told}");
}
