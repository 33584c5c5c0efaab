//! The rules of structural schemas: what the server asks of the schema of every field.
//!
//! The walk has its own stack, so that a deep schema is only a long walk.

use super::cel_type::Type;
use super::keyword::{check_schema, flag, key_span, present, text};
use super::trail::{At, Teller};
use super::{default, list, nested, pattern, validation};
use crate::document::node::Node;

/// Where a schema stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    Root,
    Item,
    Field,
}

/// Keywords of JSON Schema that the server knows and forbids.
const FORBIDDEN: [(&str, &str); 6] = [
    ("$ref", "write the schema out where it is used"),
    ("definitions", "write the schemas out where they are used"),
    ("dependencies", ""),
    ("patternProperties", "`additionalProperties` gives the schema of all values of a map"),
    ("additionalItems", "`items` gives the schema of all items"),
    ("id", ""),
];

const TYPES: [&str; 6] = ["object", "array", "string", "integer", "number", "boolean"];

/// Checks a whole schema.
pub(super) fn check<'a>(root: Node<'a>, teller: &mut Teller<'_, 'a>) {
    let mut open = vec![(root, teller.root(), Level::Root)];
    while let Some((schema, at, level)) = open.pop() {
        if !schema.is_object() {
            let message = format!("a schema must be an object, but is a {}", schema.kind_name());
            teller.error(schema.span(), at, message, "");
            continue;
        }
        let lists_items = items_are_no_list(schema, at, teller);
        if !check_schema(schema, at, teller) || !lists_items {
            // Its fields may be read all the same.
            below(schema, at, teller, &mut open);
            continue;
        }
        keywords(schema, at, teller);
        type_rules(schema, at, level, teller);
        extensions(schema, at, teller);
        metadata(schema, at, level, teller);
        list::check(schema, at, teller);
        nested::check(schema, at, teller);
        let of = if level == Level::Root { Type::Resource(schema) } else { Type::of(schema) };
        validation::check(schema, of, at, teller);
        default::check(schema, at, teller);
        below(schema, at, teller, &mut open);
    }
}

fn items_are_no_list<'a>(schema: Node<'a>, at: At, teller: &mut Teller<'_, 'a>) -> bool {
    let Some(items) = present(schema, "items").filter(|items| !items.is_object()) else { return true };
    let at = teller.key(at, "items");
    let message = format!("`items` must be one schema, but is a {}", items.kind_name());
    teller.error(items.span().start(), at, message, "all items have the same schema");
    false
}

fn below<'a>(schema: Node<'a>, at: At, teller: &mut Teller<'_, 'a>, open: &mut Vec<(Node<'a>, At, Level)>) {
    if let Some(properties) = schema.get("properties").filter(|node| node.is_object()) {
        let at = teller.key(at, "properties");
        for (key, property) in properties.entries().filter(|(_, property)| !property.is_null()) {
            open.push((property, teller.key(at, key.name), Level::Field));
        }
    }
    for (key, level) in [("items", Level::Item), ("additionalProperties", Level::Field)] {
        if let Some(schema) = schema.get(key).filter(|node| node.is_object()) {
            open.push((schema, teller.key(at, key), level));
        }
    }
}

