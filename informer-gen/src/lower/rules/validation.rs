//! `x-kubernetes-validations`: rules in CEL, and what surrounds them.

use super::cel::{self, Answer, Judged, Wrong};
use super::cel_type::Type;
use super::field_path;
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

/// Checks the rules of a schema about a value that is `of` this type; `has_old_self` tells whether it can be told from
/// the one that was there before.
pub(super) fn check<'a>(schema: Node<'a>, of: Type<'a>, has_old_self: bool, at: At, teller: &mut Teller<'_, 'a>) {
    const KEY: &str = "x-kubernetes-validations";
    let Some(rules) = present(schema, KEY) else { return };
    let at = teller.key(at, KEY);
    for (number, rule) in rules.items().enumerate() {
        let at = teller.down(at, Step::Item(number));
        if !rule.is_object() {
            teller.error(rule.span(), at, format!("a rule must be an object, but is a {}", rule.kind_name()), "");
        } else if check_types(FIELDS, rule, at, teller) {
            let judged = expression(rule, of, at, teller);
            old_self(rule, judged, has_old_self, at, teller);
            message(rule, of, at, teller);
            field(rule, schema, at, teller);
        }
    }
}

/// Looks into the rule itself.
fn expression<'a>(rule: Node<'a>, of: Type<'a>, at: At, teller: &mut Teller<'_, 'a>) -> Judged {
    let at_rule = teller.key(at, "rule");
    let expression = text(rule, "rule").map(str::trim).filter(|rule| !rule.is_empty());
    let Some(expression) = expression else {
        teller.error(rule.span().start(), at_rule, "this rule has no `rule`", "write an expression in CEL");
        return Judged::default();
    };
    let judged = cel::judge(expression, of, Answer::Boolean);
    if let Some(Wrong { message, hint }) = &judged.wrong {
        let place = present(rule, "rule").unwrap_or(rule).span();
        teller.error(place, at_rule, message, hint);
    }
    judged
}

fn old_self<'a>(rule: Node<'a>, judged: Judged, has_old_self: bool, at: At, teller: &mut Teller<'_, 'a>) {
    match judged.uses_old_self {
        Some(true) if !has_old_self => {
            let at = teller.key(at, "rule");
            let message = "`oldSelf` is not known here: items of this list can't be told from those before";
            let hint = "`x-kubernetes-list-type: map` gives the items names; or write the rule outside of the list";
            teller.error(present(rule, "rule").unwrap_or(rule).span(), at, message, hint);
        }
        Some(false) if judged.wrong.is_none() && present(rule, "optionalOldSelf").is_some() => {
            let at = teller.key(at, "optionalOldSelf");
            let message = "`optionalOldSelf` says nothing, since the rule does not use `oldSelf`";
            teller.error(key_span(rule, "optionalOldSelf"), at, message, "leave it out");
        }
        _ => {}
    }
}

fn message<'a>(rule: Node<'a>, of: Type<'a>, at: At, teller: &mut Teller<'_, 'a>) {
    let at_message = teller.key(at, "message");
    let message = text(rule, "message");
    let breaks = |text: &str| text.trim().contains(['\n', '\r']);
    let wrong = match message {
        Some(text) if text.trim().is_empty() => Some("a message must say something"),
        Some(text) if breaks(text) => Some("a message must be one line"),
        None if text(rule, "rule").is_some_and(breaks) => Some("a rule of several lines needs a `message`"),
        _ => None,
    };
    if let Some(wrong) = wrong {
        let key = if message.is_some() { "message" } else { "rule" };
        teller.error(key_span(rule, key), at_message, wrong, "");
    }
    if let Some(expression) = text(rule, "messageExpression") {
        let at = teller.key(at, "messageExpression");
        let place = present(rule, "messageExpression").unwrap_or(rule).span();
        if expression.trim().is_empty() {
            teller.error(place, at, "a message must say something", "leave `messageExpression` out");
        } else if let Some(Wrong { message, hint }) = cel::judge(expression.trim(), of, Answer::Text).wrong {
            teller.error(place, at, message, &hint);
        }
    }
    if let Some(node) = present(rule, "reason").filter(|node| node.as_str().is_none_or(|r| !REASONS.contains(&r))) {
        let at = teller.key(at, "reason");
        let message = format!("the reason {:?} is none of {}", node.as_str().unwrap_or_default(), REASONS.join(", "));
        teller.error(node.span(), at, message, "");
    }
}

/// The field that a rule blames.
fn field<'a>(rule: Node<'a>, schema: Node<'a>, at: At, teller: &mut Teller<'_, 'a>) {
    let Some(path) = text(rule, "fieldPath") else { return };
    let Err(wrong) = field_path::follow(path, schema, true) else { return };
    let at = teller.key(at, "fieldPath");
    let place = present(rule, "fieldPath").unwrap_or(rule).span();
    let hint = "a path from the schema that has the rule: `.size`, `.inner.size`, `['max-size']`";
    teller.error(place, at, format!("the path {path:?} leads to no field: {wrong}"), hint);
}
