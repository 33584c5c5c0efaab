//! What a YAML scalar means to the API server.
//!
//! The server reads YAML 1.1 in the dialect of its own library, then turns it into JSON: `on` is true, `0755` is 493,
//! `1:20` stays a text. `tests/data/yaml-scalars.tsv` has the facts, one a line.

use serde_json::Number;

use super::node::Value;

/// A scalar with its type settled.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Scalar {
    Null,
    Bool(bool),
    Int(i64),
    /// Above `i64::MAX`.
    Uint(u64),
    Float(f64),
    Text(String),
}

/// The type that a tag (`!!int`) asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tag {
    Str,
    Bool,
    Int,
    Float,
    Null,
    Binary,
    /// A tag that means nothing to the server: the scalar is a text.
    Unknown,
}

impl Tag {
    /// From the part after `tag:yaml.org,2002:`; `None` for any other tag.
    pub(crate) fn new(core: Option<&str>) -> Self {
        match core {
            Some("str") => Tag::Str,
            Some("bool") => Tag::Bool,
            Some("int") => Tag::Int,
            Some("float") => Tag::Float,
            Some("null") => Tag::Null,
            Some("binary") => Tag::Binary,
            _ => Tag::Unknown,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Tag::Str => "!!str",
            Tag::Bool => "!!bool",
            Tag::Int => "!!int",
            Tag::Float => "!!float",
            Tag::Null => "!!null",
            Tag::Binary => "!!binary",
            Tag::Unknown => "!",
        }
    }
}

/// Settles the type of a scalar. `plain`: it stands without quotes and is no block. The error is a message.
pub(crate) fn resolve(text: &str, plain: bool, tag: Option<Tag>) -> Result<Scalar, String> {
    match tag {
        None if plain => Ok(implicit(text)),
        None | Some(Tag::Str | Tag::Unknown) => Ok(Scalar::Text(text.to_owned())),
        Some(Tag::Binary) => decode_base64(text)
            .and_then(|bytes| String::from_utf8(bytes).ok())
            .map(Scalar::Text)
            .ok_or_else(|| "this `!!binary` value is no base64 of UTF-8 text".to_owned()),
        Some(tag) => match (tag, implicit(text)) {
            (Tag::Bool, value @ Scalar::Bool(_))
            | (Tag::Int, value @ (Scalar::Int(_) | Scalar::Uint(_)))
            | (Tag::Float, value @ Scalar::Float(_))
            | (Tag::Null, value @ Scalar::Null) => Ok(value),
            (Tag::Float, Scalar::Int(value)) => Ok(Scalar::Float(value as f64)),
            _ => Err(format!("this value can't be read as the `{}` that its tag asks for", tag.name())),
        },
    }
}

/// The type of a plain scalar without a tag.
fn implicit(text: &str) -> Scalar {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Scalar::Null,
        "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => {
            return Scalar::Bool(true);
        }
        "n" | "N" | "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => {
            return Scalar::Bool(false);
        }
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => return Scalar::Float(f64::INFINITY),
        "-.inf" | "-.Inf" | "-.INF" => return Scalar::Float(f64::NEG_INFINITY),
        ".nan" | ".NaN" | ".NAN" => return Scalar::Float(f64::NAN),
        _ => {}
    }
    let number = match text.as_bytes()[0] {
        b'+' | b'-' | b'0'..=b'9' => {
            let digits = text.replace('_', "");
            integer(&digits).or_else(|| float(&digits))
        }
        b'.' => float(text),
        _ => None,
    };
    number.unwrap_or_else(|| Scalar::Text(text.to_owned()))
}

fn integer(text: &str) -> Option<Scalar> {
    let (negative, unsigned) = match text.as_bytes()[0] {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let (radix, digits) = match unsigned.as_bytes() {
        [b'0', b'x' | b'X', ..] => (16, &unsigned[2..]),
        [b'0', b'b' | b'B', ..] => (2, &unsigned[2..]),
        [b'0', b'o' | b'O', ..] => (8, &unsigned[2..]),
        [b'0', _, ..] => (8, &unsigned[1..]),
        _ => (10, unsigned),
    };
    if !digits.starts_with(|c: char| c.is_ascii_hexdigit()) {
        return None; // from_str_radix would take a second sign
    }
    let magnitude = i128::from(u64::from_str_radix(digits, radix).ok()?);
    let value = if negative { -magnitude } else { magnitude };
    match (i64::try_from(value), u64::try_from(value)) {
        (Ok(value), _) => Some(Scalar::Int(value)),
        // The server takes no sign on numbers above i64.
        (_, Ok(value)) if unsigned.len() == text.len() => Some(Scalar::Uint(value)),
        _ => None,
    }
}

/// Decimal floats only; too large ones stay texts.
fn float(text: &str) -> Option<Scalar> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent.strip_prefix(['+', '-']).unwrap_or(exponent))),
        None => (unsigned, None),
    };
    let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let has_digits = !whole.is_empty() || !fraction.is_empty();
    let good = has_digits
        && all_digits(whole)
        && all_digits(fraction)
        && exponent.is_none_or(|exponent| !exponent.is_empty() && all_digits(exponent));
    let value: f64 = good.then(|| text.parse().ok()).flatten()?;
    value.is_finite().then_some(Scalar::Float(value))
}

