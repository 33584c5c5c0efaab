//! Whether a value is one that a schema takes, as the server judges it, oddities included: `format` lets texts pass for
//! any type but numbers, bounds are cut off for whole numbers.
//!
//! Rules in CEL and some patterns are not judged, nor what depends on them.

use super::format;
use super::keyword::{flag, names, present, text};
use super::number::{self, Number};
use super::pattern;
use super::trail::{At, Step, Teller};
use super::verdict::Verdict;
use crate::document::node::{Node, Value};

/// Levels of values and of schemas within schemas that are looked into.
const MAX_DEPTH: u32 = 100;

/// What is looked at for one default: pairs of a value and a schema, names in `required`, keys, values of `enum`.
const MAX_STEPS: u32 = 200_000;

/// How many of those the look at a pattern counts for.
const PATTERN_STEPS: u32 = 500;

/// Bytes of a text that count for one of those.
const STEP_OF_TEXT: usize = 64;

/// What is told of one default.
const MAX_TOLD: u32 = 20;

/// Tells why a default is not what its schema takes.
pub(super) fn check<'a>(value: Node<'a>, schema: Node<'a>, at: At, teller: &mut Teller<'_, 'a>) {
    Judge { teller, quiet: 0, nested: 0, depth: 0, steps: MAX_STEPS, told: 0 }.judge(value, schema, at);
}

struct Judge<'t, 'p, 'a> {
    teller: &'t mut Teller<'p, 'a>,
    /// Levels of schemas of which it only counts whether they take a value.
    quiet: u32,
    /// Levels of `allOf`, `anyOf`, `oneOf` and `not`; within them `additionalProperties: false` says nothing.
    nested: u32,
    depth: u32,
    /// Those that are left.
    steps: u32,
    told: u32,
}

impl<'a> Judge<'_, '_, 'a> {
    fn judge(&mut self, value: Node<'a>, schema: Node<'a>, at: At) -> Verdict {
        if self.depth == MAX_DEPTH || !self.takes(1) {
            return Verdict::Unknown;
        }
        self.depth += 1;
        let mut verdict = self.itself(value, schema, at);
        if !value.is_null() {
            verdict = verdict.and(self.junctors(value, schema, at));
            if verdict != Verdict::Wrong {
                verdict = verdict.and(self.inside(value, schema, at));
            }
        }
        self.depth -= 1;
        verdict
    }

    fn wrong(&mut self, value: Node<'a>, at: At, message: &str) -> Verdict {
        if self.quiet == 0 && self.told < MAX_TOLD {
            self.told += 1;
            let hint = if self.told == MAX_TOLD { "nothing more is told of this default" } else { "" };
            let message = format!("this default does not fit its schema: {message}");
            self.teller.error(value.span().start(), at, message, hint);
        }
        Verdict::Wrong
    }

    /// Takes steps; false where there are not that many left.
    fn takes(&mut self, steps: u32) -> bool {
        let enough = self.steps >= steps;
        self.steps = self.steps.saturating_sub(steps);
        enough
    }

    fn down(&mut self, at: At, step: Step<'a>) -> At {
        if self.quiet == 0 { self.teller.down(at, step) } else { at }
    }

