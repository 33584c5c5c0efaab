//! The schemas within `allOf`, `anyOf`, `oneOf` and `not`: they may narrow values down, and say nothing of their form.

use super::everywhere;
use super::keyword::{check_schema, is_stated, key_span, present, text};
use super::trail::{At, Step, Teller};
use crate::document::node::Node;

/// Keywords that say what form values have. Flags count only when they are set, and lists when something is in them.
const FORMS: [&str; 13] = [
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
    "x-kubernetes-list-map-keys",
    "x-kubernetes-map-type",
    "x-kubernetes-validations",
];

struct Open<'a> {
    schema: Node<'a>,
    at: At,
    /// One of the two of an int-or-string, which may name their types.
    typed: bool,
}

/// Checks what is nested in a schema of a field.
pub(super) fn check<'a>(schema: Node<'a>, at: At, teller: &mut Teller<'_, 'a>) {
    let mut open = Vec::new();
    push(schema, at, is_int_or_string(schema), true, teller, &mut open);
    while let Some(Open { schema, at, typed }) = open.pop() {
        // Null says nothing.
        if schema.is_null() {
            continue;
        }
        if !schema.is_object() {
            let message = format!("a schema must be an object, but is a {}", schema.kind_name());
            teller.error(schema.span(), at, message, "");
            continue;
        }
        if !check_schema(schema, at, teller) {
            continue;
        }
        forms(schema, at, typed, teller);
        everywhere::check(schema, at, teller);
        push(schema, at, false, false, teller, &mut open);
        inside(schema, at, teller, &mut open);
    }
}

/// Gathers the schemas of items and properties.
fn inside<'a>(schema: Node<'a>, at: At, teller: &mut Teller<'_, 'a>, open: &mut Vec<Open<'a>>) {
    if let Some(items) = schema.get("items").filter(|items| items.is_object()) {
        open.push(Open { schema: items, at: teller.key(at, "items"), typed: false });
    }
    let at = teller.key(at, "properties");
    for (key, property) in schema.get("properties").into_iter().flat_map(Node::entries) {
        let at = teller.key(at, key.name);
        if key.name == "metadata" {
            let message = "`metadata` can't be restricted within allOf, anyOf, oneOf or not";
            teller.error(key.span, at, message, "");
        } else {
            open.push(Open { schema: property, at, typed: false });
        }
    }
}

/// Gathers what is nested: `typed` if what is in `anyOf` may name its types, `first` if that goes for what is in the
/// `anyOf` of the first of `allOf`.
fn push<'a>(schema: Node<'a>, at: At, typed: bool, first: bool, teller: &mut Teller<'_, 'a>, open: &mut Vec<Open<'a>>) {
    open.extend(schemas(schema, "anyOf", at, teller).into_iter().map(|(schema, at)| Open { schema, at, typed }));
    for (number, (inner, at)) in schemas(schema, "allOf", at, teller).into_iter().enumerate() {
        if number == 0 && first && inner.is_object() && is_int_or_string(inner) {
            // Looked at here, with the types allowed, instead of later.
            if check_schema(inner, at, teller) {
                forms(inner, at, false, teller);
                everywhere::check(inner, at, teller);
                push(inner, at, true, false, teller, open);
                inside(inner, at, teller, open);
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

/// `anyOf: [{type: integer}, {type: string}]`, and not a word more.
fn is_int_or_string(schema: Node<'_>) -> bool {
    let mut types = schema.get("anyOf").into_iter().flat_map(Node::items);
    let mut is = |wanted: &str| types.next().is_some_and(|schema| is_only(schema, wanted));
    is("integer") && is("string") && types.next().is_none()
}

fn is_only(schema: Node<'_>, wanted: &str) -> bool {
    let says_more = |key: &str, value: Node<'_>| match key {
        "type" => false,
        // Here, unlike in the schema of a field, what is empty is there and what is false is not.
        "properties" | "x-kubernetes-validations" => !value.is_null(),
        "additionalProperties" => value.as_bool() != Some(false) && !value.is_null(),
        key => is_stated(key, value),
    };
    text(schema, "type") == Some(wanted) && !schema.entries().any(|(key, value)| says_more(key.name, value))
}

fn forms<'a>(schema: Node<'a>, at: At, typed: bool, teller: &mut Teller<'_, 'a>) {
    for key in FORMS.into_iter().filter(|key| *key != "type" || !typed) {
        let Some(node) = present(schema, key) else { continue };
        let says_nothing = node.as_bool() == Some(false) || node.is_array() && node.items().len() == 0;
        if says_nothing && key != "default" || !is_stated(key, node) {
            continue;
        }
        let at = teller.key(at, key);
        let message = format!("`{key}` is not allowed within allOf, anyOf, oneOf or not");
        let hint = match key {
            "description" | "title" => "leave it out",
            "x-kubernetes-validations" => "write the rules beside them",
            "type" if is_one_of_pair(schema) => {
                "an int-or-string may have `anyOf: [{type: integer}, {type: string}]`, and not a word more in it"
            }
            _ => "write it beside them: there it says what form values have",
        };
        teller.error(key_span(schema, key), at, message, hint);
    }
}

/// Whether a schema looks like one of the two of an int-or-string.
fn is_one_of_pair(schema: Node<'_>) -> bool {
    matches!(text(schema, "type"), Some("integer" | "string"))
}

/// The places of a list of schemas.
fn schemas<'a>(schema: Node<'a>, key: &'a str, at: At, teller: &mut Teller<'_, 'a>) -> Vec<(Node<'a>, At)> {
    let Some(list) = schema.get(key) else { return Vec::new() };
    let at = teller.key(at, key);
    list.items().enumerate().map(|(number, node)| (node, teller.down(at, Step::Item(number)))).collect()
}
