//! Small CRDs: they give the same code, and have no sentence of whoever wrote the CRDs.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use informer_gen::{Input, Request, Tree, generate, prune_crds};
use serde_json::{Value, json};

/// The crate of CRDs, without the docs.
fn crate_of(input: Input) -> Tree {
    let mut request = Request::new("shop", "shop").command("make it").input(input);
    request.docs = false;
    generate(&request).unwrap_or_else(|problems| panic!("{problems}")).tree
}

fn named(text: String) -> Input {
    Input::Text { name: "crds.json".into(), text }
}

/// All texts in it that have more than one word.
fn sentences(value: &Value) -> Vec<String> {
    let (mut found, mut open) = (Vec::new(), vec![value]);
    while let Some(value) = open.pop() {
        match value {
            Value::String(text) if text.contains(' ') => found.push(text.clone()),
            Value::Array(items) => open.extend(items),
            Value::Object(fields) => open.extend(fields.values()),
            _ => {}
        }
    }
    found
}

#[test]
fn what_is_left_gives_the_same_code_and_has_no_sentence() {
    let field = json!({
        "type": "string", "description": "Some words.", "default": "some words", "example": "some words",
        "x-kubernetes-validations": [{"rule": "self != ''", "message": "some more words"}],
    });
    let version = |name: &str, served: bool| {
        let warning = (!served).then_some("words that warn");
        json!({
            "name": name, "served": served, "storage": served, "deprecated": !served, "deprecationWarning": warning,
            "schema": {"openAPIV3Schema": {
                "type": "object", "title": "Some words", "description": "Some words.",
                "properties": {"spec": {"type": "object", "required": ["size"], "properties": {
                    "size": field, "count": {"type": "integer", "minimum": 1}, "description": {"type": "string"},
                    "port": {"x-kubernetes-int-or-string": true}, "grade": {"type": "string", "nullable": true},
                }}},
            }},
        })
    };
    let crd = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.shop.example.test", "annotations": {"example.test/note": "some words"}},
        "spec": {
            "group": "shop.example.test", "scope": "Namespaced",
            "names": {"plural": "widgets", "singular": "widget", "kind": "Widget", "listKind": "WidgetList"},
            "versions": [version("v1", true), version("v1beta1", false)],
        },
        "status": {"conditions": []},
    });
    let mut small = prune_crds(&named(crd.to_string())).unwrap();
    let small = small.remove("widgets.shop.example.test").unwrap();
    assert!(small.contains("\"description\": {"), "a field of that name stays");
    assert_eq!(sentences(&serde_json::from_str(&small).unwrap()), [""; 0]);
    assert_eq!(crate_of(named(small)), crate_of(named(crd.to_string())));
}

#[test]
fn the_committed_ones_have_no_sentence() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../generated/gateway-api/crds");
    for (name, text) in files(&folder) {
        let crd: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(sentences(&crd), [""; 0], "{name}");
    }
}

#[test]
fn the_committed_ones_are_those_of_the_gateway_api_pruned() {
    let Some(corpus) = std::env::var_os("INFORMER_CORPUS").map(PathBuf::from) else {
        println!("skipped: INFORMER_CORPUS names no folder with real CRDs");
        return;
    };
    let whole = Input::Path(corpus.join("crds/gateway-api"));
    let pruned = prune_crds(&whole).unwrap_or_else(|problems| panic!("{problems}"));
    // Each file is called after the plural.
    let pruned: BTreeMap<String, String> =
        pruned.into_iter().map(|(name, text)| (format!("{}.json", name.split('.').next().unwrap()), text)).collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../generated/gateway-api/crds");
    assert_eq!(files(&folder), pruned, "`cargo xtask prune-crds` makes them again");
}

/// The files of a folder by name.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let named = entries.map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), path));
    named.map(|(name, path)| (name, fs::read_to_string(path).unwrap())).collect()
}