    /// The value without what is in it.
    fn itself(&mut self, value: Node<'a>, schema: Node<'a>, at: At) -> Verdict {
        if !is_of_type(value, schema) {
            let message = match text(schema, "type") {
                Some(wanted) if value.is_null() => format!("it is null, and `nullable` is not set for this {wanted}"),
                Some(wanted) => format!("it is a {}, not of type {wanted}", value.kind_name()),
                None => format!("it is a {}, which has no `format`", value.kind_name()),
            };
            return self.wrong(value, at, &message);
        }
        if let Some(list) = present(schema, "enum").filter(|list| list.items().len() > 0) {
            match self.is_among(value, list) {
                Verdict::Fits => {}
                Verdict::Wrong => return self.wrong(value, at, "it is none of the values of `enum`"),
                Verdict::Unknown => return Verdict::Unknown,
            }
        }
        match value.value() {
            Value::String(found) => self.text(value, found, schema, at),
            Value::Number(_) => {
                let Some(number) = Number::of(value) else { return Verdict::Unknown };
                let mut told = Vec::new();
                let verdict = number::judge(number, schema, &mut |message| told.push(message));
                for message in told {
                    self.wrong(value, at, &message);
                }
                verdict
            }
            Value::Array(items) => self.size(value, items.len(), ("minItems", "maxItems", "items"), schema, at),
            Value::Object(keys) => self.size(value, keys.len(), ("minProperties", "maxProperties", "keys"), schema, at),
            _ => Verdict::Fits,
        }
    }

    fn is_among(&mut self, value: Node<'a>, list: Node<'a>) -> Verdict {
        for allowed in list.items() {
            let size = value.expanded().min(allowed.expanded());
            if !self.takes(u32::try_from(size).unwrap_or(u32::MAX)) {
                return Verdict::Unknown;
            }
            if equals(value, allowed) {
                return Verdict::Fits;
            }
        }
        Verdict::Wrong
    }

    fn text(&mut self, value: Node<'a>, found: &'a str, schema: Node<'a>, at: At) -> Verdict {
        self.takes(u32::try_from(found.len() / STEP_OF_TEXT).unwrap_or(u32::MAX));
        let count = found.chars().count();
        let mut verdict = self.size(value, count, ("minLength", "maxLength", "characters"), schema, at);
        if let Some(pattern) = text(schema, "pattern") {
            self.takes(PATTERN_STEPS);
            verdict = verdict.and(match pattern::matches(pattern, found) {
                Some(true) => Verdict::Fits,
                Some(false) => self.wrong(value, at, "it does not match `pattern`"),
                None => Verdict::Unknown,
            });
        }
        let Some(format) = text(schema, "format") else { return verdict };
        verdict.and(match format::fits(format, found) {
            Some(true) => Verdict::Fits,
            Some(false) => self.wrong(value, at, &format!("it is no {format}, as `format` says")),
            None => Verdict::Unknown,
        })
    }

    fn size(&mut self, value: Node<'a>, size: usize, keys: (&str, &str, &str), schema: Node<'a>, at: At) -> Verdict {
        let (least, most, what) = keys;
        let limit = |key: &str| present(schema, key).and_then(Number::of).map(Number::as_f64);
        let found = size as f64;
        if limit(least).is_some_and(|least| found < least) {
            return self.wrong(value, at, &format!("it has {size} {what}, fewer than `{least}`"));
        }
        if limit(most).is_some_and(|most| found > most) {
            return self.wrong(value, at, &format!("it has {size} {what}, more than `{most}`"));
        }
        Verdict::Fits
    }

    /// `allOf`, `anyOf`, `oneOf` and `not`.
    fn junctors(&mut self, value: Node<'a>, schema: Node<'a>, at: At) -> Verdict {
        let list = |key: &str| schema.get(key).into_iter().flat_map(Node::items);
        let mut verdict = Verdict::Fits;
        self.nested += 1;
        for nested in list("allOf") {
            verdict = verdict.and(self.judge(value, nested, at));
        }
        for key in ["anyOf", "oneOf"] {
            self.quiet += 1;
            let verdicts: Vec<Verdict> = list(key).map(|nested| self.judge(value, nested, at)).collect();
            self.quiet -= 1;
            let fitting = verdicts.iter().filter(|verdict| **verdict == Verdict::Fits).count();
            let unknown = verdicts.contains(&Verdict::Unknown);
            match (key, fitting) {
                _ if verdicts.is_empty() => {}
                ("anyOf", 1..) => {}
                ("oneOf", 2..) => {
                    verdict = self.wrong(value, at, &format!("{fitting} of `oneOf` take it, and one must"));
                }
                _ if unknown => verdict = verdict.and(Verdict::Unknown),
                ("oneOf", 1) => {}
                _ => verdict = self.wrong(value, at, &format!("none of `{key}` takes it")),
            }
        }
        if let Some(nested) = present(schema, "not") {
            self.quiet += 1;
            let inner = self.judge(value, nested, at).not();
            self.quiet -= 1;
            verdict = verdict.and(inner);
            if inner == Verdict::Wrong {
                self.wrong(value, at, "`not` forbids it");
            }
        }
        self.nested -= 1;
        verdict
    }

