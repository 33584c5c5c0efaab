//! Row 23: both forms, in any order, packed or not, in folders or from an index, give the same.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use informer_gen::{Input, Request, dump_model, generate, prune};
use serde_json::{Value, json};

use crate::document::{Document, Resource, WIDGET, ZONE, coverage, reference, request, text};

fn document() -> Document {
    let mut document = Document::of(&[WIDGET, ZONE]);
    let properties = &mut document.definitions.get_mut(&WIDGET.definition()).unwrap()["properties"];
    properties["spec"] = reference("test.example.v1.WidgetSpec");
    let spec = json!({"type": "object", "required": ["port", "parts"], "properties": {
        "port": {"type": "string", "format": "int-or-string", "description": "Where it listens.", "pattern": "^a"},
        "parts": {"type": "array", "items": reference("test.example.v1.Part")},
        "template": reference("io.k8s.api.core.v1.PodTemplateSpec"),
        "made": reference("io.k8s.apimachinery.pkg.apis.meta.v1.Time"),
        "extra": {"type": "object", "additionalProperties": {"type": "string", "maxLength": 9}},
        "size": {"type": "integer", "format": "int32", "minimum": 1, "maximum": 3},
    }});
    document.definitions.insert("test.example.v1.WidgetSpec".into(), spec);
    document.definitions.insert("test.example.v1.Part".into(), json!({"properties": {"name": {"type": "string"}}}));
    document
}

#[test]
fn h23_both_forms_give_one_model_and_one_crate() {
    let document = document();
    let (v2, v3) = (request(&document.v2()), request(&document.v3()));
    assert_eq!(dump_model(&v2).unwrap(), dump_model(&v3).unwrap());
    assert_eq!(generate(&v2).unwrap().tree, generate(&v3).unwrap().tree);
    // Both at once are one API.
    let both = request(&document.v2()).openapi(text("v3.json", &document.v3()));
    assert_eq!(dump_model(&both).unwrap(), dump_model(&v2).unwrap());
}

/// Defaults are in one form only; and what is demanded of values makes no other types.
#[test]
fn what_is_only_told_makes_no_conflict() {
    let mut other = document();
    let spec = other.definitions.get_mut("test.example.v1.WidgetSpec").unwrap();
    spec["properties"]["size"] = json!({"type": "integer", "format": "int32", "maximum": 5, "default": 0});
    let (v2, v3) = (text("a.json", &document().v2()), text("b.json", &other.v3()));
    let both = |inputs: [&Input; 2]| {
        let request = Request::new("shop-informers", "out").command("make it");
        inputs.into_iter().fold(request, |request, input| request.openapi(input.clone()))
    };
    let tree = generate(&both([&v2, &v3])).unwrap().tree;
    let types = tree.get("src/definitions/test_example_v1.rs").unwrap();
    assert!(types.contains("At least 1, at most 3.") && !types.contains("Default: "), "{types}");
    assert_eq!(generate(&both([&v3, &v2])).unwrap().tree, tree);
}

#[test]
fn the_order_of_documents_and_of_keys_is_no_matter() {
    let (widgets, zones) = (Document::of(&[WIDGET]).v3(), Document::of(&[ZONE]).v3());
    let of = |texts: [Input; 2]| texts.into_iter().fold(Request::new("x", "out").command("make it"), Request::openapi);
    let (a, b) = (text("a.json", &widgets), text("b.json", &zones));
    let tree = generate(&of([a.clone(), b.clone()])).unwrap().tree;
    assert_eq!(tree, generate(&of([b, a])).unwrap().tree);
}

#[test]
fn a_pruned_document_gives_the_same_without_descriptions() {
    for form in [document().v2(), document().v3()] {
        let pruned = prune(&text("openapi.json", &form), None).unwrap();
        assert!(!pruned.contains("Where it listens"), "{pruned}");
        let mut whole = request(&form);
        whole.docs = false;
        let mut small = Request::new("shop-informers", "out").command("make it");
        small = small.openapi(Input::Text { name: "openapi.json".into(), text: pruned.clone() });
        small.docs = false;
        assert_eq!(generate(&whole).unwrap().tree, generate(&small).unwrap().tree);
        assert_eq!(coverage(&whole), coverage(&small));
        // Nothing is left to prune.
        assert_eq!(prune(&small.openapi[0], None).unwrap(), pruned);
    }
}

