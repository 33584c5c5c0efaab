//! Defaults must be values that the server would take: without unknown keys, with what every object has where one is
//! embedded, and right by their schemas.

use super::keyword::{flag, present};
use super::trail::{At, Step, Teller};
use super::{metadata, value};
use crate::document::node::Node;
use crate::lower::dns;

/// What every object has, and so every embedded resource.
const META: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// Checks the default of a schema; `in_meta` tells that it is one of apiVersion, kind or metadata, or below.
pub(super) fn check<'a>(schema: Node<'a>, is_root: bool, in_meta: bool, at: At, teller: &mut Teller<'_, 'a>) {
    let Some(default) = present(schema, "default") else { return };
    let at = teller.key(at, "default");
    if !in_meta {
        unknown_keys(default, schema, is_root, at, teller);
        embedded(default, schema, is_root, at, teller);
    }
    value::check(default, schema, at, teller);
}

/// Tells of keys that the server would drop.
fn unknown_keys<'a>(default: Node<'a>, schema: Node<'a>, is_root: bool, at: At, teller: &mut Teller<'_, 'a>) {
    // Values with their schemas, if there are any, and whether keys without one are kept.
    let mut open = vec![(default, Some(schema), false, at)];
    let mut is_embedded_root = is_root;
    while let Some((value, schema, kept, at)) = open.pop() {
        let says = |key: &str| schema.is_some_and(|schema| flag(schema, key));
        let kept = kept || says("x-kubernetes-preserve-unknown-fields");
        let embedded = says("x-kubernetes-embedded-resource") || std::mem::take(&mut is_embedded_root);
        let properties = schema.and_then(|schema| present(schema, "properties"));
        let others = schema.and_then(|schema| present(schema, "additionalProperties"));
        for (key, inner) in value.entries() {
            if embedded && META.contains(&key.name) {
                continue;
            }
            let at = teller.key(at, key.name);
            let known = properties.and_then(|properties| properties.get(key.name));
            match (known, others) {
                (Some(schema), _) => open.push((inner, Some(schema), false, at)),
                (None, Some(values)) => open.push((inner, Some(values).filter(|node| node.is_object()), false, at)),
                (None, None) if kept => {}
                (None, None) => {
                    let message = format!("this default does not fit its schema: it has no property {:?}", key.name);
                    teller.error(key.span, at, message, "");
                }
            }
        }
        let items = schema.and_then(|schema| present(schema, "items")).filter(|items| items.is_object());
        if kept && items.is_none() {
            continue;
        }
        for (number, item) in value.items().enumerate() {
            open.push((item, items, kept, teller.down(at, Step::Item(number))));
        }
    }
}

/// Resources within a default must say what they are.
fn embedded<'a>(default: Node<'a>, schema: Node<'a>, is_root: bool, at: At, teller: &mut Teller<'_, 'a>) {
    let mut open = vec![(default, schema, at)];
    let mut is_embedded_root = is_root;
    while let Some((value, schema, at)) = open.pop() {
        let is_resource = flag(schema, "x-kubernetes-embedded-resource") || std::mem::take(&mut is_embedded_root);
        if is_resource && value.is_object() {
            resource(value, at, teller);
        }
        let properties = present(schema, "properties");
        let others = present(schema, "additionalProperties");
        for (key, inner) in value.entries() {
            let known = properties.and_then(|properties| properties.get(key.name)).or(others);
            if let Some(schema) = known.filter(|schema| schema.is_object()) {
                open.push((inner, schema, teller.key(at, key.name)));
            }
        }
        if let Some(items) = present(schema, "items").filter(|items| items.is_object()) {
            for (number, item) in value.items().enumerate() {
                open.push((item, items, teller.down(at, Step::Item(number))));
            }
        }
    }
}

fn resource<'a>(value: Node<'a>, at: At, teller: &mut Teller<'_, 'a>) {
    let is_right = |key: &str, text: &str| match key {
        "kind" => dns::is_kind(text),
        _ => !text.is_empty() && text.matches('/').count() <= 1,
    };
    for key in ["apiVersion", "kind"] {
        let found = value.get(key);
        if !found.and_then(Node::as_str).is_some_and(|text| is_right(key, text)) {
            let at = teller.key(at, key);
            let message = match found {
                Some(_) => format!("this default does not fit its schema: `{key}` is none"),
                None => format!("this default does not fit its schema: an embedded resource needs its `{key}`"),
            };
            teller.error(found.unwrap_or(value).span().start(), at, message, "");
        }
    }
    let Some(found) = present(value, "metadata") else { return };
    let at = teller.key(at, "metadata");
    if found.is_object() {
        metadata::check(found, at, teller);
    } else {
        let message = format!("this default does not fit its schema: `metadata` is a {}", found.kind_name());
        teller.error(found.span(), at, message, "");
    }
}
