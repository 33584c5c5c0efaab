//! A checking cursor over one JSON text. It never recurses: nesting is a stack of bits with a limit.

use std::borrow::Cow;
use std::ops::Range;

use super::check::{self, Expected, Malformed, fault, past_space};

/// The inside of a string literal, as it stands in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Text<'a> {
    literal: &'a [u8],
    /// Where it begins in the text.
    start: usize,
    escaped: bool,
}

impl<'a> Text<'a> {
    /// The value; borrowed unless it holds an escape. `None` for an escape that is no Unicode scalar (a lone
    /// surrogate).
    pub(crate) fn value(&self) -> Option<Cow<'a, str>> {
        let literal = std::str::from_utf8(self.literal).ok()?; // a part of a str, cut at quotes
        if self.escaped {
            serde_json::from_str(&format!("\"{literal}\"")).ok().map(Cow::Owned)
        } else {
            Some(Cow::Borrowed(literal))
        }
    }

    /// Where the value stands in the text; `None` if it is written with escapes.
    pub(crate) fn place(&self) -> Option<Range<usize>> {
        (!self.escaped).then_some(self.start..self.start + self.literal.len())
    }

    /// Calls `then` with the value's bytes.
    #[inline(always)]
    pub(crate) fn with<R>(self, then: impl Fn(&[u8]) -> R) -> R {
        if self.escaped { then(self.value().unwrap_or_default().as_bytes()) } else { then(self.literal) }
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

    /// Goes to a place that another pass over the text has found.
    pub(super) fn move_to(&mut self, at: usize) {
        self.at = at;
    }

    #[inline]
    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// The next byte that is not white space, not consumed.
    #[inline]
    pub(crate) fn peek(&mut self) -> Option<u8> {
        self.at = past_space(self.text.as_bytes(), self.at);
        self.byte()
    }

    #[inline]
    fn expect(&mut self, byte: u8, expected: Expected) -> Result<(), Malformed> {
        if self.peek() != Some(byte) {
            return fault(self.at, expected);
        }
        self.at += 1;
        Ok(())
    }

    /// Nothing but white space is left.
    pub(crate) fn end(&mut self) -> Result<(), Malformed> {
        match self.peek() {
            None => Ok(()),
            Some(_) => fault(self.at, Expected::EndOfText),
        }
    }

    /// Enters an object.
    pub(crate) fn object(&mut self) -> Result<Members, Malformed> {
        self.expect(b'{', Expected::Object)?;
        Ok(Members { first: true, comma: None, key: self.at })
    }

    /// The name of the next member, after which the cursor stands before its value; `None` when the object is
    /// closed.
    #[inline(always)]
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
            _ => return fault(self.at, Expected::CommaOrBrace),
        }
        members.first = false;
        members.key = self.at;
        self.key().map(Some)
    }

    /// Enters an array and steps over `index` of its items; `None` if there are not that many.
    pub(crate) fn enter_item(&mut self, index: usize) -> Option<()> {
        self.expect(b'[', Expected::Array).ok()?;
        for _ in 0..index {
            if self.peek()? == b']' {
                return None;
            }
            self.skip().ok()?;
            self.expect(b',', Expected::Comma).ok()?;
        }
        (self.peek()? != b']').then_some(())
    }

    #[inline(always)]
    fn key(&mut self) -> Result<Text<'a>, Malformed> {
        let key = self.string()?;
        self.expect(b':', Expected::Colon)?;
        Ok(key)
    }

    /// A string, or `None` for null. Anything else is refused.
    pub(crate) fn string_or_null(&mut self) -> Result<Option<Text<'a>>, Malformed> {
        match self.peek() {
            Some(b'"') => self.string().map(Some),
            Some(b'n') => self.literal("null").map(|()| None),
            _ => fault(self.at, Expected::Text),
        }
    }

    #[inline(always)]
    pub(crate) fn string(&mut self) -> Result<Text<'a>, Malformed> {
        if self.peek() != Some(b'"') {
            return fault(self.at, Expected::Text);
        }
        let start = self.at + 1;
        let (end, escaped) = check::string(self.text.as_bytes(), start)?;
        self.at = end;
        let literal = self.text.as_bytes().get(start..end - 1).unwrap_or_default();
        Ok(Text { literal, start, escaped })
    }

    fn literal(&mut self, word: &'static str) -> Result<(), Malformed> {
        self.at = check::literal(self.text.as_bytes(), self.at, word)?;
        Ok(())
    }

    /// Checks one value of any kind and steps over it; gives its place.
    pub(crate) fn skip(&mut self) -> Result<Range<usize>, Malformed> {
        self.peek();
        let start = self.at;
        self.at = check::value(self.text.as_bytes(), start)?;
        Ok(start..self.at)
    }
}
