//! The text form of a label selector, read as the API server reads it.
//!
//! Quirks that are kept: `in` and `notin` can be keys and values; a value may be left out (`a=`, `a in (,b)`) and
//! is then empty; the empty text selects everything, but a comma must be followed by a requirement.

use std::collections::BTreeSet;

use super::syntax::{check_key, check_value};
use super::{Requirement, Test};

/// A text that is not a label selector: where and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid label selector at byte {position}: {problem}")]
pub struct ParseSelectorError {
    position: usize,
    problem: String,
}

impl ParseSelectorError {
    /// Where in the text the fault is, in bytes from its start.
    #[must_use]
    pub const fn position(&self) -> usize {
        self.position
    }
}

pub(super) fn requirements(text: &str) -> Result<Vec<Requirement>, ParseSelectorError> {
    let mut parser = Parser { text, position: 0 };
    let mut found = Vec::new();
    if parser.peek().kind == Kind::End {
        return Ok(found);
    }
    loop {
        found.push(parser.requirement()?);
        let token = parser.next();
        match token.kind {
            Kind::End => return Ok(found),
            Kind::Comma => {}
            _ => return Err(token.unexpected("',' or the end")),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    End,
    Word,
    Open,
    Close,
    Comma,
    Not,
    Equal,
    NotEqual,
    Above,
    Below,
}

#[derive(Clone, Copy)]
struct Token<'a> {
    kind: Kind,
    text: &'a str,
    position: usize,
}

impl Token<'_> {
    fn unexpected(self, expected: &str) -> ParseSelectorError {
        let found = match self.kind {
            Kind::End => "the end".to_owned(),
            _ => {
                let short: String = self.text.chars().take(40).collect();
                format!("{short:?}{}", if short.len() < self.text.len() { "…" } else { "" })
            }
        };
        self.wrong(format!("expected {expected}, found {found}"))
    }

    fn wrong(self, problem: impl Into<String>) -> ParseSelectorError {
        ParseSelectorError { position: self.position, problem: problem.into() }
    }
}

struct Parser<'a> {
    text: &'a str,
    position: usize,
}

impl<'a> Parser<'a> {
    fn requirement(&mut self) -> Result<Requirement, ParseSelectorError> {
        let first = self.next();
        let (negated, key) = match first.kind {
            Kind::Not => (true, self.next()),
            _ => (false, first),
        };
        if key.kind != Kind::Word {
            return Err(key.unexpected(if negated { "a label key" } else { "a label key or '!'" }));
        }
        check_key(key.text).map_err(|problem| key.wrong(problem))?;
        let test = if negated { Test::Absent } else { self.test()? };
        Ok(Requirement { key: key.text.to_owned(), test })
    }

    fn test(&mut self) -> Result<Test, ParseSelectorError> {
        let operator = self.peek();
        if matches!(operator.kind, Kind::End | Kind::Comma) {
            return Ok(Test::Present);
        }
        self.next();
        match (operator.kind, operator.text) {
            (Kind::Equal, _) => Ok(Test::In([self.value()?.text.to_owned()].into())),
            (Kind::NotEqual, _) => Ok(Test::NotIn([self.value()?.text.to_owned()].into())),
            (Kind::Above, _) => self.number().map(Test::Above),
            (Kind::Below, _) => self.number().map(Test::Below),
            (Kind::Word, "in") => self.values().map(Test::In),
            (Kind::Word, "notin") => self.values().map(Test::NotIn),
            _ => Err(operator.unexpected("an operator: in, notin, =, ==, !=, > or <")),
        }
    }

    /// The value after an operator; empty if a comma or the end comes at once.
    fn value(&mut self) -> Result<Token<'a>, ParseSelectorError> {
        let token = self.peek();
        let value = match token.kind {
            Kind::End | Kind::Comma => Token { kind: Kind::Word, text: "", ..token },
            Kind::Word => self.next(),
            _ => return Err(token.unexpected("a value")),
        };
        check_value(value.text).map_err(|problem| value.wrong(problem))?;
        Ok(value)
    }

    fn number(&mut self) -> Result<i64, ParseSelectorError> {
        let value = self.value()?;
        value.text.parse().map_err(|_| value.wrong("'>' and '<' need a whole number of at most 64 bits"))
    }

    fn values(&mut self) -> Result<BTreeSet<String>, ParseSelectorError> {
        let open = self.next();
        if open.kind != Kind::Open {
            return Err(open.unexpected("'('"));
        }
        if self.peek().kind == Kind::Close {
            return Err(self.peek().wrong("a set of values must not be empty"));
        }
        let mut values = BTreeSet::new();
        loop {
            let token = self.peek();
            let value = if token.kind == Kind::Word { self.next().text } else { "" };
            check_value(value).map_err(|problem| token.wrong(problem))?;
            values.insert(value.to_owned());
            let separator = self.next();
            match separator.kind {
                Kind::Comma => {}
                Kind::Close => return Ok(values),
                _ => return Err(separator.unexpected("',' or ')'")),
            }
        }
    }

    fn next(&mut self) -> Token<'a> {
        let token = self.peek();
        self.position = token.position + token.text.len();
        token
    }

    fn peek(&self) -> Token<'a> {
        let is_space = |c: char| matches!(c, ' ' | '\t' | '\r' | '\n');
        let rest = self.text[self.position..].trim_start_matches(is_space);
        let position = self.text.len() - rest.len();
        let symbol = |kind, length: usize| Token { kind, text: &rest[..length], position };
        match (rest.as_bytes().first(), rest.as_bytes().get(1)) {
            (None, _) => symbol(Kind::End, 0),
            (Some(b'('), _) => symbol(Kind::Open, 1),
            (Some(b')'), _) => symbol(Kind::Close, 1),
            (Some(b','), _) => symbol(Kind::Comma, 1),
            (Some(b'>'), _) => symbol(Kind::Above, 1),
            (Some(b'<'), _) => symbol(Kind::Below, 1),
            (Some(b'!'), Some(b'=')) => symbol(Kind::NotEqual, 2),
            (Some(b'!'), _) => symbol(Kind::Not, 1),
            (Some(b'='), Some(b'=')) => symbol(Kind::Equal, 2),
            (Some(b'='), _) => symbol(Kind::Equal, 1),
            _ => {
                let ends = |c: char| is_space(c) || "()=!,<>".contains(c);
                symbol(Kind::Word, rest.find(ends).unwrap_or(rest.len()))
            }
        }
    }
}
