//! Small documents: what of an OpenAPI document the generator reads, and nothing else.
//!
//! A pruned document holds facts only (which paths there are, what they do with which kinds, what refers to what), so it
//! can be committed, reviewed and read by the same code as the document that it comes from.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use crate::document::Documents;
use crate::document::node::Node;
use crate::document::spec::Spec;
use crate::model::Release;
use crate::problem::Problems;
use crate::request::{Input, Request};

/// The small form of an OpenAPI document (or of a folder of them), as Swagger 2 in JSON, ending in a line feed.
///
/// Generating from it gives what generating from the whole document gives, but for docs: descriptions, bounds, patterns and
/// rules are left out. So are the schemas of types that exist already (see [`Request::types`]): those that exist for the
/// release, to which the small document then belongs ([`Request::releases`]); without one, those that exist for every
/// release.
///
/// # Errors
/// If the input can't be read or is no OpenAPI document.
pub fn prune(input: &Input, release: Option<Release>) -> Result<String, Problems> {
    let request = Request::new("pruned", "pruned").openapi(input.clone());
    let types = crate::lower::TypeMap::new(&[])?;
    let mut problems = Problems::new();
    let mut documents = Documents::default();
    documents.read_openapi(&request, &mut std::io::stdin().lock(), &mut problems);
    let specs = documents.specs(&mut problems);
    let mut pruned = Pruned { release, ..Pruned::default() };
    for spec in &specs {
        pruned.add(spec, &types);
    }
    drop(specs);
    problems.located_in(documents.sources()).into_result()?;
    Ok(pruned.text())
}

#[derive(Default)]
struct Pruned {
    release: Option<Release>,
    title: String,
    paths: BTreeMap<String, Value>,
    definitions: BTreeMap<String, Value>,
}

impl Pruned {
    fn add(&mut self, spec: &Spec<'_>, types: &crate::lower::TypeMap) {
        self.title = spec.title().unwrap_or_default().to_owned();
        let mut wanted = BTreeSet::new();
        for (path, operations) in crate::lower::facts(spec) {
            let mut kept = Map::new();
            for (method, operation) in operations {
                wanted.extend(operation.definitions);
                kept.insert(method.to_owned(), Value::Object(operation.facts));
            }
            self.paths.insert(path.to_owned(), Value::Object(kept));
        }
        self.define(spec, types, wanted);
    }

    /// The definitions of these names, and those that they refer to.
    fn define(&mut self, spec: &Spec<'_>, types: &crate::lower::TypeMap, names: BTreeSet<String>) {
        let mut open: Vec<String> = names.into_iter().collect();
        while let Some(name) = open.pop() {
            if self.definitions.contains_key(&name) {
                continue;
            }
            let Some(node) = spec.definition(&name) else { continue };
            let is_list = crate::lower::is_list(node);
            let mut kept = Map::new();
            if let Some(mark) = node.get("x-kubernetes-group-version-kind") {
                kept.insert("x-kubernetes-group-version-kind".to_owned(), mark.json());
            }
            // Of a list, that it is one and of what; of a type that exists, only its name.
            if is_list {
                let items = node.get("properties").and_then(|properties| properties.get("items"));
                let item = items.and_then(|items| items.get("items")).and_then(|items| spec.reference(items));
                let reference = item.map(|item| json!({"$ref": format!("#/definitions/{item}")}));
                open.extend(item.map(str::to_owned));
                kept.insert(
                    "properties".to_owned(),
                    json!({"items": {"type": "array", "items": reference}, "metadata": {}}),
                );
            } else if !types.is_always_there(&name, self.release) {
                let mut schema = Schema { spec, open: &mut open };
                if let Value::Object(schema) = schema.pruned(node) {
                    kept.extend(schema);
                }
            }
            self.definitions.insert(name, Value::Object(kept));
        }
    }

    /// One line for each path and definition, so that a change of one is a change of a line.
    fn text(&self) -> String {
        let rows = |rows: &BTreeMap<String, Value>| {
            let lines: Vec<String> = rows.iter().map(|(key, value)| format!("{}: {value}", json!(key))).collect();
            lines.join(",\n")
        };
        let (info, paths, definitions) = (json!({"title": self.title}), rows(&self.paths), rows(&self.definitions));
        format!(
            "{{\n\"swagger\": \"2.0\",\n\"info\": {info},\n\"paths\": {{\n{paths}\n}},\n\"definitions\": {{\n{definitions}\n}}\n}}\n"
        )
    }
}

/// A schema without what the generator does not read.
struct Schema<'s, 'a> {
    spec: &'s Spec<'a>,
    /// Definitions that it refers to.
    open: &'s mut Vec<String>,
}

impl<'a> Schema<'_, 'a> {
    /// Recursion follows the depth of a document, which the reader bounds.
    fn pruned(&mut self, node: Node<'a>) -> Value {
        if let Some(name) = self.spec.reference(node) {
            self.open.push(name.to_owned());
            let mut kept = self.flags(node);
            kept.insert("$ref".to_owned(), format!("#/definitions/{name}").into());
            return Value::Object(kept);
        }
        let mut kept = self.flags(node);
        for (key, value) in node.entries() {
            match key.name {
                "properties" => {
                    let properties = value.entries().map(|(key, node)| (key.name.to_owned(), self.pruned(node)));
                    kept.insert("properties".to_owned(), Value::Object(properties.collect()));
                }
                "items" | "additionalProperties" if value.is_object() => {
                    kept.insert(key.name.to_owned(), self.pruned(value));
                }
                "additionalProperties" | "required" | "enum" | "type" | "format" => {
                    kept.insert(key.name.to_owned(), value.json());
                }
                _ => {}
            }
        }
        Value::Object(kept)
    }

    fn flags(&self, node: Node<'a>) -> Map<String, Value> {
        let mut kept = Map::new();
        for (key, value) in node.entries() {
            let flag = matches!(
                key.name,
                "nullable"
                    | "x-kubernetes-int-or-string"
                    | "x-kubernetes-preserve-unknown-fields"
                    | "x-kubernetes-embedded-resource"
            );
            if flag {
                kept.insert(key.name.to_owned(), value.json());
            }
            if key.name == "default" {
                kept.insert("default".to_owned(), kept_default(value));
            }
        }
        kept
    }
}

/// What is left of a default: that there is one, and whether it is the empty text.
pub(crate) fn kept_default(value: Node<'_>) -> Value {
    if value.as_str() == Some("") { "".into() } else { Value::Null }
}
