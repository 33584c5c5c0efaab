//! Documents that are refused: what is said, and where.

use informer_gen::{Input, Request, generate};
use serde_json::{Value, json};

use crate::document::{Document, Resource, WIDGET, refused, request, text};

fn raw(text: &str) -> Request {
    Request::new("x", "out").openapi(Input::Text { name: "openapi.json".into(), text: text.into() })
}

#[test]
fn h23_what_is_no_document_of_kubernetes() {
    let whole = Document::of(&[WIDGET]);
    let changed = |key: &str, value: Value| {
        let mut document = whole.v3();
        document[key] = value;
        document
    };
    for (document, message) in [
        (changed("openapi", json!("3.1.0")), "OpenAPI 3.1.0 is not read"),
        (json!({"swagger": "1.2", "paths": {"/": {}}}), "Swagger 1.2 is not read"),
        (json!({"swaggerVersion": "1.2", "apis": []}), "Swagger 1 is not read"),
        (changed("paths", json!({})), "this document has types but no paths, so nothing says what can be watched"),
        (json!({"$defs": {}}), "this is a JSON Schema: types but no paths, so nothing says what can be watched"),
        (
            json!({"kind": "Status", "apiVersion": "v1", "code": 401}),
            "this is what a server answered instead of a document",
        ),
        (json!({"kind": "ConfigMap", "apiVersion": "v1"}), "this is a ConfigMap object, no OpenAPI document"),
        (json!([1]), "this is no OpenAPI document, but a list"),
        (json!({"a": 1}), "this is no OpenAPI document: neither `swagger` nor `openapi` says which version it is"),
    ] {
        let told = refused(&request(&document));
        assert!(told.starts_with("openapi.json:") && told.ends_with(message), "{told}");
    }
    let pets = json!({"swagger": "2.0", "info": {"title": "Pets"}, "paths": {"/api/v1/pets": {"get": {"responses": {"200": {}}}}}});
    let told = refused(&request(&pets));
    assert!(told.contains("openapi.json:5:12 this is no document of a Kubernetes API (Pets)"), "{told}");
}

#[test]
fn a_document_that_was_cut_off() {
    let whole = serde_json::to_string_pretty(&Document::of(&[WIDGET]).v2()).unwrap();
    let told = refused(&raw(&whole[..whole.len() / 2]));
    assert!(told.starts_with("openapi.json:") && told.contains("was it cut off?"), "{told}");
}

#[test]
fn standard_input_is_one_input() {
    let request = Request::new("x", "out").openapi(Input::Stdin).input(Input::Stdin);
    assert!(refused(&request).contains("standard input can be read once only"));
}

#[test]
fn what_is_referred_to_must_be_there() {
    let mut document = Document::of(&[WIDGET]);
    document.definitions.get_mut(&WIDGET.definition()).unwrap()["properties"]["spec"] =
        json!({"$ref": "#/definitions/test.example.v1.Gone"});
    let told = refused(&request(&document.v2()));
    assert!(told.contains(r#"there is no definition "test.example.v1.Gone" in this document"#), "{told}");
    document.definitions.get_mut(&WIDGET.definition()).unwrap()["properties"]["spec"] =
        json!({"$ref": "other.json#/x"});
    let told = refused(&request(&document.v2()));
    assert!(told.contains("this `$ref` points to no definition of this document"), "{told}");
}

#[test]
fn nothing_to_watch_is_told_with_the_reasons() {
    let mut list = WIDGET.list();
    list["parameters"] = json!([]);
    let document = Document::default().define(&WIDGET).path(&WIDGET.path(), json!({"get": list}));
    let problems = generate(&request(&document.v2())).unwrap_err();
    let problem = problems.iter().next().unwrap();
    assert_eq!(problem.message(), "nothing in the documents can be both listed and watched");
    assert_eq!(problem.hint_text(), Some("Widget can be listed, but not watched"));
}

#[test]
fn names_that_are_no_names_are_refused() {
    for (group, kind) in [("Shop.example.test", "Widget"), ("shop.example.test", "Wid\"get")] {
        let told = refused(&request(&Document::of(&[Resource { group, kind, ..WIDGET }]).v2()));
        assert!(told.contains("names must be DNS labels"), "{told}");
    }
}

#[test]
fn h24_the_same_resource_from_two_inputs() {
    let crd = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: widgets.shop.example.test}\n\
        spec:\n  group: shop.example.test\n  names: {kind: Widget, plural: widgets}\n  scope: Namespaced\n  versions:\n  \
        - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}\n";
    let with = |crd: &str| {
        request(&Document::of(&[WIDGET]).v2()).input(Input::Text { name: "crd.yaml".into(), text: crd.into() })
    };
    assert_eq!(informer_gen::report(&with(crd)).unwrap().informers(), 1);
    let problems = generate(&with(&crd.replace("Namespaced", "Cluster"))).unwrap_err();
    let told = problems.to_string();
    assert!(
        told.contains("widgets of shop.example.test/v1 is there twice, and the two differ in their scope"),
        "{told}"
    );
    assert!(told.contains("openapi.json:") && told.contains("crd.yaml:"), "{told}");
    // Two documents.
    let other = Document::of(&[Resource { kind: "Gadget", ..WIDGET }]).v3();
    let told = refused(&request(&Document::of(&[WIDGET]).v2()).openapi(text("other.json", &other)));
    assert!(told.contains("differ in their kind"), "{told}");
}
