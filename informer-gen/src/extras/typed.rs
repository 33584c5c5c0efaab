//! What people type as Rust, for a line of the output: their tokens, each space where they have one.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The text with one space for all that is between two tokens: white space, line ends, comments. Its tokens stay what
/// they are, `>>=` one and `> >` two.
pub(super) fn line(text: &str) -> String {
    let Ok(tokens) = text.parse::<TokenStream>() else { return text.to_owned() };
    let plain = tokens.to_string();
    let mut typed = Typed { rest: text, line: String::new() };
    // A comment that is a doc is tokens of its own, which stand nowhere in the text.
    let is_same = typed.take(tokens).is_some() && same(&typed.line, &plain);
    if is_same { typed.line } else { plain }
}

/// Whether a text has these tokens.
fn same(text: &str, plain: &str) -> bool {
    text.parse::<TokenStream>().is_ok_and(|tokens| tokens.to_string() == plain)
}

struct Typed<'t> {
    /// What is not written yet.
    rest: &'t str,
    line: String,
}

impl Typed<'_> {
    /// Writes tokens; `None` if the text has others. Recursion follows the brackets, as the parser's does.
    fn take(&mut self, tokens: TokenStream) -> Option<()> {
        for token in tokens {
            let TokenTree::Group(group) = token else {
                self.one(&token.to_string())?;
                continue;
            };
            let (open, close) = match group.delimiter() {
                Delimiter::Parenthesis => ("(", ")"),
                Delimiter::Brace => ("{", "}"),
                Delimiter::Bracket => ("[", "]"),
                Delimiter::None => return None,
            };
            self.one(open)?;
            self.take(group.stream())?;
            self.one(close)?;
        }
        Some(())
    }

    fn one(&mut self, token: &str) -> Option<()> {
        let rest = behind_gap(self.rest);
        if rest.len() < self.rest.len() && !self.line.is_empty() {
            self.line.push(' ');
        }
        self.rest = rest.strip_prefix(token)?;
        self.line.push_str(token);
        Some(())
    }
}

/// A text without the white space and the comments that it begins with.
fn behind_gap(text: &str) -> &str {
    let mut rest = text.trim_start();
    loop {
        let behind = match rest.get(..2) {
            Some("//") => rest.split_once('\n').map_or("", |(_, behind)| behind),
            Some("/*") => behind_block(rest),
            _ => return rest,
        };
        rest = behind.trim_start();
    }
}

/// What is behind a comment in `/*` and `*/`, which may have others inside.
fn behind_block(text: &str) -> &str {
    let (mut depth, mut rest) = (0_usize, text);
    while let Some(at) = rest.find(['/', '*']) {
        rest = &rest[at..];
        let length = match rest.get(..2) {
            Some("/*") => {
                depth += 1;
                2
            }
            Some("*/") => {
                depth = depth.saturating_sub(1);
                2
            }
            _ => 1,
        };
        rest = &rest[length..];
        if depth == 0 {
            return rest;
        }
    }
    ""
}
