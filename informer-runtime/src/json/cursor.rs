//! A checking cursor over one JSON text. It never recurses: nesting is a stack of bits with a limit.

use std::borrow::Cow;
use std::ops::Range;

use super::string::find_special;

/// How deep arrays and objects may nest. serde_json stops at 128 when it decodes; an API server accepts deeper ones.
const MAX_DEPTH: usize = 1024;

/// A text that is not JSON, or nests too deep. Says where, never what stands there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{expected} expected at byte {at}")]
pub(crate) struct Malformed {
    at: usize,
    expected: &'static str,
}

/// The inside of a string literal, as it stands in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Text<'a> {
    literal: &'a str,
    escaped: bool,
}

impl<'a> Text<'a> {
    /// The value; borrowed unless it holds an escape. `None` for an escape that is no Unicode scalar (a lone
    /// surrogate).
    pub(crate) fn value(&self) -> Option<Cow<'a, str>> {
        if self.escaped {
            serde_json::from_str(&format!("\"{}\"", self.literal))
                .ok()
                .map(Cow::Owned)
        } else {
            Some(Cow::Borrowed(self.literal))
        }
    }

    /// Calls `then` with the value.
    pub(crate) fn with<R>(self, then: impl FnOnce(&str) -> R) -> R {
        if self.escaped {
            then(&self.value().unwrap_or_default())
        } else {
            then(self.literal)
        }
    }
}

/// Where an iteration over the members of an object stands.
#[derive(Debug)]
pub(crate) struct Members {
    first: bool,
    /// Where the comma before the present member stands.
    pub(crate) comma: Option<usize>,
    /// Where the name of the present member begins.
    pub(crate) key: usize,
}

