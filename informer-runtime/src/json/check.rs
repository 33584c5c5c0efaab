//! The checks of a JSON text, on positions: the inner loop of everything that comes in. Nothing here recurses: nesting
//! is a stack of bits with a limit.

use super::string::find_special;

/// How deep arrays and objects may nest. serde_json stops at 128 when it decodes; an API server accepts deeper ones.
const MAX_DEPTH: usize = 1024;

/// A text that is not JSON, or nests too deep. Says where, never what stands there. Small, so that the good path does
/// not pay for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{} expected at byte {at}", .expected.text())]
pub(crate) struct Malformed {
    pub(super) at: usize,
    pub(super) expected: Expected,
}

/// What should have stood at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Expected {
    Value,
    Object,
    Array,
    Text,
    Key,
    Colon,
    Comma,
    CommaOrBrace,
    CommaOrBracket,
    Digit,
    HexDigit,
    Escape,
    EndOfString,
    EndOfText,
    NoControl,
    LessNesting,
}

impl Expected {
    fn text(self) -> &'static str {
        match self {
            Self::Value => "a value",
            Self::Object => "an object",
            Self::Array => "an array",
            Self::Text => "a string",
            Self::Key => "the name of a member",
            Self::Colon => "`:`",
            Self::Comma => "`,`",
            Self::CommaOrBrace => "`,` or `}`",
            Self::CommaOrBracket => "`,` or `]`",
            Self::Digit => "a digit",
            Self::HexDigit => "a hexadecimal digit",
            Self::Escape => "an escape",
            Self::EndOfString => "the end of a string",
            Self::EndOfText => "the end of the text",
            Self::NoControl => "no control character in a string",
            Self::LessNesting => "less nesting",
        }
    }
}

#[cold]
pub(super) fn fault<T>(at: usize, expected: Expected) -> Result<T, Malformed> {
    Err(Malformed { at, expected })
}

/// The first place from `at` that is no white space.
#[inline(always)]
pub(super) fn past_space(text: &[u8], mut at: usize) -> usize {
    // What a server sends has none: one comparison is all there is.
    while let Some(b' ' | b'\n' | b'\r' | b'\t') = text.get(at) {
        at += 1;
    }
    at
}

/// Steps over a string whose quote stands before `at`; gives the place behind its end, and whether it has escapes.
#[inline(always)]
pub(super) fn string(text: &[u8], at: usize) -> Result<(usize, bool), Malformed> {
    match find_special(text, at) {
        Some(end) if text[end] == b'"' => Ok((end + 1, false)),
        found => Ok((odd_string(text, found)?, true)),
    }
}

/// The rest of a string from its first special byte on.
#[cold]
fn odd_string(text: &[u8], mut found: Option<usize>) -> Result<usize, Malformed> {
    loop {
        let Some(at) = found else {
            return fault(text.len(), Expected::EndOfString);
        };
        found = match text[at] {
            b'"' => return Ok(at + 1),
            b'\\' => find_special(text, escape(text, at + 1)?),
            _ => return fault(at, Expected::NoControl),
        };
    }
}

fn escape(text: &[u8], at: usize) -> Result<usize, Malformed> {
    match text.get(at) {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(at + 1),
        Some(b'u') => {
            let digits = text.get(at + 1..at + 5).unwrap_or_default();
            match digits.iter().position(|byte| !byte.is_ascii_hexdigit()) {
                None if digits.len() == 4 => Ok(at + 5),
                other => fault(at + 1 + other.unwrap_or(digits.len()), Expected::HexDigit),
            }
        }
        _ => fault(at, Expected::Escape),
    }
}

pub(super) fn literal(text: &[u8], at: usize, word: &'static str) -> Result<usize, Malformed> {
    if text[at..].starts_with(word.as_bytes()) { Ok(at + word.len()) } else { fault(at, Expected::Value) }
}

#[inline]
fn digits(text: &[u8], start: usize) -> Result<usize, Malformed> {
    let mut at = start;
    while text.get(at).is_some_and(u8::is_ascii_digit) {
        at += 1;
    }
    if at == start { fault(at, Expected::Digit) } else { Ok(at) }
}

#[inline]
fn number(text: &[u8], mut at: usize) -> Result<usize, Malformed> {
    at += usize::from(text[at] == b'-');
    at = if text.get(at) == Some(&b'0') { at + 1 } else { digits(text, at)? };
    if text.get(at) == Some(&b'.') {
        at = digits(text, at + 1)?;
    }
    if let Some(b'e' | b'E') = text.get(at) {
        at += 1;
        at += usize::from(matches!(text.get(at), Some(b'+' | b'-')));
        at = digits(text, at)?;
    }
    Ok(at)
}

/// The name of a member and its colon.
#[inline(always)]
fn key(text: &[u8], at: usize) -> Result<usize, Malformed> {
    let at = past_space(text, at);
    if text.get(at) != Some(&b'"') {
        return fault(at, Expected::Key);
    }
    let at = past_space(text, string(text, at + 1)?.0);
    if text.get(at) == Some(&b':') { Ok(at + 1) } else { fault(at, Expected::Colon) }
}