    /// What is in the value.
    fn inside(&mut self, value: Node<'a>, schema: Node<'a>, at: At) -> Verdict {
        let mut verdict = Verdict::Fits;
        if let Some(items) = present(schema, "items").filter(|items| items.is_object()) {
            for (number, item) in value.items().enumerate() {
                let at = self.down(at, Step::Item(number));
                verdict = verdict.and(self.judge(item, items, at));
            }
        }
        if !value.is_object() {
            return verdict;
        }
        for name in names(schema, "required") {
            if !self.takes(1) {
                return verdict.and(Verdict::Unknown);
            }
            if value.get(name).is_none() {
                let at = self.down(at, Step::Key(name));
                verdict = self.wrong(value, at, &format!("{name:?} is required and not there"));
            }
        }
        let properties = present(schema, "properties");
        let others = present(schema, "additionalProperties");
        if properties.or(others).is_none() {
            return verdict;
        }
        for (key, inner) in value.entries() {
            let known = properties.and_then(|properties| properties.get(key.name));
            let Some(schema) = known.or(others.filter(|others| others.is_object())) else {
                if !self.takes(1) {
                    return verdict.and(Verdict::Unknown);
                }
                if others.is_some_and(|others| others.as_bool() == Some(false)) && self.nested == 0 {
                    let at = self.down(at, Step::Key(key.name));
                    verdict = self.wrong(inner, at, "`additionalProperties: false` allows no keys");
                }
                continue;
            };
            let at = self.down(at, Step::Key(key.name));
            verdict = verdict.and(self.judge(inner, schema, at));
        }
        verdict
    }
}

fn is_of_type(value: Node<'_>, schema: Node<'_>) -> bool {
    let wanted = text(schema, "type");
    if value.is_null() {
        return wanted.is_none() || flag(schema, "nullable");
    }
    let format = text(schema, "format");
    if wanted.is_none() && format.is_none() {
        return true;
    }
    let (found, its_format) = match value.value() {
        Value::String(_) => ("string", ""),
        Value::Array(_) => ("array", ""),
        Value::Object(_) => ("object", ""),
        Value::Bool(_) => ("boolean", ""),
        _ => match Number::of(value) {
            Some(Number::Whole(_)) => ("integer", "int64"),
            _ => ("number", "float64"),
        },
    };
    let integer = wanted == Some("integer") && Number::of(value).is_some_and(Number::is_integer);
    let number = wanted == Some("number") && found == "integer";
    let same = wanted == Some(found) || integer || number;
    match (format, found) {
        (Some(_), "string" | "array") if !matches!(wanted, Some("integer" | "number")) => true,
        (Some(format), _) if !same && its_format != format => false,
        _ => same,
    }
}

/// Whether a value counts as one of an `enum`.
fn equals(value: Node<'_>, allowed: Node<'_>) -> bool {
    match (Number::of(value), Number::of(allowed), allowed.as_str()) {
        (Some(found), Some(allowed), _) => found.equals(allowed),
        // The server turns whole numbers into the characters of that number.
        (Some(Number::Whole(found)), None, Some(allowed)) => {
            let character = u32::try_from(found).ok().and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER);
            allowed.strip_prefix(character) == Some("")
        }
        // Nothing equals null.
        _ => !value.is_null() && value.same_json(allowed),
    }
}