fn packed(value: &Value) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(value.to_string().as_bytes()).unwrap();
    encoder.finish().unwrap()
}

fn put(folder: &Path, path: &str, contents: &[u8]) {
    let path = folder.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, contents).unwrap();
}

#[test]
fn a_folder_as_a_server_lays_it_out_and_its_index() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let core = Resource { group: "", kind: "Pad", plural: "pads", ..WIDGET };
    put(root, "api/v1.json.gz", &packed(&Document::of(&[core]).v3()));
    put(root, "apis/shop.example.test/v1.json", Document::of(&[WIDGET, ZONE]).v3().to_string().as_bytes());
    let group = json!({"openapi": "3.0.0", "info": {"title": "Kubernetes"}, "paths": {"/apis/shop.example.test/": {"get": {}}}});
    put(root, "apis/shop.example.test.json", group.to_string().as_bytes());
    let urls = ["api/v1", "apis/shop.example.test/v1", "apis/not.there/v1", "../outside"];
    let entry = |path: &str| (path.to_owned(), json!({"serverRelativeURL": format!("/openapi/v3/{path}?hash=1")}));
    let index = json!({"paths": Value::Object(urls.iter().map(|path| entry(path)).collect())});
    put(root, "index.json", index.to_string().as_bytes());
    let of = |path: &Path| coverage(&Request::new("x", "out").openapi(Input::Path(path.to_owned()))).0;
    assert_eq!(of(root).len(), 3);
    assert_eq!(of(&root.join("index.json")), of(root));
    assert_eq!(of(&root.join("api/v1.json.gz")), ["/v1/pads Pad namespaced generated"]);
}

#[test]
fn old_documents_say_it_all_in_paths_and_answers() {
    // As servers wrote them before there were marks: no actions, no kinds, schemas without a type, bare watch paths.
    let deploy =
        Resource { group: "extensions", version: "v1beta1", kind: "Deploy", plural: "deploys", namespaced: true };
    let list = json!({"get": {
        "produces": ["application/json", "application/json;stream=watch"],
        "responses": {"200": {"schema": reference("v1beta1.DeployList")}},
    }, "parameters": [{"name": "watch", "in": "query", "type": "boolean"}]});
    let review =
        json!({"post": {"parameters": [{"name": "body", "in": "body", "schema": reference("v1beta1.Review")}]}});
    let mut document = Document::default()
        .path(&deploy.path(), list.clone())
        .path(&deploy.namespaced_path(), list)
        .path(&deploy.watch_path(), json!({"parameters": []}))
        .path("/apis/extensions/v1beta1/reviews", review);
    document.definitions.insert(
        "v1beta1.Deploy".into(),
        json!({"properties": {
            "metadata": reference("v1.ObjectMeta"), "spec": reference("v1beta1.DeploySpec"),
        }}),
    );
    document.definitions.insert(
        "v1beta1.DeploySpec".into(),
        json!({"properties": {
            "replicas": {"type": "integer", "format": "int32"}, "port": reference("intstr.IntOrString"),
        }}),
    );
    document.definitions.insert("v1beta1.DeployList".into(), json!({"required": ["items"], "properties": {
        "items": {"type": "array", "items": reference("v1beta1.Deploy")}, "metadata": reference("unversioned.ListMeta"),
    }}));
    let request = request(&document.v2());
    let (informers, skipped) = coverage(&request);
    assert_eq!(informers, ["extensions/v1beta1/deploys Deploy namespaced generated"]);
    assert_eq!(skipped, ["Review can only be created"]);
    let types = crate::document::file(&request, "src/definitions/v1beta1.rs");
    assert!(
        types.contains("pub replicas: Option<i64>") && types.contains("pub port: Option<codegen::IntOrString>"),
        "{types}"
    );
}
