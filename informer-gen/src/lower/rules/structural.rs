//! The rules of structural schemas: what the server asks of the schema of every field.
//!
//! The walk has its own stack, so that a deep schema is only a long walk.

use super::cel_type::Type;
use super::keyword::{check_schema, flag, key_span, present, text};
use super::trail::{At, Teller};
use super::{default, everywhere, list, nested, root, validation};
use crate::document::node::Node;

/// Where a schema stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    Root,
    Item,
    Field,
}

/// What the schemas around one say of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Around {
    level: Level,
    /// Within what every object has, apiVersion, kind and metadata: that of an embedded resource or of the kind.
    in_meta: bool,
    /// Why there may be no default.
    no_default: Option<&'static str>,
    /// Whether defaults are compared with their schemas.
    default_is_judged: bool,
    /// Whether a value can be told from the one that was there before.
    has_old_self: bool,
}

const TYPES: [&str; 6] = ["object", "array", "string", "integer", "number", "boolean"];

/// What every object has.
const META: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// Checks a whole schema; `status` tells whether its kind has a status of its own.
pub(super) fn check<'a>(root: Node<'a>, status: bool, teller: &mut Teller<'_, 'a>) {
    let outermost =
        Around { level: Level::Root, in_meta: false, no_default: None, default_is_judged: true, has_old_self: true };
    let mut open = vec![(root, teller.root(), outermost)];
    while let Some((schema, at, around)) = open.pop() {
        // Among the properties, null is a schema that says nothing.
        let says_nothing = schema.is_null() && around.level == Level::Field;
        if !schema.is_object() && !says_nothing {
            let message = format!("a schema must be an object, but is a {}", schema.kind_name());
            teller.error(schema.span(), at, message, "");
            continue;
        }
        let is_root = around.level == Level::Root;
        if check_schema(schema, at, teller) {
            everywhere::check(schema, at, teller);
            type_rules(schema, at, around.level, teller);
            extensions(schema, at, around, teller);
            metadata(schema, at, is_root, teller);
            list::check(schema, at, teller);
            nested::check(schema, at, teller);
            if is_root {
                root::check(schema, status, at, teller);
            }
            let of = if is_root { Type::Resource(schema) } else { Type::of(schema) };
            validation::check(schema, of, around.has_old_self, at, teller);
            defaults(schema, at, around, teller);
        }
        // Its fields may be read even if it itself can't be.
        below(schema, at, around, teller, &mut open);
    }
}

fn below<'a>(
    schema: Node<'a>,
    at: At,
    around: Around,
    teller: &mut Teller<'_, 'a>,
    open: &mut Vec<(Node<'a>, At, Around)>,
) {
    let inner = Around { level: Level::Field, ..around };
    let is_root = around.level == Level::Root;
    if let Some(properties) = schema.get("properties").filter(|node| node.is_object()) {
        let at = teller.key(at, "properties");
        for (key, property) in properties.entries() {
            let mut inner = inner;
            if META.contains(&key.name) && (is_root || flag(schema, "x-kubernetes-embedded-resource")) {
                inner.in_meta = true;
                if is_root {
                    inner.no_default = Some("the server sets what every object has");
                }
            }
            open.push((property, teller.key(at, key.name), inner));
        }
    }
    if let Some(items) = schema.get("items").filter(|node| node.is_object()) {
        let has_old_self = around.has_old_self && text(schema, "x-kubernetes-list-type") == Some("map");
        open.push((items, teller.key(at, "items"), Around { level: Level::Item, has_old_self, ..around }));
    }
    if let Some(values) = schema.get("additionalProperties").filter(|node| node.is_object()) {
        let within = "within the metadata of an embedded resource, a map can have no defaults";
        let no_default = around.no_default.or(around.in_meta.then_some(within));
        open.push((
            values,
            teller.key(at, "additionalProperties"),
            Around { no_default, default_is_judged: false, ..inner },
        ));
    }
}

fn defaults<'a>(schema: Node<'a>, at: At, around: Around, teller: &mut Teller<'_, 'a>) {
    if present(schema, "default").is_none() {
        return;
    }
    if let Some(why) = around.no_default {
        let at = teller.key(at, "default");
        teller.error(key_span(schema, "default"), at, "there can be no default here", why);
    } else if around.default_is_judged {
        default::check(schema, around.level == Level::Root, around.in_meta, at, teller);
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
    let items = present(schema, "items");
    if name == Some("array") && items.is_none_or(|items| !items.is_object() && items.items().len() == 0) {
        let at = teller.key(at, "items");
        let message = match items {
            Some(items) => format!("`items` must be one schema, but is a {}", items.kind_name()),
            None => "`type: array` needs `items`".to_owned(),
        };
        let hint = "any value: `items: {x-kubernetes-preserve-unknown-fields: true}`";
        teller.error(items.unwrap_or(place).span(), at, message, hint);
    }
    if level == Level::Root && present(schema, "additionalProperties").is_some() {
        let at = teller.key(at, "additionalProperties");
        let message = "`additionalProperties` is not allowed at the root of a schema";
        let hint = "`x-kubernetes-preserve-unknown-fields: true` keeps unknown keys";
        teller.error(key_span(schema, "additionalProperties"), at, message, hint);
    }
}

fn extensions<'a>(schema: Node<'a>, at: At, around: Around, teller: &mut Teller<'_, 'a>) {
    const PRESERVE: &str = "x-kubernetes-preserve-unknown-fields";
    const EMBEDDED: &str = "x-kubernetes-embedded-resource";
    let embedded = flag(schema, EMBEDDED);
    for key in [PRESERVE, EMBEDDED] {
        if flag(schema, key) && flag(schema, "x-kubernetes-int-or-string") {
            let at = teller.key(at, key);
            let message = format!("`{key}` and `x-kubernetes-int-or-string` exclude each other");
            teller.error(key_span(schema, key), at, message, "keep one of them");
        }
    }
    if embedded && around.in_meta {
        let at = teller.key(at, EMBEDDED);
        let message = format!("`{EMBEDDED}` is not allowed within apiVersion, kind and metadata");
        teller.error(key_span(schema, EMBEDDED), at, message, "");
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
fn metadata<'a>(schema: Node<'a>, at: At, is_root: bool, teller: &mut Teller<'_, 'a>) {
    if !is_root && !flag(schema, "x-kubernetes-embedded-resource") {
        return;
    }
    let Some(properties) = schema.get("properties") else { return };
    let at = teller.key(at, "properties");
    for (key, wanted) in META.into_iter().zip(["string", "string", "object"]) {
        let Some(property) = properties.get(key).filter(|property| text(*property, "type") != Some(wanted)) else {
            continue;
        };
        let at = teller.key(at, key);
        let at = teller.key(at, "type");
        let node = present(property, "type").unwrap_or(property);
        teller.error(node.span().start(), at, format!("`{key}` must be of type {wanted}"), "");
    }
}
