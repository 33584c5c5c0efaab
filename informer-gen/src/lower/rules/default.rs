//! Defaults must be values that the server would take: of the right form, without unknown keys, within all bounds.

use super::keyword::{flag, present, text};
use super::trail::{At, Step, Teller};
use crate::document::node::{Node, Value};

/// What every object has, and so every embedded resource.
const ROOT_FIELDS: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// Checks the default of a schema of a field.
pub(super) fn check<'a>(schema: Node<'a>, at: At, teller: &mut Teller<'_, 'a>) {
    let Some(value) = present(schema, "default") else { return };
    let at = teller.key(at, "default");
    let mut open = vec![(value, schema, at)];
    while let Some((value, schema, at)) = open.pop() {
        if let Some(wrong) = wrong(value, schema) {
            teller.error(value.span().start(), at, format!("this default does not fit its schema: {wrong}"), "");
            continue;
        }
        if value.is_object() {
            object(value, schema, at, teller, &mut open);
        } else if let Some(items) = present(schema, "items").filter(|items| items.is_object()) {
            for (number, item) in value.items().enumerate() {
                open.push((item, items, teller.down(at, Step::Item(number))));
            }
        }
    }
}

fn object<'a>(
    value: Node<'a>,
    schema: Node<'a>,
    at: At,
    teller: &mut Teller<'_, 'a>,
    open: &mut Vec<(Node<'a>, Node<'a>, At)>,
) {
    for name in present(schema, "required").into_iter().flat_map(|list| list.items()).filter_map(Node::as_str) {
        if value.get(name).is_none() {
            let at = teller.key(at, name);
            let message = format!("this default does not fit its schema: {name:?} is required and not there");
            teller.error(value.span().start(), at, message, "a default is taken as it is, without those within it");
        }
    }
    let embedded = flag(schema, "x-kubernetes-embedded-resource");
    let keeps = flag(schema, "x-kubernetes-preserve-unknown-fields");
    let properties = present(schema, "properties");
    let others = present(schema, "additionalProperties");
    for (key, inner) in value.entries() {
        let at = teller.key(at, key.name);
        let known = properties.and_then(|properties| present(properties, key.name));
        match known.or(others.filter(|others| others.is_object())) {
            Some(schema) if schema.is_object() => open.push((inner, schema, at)),
            Some(_) => {}
            None if keeps || others.is_some_and(|others| others.as_bool() == Some(true)) => {}
            None if embedded && ROOT_FIELDS.contains(&key.name) => {}
            None => {
                let message = format!("this default does not fit its schema: it has no property {:?}", key.name);
                teller.error(key.span, at, message, "");
            }
        }
    }
}

/// Why a value itself, without what is in it, is not what a schema asks for.
fn wrong(value: Node<'_>, schema: Node<'_>) -> Option<String> {
    if value.is_null() {
        let allowed = flag(schema, "nullable") || text(schema, "type").is_none();
        return (!allowed).then(|| "it is null, and `nullable` is not set".to_owned());
    }
    if let Some(wanted) = text(schema, "type").filter(|wanted| !is_of(value, wanted))
        && !flag(schema, "x-kubernetes-int-or-string")
    {
        return Some(format!("it is a {}, not of type {wanted}", value.kind_name()));
    }
    if let Some(list) = present(schema, "enum")
        && list.items().len() > 0
        && !list.items().any(|allowed| allowed.same_json(value))
    {
        return Some("it is none of the values of `enum`".to_owned());
    }
    bounds(value, schema)
}

fn is_of(value: Node<'_>, wanted: &str) -> bool {
    match (wanted, value.value()) {
        ("object", Value::Object(_)) | ("array", Value::Array(_)) | ("string", Value::String(_)) => true,
        ("boolean", Value::Bool(_)) | ("number", Value::Number(_)) => true,
        ("integer", Value::Number(number)) => {
            number.is_i64() || number.is_u64() || number.as_f64().is_some_and(|number| number.fract() == 0.0)
        }
        _ => !["object", "array", "string", "boolean", "number", "integer"].contains(&wanted),
    }
}

fn bounds(value: Node<'_>, schema: Node<'_>) -> Option<String> {
    let number = |key: &str| match present(schema, key)?.value() {
        Value::Number(number) => number.as_f64(),
        _ => None,
    };
    let (least, most, size, what) = match value.value() {
        Value::String(text) => ("minLength", "maxLength", text.chars().count(), "characters"),
        Value::Array(items) => ("minItems", "maxItems", items.len(), "items"),
        Value::Object(entries) => ("minProperties", "maxProperties", entries.len(), "keys"),
        Value::Number(found) => {
            let found = found.as_f64()?;
            let low = number("minimum")
                .is_some_and(|minimum| found < minimum || found == minimum && flag(schema, "exclusiveMinimum"));
            let high = number("maximum")
                .is_some_and(|maximum| found > maximum || found == maximum && flag(schema, "exclusiveMaximum"));
            return match (low, high) {
                (true, _) => Some("it is below `minimum`".to_owned()),
                (_, true) => Some("it is above `maximum`".to_owned()),
                _ => None,
            };
        }
        _ => return None,
    };
    let size = size as f64;
    if number(least).is_some_and(|least| size < least) {
        return Some(format!("it has {size} {what}, fewer than `{least}`"));
    }
    number(most).is_some_and(|most| size > most).then(|| format!("it has {size} {what}, more than `{most}`"))
}
