//! The schemas within `allOf`, `anyOf`, `oneOf` and `not`: they may narrow values down, and say nothing of their form.

use super::cel_type::Type;
use super::keyword::{check_schema, flag, key_span, present, text};
use super::trail::{At, Step, Teller};
use super::{pattern, validation};
use crate::document::node::Node;

/// Keywords that say what form values have. Flags count only when they are set.
const FORMS: [&str; 11] = [
    "type",
    "title",
    "description",
    "default",
    "nullable",
    "additionalProperties",
    "x-kubernetes-preserve-unknown-fields",
    "x-kubernetes-embedded-resource",
    "x-kubernetes-int-or-string",
    "x-kubernetes-list-type",
    "x-kubernetes-map-type",
];

struct Open<'a> {
    schema: Node<'a>,
    at: At,
    /// One of the two of an int-or-string, which may name their types.
    typed: bool,
}

/// Checks what is nested in a schema of a field.
pub(super) fn check<'a>(schema: Node<'a>, at: At, teller: &mut Teller<'_, 'a>) {
    let int_or_string = flag(schema, "x-kubernetes-int-or-string");
    let mut open = Vec::new();
    push(schema, at, int_or_string, int_or_string, teller, &mut open);
    while let Some(Open { schema, at, typed }) = open.pop() {
        if !schema.is_object() {
            let message = format!("a schema must be an object, but is a {}", schema.kind_name());
            teller.error(schema.span(), at, message, "");
            continue;
        }
        if !check_schema(schema, at, teller) {
            continue;
        }
        forms(schema, at, typed, teller);
        // The type of the value is told outside.
        validation::check(schema, Type::Dyn, at, teller);
        if let Some(node) = present(schema, "pattern")
            && let Some(wrong) = node.as_str().and_then(pattern::wrong)
        {
            let at = teller.key(at, "pattern");
            let message = format!("`pattern` is no regular expression that the server takes: {wrong}");
            teller.error(node.span(), at, message, "the server takes the syntax of Go's regexp");
        }
        push(schema, at, false, false, teller, &mut open);
        if let Some(items) = schema.get("items").filter(|items| items.is_object()) {
            open.push(Open { schema: items, at: teller.key(at, "items"), typed: false });
        }
        let Some(properties) = schema.get("properties") else { continue };
        let at = teller.key(at, "properties");
        for (key, property) in properties.entries().filter(|(_, property)| !property.is_null()) {
            let at = teller.key(at, key.name);
            if key.name == "metadata" {
                let message = "`metadata` can't be restricted within allOf, anyOf, oneOf or not";
                teller.error(key.span, at, message, "");
            } else {
                open.push(Open { schema: property, at, typed: false });
            }
        }
    }
}

fn push<'a>(
    schema: Node<'a>,
    at: At,
    any_of_typed: bool,
    first_all_of: bool,
    teller: &mut Teller<'_, 'a>,
    open: &mut Vec<Open<'a>>,
) {
    let typed = any_of_typed && is_int_or_string(schema);
    open.extend(schemas(schema, "anyOf", at, teller).into_iter().map(|(schema, at)| Open { schema, at, typed }));
    for (number, (inner, at)) in schemas(schema, "allOf", at, teller).into_iter().enumerate() {
        if number == 0 && first_all_of && inner.is_object() && is_int_or_string(inner) {
            // Its own anyOf is the pair; look at it here, with the types allowed, instead of later.
            if check_schema(inner, at, teller) {
                forms(inner, at, false, teller);
                let pair = schemas(inner, "anyOf", at, teller).into_iter();
                open.extend(pair.map(|(schema, at)| Open { schema, at, typed: true }));
            }
        } else {
            open.push(Open { schema: inner, at, typed: false });
        }
    }
    let plain = schemas(schema, "oneOf", at, teller).into_iter();
    open.extend(plain.map(|(schema, at)| Open { schema, at, typed: false }));
    if let Some(inner) = present(schema, "not") {
        open.push(Open { schema: inner, at: teller.key(at, "not"), typed: false });
    }
}

/// `anyOf: [{type: integer}, {type: string}]`.
fn is_int_or_string(schema: Node<'_>) -> bool {
    let mut types = schema.get("anyOf").into_iter().flat_map(|list| list.items().map(|node| text(node, "type")));
    (types.next(), types.next(), types.next()) == (Some(Some("integer")), Some(Some("string")), None)
}

fn forms<'a>(schema: Node<'a>, at: At, typed: bool, teller: &mut Teller<'_, 'a>) {
    for key in FORMS {
        let there = present(schema, key).filter(|node| node.as_str() != Some(""));
        let Some(node) = there.filter(|node| node.as_bool() != Some(false) || key == "additionalProperties") else {
            continue;
        };
        if key == "type" && typed {
            continue;
        }
        let at = teller.key(at, key);
        let message = format!("`{key}` is not allowed within allOf, anyOf, oneOf or not");
        let hint = match node.as_str() {
            Some(_) if key == "description" || key == "title" => "leave it out",
            _ => "write it beside them: there it says what form values have",
        };
        teller.error(key_span(schema, key), at, message, hint);
    }
}

/// The places of a list of schemas.
fn schemas<'a>(schema: Node<'a>, key: &'a str, at: At, teller: &mut Teller<'_, 'a>) -> Vec<(Node<'a>, At)> {
    let Some(list) = schema.get(key) else { return Vec::new() };
    let at = teller.key(at, key);
    list.items().enumerate().map(|(number, node)| (node, teller.down(at, Step::Item(number)))).collect()
}