fn keywords<'a>(schema: Node<'a>, at: At, teller: &mut Teller<'_, 'a>) {
    for (key, hint) in FORBIDDEN {
        if present(schema, key).is_some() {
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
        && let Some(wrong) = node.as_str().and_then(pattern::wrong)
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
}

fn type_rules<'a>(schema: Node<'a>, at: At, level: Level, teller: &mut Teller<'_, 'a>) {
    let name = text(schema, "type");
    let at_type = teller.key(at, "type");
    let place = present(schema, "type").unwrap_or(schema);
    if let Some(name) = name.filter(|name| !TYPES.contains(name)) {
        let message = format!("`type: {name}` is none of object, array, string, integer, number, boolean");
        let hint = if name == "null" { "`nullable: true` allows null" } else { "" };
        teller.error(place.span(), at_type, message, hint);
        return;
    }
    let embedded = flag(schema, "x-kubernetes-embedded-resource");
    if level == Level::Root && name.is_some_and(|name| name != "object") {
        teller.error(place.span(), at_type, "the root of a schema must be of type object", "");
    }
    let loose = flag(schema, "x-kubernetes-int-or-string") || flag(schema, "x-kubernetes-preserve-unknown-fields");
    if embedded && name != Some("object") {
        let message = "with `x-kubernetes-embedded-resource` the type must be object";
        teller.error(place.span().start(), at_type, message, "write `type: object`");
    } else if name.is_none() && !loose && present(schema, "$ref").is_none() {
        let what = match level {
            Level::Root => "the root of a schema has no `type`",
            Level::Item => "the items of this list have no `type`",
            Level::Field => "this field has no `type`",
        };
        let hint = match level {
            Level::Root => "write `type: object`",
            _ => "name one; `x-kubernetes-preserve-unknown-fields: true` stands for any value",
        };
        teller.error(schema.span().start(), at_type, what, hint);
    }
    if name == Some("array") && present(schema, "items").is_none() {
        let at = teller.key(at, "items");
        let message = "`type: array` needs `items`";
        teller.error(place.span(), at, message, "any value: `items: {x-kubernetes-preserve-unknown-fields: true}`");
    }
    if level == Level::Root && present(schema, "additionalProperties").is_some() {
        let at = teller.key(at, "additionalProperties");
        let message = "`additionalProperties` is not allowed at the root of a schema";
        let hint = "`x-kubernetes-preserve-unknown-fields: true` keeps unknown keys";
        teller.error(key_span(schema, "additionalProperties"), at, message, hint);
    }
}

fn extensions<'a>(schema: Node<'a>, at: At, teller: &mut Teller<'_, 'a>) {
    const PRESERVE: &str = "x-kubernetes-preserve-unknown-fields";
    const EMBEDDED: &str = "x-kubernetes-embedded-resource";
    let preserve = present(schema, PRESERVE);
    if let Some(node) = preserve.filter(|node| node.as_bool() == Some(false)) {
        let at = teller.key(at, PRESERVE);
        teller.error(node.span(), at, format!("`{PRESERVE}` can only be true"), "leave it out");
    }
    let embedded = flag(schema, EMBEDDED);
    for key in [PRESERVE, EMBEDDED] {
        if flag(schema, key) && flag(schema, "x-kubernetes-int-or-string") {
            let at = teller.key(at, key);
            let message = format!("`{key}` and `x-kubernetes-int-or-string` exclude each other");
            teller.error(key_span(schema, key), at, message, "keep one of them");
        }
    }
    if embedded && present(schema, "additionalProperties").is_some() {
        let at = teller.key(at, "additionalProperties");
        let message = "`additionalProperties` is not allowed in an embedded resource";
        teller.error(key_span(schema, "additionalProperties"), at, message, "");
    }
    let empty = present(schema, "properties").is_none_or(|properties| properties.entries().len() == 0);
    if embedded && empty && !flag(schema, PRESERVE) {
        let at = teller.key(at, "properties");
        let message = "an embedded resource without `properties` would lose all that it holds";
        teller.error(key_span(schema, EMBEDDED), at, message, "add `x-kubernetes-preserve-unknown-fields: true`");
    }
}

/// apiVersion, kind and metadata are the server's own, at the root and in embedded resources.
fn metadata<'a>(schema: Node<'a>, at: At, level: Level, teller: &mut Teller<'_, 'a>) {
    if level != Level::Root && !flag(schema, "x-kubernetes-embedded-resource") {
        return;
    }
    let Some(properties) = schema.get("properties") else { return };
    let at = teller.key(at, "properties");
    for (key, wanted) in [("apiVersion", "string"), ("kind", "string"), ("metadata", "object")] {
        let Some(property) = present(properties, key).filter(|property| property.is_object()) else { continue };
        let at = teller.key(at, key);
        if text(property, "type") != Some(wanted) {
            let node = present(property, "type").unwrap_or(property);
            let at = teller.key(at, "type");
            teller.error(node.span().start(), at, format!("`{key}` must be of type {wanted}"), "");
        } else if key == "metadata" && level == Level::Root {
            restricted(properties, property, at, teller);
        }
    }
}

/// At the root only `name` and `generateName` of metadata may be restricted.
fn restricted<'a>(properties: Node<'a>, schema: Node<'a>, at: At, teller: &mut Teller<'_, 'a>) {
    let name = |key: &str| key == "name" || key == "generateName";
    let others = |node: Node<'_>| node.entries().any(|(key, _)| !name(key.name));
    let wrong = schema.entries().find(|(key, value)| match key.name {
        "type" | "default" => false,
        "properties" => others(*value),
        "nullable" | "x-kubernetes-embedded-resource" | "x-kubernetes-int-or-string" | "uniqueItems" => {
            value.as_bool() == Some(true)
        }
        "description" | "title" => value.as_str().is_some_and(|text| !text.is_empty()),
        "required" | "enum" | "allOf" | "anyOf" | "oneOf" => value.items().len() > 0,
        "additionalProperties" | "items" | "not" | "pattern" | "format" | "minProperties" | "maxProperties" => {
            !value.is_null()
        }
        "x-kubernetes-preserve-unknown-fields" | "x-kubernetes-map-type" | "x-kubernetes-list-type" => !value.is_null(),
        _ => false,
    });
    if wrong.is_some() {
        let message = "the schema of `metadata` may restrict `name` and `generateName` only";
        let hint = "leave the rest out: the server knows metadata";
        teller.error(key_span(properties, "metadata"), at, message, hint);
    }
}
