//! Which JSON type each keyword of a schema, and each field of a version, must have for the server to read it at all.

use super::trail::{At, Step, Teller};
use crate::document::node::{Node, Value};

/// What a value must be; `null` stands for absence everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    Text,
    Flag,
    Whole,
    /// A whole number of 32 bits.
    Short,
    Number,
    /// A list of names; `null` among them is an empty name.
    Texts,
    /// A map from text to text; `null` in it is an empty text.
    TextMap,
    /// Bytes in base64.
    Bytes,
    /// `description` and `url`.
    Docs,
    List,
    Object,
    /// A schema, true or false.
    SchemaOrFlag,
    /// A list of schemas; `null` among them is an empty schema.
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
    ("externalDocs", Wanted::Docs),
    ("not", Wanted::Object),
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
            let found = match value.value() {
                Value::Number(number) if matches!(wanted, Wanted::Whole | Wanted::Short) => number.to_string(),
                Value::String(_) if *wanted == Wanted::Bytes => "something else".to_owned(),
                _ => format!("a {}", value.kind_name()),
            };
            let message = format!("`{}` must be {}, but is {found}", key.name, words(key.name, *wanted));
            teller.error(value.span(), at, message, "");
            good = false;
        } else if *wanted == Wanted::Docs {
            good &= check(&[("description", Wanted::Text), ("url", Wanted::Text)], value, at, teller);
        } else if *wanted == Wanted::TextMap {
            for (inner, value) in value.entries().filter(|(_, value)| value.as_str().is_none() && !value.is_null()) {
                let at = teller.key(at, inner.name);
                let message = format!("the values of `{}` are texts, but this is a {}", key.name, value.kind_name());
                teller.error(value.span(), at, message, "write it in quotes");
                good = false;
            }
        } else if *wanted == Wanted::Texts {
            let no_name = |item: &Node<'_>| item.as_str().is_none() && !item.is_null();
            for (number, item) in value.items().enumerate().filter(|(_, item)| no_name(item)) {
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
        Wanted::Short => matches!(value.value(), Value::Number(number) if number.as_i64().is_some_and(is_short)),
        Wanted::Number => matches!(value.value(), Value::Number(_)),
        // Breaks of lines don't count.
        Wanted::Bytes => value.as_str().is_some_and(|text| is_base64(&text.replace(['\r', '\n'], ""))),
        Wanted::Texts | Wanted::List | Wanted::Schemas => value.is_array(),
        Wanted::Object | Wanted::TextMap | Wanted::Docs => value.is_object(),
        Wanted::SchemaOrFlag => value.is_object() || value.as_bool().is_some(),
    }
}

fn is_short(number: i64) -> bool {
    i32::try_from(number).is_ok()
}

/// Whether a text is base64 with its padding.
pub(super) fn is_base64(text: &str) -> bool {
    let filling = text.bytes().rev().take_while(|byte| *byte == b'=').count();
    let good = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    text.len().is_multiple_of(4) && filling <= 2 && text.bytes().take(text.len() - filling).all(good)
}

fn words(name: &str, wanted: Wanted) -> &'static str {
    match wanted {
        Wanted::Text if name == "type" => "one type name",
        Wanted::Text => "a string",
        Wanted::Flag => "true or false",
        Wanted::Whole => "a whole number",
        Wanted::Short => "a whole number of 32 bits",
        Wanted::Number => "a number",
        Wanted::Bytes => "bytes in base64",
        Wanted::TextMap => "an object of texts",
        Wanted::Docs => "an object",
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

/// The names in a list of them.
pub(super) fn names<'a>(object: Node<'a>, key: &str) -> impl Iterator<Item = &'a str> + Clone {
    let items = object.get(key).into_iter().flat_map(Node::items);
    items.map(|item| item.as_str().unwrap_or_default())
}

/// Whether a flag is set.
pub(super) fn flag(schema: Node<'_>, key: &str) -> bool {
    schema.get(key).and_then(Node::as_bool) == Some(true)
}

/// Where a key itself stands, or its object where it is not there.
pub(super) fn key_span(object: Node<'_>, key: &str) -> crate::source::Span {
    object.entries().find(|(found, _)| found.name == key).map_or(object.span().start(), |(found, _)| found.span)
}

/// Whether a key of a schema is a keyword that says something, as the server sees it: an empty text or a flag that is
/// not set says nothing, but an empty list of names does.
pub(super) fn is_stated(key: &str, value: Node<'_>) -> bool {
    let Some((_, wanted)) = KEYWORDS.iter().find(|(name, _)| *name == key) else {
        return key == "items" && (value.is_object() || value.items().len() > 0)
            || matches!(key, "default" | "example") && !value.is_null();
    };
    match key {
        "enum" | "allOf" | "anyOf" | "oneOf" => value.items().len() > 0,
        "properties" => value.entries().len() > 0,
        "$ref" | "x-kubernetes-list-type" | "x-kubernetes-map-type" => !value.is_null(),
        _ => match wanted {
            Wanted::Text => value.as_str() != Some("") && !value.is_null(),
            Wanted::Flag => value.as_bool() == Some(true),
            _ => !value.is_null(),
        },
    }
}
