//! Small CRDs: what of a CustomResourceDefinition the generator reads, so that it can be committed and reviewed. It has no
//! sentence of whoever wrote the CRD, in descriptions, rules of validation or warnings, and gives the same code but for
//! the docs and the words of deprecations.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::document::Documents;
use crate::document::node::Node;
use crate::lower::TypeMap;
use crate::problem::Problems;
use crate::prune::kept_default;
use crate::request::{Input, Request};

/// The small form of every CRD of an input, by the CRD's name, as JSON that ends in a line feed.
///
/// # Errors
/// If the input can't be read or holds no CRD, or a CRD is wrong.
pub fn prune_crds(input: &Input) -> Result<BTreeMap<String, String>, Problems> {
    let request = Request::new("pruned", "pruned").input(input.clone());
    let mut problems = Problems::new();
    let mut documents = Documents::default();
    documents.read_crds(&request, &mut std::io::stdin().lock(), &mut problems);
    let found = documents.crds(&mut problems).crds;
    crate::lower::crds(&found, &TypeMap::new(&[])?, &mut problems);
    let mut pruned = BTreeMap::new();
    for crd in found {
        let (name, small) = small(crd);
        // Plain data with text keys can always be written.
        pruned.insert(name, serde_json::to_string_pretty(&small).unwrap_or_default() + "\n");
    }
    problems.located_in(documents.sources()).into_result()?;
    Ok(pruned)
}

/// The fields of these names, those that are there.
fn some(node: Option<Node<'_>>, keys: &[&str]) -> Map<String, Value> {
    let there = keys.iter().filter_map(|key| Some(((*key).to_owned(), node?.get(key)?.json())));
    there.collect()
}

fn small(crd: Node<'_>) -> (String, Value) {
    let (metadata, spec) = (crd.get("metadata"), crd.get("spec"));
    let name = metadata.and_then(|metadata| metadata.get("name")).and_then(Node::as_str).unwrap_or_default();
    let mut kept = some(metadata, &["name"]);
    let annotations = some(metadata.and_then(|m| m.get("annotations")), &["api-approved.kubernetes.io"]);
    if !annotations.is_empty() {
        kept.insert("annotations".to_owned(), Value::Object(annotations));
    }
    let mut kept_spec = some(spec, &["group", "scope"]);
    let names = some(spec.and_then(|spec| spec.get("names")), &["kind", "plural", "singular", "listKind"]);
    kept_spec.insert("names".to_owned(), Value::Object(names));
    let versions = spec.and_then(|spec| spec.get("versions")).into_iter().flat_map(|versions| {
        versions.items().map(|version| {
            let keys = ["name", "served", "storage", "deprecated"];
            let mut kept = some(Some(version), &keys);
            if let Some(node) = version.get("schema").and_then(|schema| schema.get("openAPIV3Schema")) {
                kept.insert("schema".to_owned(), json!({ "openAPIV3Schema": schema(node) }));
            }
            Value::Object(kept)
        })
    });
    kept_spec.insert("versions".to_owned(), versions.collect());
    let small = json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": kept,
        "spec": kept_spec,
    });
    (name.to_owned(), small)
}

/// Recursion follows the depth of a document, which the reader bounds.
fn schema(node: Node<'_>) -> Value {
    let mut kept = Map::new();
    for (key, value) in node.entries() {
        let small = match key.name {
            "properties" => {
                Value::Object(value.entries().map(|(key, node)| (key.name.to_owned(), schema(node))).collect())
            }
            "items" | "additionalProperties" if value.is_object() => schema(value),
            "additionalProperties"
            | "required"
            | "enum"
            | "type"
            | "format"
            | "nullable"
            | "x-kubernetes-int-or-string"
            | "x-kubernetes-preserve-unknown-fields"
            | "x-kubernetes-embedded-resource" => value.json(),
            // Only whether there is one matters, and whether it is the empty text.
            "default" => kept_default(value),
            _ => continue,
        };
        kept.insert(key.name.to_owned(), small);
    }
    Value::Object(kept)
}
