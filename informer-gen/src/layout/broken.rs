//! A line that would be too long: its brackets are opened from the outside in.

use super::line::{INDENT, columns, flat, is_spaced, limit, push_indent};

/// Writes tokens that are too long for a line at the end of a text. Recursion follows the brackets of a statement.
pub(super) struct Broken<'o> {
    pub(super) out: &'o mut String,
    /// Of the line that is being written.
    pub(super) indent: usize,
    pub(super) column: usize,
}

impl Broken<'_> {
    /// An item, or what stands before its block.
    pub(super) fn statement(&mut self, tokens: &[&str]) {
        let indent = self.indent;
        match tokens.iter().position(|token| *token == "for") {
            Some(at) if tokens[0] == "impl" => {
                self.tokens(&tokens[..at], indent);
                self.new_line(indent);
                self.tokens(&tokens[at..], indent);
            }
            _ => self.tokens(tokens, indent),
        }
    }

    /// What is in the parentheses of an attribute has a line of its own.
    pub(super) fn attribute(&mut self, tokens: &[&str]) {
        let open = tokens.iter().position(|token| *token == "(").map_or(tokens.len(), |at| at + 1);
        let close = open.max(tokens.len() - 2);
        let indent = self.indent;
        self.push(&flat(&tokens[..open]));
        if open < close {
            self.new_line(indent + INDENT);
            self.push(&flat(&tokens[open..close]));
            self.new_line(indent);
        }
        self.push(&flat(&tokens[close..]));
    }

    fn tokens(&mut self, tokens: &[&str], indent: usize) {
        let (mut at, mut last) = (0, "");
        while let Some(&token) = tokens.get(at) {
            let in_macro = last == "!";
            self.token(last, token);
            last = token;
            at += 1;
            let Some(length) = group(&tokens[at - 1..]).filter(|length| *length > 2) else { continue };
            let end = at + length - 1;
            let inner = &tokens[at..end - 1];
            // `&[T]` of a constant
            if tokens.get(end) == Some(&"=") {
                continue;
            }
            // What stands behind a group is on the line of its end.
            if self.column + columns(&flat(&tokens[at..])) <= limit(self.indent) {
                continue;
            }
            if token == "{" {
                self.filled(inner, indent + INDENT);
            } else {
                // The comma of the last one comes with the line's end, so it needs no room.
                let inner = inner.strip_suffix(&[","]).unwrap_or(inner);
                for item in items(inner) {
                    self.new_line(indent + INDENT);
                    self.item(item, indent + INDENT);
                }
                if !in_macro {
                    self.push(",");
                }
            }
            self.new_line(indent);
            at = end - 1;
            last = "";
        }
    }

    /// An item of a list, its attributes before it on lines of their own.
    fn item(&mut self, mut item: &[&str], indent: usize) {
        while item.first() == Some(&"#")
            && let Some(length) = group(&item[1..])
        {
            let (attribute, rest) = item.split_at(length + 1);
            let mut last = "";
            for token in attribute {
                self.token(last, token);
                last = token;
            }
            self.new_line(indent);
            item = rest;
        }
        self.tokens(item, indent);
    }

    fn filled(&mut self, inner: &[&str], indent: usize) {
        self.new_line(indent);
        // The comma of the last one comes with the line's end, so it needs no room.
        for item in items(inner.strip_suffix(&[","]).unwrap_or(inner)) {
            let item = flat(item);
            if self.column > indent {
                if self.column + 1 + columns(&item) > limit(indent) {
                    self.new_line(indent);
                } else {
                    self.push(" ");
                }
            }
            self.push(&item);
        }
        self.push(",");
    }

    fn token(&mut self, last: &str, token: &str) {
        if is_spaced(last, token) {
            self.push(" ");
        }
        self.push(token);
    }

    fn push(&mut self, text: &str) {
        self.out.push_str(text);
        self.column += columns(text);
    }

    fn new_line(&mut self, indent: usize) {
        self.out.push('\n');
        push_indent(self.out, indent);
        (self.indent, self.column) = (indent, indent);
    }
}

/// How many tokens the group takes that begins here, its brackets included.
fn group(tokens: &[&str]) -> Option<usize> {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate() {
        match *token {
            "(" | "[" | "{" | "<" => depth += 1,
            ")" | "]" | "}" | ">" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return (at > 0).then_some(at + 1);
        }
    }
    None
}

/// What is between the commas of a list, each with its comma.
fn items<'i>(inner: &'i [&'i str]) -> impl Iterator<Item = &'i [&'i str]> {
    let mut depth = 0usize;
    inner
        .split_inclusive(move |token| {
            match *token {
                "(" | "[" | "{" | "<" => depth += 1,
                ")" | "]" | "}" | ">" => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0 && *token == ","
        })
        .filter(|item| !item.is_empty())
}
