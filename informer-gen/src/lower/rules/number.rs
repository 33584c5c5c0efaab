//! Numbers as the server has them, and the bounds of them.

use super::keyword::{flag, present, text};
use super::verdict::Verdict;
use crate::document::node::{Node, Value};

/// The largest whole number that every whole number up to it is a `double` of.
const MAX_EXACT: f64 = 9_007_199_254_740_991.0;

/// A number: whole ones of 64 bits are that, all others are floating.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Number {
    Whole(i64),
    Floating(f64),
}

impl Number {
    /// Of a value, if it is a number.
    pub(super) fn of(value: Node<'_>) -> Option<Number> {
        let Value::Number(number) = value.value() else { return None };
        number.as_i64().map(Number::Whole).or_else(|| number.as_f64().map(Number::Floating))
    }

    pub(super) fn as_f64(self) -> f64 {
        match self {
            Number::Whole(number) => number as f64,
            Number::Floating(number) => number,
        }
    }

    /// Whether the server takes it for a whole number, though it may be floating.
    pub(super) fn is_integer(self) -> bool {
        match self {
            Number::Whole(_) => true,
            Number::Floating(number) => is_integer(number),
        }
    }

    /// Whether it is the same as a number of an `enum`, which it is turned into for that.
    pub(super) fn equals(self, allowed: Number) -> bool {
        match (self, allowed) {
            (Number::Whole(a), Number::Whole(b)) => a == b,
            (Number::Floating(a), Number::Whole(b)) => a.trunc() == b as f64,
            (a, Number::Floating(b)) => a.as_f64() == b,
        }
    }
}

/// With a tolerance, so that 0.3 / 0.1 is whole.
fn is_integer(number: f64) -> bool {
    let rounded = number.round();
    number.abs() <= MAX_EXACT && (number == rounded || (number - rounded).abs() < 1e-9 * rounded.abs())
}

/// Whether a number keeps to `format`, `multipleOf`, `maximum` and `minimum`; else what is wrong is told.
pub(super) fn judge(number: Number, schema: Node<'_>, tell: &mut dyn FnMut(String)) -> Verdict {
    let kind = text(schema, "type").filter(|kind| matches!(*kind, "integer" | "number"));
    let format = text(schema, "format");
    let mut verdict = Verdict::Fits;
    let mut wrong = |message: String| {
        tell(message);
        verdict = Verdict::Wrong;
    };
    if !is_in_range(number, kind, format) {
        let what = format.or(kind).unwrap_or("number");
        wrong(format!("it is out of the range of {what}"));
    }
    let bound = |key: &str| present(schema, key).and_then(Number::of).map(Number::as_f64);
    let mut unknown = false;
    for key in ["multipleOf", "maximum", "minimum"] {
        let Some(limit) = bound(key) else { continue };
        let limit_fits = is_in_range(Number::Floating(limit), kind, format);
        if !limit_fits {
            wrong(format!("`{key}` is no {}", format.or(kind).unwrap_or("number")));
        }
        // Limits are cut off to whole numbers for whole numbers.
        let kept = match number {
            Number::Whole(_) if limit_fits && !(-9.2e18..=9.2e18).contains(&limit) => {
                unknown = true;
                continue;
            }
            Number::Whole(found) if limit_fits => keeps_whole(key, found, limit as i64, schema),
            _ => keeps(key, number.as_f64(), limit, schema),
        };
        if !kept {
            wrong(match key {
                "multipleOf" => "it is no multiple of `multipleOf`".to_owned(),
                "maximum" => "it is above `maximum`".to_owned(),
                _ => "it is below `minimum`".to_owned(),
            });
        }
    }
    if unknown { verdict.and(Verdict::Unknown) } else { verdict }
}

fn keeps_whole(key: &str, found: i64, limit: i64, schema: Node<'_>) -> bool {
    match key {
        "multipleOf" => limit > 0 && found % limit == 0,
        "maximum" => found < limit || found == limit && !flag(schema, "exclusiveMaximum"),
        _ => found > limit || found == limit && !flag(schema, "exclusiveMinimum"),
    }
}

fn keeps(key: &str, found: f64, limit: f64, schema: Node<'_>) -> bool {
    match key {
        "multipleOf" => limit > 0.0 && is_integer(if limit < 1.0 { 1.0 / limit * found } else { found / limit }),
        "maximum" => found < limit || found == limit && !flag(schema, "exclusiveMaximum"),
        _ => found > limit || found == limit && !flag(schema, "exclusiveMinimum"),
    }
}

fn is_in_range(number: Number, kind: Option<&str>, format: Option<&str>) -> bool {
    match (kind, format) {
        (Some("integer"), format) => {
            let whole = match number {
                Number::Whole(number) => Some(number),
                Number::Floating(number)
                    if number.fract() == 0.0 && (-(2f64.powi(63))..2f64.powi(63)).contains(&number) =>
                {
                    Some(number as i64)
                }
                Number::Floating(_) => None,
            };
            whole.is_some_and(|number| format != Some("int32") || i32::try_from(number).is_ok())
        }
        (Some("number"), Some("float")) => !(number.as_f64() as f32).is_infinite(),
        _ => true,
    }
}
