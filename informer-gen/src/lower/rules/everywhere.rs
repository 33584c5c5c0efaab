//! What holds for every schema of a CRD, also for those within `allOf`, `anyOf`, `oneOf` and `not`.

use super::keyword::{flag, key_span, present, text};
use super::regexp;
use super::trail::{At, Teller};
use crate::document::node::Node;

/// Keywords of JSON Schema that the server knows and forbids.
const FORBIDDEN: [(&str, &str); 7] = [
    ("$ref", "write the schema out where it is used"),
    ("$schema", "leave it out"),
    ("definitions", "write the schemas out where they are used"),
    ("dependencies", ""),
    ("patternProperties", "`additionalProperties` gives the schema of all values of a map"),
    ("additionalItems", "`items` gives the schema of all items"),
    ("id", "leave it out"),
];

/// Checks one schema, without those in it.
pub(super) fn check<'a>(schema: Node<'a>, at: At, teller: &mut Teller<'_, 'a>) {
    for (key, hint) in FORBIDDEN {
        // Some may be there as long as they are empty.
        let says_nothing = |node: &Node<'a>| match key {
            "id" | "$schema" => node.as_str() == Some(""),
            "definitions" | "patternProperties" => node.entries().len() == 0,
            _ => false,
        };
        if present(schema, key).is_some_and(|node| !says_nothing(&node)) {
            let at = teller.key(at, key);
            let message = format!("`{key}` is not allowed in the schema of a CRD");
            teller.error(key_span(schema, key), at, message, hint);
        }
    }
    if flag(schema, "uniqueItems") {
        let at = teller.key(at, "uniqueItems");
        let message = "`uniqueItems: true` is not allowed in the schema of a CRD";
        teller.error(key_span(schema, "uniqueItems"), at, message, "`x-kubernetes-list-type: set` says the same");
    }
    if let Some(node) = present(schema, "pattern")
        && let Some(wrong) = text(schema, "pattern").and_then(regexp::wrong)
    {
        let at = teller.key(at, "pattern");
        let message = format!("`pattern` is no regular expression that the server takes: {wrong}");
        teller.error(node.span(), at, message, "the server takes the syntax of Go's regexp");
    }
    if let Some(others) = present(schema, "additionalProperties")
        && present(schema, "properties").is_some_and(|properties| properties.entries().len() > 0)
        && others.as_bool() != Some(true)
    {
        let at = teller.key(at, "additionalProperties");
        let message = "`additionalProperties` and `properties` exclude each other";
        let hint = "unknown keys are dropped anyway; `x-kubernetes-preserve-unknown-fields: true` keeps them";
        teller.error(key_span(schema, "additionalProperties"), at, message, hint);
    }
    const PRESERVE: &str = "x-kubernetes-preserve-unknown-fields";
    if let Some(node) = present(schema, PRESERVE).filter(|node| node.as_bool() == Some(false)) {
        let at = teller.key(at, PRESERVE);
        teller.error(node.span(), at, format!("`{PRESERVE}` can only be true"), "leave it out");
    }
    // Anything else than a schema and a list with something in it counts as absent.
    if let Some(items) = present(schema, "items").filter(|items| items.items().len() > 0) {
        let at = teller.key(at, "items");
        let message = "`items` must be one schema, but is a list";
        teller.error(items.span().start(), at, message, "all items have the same schema");
    }
}
