//! `x-kubernetes-validations`: rules in CEL, and what surrounds them.

use super::cel::{self, Wrong};
use super::cel_type::Type;
use super::keyword::{Wanted, check as check_types, key_span, present, text};
use super::trail::{At, Step, Teller};
use crate::document::node::Node;

const FIELDS: &[(&str, Wanted)] = &[
    ("rule", Wanted::Text),
    ("message", Wanted::Text),
    ("messageExpression", Wanted::Text),
    ("reason", Wanted::Text),
    ("fieldPath", Wanted::Text),
    ("optionalOldSelf", Wanted::Flag),
];

const REASONS: [&str; 4] = ["FieldValueInvalid", "FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate"];

/// Bytes that a message may have.
const MAX_MESSAGE: usize = 2048;

/// Checks the rules of a schema about a value that is `of` this type.
pub(super) fn check<'a>(schema: Node<'a>, of: Type<'a>, at: At, teller: &mut Teller<'_, 'a>) {
    const KEY: &str = "x-kubernetes-validations";
    let Some(rules) = present(schema, KEY) else { return };
    let at = teller.key(at, KEY);
    for (number, rule) in rules.items().enumerate() {
        let at = teller.down(at, Step::Item(number));
        if !rule.is_object() {
            teller.error(rule.span(), at, format!("a rule must be an object, but is a {}", rule.kind_name()), "");
        } else if check_types(FIELDS, rule, at, teller) {
            one(rule, of, at, teller);
        }
    }
}

fn one<'a>(rule: Node<'a>, of: Type<'a>, at: At, teller: &mut Teller<'_, 'a>) {
    let expression = text(rule, "rule").map(str::trim).filter(|rule| !rule.is_empty());
    let at_rule = teller.key(at, "rule");
    match expression {
        None => teller.error(rule.span().start(), at_rule, "this rule has no `rule`", "write an expression in CEL"),
        Some(expression) => {
            if let Some(Wrong { message, hint }) = cel::wrong(expression, of) {
                let place = present(rule, "rule").unwrap_or(rule).span();
                teller.error(place, at_rule, message, &hint);
            }
        }
    }
    let at_message = teller.key(at, "message");
    let message = text(rule, "message");
    let wrong = match message {
        Some(text) if text.trim().is_empty() => Some("a message must say something"),
        Some(text) if text.trim().contains(['\n', '\r']) => Some("a message must be one line"),
        Some(text) if text.len() > MAX_MESSAGE => Some("a message can have 2048 bytes"),
        None if expression.is_some_and(|rule| rule.contains(['\n', '\r'])) => {
            Some("a rule of several lines needs a `message`")
        }
        _ => None,
    };
    if let Some(wrong) = wrong {
        let key = if message.is_some() { "message" } else { "rule" };
        teller.error(key_span(rule, key), at_message, wrong, "");
    }
    if let Some(node) = present(rule, "reason").filter(|node| node.as_str().is_none_or(|r| !REASONS.contains(&r))) {
        let at = teller.key(at, "reason");
        let message = format!("the reason {:?} is none of {}", node.as_str().unwrap_or_default(), REASONS.join(", "));
        teller.error(node.span(), at, message, "");
    }
}
