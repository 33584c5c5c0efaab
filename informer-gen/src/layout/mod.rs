//! [`Code`] to lines of text.
//!
//! The lines are those of the crate prettyplease for the forms that are written here (a test compares the two), at a
//! tenth of its cost, since nothing is parsed: a block has its contents on lines of their own, and where a line would
//! be too long, the brackets in it are opened from the outside in, an item a line. What macros are given, and the
//! names of a `use`, fill their lines.

mod line;
mod broken;

use crate::code::Code;
use broken::Broken;
use line::{INDENT, columns, is_spaced, limit, push_indent, push_token};

/// The lines of a file.
pub(crate) fn text(code: &Code) -> String {
    let tokens: Vec<&str> = code.tokens().collect();
    let mut layout = Layout { tokens: &tokens, at: 0, indent: 0, line: String::new(), out: String::new() };
    layout.file();
    layout.out
}

struct Layout<'c> {
    tokens: &'c [&'c str],
    /// The next token.
    at: usize,
    indent: usize,
    /// The line that is being put together, without its indent.
    line: String,
    out: String,
}

impl<'c> Layout<'c> {
    fn peek(&self) -> &'c str {
        self.tokens.get(self.at).copied().unwrap_or_default()
    }

    fn file(&mut self) {
        while self.at < self.tokens.len() {
            match self.peek() {
                comment if comment.starts_with("//") => {
                    self.at += 1;
                    self.write(comment);
                }
                "}" => self.close(),
                _ => self.statement(),
            }
        }
    }

    /// A line of the output.
    fn write(&mut self, line: &str) {
        push_indent(&mut self.out, self.indent);
        self.out.push_str(line);
        self.out.push('\n');
    }

    /// The end of a block, with what stands behind it on its line.
    fn close(&mut self) {
        self.at += 1;
        self.indent = self.indent.saturating_sub(INDENT);
        push_indent(&mut self.out, self.indent);
        self.out.push('}');
        match self.peek() {
            mark @ ("," | ";") => {
                self.out.push_str(mark);
                self.at += 1;
            }
            "else" => {
                self.out.push_str(" else {");
                self.at += 2;
                self.indent += INDENT;
            }
            _ => {}
        }
        self.out.push('\n');
    }

    /// An attribute, an item without a block, or what stands before one.
    fn statement(&mut self) {
        let start = self.at;
        let attribute = self.peek() == "#";
        let (mut depth, mut angles) = (0usize, 0usize);
        let mut line = std::mem::take(&mut self.line);
        let mut last = "";
        let mut block = false;
        while self.at < self.tokens.len() {
            let token = self.peek();
            let inside = depth + angles > 0;
            if token == "}" && depth == 0 {
                break;
            }
            push_token(&mut line, last, token);
            self.at += 1;
            match token {
                "(" | "[" => depth += 1,
                ")" | "]" => {
                    depth = depth.saturating_sub(1);
                    if attribute && depth == 0 {
                        break;
                    }
                }
                "{" if depth == 0 && last == "!" => {
                    self.macro_call(&line);
                    line.clear();
                    self.line = line;
                    return;
                }
                "{" if depth == 0 && last != "::" => {
                    block = true;
                    break;
                }
                "{" => depth += 1,
                "}" => depth = depth.saturating_sub(1),
                "<" => angles += 1,
                ">" => angles = angles.saturating_sub(1),
                ";" if depth == 0 => break,
                "," if !inside => break,
                _ => {}
            }
            last = token;
        }
        let fits = self.indent + columns(&line) <= limit(self.indent);
        let tokens = &self.tokens[start..self.at];
        if block && self.peek() == "}" {
            line.push('}');
            self.at += 1;
            self.write(&line);
        } else {
            if fits {
                self.write(&line);
            } else {
                push_indent(&mut self.out, self.indent);
                let mut broken = Broken { out: &mut self.out, indent: self.indent, column: self.indent };
                if attribute {
                    broken.attribute(tokens)
                } else {
                    broken.statement(tokens)
                }
                self.out.push('\n');
            }
            self.indent += if block { INDENT } else { 0 };
        }
        line.clear();
        self.line = line;
    }

    /// A macro with its tokens in braces: they fill the lines between.
    fn macro_call(&mut self, head: &str) {
        self.write(head);
        self.indent += INDENT;
        let (mut depth, mut last) = (1usize, "");
        let mut column = 0;
        let mut word = String::new();
        while self.at < self.tokens.len() {
            let token = self.peek();
            self.at += 1;
            match token {
                "{" | "(" | "[" => depth += 1,
                "}" | ")" | "]" => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                break;
            }
            if is_spaced(last, token) {
                self.fill(&mut column, &word);
                word.clear();
            }
            word.push_str(token);
            last = token;
        }
        self.fill(&mut column, &word);
        if column > 0 {
            self.out.push('\n');
        }
        self.indent -= INDENT;
        self.write("}");
    }

    /// A word more on the line, or on the next.
    fn fill(&mut self, column: &mut usize, word: &str) {
        if word.is_empty() {
            return;
        }
        let columns = columns(word);
        if *column > 0 && *column + 1 + columns <= limit(self.indent) {
            self.out.push(' ');
            *column += 1 + columns;
        } else {
            if *column > 0 {
                self.out.push('\n');
            }
            push_indent(&mut self.out, self.indent);
            *column = self.indent + columns;
        }
        self.out.push_str(word);
    }
}

#[cfg(test)]
mod tests;