#[derive(Debug, Clone)]
pub(crate) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    pub(crate) fn position(&self) -> usize {
        self.at
    }

    fn error(&self, expected: &'static str) -> Malformed {
        Malformed { at: self.at, expected }
    }

    #[inline]
    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// The next byte that is not white space, not consumed.
    #[inline]
    pub(crate) fn peek(&mut self) -> Option<u8> {
        loop {
            match self.byte() {
                Some(b' ' | b'\n' | b'\r' | b'\t') => self.at += 1,
                other => return other,
            }
        }
    }

    #[inline]
    fn expect(&mut self, byte: u8, expected: &'static str) -> Result<(), Malformed> {
        if self.peek() == Some(byte) {
            self.at += 1;
            Ok(())
        } else {
            Err(self.error(expected))
        }
    }

    /// Nothing but white space is left.
    pub(crate) fn end(&mut self) -> Result<(), Malformed> {
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.error("end of text")),
        }
    }

    /// Enters an object.
    pub(crate) fn object(&mut self) -> Result<Members, Malformed> {
        self.expect(b'{', "an object")?;
        Ok(Members {
            first: true,
            comma: None,
            key: self.at,
        })
    }

    /// The name of the next member, after which the cursor stands before its value; `None` when the object is
    /// closed.
    pub(crate) fn member(&mut self, members: &mut Members) -> Result<Option<Text<'a>>, Malformed> {
        match self.peek() {
            Some(b'}') => {
                self.at += 1;
                return Ok(None);
            }
            Some(b',') if !members.first => {
                members.comma = Some(self.at);
                self.at += 1;
                self.peek();
            }
            Some(_) if members.first => {}
            _ => return Err(self.error("`,` or `}`")),
        }
        members.first = false;
        members.key = self.at;
        self.key().map(Some)
    }

    /// Enters an array and steps over `index` of its items; `None` if there are not that many.
    pub(crate) fn enter_item(&mut self, index: usize) -> Option<()> {
        self.expect(b'[', "an array").ok()?;
        for _ in 0..index {
            if self.peek()? == b']' {
                return None;
            }
            self.skip().ok()?;
            self.expect(b',', "`,`").ok()?;
        }
        (self.peek()? != b']').then_some(())
    }

    #[inline]
    fn key(&mut self) -> Result<Text<'a>, Malformed> {
        let key = self.string()?;
        self.expect(b':', "`:`")?;
        Ok(key)
    }

    /// A string, or `None` for null. Anything else is refused.
    pub(crate) fn string_or_null(&mut self, expected: &'static str) -> Result<Option<Text<'a>>, Malformed> {
        match self.peek() {
            Some(b'"') => self.string().map(Some),
            Some(b'n') => self.literal("null").map(|()| None),
            _ => Err(self.error(expected)),
        }
    }

    #[inline]
    pub(crate) fn string(&mut self) -> Result<Text<'a>, Malformed> {
        self.expect(b'"', "a string")?;
        let start = self.at;
        let mut escaped = false;
        loop {
            let Some(special) = find_special(self.text.as_bytes(), self.at) else {
                self.at = self.text.len();
                return Err(self.error("the end of a string"));
            };
            self.at = special;
            match self.text.as_bytes()[special] {
                b'"' => {
                    self.at += 1;
                    return Ok(Text {
                        literal: &self.text[start..special],
                        escaped,
                    });
                }
                b'\\' => {
                    escaped = true;
                    self.escape()?;
                }
                _ => return Err(self.error("no control character in a string")),
            }
        }
    }

    fn escape(&mut self) -> Result<(), Malformed> {
        self.at += 1;
        match self.byte() {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 1,
            Some(b'u') => {
                self.at += 1;
                for _ in 0..4 {
                    match self.byte() {
                        Some(byte) if byte.is_ascii_hexdigit() => self.at += 1,
                        _ => return Err(self.error("a hexadecimal digit")),
                    }
                }
            }
            _ => return Err(self.error("an escape")),
        }
        Ok(())
    }

    fn literal(&mut self, word: &'static str) -> Result<(), Malformed> {
        if self.text.as_bytes()[self.at..].starts_with(word.as_bytes()) {
            self.at += word.len();
            Ok(())
        } else {
            Err(self.error("a value"))
        }
    }

    fn digits(&mut self) -> Result<(), Malformed> {
        let start = self.at;
        while self.byte().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        if self.at == start {
            Err(self.error("a digit"))
        } else {
            Ok(())
        }
    }

    fn number(&mut self) -> Result<(), Malformed> {
        if self.byte() == Some(b'-') {
            self.at += 1;
        }
        if self.byte() == Some(b'0') {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.byte() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.byte(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.byte(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(())
    }

    /// Checks one value of any kind and steps over it; gives its place.
    pub(crate) fn skip(&mut self) -> Result<Range<usize>, Malformed> {
        let mut open = Nesting::default();
        self.peek();
        let start = self.at;
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.string()?;
                }
                Some(b'{') => {
                    self.at += 1;
                    if self.peek() == Some(b'}') {
                        self.at += 1;
                    } else {
                        self.key()?;
                        open.push(true).map_err(|()| self.error("less nesting"))?;
                        continue;
                    }
                }
                Some(b'[') => {
                    self.at += 1;
                    if self.peek() == Some(b']') {
                        self.at += 1;
                    } else {
                        open.push(false).map_err(|()| self.error("less nesting"))?;
                        continue;
                    }
                }
                Some(b'-' | b'0'..=b'9') => self.number()?,
                Some(b't') => self.literal("true")?,
                Some(b'f') => self.literal("false")?,
                Some(b'n') => self.literal("null")?,
                _ => return Err(self.error("a value")),
            }
            // A value ended: close what ends with it, or go on to the next one.
            loop {
                let Some(in_object) = open.top() else {
                    return Ok(start..self.at);
                };
                match self.peek() {
                    Some(b',') => {
                        self.at += 1;
                        if in_object {
                            self.key()?;
                        }
                        break;
                    }
                    Some(b'}') if in_object => self.at += 1,
                    Some(b']') if !in_object => self.at += 1,
                    _ if in_object => return Err(self.error("`,` or `}`")),
                    _ => return Err(self.error("`,` or `]`")),
                }
                open.pop();
            }
        }
    }
}

/// What is open around the cursor, one bit a level: set for an object.
#[derive(Default)]
struct Nesting {
    depth: usize,
    bits: u64,
    outer: Vec<u64>,
}

impl Nesting {
    #[inline]
    fn push(&mut self, object: bool) -> Result<(), ()> {
        if self.depth == MAX_DEPTH {
            return Err(());
        }
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.outer.push(self.bits);
        }
        self.bits = self.bits << 1 | u64::from(object);
        self.depth += 1;
        Ok(())
    }

    #[inline]
    fn top(&self) -> Option<bool> {
        (self.depth > 0).then_some(self.bits & 1 == 1)
    }

    #[inline]
    fn pop(&mut self) {
        self.bits >>= 1;
        self.depth -= 1;
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.bits = self.outer.pop().unwrap_or_default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn accepts(text: &str) -> bool {
        let mut cursor = Cursor::new(text);
        cursor.skip().is_ok() && cursor.end().is_ok()
    }

    fn serde_accepts(text: &str) -> bool {
        serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
    }

    const SAMPLE: &str = r#"{"a":[1,-2.5e+3,true,false,null,{"b":"x\u00e9\"\\"},[],{}],"ü":"long enough to cross eight bytes","d":{"e":{"f":[[["g"]]]}}}"#;

    #[test]
    fn agrees_with_serde_json_on_every_broken_byte() {
        assert!(accepts(SAMPLE));
        for at in 0..SAMPLE.len() {
            for byte in [
                b'"', b'\\', b'{', b'}', b'[', b']', b',', b':', b'0', b'e', b'-', 0x01, b' ',
            ] {
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
