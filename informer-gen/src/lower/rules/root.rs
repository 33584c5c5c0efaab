//! What the root of a schema alone must keep to.

use super::keyword::{flag, is_stated, key_span, present};
use super::trail::{At, Teller};
use crate::document::node::Node;

/// Keywords that the root may not have where there is a status of its own, not even empty: the server takes the schema
/// of the status out. Those that it may not have at all are told elsewhere.
const NOT_BESIDE_STATUS: [&str; 15] = [
    "maxProperties",
    "minProperties",
    "enum",
    "allOf",
    "oneOf",
    "anyOf",
    "not",
    "default",
    "patternProperties",
    "definitions",
    "x-kubernetes-embedded-resource",
    "x-kubernetes-int-or-string",
    "x-kubernetes-list-map-keys",
    "x-kubernetes-list-type",
    "x-kubernetes-map-type",
];

/// Checks the root of a schema; `status` tells whether its kind has a status of its own.
pub(super) fn check<'a>(schema: Node<'a>, status: bool, at: At, teller: &mut Teller<'_, 'a>) {
    if flag(schema, "nullable") {
        let at = teller.key(at, "nullable");
        teller.error(key_span(schema, "nullable"), at, "the root of a schema can't be null", "leave `nullable` out");
    }
    let there = |key: &str| present(schema, key).is_some_and(|node| node.as_bool() != Some(false));
    for key in NOT_BESIDE_STATUS.into_iter().filter(|key| status && there(key)) {
        let at = teller.key(at, key);
        let message = format!("`{key}` is not allowed at the root of a schema where `subresources.status` is there");
        teller.error(key_span(schema, key), at, message, "write it in the schema of a field, `spec` for instance");
    }
    if let Some(metadata) = schema.get("properties").and_then(|properties| properties.get("metadata")) {
        let at = teller.key(at, "properties");
        restricted(schema, metadata, at, teller);
    }
    complete(schema, at, teller);
}

/// Of metadata, only `name` and `generateName` may be restricted.
fn restricted<'a>(root: Node<'a>, schema: Node<'a>, at: At, teller: &mut Teller<'_, 'a>) {
    let name = |key: &str| key == "name" || key == "generateName";
    let wrong = schema.entries().find(|(key, value)| match key.name {
        "type" | "default" => false,
        "properties" => value.entries().any(|(key, _)| !name(key.name)),
        key => is_stated(key, *value),
    });
    let Some((key, _)) = wrong else { return };
    let at = teller.key(at, "metadata");
    let message = "the schema of `metadata` may restrict `name` and `generateName` only";
    let hint = format!("leave out `{}`: the server knows metadata", key.name);
    let properties = present(root, "properties").unwrap_or(root);
    teller.error(key_span(properties, "metadata"), at, message, &hint);
}

/// What `allOf`, `anyOf`, `oneOf` and `not` at the root speak of must be there beside them.
fn complete<'a>(root: Node<'a>, at: At, teller: &mut Teller<'_, 'a>) {
    // What is nested, the schema of the same values beside it, and the place of that.
    let mut open: Vec<(Node<'a>, Node<'a>, At)> = junctors(root).map(|nested| (nested, root, at)).collect();
    while let Some((nested, schema, at)) = open.pop() {
        open.extend(junctors(nested).map(|nested| (nested, schema, at)));
        if let Some(items) = present(nested, "items").filter(|items| items.is_object()) {
            let at = teller.key(at, "items");
            match present(schema, "items").filter(|items| items.is_object()) {
                Some(schema) => open.push((items, schema, at)),
                None => missing("`items`", schema, at, teller),
            }
        }
        let at = teller.key(at, "properties");
        for (key, property) in nested.get("properties").into_iter().flat_map(Node::entries) {
            let at = teller.key(at, key.name);
            match schema.get("properties").and_then(|properties| properties.get(key.name)) {
                Some(schema) => open.push((property, schema, at)),
                None => missing(&format!("the property {:?}", key.name), schema, at, teller),
            }
        }
    }
}

fn junctors<'a>(schema: Node<'a>) -> impl Iterator<Item = Node<'a>> {
    let lists = ["allOf", "anyOf", "oneOf"].into_iter().filter_map(move |key| schema.get(key));
    lists.flat_map(Node::items).chain(present(schema, "not"))
}

fn missing<'a>(what: &str, schema: Node<'a>, at: At, teller: &mut Teller<'_, 'a>) {
    let message = format!("{what} is restricted within allOf, anyOf, oneOf or not, but not declared here");
    teller.error(schema.span().start(), at, message, "they may only restrict what the schema itself declares");
}