impl Scalar {
    /// The value in JSON. Infinity and "not a number" have none.
    pub(crate) fn into_value(self) -> Result<Value, String> {
        Ok(match self {
            Scalar::Null => Value::Null,
            Scalar::Bool(value) => Value::Bool(value),
            Scalar::Int(value) => Value::Number(value.into()),
            Scalar::Uint(value) => Value::Number(value.into()),
            Scalar::Float(value) => Value::Number(json_number(value).ok_or("JSON has no such number")?),
            Scalar::Text(text) => Value::String(text),
        })
    }

    /// The text of an object's key. The server takes neither `null` nor integers above `i64` for keys.
    pub(crate) fn into_key(self) -> Result<String, String> {
        Ok(match self {
            Scalar::Null => return Err("`null` can't be a key; write it in quotes".to_owned()),
            Scalar::Uint(_) => return Err("so large a number can't be a key; write it in quotes".to_owned()),
            Scalar::Bool(value) => value.to_string(),
            Scalar::Int(value) => value.to_string(),
            Scalar::Float(value) => float_key(value),
            Scalar::Text(text) => text,
        })
    }
}

/// As the server's JSON has it: `1.0` is written `1`, so it is an integer to whoever reads it.
fn json_number(value: f64) -> Option<Number> {
    let negative_zero = value == 0.0 && value.is_sign_negative();
    if value.fract() == 0.0 && !negative_zero {
        if value >= -(2f64.powi(63)) && value < 2f64.powi(63) {
            return Some((value as i64).into());
        }
        if value > 0.0 && value < 2f64.powi(64) {
            return Some((value as u64).into());
        }
    }
    Number::from_f64(value)
}

/// A float as a key: the shortest text that tells it from other 32-bit floats, as the server writes it.
fn float_key(value: f64) -> String {
    let value = value as f32;
    if value.is_nan() {
        return ".nan".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { ".inf" } else { "-.inf" }.to_owned();
    }
    let text = format!("{value:e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    // Go's "%g" in its shortest form.
    if !(-4..6).contains(&exponent) {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{mantissa}e{sign}{:02}", exponent.abs());
    }
    format!("{value}")
}

/// Standard alphabet with padding; spaces and line ends between the characters are skipped.
fn decode_base64(text: &str) -> Option<Vec<u8>> {
    let symbols: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    if !symbols.len().is_multiple_of(4) {
        return None;
    }
    let padding = symbols.iter().rev().take_while(|byte| **byte == b'=').count();
    if padding > 2 {
        return None;
    }
    let mut bytes = Vec::with_capacity(symbols.len() / 4 * 3);
    let (mut bits, mut held) = (0u32, 0);
    for symbol in &symbols[..symbols.len() - padding] {
        let six = match symbol {
            b'A'..=b'Z' => symbol - b'A',
            b'a'..=b'z' => symbol - b'a' + 26,
            b'0'..=b'9' => symbol - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = (bits << 6 | u32::from(six)) & 0xff_ffff;
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn float_keys_are_written_as_by_the_server() {
        for (value, text) in [
            (1.5, "1.5"),
            (1000.0, "1000"),
            (-0.0, "-0"),
            (1e5, "100000"),
            (1e6, "1e+06"),
            (1234567.0, "1.234567e+06"),
            (1e-5, "1e-05"),
            (0.0001, "0.0001"),
            (18446744073709551616.0, "1.8446744e+19"),
            (1e300, ".inf"),
        ] {
            assert_eq!(float_key(value), text);
        }
    }

    #[test]
    fn tags_ask_for_a_type() {
        assert_eq!(resolve("3", false, Some(Tag::Int)), Ok(Scalar::Int(3)));
        assert_eq!(resolve("yes", true, Some(Tag::Str)), Ok(Scalar::Text("yes".into())));
        assert_eq!(resolve("aGVsbG8=", true, Some(Tag::Binary)), Ok(Scalar::Text("hello".into())));
        for (text, tag) in [("3.5", Tag::Int), ("x", Tag::Null), ("maybe", Tag::Bool), ("a", Tag::Binary)] {
            assert!(resolve(text, true, Some(tag)).is_err(), "{text} {tag:?}");
        }
    }

    #[test]
    fn no_text_is_taken_for_a_number_by_accident() {
        for text in ["-", "+", ".", "0x", "--1", "+-1", "0x-1", "1e", "e1", "0b2", "inf", "nan", "1.2.3", "5e+", "-_"] {
            assert_eq!(implicit(text), Scalar::Text(text.into()), "{text}");
        }
    }
}