/// Steps over one value of any kind; gives the place behind it.
pub(super) fn value(text: &[u8], mut at: usize) -> Result<usize, Malformed> {
    let mut open = Nesting::default();
    loop {
        at = past_space(text, at);
        match text.get(at) {
            Some(b'"') => at = string(text, at + 1)?.0,
            Some(b'{') => {
                at = past_space(text, at + 1);
                if text.get(at) == Some(&b'}') {
                    at += 1;
                } else {
                    at = key(text, at)?;
                    open.push(true, at)?;
                    continue;
                }
            }
            Some(b'[') => {
                at = past_space(text, at + 1);
                if text.get(at) == Some(&b']') {
                    at += 1;
                } else {
                    open.push(false, at)?;
                    continue;
                }
            }
            Some(b'-' | b'0'..=b'9') => at = number(text, at)?,
            Some(b't') => at = literal(text, at, "true")?,
            Some(b'f') => at = literal(text, at, "false")?,
            Some(b'n') => at = literal(text, at, "null")?,
            _ => return fault(at, Expected::Value),
        }
        // A value ended: close what ends with it, or go on to the next one.
        loop {
            if open.depth == 0 {
                return Ok(at);
            }
            let in_object = open.bits & 1 == 1;
            at = past_space(text, at);
            match text.get(at) {
                Some(b',') => {
                    at += 1;
                    if in_object {
                        at = key(text, at)?;
                    }
                    break;
                }
                Some(b'}') if in_object => at += 1,
                Some(b']') if !in_object => at += 1,
                _ if in_object => return fault(at, Expected::CommaOrBrace),
                _ => return fault(at, Expected::CommaOrBracket),
            }
            open.pop();
        }
    }
}

/// What is open around a place, one bit a level: set for an object.
#[derive(Default)]
struct Nesting {
    depth: usize,
    bits: u64,
    outer: Vec<u64>,
}

impl Nesting {
    #[inline(always)]
    fn push(&mut self, object: bool, at: usize) -> Result<(), Malformed> {
        if self.depth >= 64 && self.depth.is_multiple_of(64) {
            self.spill(at)?;
        }
        self.bits = self.bits << 1 | u64::from(object);
        self.depth += 1;
        Ok(())
    }

    #[cold]
    fn spill(&mut self, at: usize) -> Result<(), Malformed> {
        if self.depth >= MAX_DEPTH {
            return fault(at, Expected::LessNesting);
        }
        self.outer.push(self.bits);
        Ok(())
    }

    #[inline(always)]
    fn pop(&mut self) {
        self.bits >>= 1;
        self.depth -= 1;
        if self.depth >= 64 && self.depth.is_multiple_of(64) {
            self.bits = self.outer.pop().unwrap_or_default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn accepts(text: &str) -> bool {
        value(text.as_bytes(), 0).is_ok_and(|end| past_space(text.as_bytes(), end) == text.len())
    }

    fn serde_accepts(text: &str) -> bool {
        serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
    }

    const SAMPLE: &str = r#"{"a":[1,-2.5e+3,true,false,null,{"b":"x\u00e9\"\\"},[],{}],"ü":"long enough to cross eight bytes","d":{"e":{"f":[[["g"]]]}}}"#;

    #[test]
    fn agrees_with_serde_json_on_every_broken_byte() {
        assert!(accepts(SAMPLE));
        for at in 0..SAMPLE.len() {
            for byte in [b'"', b'\\', b'{', b'}', b'[', b']', b',', b':', b'0', b'e', b'-', 0x01, b' '] {
                let mut bytes = SAMPLE.as_bytes().to_vec();
                bytes[at] = byte;
                let Ok(text) = String::from_utf8(bytes) else { continue };
                assert_eq!(accepts(&text), serde_accepts(&text), "{text}");
            }
            if let Some(cut) = SAMPLE.get(..at) {
                assert!(!accepts(cut), "{cut}");
            }
        }
    }

    #[test]
    fn nesting_has_a_limit_and_no_recursion() {
        for levels in [1, 63, 64, 65, 127, 128, 129, 640, MAX_DEPTH] {
            let text = "[".repeat(levels / 2)
                + &"{\"a\":[".repeat(levels / 4)
                + "1"
                + &"]}".repeat(levels / 4)
                + &"]".repeat(levels / 2);
            assert!(accepts(&text), "{levels}");
        }
        let deep = 1_000_000;
        assert!(!accepts(&("[".repeat(deep) + &"]".repeat(deep))));
    }

    proptest! {
        #[test]
        fn agrees_with_serde_json_on_near_json(text in r#"[\[\]{}",:0-9eE.+\-\\utrfalsn ]{0,24}"#) {
            prop_assert_eq!(accepts(&text), serde_accepts(&text));
        }
    }
}
