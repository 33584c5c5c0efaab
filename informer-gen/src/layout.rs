//! [`Code`] to lines of text.
//!
//! The lines are those of the crate prettyplease for the forms that are written here (a test compares the two), at a
//! tenth of its cost, since nothing is parsed: a block has its contents on lines of their own, and where a line would
//! be too long, the brackets in it are opened from the outside in, an item a line. What macros are given, and the
//! names of a `use`, fill their lines.

use crate::code::Code;

/// Columns of a line, words permitting.
const WIDTH: usize = 89;

/// Columns that a line has behind its indent, however deep that is.
const LEAST: usize = 60;

/// Columns of a level.
const INDENT: usize = 4;

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
            if fits && (attribute || !has_attributes(tokens)) {
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

/// Writes tokens that are too long for a line. Recursion follows the brackets of a statement.
struct Broken<'o> {
    out: &'o mut String,
    /// Of the line that is being written.
    indent: usize,
    column: usize,
}

impl Broken<'_> {
    fn statement(&mut self, tokens: &[&str]) {
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
    fn attribute(&mut self, tokens: &[&str]) {
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
            if self.column + columns(&flat(&tokens[at..])) <= limit(self.indent) && !has_attributes(inner) {
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

fn flat(tokens: &[&str]) -> String {
    let (mut text, mut last) = (String::new(), "");
    for token in tokens {
        push_token(&mut text, last, token);
        last = token;
    }
    text
}

/// Whether attributes are among the tokens: they have lines of their own.
fn has_attributes(tokens: &[&str]) -> bool {
    tokens.windows(2).any(|two| two == ["#", "["])
}

fn push_token(line: &mut String, last: &str, token: &str) {
    match token {
        // A list that is on one line ends without a comma.
        ")" | "]" | ">" if last == "," => drop(line.pop()),
        "}" if line.rfind('{').is_some_and(|at| line[..at].ends_with("::")) => {}
        _ if last == "{" && line.ends_with("::{") => {}
        _ if is_spaced(last, token) => line.push(' '),
        _ => {}
    }
    line.push_str(token);
}

/// Columns that a line of this indent may have.
fn limit(indent: usize) -> usize {
    WIDTH.max(indent + LEAST)
}

fn push_indent(out: &mut String, mut indent: usize) {
    const SPACES: &str = "                                ";
    while indent > 0 {
        let some = indent.min(SPACES.len());
        out.push_str(&SPACES[..some]);
        indent -= some;
    }
}

fn columns(text: &str) -> usize {
    text.chars().count()
}

/// Whether there is a space between two tokens.
fn is_spaced(last: &str, token: &str) -> bool {
    match last {
        "" | "::" | "(" | "[" | "<" | "&" | "." | ".." | "#" | "*" => return false,
        "!" => return token == "{",
        _ => {}
    }
    match token {
        "," | ";" | ":" | "." | "?" | ")" | "]" | ">" | "!" => false,
        "::" | "(" | "[" | "<" => !ends_operand(last),
        "}" | "{" => last != "::",
        _ => true,
    }
}

/// Whether what follows a token belongs to it: a path, arguments, an index.
fn ends_operand(last: &str) -> bool {
    match last.as_bytes()[0] {
        b')' | b']' | b'>' | b'"' | b'_' | b'0'..=b'9' => true,
        b'a'..=b'z' | b'A'..=b'Z' => !matches!(
            last,
            "as" | "const"
                | "dyn"
                | "else"
                | "for"
                | "if"
                | "impl"
                | "in"
                | "let"
                | "match"
                | "mut"
                | "ref"
                | "return"
                | "use"
                | "where"
                | "while"
        ),
        _ => false,
    }
}
