//! What a schema demands of values, for docs. What is not as it should be is passed over here: `rules` tells of it.

use serde_json::Number;

use crate::document::node::{Node, Value};
use crate::model::{Fact, Rule, Shape};

/// Characters of a pattern, expression or message that are kept.
const LONGEST: usize = 200;

/// Characters of a default or an allowed value.
const LONGEST_VALUE: usize = 60;

/// Allowed values that are told one by one, and keys of a list.
const VALUES: usize = 12;

/// Rules that are told of one value.
const RULES: usize = 16;

/// What is demanded of a value, in the order in which it is told; without the default.
pub(super) fn of(schema: Node<'_>) -> Vec<Fact> {
    let mut facts = Vec::new();
    numbers(schema, &mut facts);
    texts(schema, &mut facts);
    lists(schema, &mut facts);
    facts.extend(number(schema, "minProperties").map(Fact::MinProperties));
    facts.extend(number(schema, "maxProperties").map(Fact::MaxProperties));
    if text(schema, "x-kubernetes-map-type") == Some("atomic") {
        facts.push(Fact::Atomic);
    }
    rules(schema, &mut facts);
    facts
}

/// What is demanded of the value of a field, of an item or of a value in a map, and is not told with its type. Defaults
/// are those of CRDs only: of the two forms of OpenAPI documents, one leaves them out and the other has many that say
/// nothing.
pub(super) fn beside(schema: Node<'_>, shape: &Shape, of_crd: bool) -> Vec<Fact> {
    let mut facts = match shape {
        Shape::Object(_) => Vec::new(),
        _ => of(schema),
    };
    // An enum has variants.
    facts.extend(one_of(schema).filter(|_| !matches!(shape, Shape::Enum(_))));
    facts.extend(default(schema).filter(|_| of_crd));
    facts
}

/// What the server puts where nothing is.
fn default(schema: Node<'_>) -> Option<Fact> {
    let default = schema.get("default").filter(|default| !default.is_null())?;
    Some(Fact::Default(short_json(default)))
}

/// The values that are allowed, where no enum is made of them.
fn one_of(schema: Node<'_>) -> Option<Fact> {
    let list = schema.get("enum").filter(|list| list.items().len() > 0)?;
    let shown = list.items().take(VALUES).map(|value| short_json(value).unwrap_or_else(|| "…".to_owned()));
    Some(Fact::OneOf { values: shown.collect(), more: list.items().len().saturating_sub(VALUES) })
}

fn numbers(schema: Node<'_>, facts: &mut Vec<Fact>) {
    let exclusive = |key| schema.get(key).and_then(Node::as_bool) == Some(true);
    if let Some(value) = number(schema, "minimum") {
        facts.push(Fact::Minimum { value, exclusive: exclusive("exclusiveMinimum") });
    }
    if let Some(value) = number(schema, "maximum") {
        facts.push(Fact::Maximum { value, exclusive: exclusive("exclusiveMaximum") });
    }
    facts.extend(number(schema, "multipleOf").map(Fact::MultipleOf));
}

fn texts(schema: Node<'_>, facts: &mut Vec<Fact>) {
    facts.extend(number(schema, "minLength").map(Fact::MinLength));
    facts.extend(number(schema, "maxLength").map(Fact::MaxLength));
    facts.extend(text(schema, "pattern").map(|pattern| Fact::Pattern(short(pattern))));
    let format = text(schema, "format").filter(|format| *format != "int-or-string");
    facts.extend(format.map(|format| Fact::Format(short(format))));
}

fn lists(schema: Node<'_>, facts: &mut Vec<Fact>) {
    facts.extend(number(schema, "minItems").map(Fact::MinItems));
    facts.extend(number(schema, "maxItems").map(Fact::MaxItems));
    let kind = text(schema, "x-kubernetes-list-type");
    if kind == Some("set") || schema.get("uniqueItems").and_then(Node::as_bool) == Some(true) {
        facts.push(Fact::Unique);
    }
    if kind == Some("atomic") {
        facts.push(Fact::Atomic);
    }
    let keys = schema.get("x-kubernetes-list-map-keys").filter(|_| kind == Some("map"));
    let keys: Vec<String> =
        keys.into_iter().flat_map(Node::items).filter_map(Node::as_str).take(VALUES).map(short).collect();
    if !keys.is_empty() {
        facts.push(Fact::KeyedBy(keys));
    }
}

fn rules(schema: Node<'_>, facts: &mut Vec<Fact>) {
    let Some(list) = schema.get("x-kubernetes-validations") else { return };
    facts.extend(list.items().take(RULES).filter_map(|rule| {
        let expression = text(rule, "rule")?;
        let plain: String = expression.chars().filter(|c| !c.is_whitespace()).take(LONGEST).collect();
        if plain == "self==oldSelf" || plain == "oldSelf==self" {
            return Some(Fact::Immutable);
        }
        let message = text(rule, "message").filter(|message| !message.trim().is_empty());
        let told = message.map_or_else(|| Rule::Expression(short(expression)), |message| Rule::Message(short(message)));
        Some(Fact::Rule(told))
    }));
    if list.items().len() > RULES {
        facts.push(Fact::MoreRules(list.items().len() - RULES));
    }
}

fn text<'a>(schema: Node<'a>, key: &str) -> Option<&'a str> {
    schema.get(key).and_then(Node::as_str)
}

fn number(schema: Node<'_>, key: &str) -> Option<Number> {
    match schema.get(key)?.value() {
        Value::Number(number) => Some(number.clone()),
        _ => None,
    }
}

/// The beginning of a text, with a mark where there is more.
fn short(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A value as JSON, if that is short.
fn short_json(value: Node<'_>) -> Option<String> {
    // What is long is not even copied.
    if value.expanded() > LONGEST_VALUE as u64 || !has_short_texts(value) {
        return None;
    }
    Some(value.json().to_string()).filter(|text| text.chars().count() <= LONGEST_VALUE)
}

/// Recursion follows the depth of a document, which the reader bounds.
fn has_short_texts(value: Node<'_>) -> bool {
    let short = |text: &str| text.chars().nth(LONGEST_VALUE).is_none();
    value.as_str().is_none_or(short)
        && value.items().all(has_short_texts)
        && value.entries().all(|(key, value)| short(key.name) && has_short_texts(value))
}
