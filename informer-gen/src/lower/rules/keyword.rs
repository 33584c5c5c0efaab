//! Which JSON type each keyword of a schema, and each field of a version, must have for the server to read it at all.

use super::trail::{At, Step, Teller};
use crate::document::node::{Node, Value};

/// What a value must be; `null` stands for absence everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    Text,
    Flag,
    Whole,
    Number,
    Texts,
    List,
    Object,
    /// A schema, true or false.
    SchemaOrFlag,
    /// A list of schemas.
    Schemas,
}

/// The keywords that the server reads.
const KEYWORDS: &[(&str, Wanted)] = &[
    ("id", Wanted::Text),
    ("$schema", Wanted::Text),
    ("$ref", Wanted::Text),
    ("description", Wanted::Text),
    ("type", Wanted::Text),
    ("format", Wanted::Text),
    ("title", Wanted::Text),
    ("pattern", Wanted::Text),
    ("nullable", Wanted::Flag),
    ("exclusiveMaximum", Wanted::Flag),
    ("exclusiveMinimum", Wanted::Flag),
    ("uniqueItems", Wanted::Flag),
    ("x-kubernetes-preserve-unknown-fields", Wanted::Flag),
    ("x-kubernetes-embedded-resource", Wanted::Flag),
    ("x-kubernetes-int-or-string", Wanted::Flag),
    ("maximum", Wanted::Number),
    ("minimum", Wanted::Number),
    ("multipleOf", Wanted::Number),
    ("maxLength", Wanted::Whole),
    ("minLength", Wanted::Whole),
    ("maxItems", Wanted::Whole),
    ("minItems", Wanted::Whole),
    ("maxProperties", Wanted::Whole),
    ("minProperties", Wanted::Whole),
    ("enum", Wanted::List),
    ("required", Wanted::Texts),
    ("x-kubernetes-list-map-keys", Wanted::Texts),
    ("x-kubernetes-list-type", Wanted::Text),
    ("x-kubernetes-map-type", Wanted::Text),
    ("x-kubernetes-validations", Wanted::List),
    ("properties", Wanted::Object),
    ("patternProperties", Wanted::Object),
    ("definitions", Wanted::Object),
    ("dependencies", Wanted::Object),
    ("additionalProperties", Wanted::SchemaOrFlag),
    ("additionalItems", Wanted::SchemaOrFlag),
    ("allOf", Wanted::Schemas),
    ("anyOf", Wanted::Schemas),
    ("oneOf", Wanted::Schemas),
];

/// Tells of every keyword of a schema that has the wrong JSON type, and whether there was none.
pub(super) fn check_schema<'a>(schema: Node<'a>, at: At, teller: &mut Teller<'_, 'a>) -> bool {
    check(KEYWORDS, schema, at, teller)
}

/// The same by another table.
pub(super) fn check<'a>(table: &[(&str, Wanted)], object: Node<'a>, at: At, teller: &mut Teller<'_, 'a>) -> bool {
    let mut good = true;
    for (key, value) in object.entries() {
        let Some((_, wanted)) = table.iter().find(|(name, _)| *name == key.name) else { continue };
        if value.is_null() {
            continue;
        }
        let at = teller.key(at, key.name);
        if !fits(*wanted, value) {
            let message =
                format!("`{}` must be {}, but is a {}", key.name, words(key.name, *wanted), value.kind_name());
            teller.error(value.span(), at, message, "");
            good = false;
        } else if *wanted == Wanted::Texts {
            for (number, item) in value.items().enumerate().filter(|(_, item)| item.as_str().is_none()) {
                let at = teller.down(at, Step::Item(number));
                let message = format!("`{}` lists names, but this is a {}", key.name, item.kind_name());
                teller.error(item.span(), at, message, "");
                good = false;
            }
        }
    }
    good
}

fn fits(wanted: Wanted, value: Node<'_>) -> bool {
    match wanted {
        Wanted::Text => value.as_str().is_some(),
        Wanted::Flag => value.as_bool().is_some(),
        Wanted::Whole => matches!(value.value(), Value::Number(number) if number.as_i64().is_some()),
        Wanted::Number => matches!(value.value(), Value::Number(_)),
        Wanted::Texts | Wanted::List | Wanted::Schemas => value.is_array(),
        Wanted::Object => value.is_object(),
        Wanted::SchemaOrFlag => value.is_object() || value.as_bool().is_some(),
    }
}

fn words(name: &str, wanted: Wanted) -> &'static str {
    match wanted {
        Wanted::Text if name == "type" => "one type name",
        Wanted::Text => "a string",
        Wanted::Flag => "true or false",
        Wanted::Whole => "a whole number",
        Wanted::Number => "a number",
        Wanted::Texts => "a list of strings",
        Wanted::List => "a list",
        Wanted::Schemas => "a list of schemas",
        Wanted::Object => "an object",
        Wanted::SchemaOrFlag => "a schema, true or false",
    }
}

/// The value of a keyword; `null` counts as absence, as it does for the server.
pub(super) fn present<'a>(schema: Node<'a>, key: &str) -> Option<Node<'a>> {
    schema.get(key).filter(|node| !node.is_null())
}

/// A text that is there and not empty.
pub(super) fn text<'a>(schema: Node<'a>, key: &str) -> Option<&'a str> {
    present(schema, key).and_then(Node::as_str).filter(|text| !text.is_empty())
}

/// Whether a flag is set.
pub(super) fn flag(schema: Node<'_>, key: &str) -> bool {
    schema.get(key).and_then(Node::as_bool) == Some(true)
}

/// Where a key itself stands, or its object where it is not there.
pub(super) fn key_span(object: Node<'_>, key: &str) -> crate::source::Span {
    object.entries().find(|(found, _)| found.name == key).map_or(object.span().start(), |(found, _)| found.span)
}
