//! `x-kubernetes-list-type`, `x-kubernetes-list-map-keys` and `x-kubernetes-map-type`: how lists and maps are merged.

use std::collections::BTreeSet;

use super::keyword::{self, flag, key_span, present, text};
use super::trail::{At, Teller};
use crate::document::node::Node;

const LIST: &str = "x-kubernetes-list-type";
const KEYS: &str = "x-kubernetes-list-map-keys";
const MAP: &str = "x-kubernetes-map-type";

/// Checks them in a schema of a field.
pub(super) fn check<'a>(schema: Node<'a>, at: At, teller: &mut Teller<'_, 'a>) {
    for (key, known, wanted) in
        [(LIST, &["atomic", "set", "map"][..], "array"), (MAP, &["atomic", "granular"], "object")]
    {
        let Some(node) = present(schema, key) else { continue };
        let value = node.as_str().unwrap_or_default();
        if !known.contains(&value) {
            let at = teller.key(at, key);
            teller.error(node.span(), at, format!("`{key}: {value}` is none of {}", known.join(", ")), "");
        }
        if text(schema, "type") != Some(wanted) {
            let at = teller.key(at, "type");
            let place = present(schema, "type").map_or(key_span(schema, key), Node::span);
            teller.error(place, at, format!("with `{key}` the type must be {wanted}"), "");
        }
    }
    let kind = text(schema, LIST);
    let names: Vec<&str> = keyword::names(schema, KEYS).collect();
    if !names.is_empty() && kind != Some("map") {
        let at = teller.key(at, LIST);
        let place = present(schema, LIST).map_or(key_span(schema, KEYS), Node::span);
        teller.error(place, at, format!("`{KEYS}` needs `{LIST}: map`"), "");
    }
    let items = present(schema, "items").filter(|items| items.is_object());
    match (kind, items) {
        (Some("map"), Some(items)) => map(schema, items, &names, at, teller),
        (Some("set"), Some(items)) => set(items, at, teller),
        _ => {}
    }
}

fn map<'a>(schema: Node<'a>, items: Node<'a>, names: &[&'a str], at: At, teller: &mut Teller<'_, 'a>) {
    let at_items = teller.key(at, "items");
    if flag(items, "nullable") {
        let at = teller.key(at_items, "nullable");
        teller.error(key_span(items, "nullable"), at, "items of a list of type map can't be null", "");
    }
    if text(items, "type") != Some("object") {
        let at = teller.key(at_items, "type");
        let place = present(items, "type").unwrap_or(items);
        teller.error(place.span().start(), at, "items of a list of type map must be objects", "");
    }
    let at_keys = teller.key(at, KEYS);
    if names.is_empty() {
        let message = format!("a list of type map needs `{KEYS}`");
        teller.error(key_span(schema, LIST), at_keys, message, "name the fields that tell items apart");
    }
    let list = present(schema, KEYS).unwrap_or(schema);
    let properties = items.get("properties");
    let required: BTreeSet<&str> = keyword::names(items, "required").collect();
    let mut seen = BTreeSet::new();
    for name in names {
        if !seen.insert(*name) {
            teller.error(list.span().start(), at_keys, format!("`{KEYS}` names {name:?} twice"), "");
            continue;
        }
        let Some(property) = properties.and_then(|properties| properties.get(name)) else {
            let message = format!("`{KEYS}` names {name:?}, which is no property of the items");
            teller.error(list.span().start(), at_keys, message, "");
            continue;
        };
        key(property, name, required.contains(name), at_items, teller);
    }
}

/// A property that tells items apart must be there, and be one value.
fn key<'a>(property: Node<'a>, name: &'a str, required: bool, at_items: At, teller: &mut Teller<'_, 'a>) {
    let at = teller.key(at_items, "properties");
    let at = teller.key(at, name);
    if matches!(text(property, "type"), Some("object" | "array")) {
        let at = teller.key(at, "type");
        let place = present(property, "type").unwrap_or(property);
        teller.error(place.span(), at, format!("{name:?} tells items apart, so it must be one value"), "");
    }
    if !required && present(property, "default").is_none() {
        let at = teller.key(at, "default");
        let message = format!("{name:?} tells items apart, so it must be required or have a default");
        teller.error(property.span().start(), at, message, "add it to `required` of the items");
    }
    if flag(property, "nullable") {
        let at = teller.key(at, "nullable");
        let message = format!("{name:?} tells items apart, so it can't be null");
        teller.error(key_span(property, "nullable"), at, message, "");
    }
}

fn set<'a>(items: Node<'a>, at: At, teller: &mut Teller<'_, 'a>) {
    let at = teller.key(at, "items");
    if flag(items, "nullable") {
        let at = teller.key(at, "nullable");
        teller.error(key_span(items, "nullable"), at, "items of a set can't be null", "");
    }
    let (key, atomic) = match text(items, "type") {
        Some("object") => (MAP, text(items, MAP) == Some("atomic")),
        // Of lists, atomic is the default.
        Some("array") => (LIST, text(items, LIST).is_none_or(|kind| kind == "atomic")),
        _ => return,
    };
    if !atomic {
        let at = teller.key(at, key);
        let place = present(items, key).map_or(items.span().start(), Node::span);
        let message = format!("items of a set must be compared as a whole: they need `{key}: atomic`");
        teller.error(place, at, message, "");
    }
}
