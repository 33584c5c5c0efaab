//! What of the paths of a document matters: for pruned documents.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::operation::{GroupVersionKind, Operation};
use super::resource::{Name, Resources, kind};
use super::url::{Part, Url};
use crate::document::node::Node;
use crate::document::spec::Spec;

/// What matters of an operation, as Swagger 2, and the definitions that it refers to.
pub(crate) struct Facts {
    pub(crate) facts: Map<String, Value>,
    pub(crate) definitions: Vec<String>,
}

/// Whether a definition is a list of objects.
pub(crate) fn is_list(definition: Node<'_>) -> bool {
    let property = |name| definition.get("properties").and_then(|properties| properties.get(name));
    property("metadata").is_some() && property("items").is_some_and(|items| items.get("items").is_some())
}

/// The paths that say something, each with the operations that do, by their method. Of a resource that can be listed and
/// watched, that is its list and that other paths are there; of all else it is everything.
pub(crate) fn facts<'a>(spec: &Spec<'a>) -> Vec<(&'a str, Vec<(&'static str, Facts)>)> {
    let resources = Resources::of(spec);
    let informed: BTreeMap<Name<'a>, &'a str> =
        resources.informed().map(|(name, _, listed)| (name, listed.kind)).collect();
    let has_informer = |kind: &GroupVersionKind<'a>| {
        informed
            .iter()
            .any(|((group, version, _), known)| (*group, *version, *known) == (kind.group, kind.version, kind.kind))
    };
    let paths: BTreeMap<&str, Node<'a>> = spec.paths().collect();
    let mut facts = Vec::new();
    for (path, node) in spec.paths() {
        let Some(url) = Url::parse(path) else { continue };
        let mut operations: Vec<_> = Operation::all(node).collect();
        if url.part == Part::Collection && informed.contains_key(&url.name()) {
            // What is said for all namespaces need not be said again for one.
            let repeated = url.namespaced && url.whole_paths().iter().any(|whole| paths.contains_key(whole.as_str()));
            if repeated && url.watch {
                continue;
            }
            operations.retain(|operation| operation.method == "get" && !repeated && !url.watch);
        } else {
            operations.retain(|operation| kind(spec, &url, operation).is_some_and(|kind| !has_informer(&kind)));
            if operations.is_empty() {
                continue;
            }
        }
        facts.push((path, operations.iter().map(|operation| (operation.method, of(spec, node, operation))).collect()));
    }
    facts
}

fn of<'a>(spec: &Spec<'a>, path: Node<'a>, operation: &Operation<'a>) -> Facts {
    let mut facts = Map::new();
    if let Some(action) = operation.action() {
        facts.insert("x-kubernetes-action".to_owned(), action.into());
    }
    if let Some(kind) = operation.marked_kind(spec) {
        let kind = json!({"group": kind.group, "version": kind.version, "kind": kind.kind});
        facts.insert("x-kubernetes-group-version-kind".to_owned(), kind);
    }
    if operation.is_deprecated() {
        facts.insert("deprecated".to_owned(), true.into());
    }
    // Where marks tell the kind, bodies do not: only lists are looked at.
    let marked = operation.marked_kind(spec).is_some();
    let lists = operation.list(spec).is_some();
    let (answers, takes) = (operation.answers(spec), operation.takes(spec));
    let answers = answers.filter(|_| lists || !marked);
    let takes = takes.filter(|_| !marked);
    let reference = |name: &str| json!({"$ref": format!("#/definitions/{name}")});
    if let Some(name) = answers {
        facts.insert("responses".to_owned(), json!({"200": {"schema": reference(name)}}));
    }
    let mut parameters = Vec::new();
    if lists && operation.has_watch_parameter(spec, path) {
        parameters.push(json!({"name": "watch", "in": "query"}));
    }
    if let Some(name) = takes {
        parameters.push(json!({"name": "body", "in": "body", "schema": reference(name)}));
    }
    if !parameters.is_empty() {
        facts.insert("parameters".to_owned(), parameters.into());
    }
    // Of others than lists only the name is read.
    let definitions = answers.filter(|_| lists).map(str::to_owned).into_iter().collect();
    Facts { facts, definitions }
}
