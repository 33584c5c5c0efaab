//! `x-kubernetes-validations`: rules in CEL. The rules themselves are the server's business; here is what surrounds
//! them, and what can be seen without knowing the language.

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

/// Checks the rules of a schema.
pub(super) fn check<'a>(schema: Node<'a>, at: At, teller: &mut Teller<'_, 'a>) {
    const KEY: &str = "x-kubernetes-validations";
    let Some(rules) = present(schema, KEY) else { return };
    let at = teller.key(at, KEY);
    for (number, rule) in rules.items().enumerate() {
        let at = teller.down(at, Step::Item(number));
        if !rule.is_object() {
            teller.error(rule.span(), at, format!("a rule must be an object, but is a {}", rule.kind_name()), "");
        } else if check_types(FIELDS, rule, at, teller) {
            one(rule, at, teller);
        }
    }
}

fn one<'a>(rule: Node<'a>, at: At, teller: &mut Teller<'_, 'a>) {
    let expression = text(rule, "rule").map(str::trim).filter(|rule| !rule.is_empty());
    let at_rule = teller.key(at, "rule");
    match expression {
        None => teller.error(rule.span().start(), at_rule, "this rule has no `rule`", "write an expression in CEL"),
        Some(expression) => {
            if let Some(wrong) = unfinished(expression) {
                let place = present(rule, "rule").unwrap_or(rule).span();
                teller.error(place, at_rule, format!("this is no expression in CEL: {wrong}"), "");
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

/// What shows that an expression is cut short: brackets or quotes that are open, or an operator at its end.
fn unfinished(expression: &str) -> Option<String> {
    let mut brackets = Vec::new();
    let mut rest = expression;
    let mut last = ' ';
    while let Some(c) = rest.chars().next() {
        let here = rest;
        rest = &rest[c.len_utf8()..];
        match c {
            '"' | '\'' => {
                let three: String = std::iter::repeat_n(c, 3).collect();
                let end = if here.starts_with(&three) { three } else { c.to_string() };
                rest = after_literal(&here[end.len()..], &end, matches!(last, 'r' | 'R'))?;
            }
            '/' if rest.starts_with('/') => rest = rest.find('\n').map_or("", |end| &rest[end..]),
            '(' | '[' | '{' => brackets.push(c),
            ')' | ']' | '}' => {
                let opened = brackets.pop();
                if !matches!((opened, c), (Some('('), ')') | (Some('['), ']') | (Some('{'), '}')) {
                    return Some(format!("`{c}` closes nothing"));
                }
            }
            _ => {}
        }
        if !c.is_whitespace() {
            last = c;
        }
    }
    match brackets.pop() {
        Some(open) => Some(format!("`{open}` is not closed")),
        None if "=<>&|+-*%!?:,.".contains(last) => Some(format!("it ends in `{last}`")),
        None => None,
    }
}

/// What follows a text literal; `None` where it has no end, which is left to the server.
fn after_literal<'t>(text: &'t str, end: &str, raw: bool) -> Option<&'t str> {
    let mut rest = text;
    loop {
        if let Some(after) = rest.strip_prefix(end) {
            return Some(after);
        }
        let c = rest.chars().next()?;
        rest = &rest[c.len_utf8()..];
        if c == '\\' && !raw {
            rest = &rest[rest.chars().next()?.len_utf8()..];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_cut_short() {
        for good in
            ["self != ''", "self.all(x, x > 0)", r"self.matches('^\\(a')", "a // (", "self == r'\\'", "{'a': 1}"]
        {
            assert_eq!(unfinished(good), None, "{good}");
        }
        for bad in ["self !=", "self.all(x, x > 0", "self)", "a &&", "[1, 2}"] {
            assert!(unfinished(bad).is_some(), "{bad}");
        }
    }
}
