//! One line: what is between two tokens, and how much room there is.

/// Columns of a line, words permitting.
const WIDTH: usize = 89;

/// Columns that a line has behind its indent, however deep that is.
const LEAST: usize = 60;

/// Columns of a level.
pub(super) const INDENT: usize = 4;

/// Tokens on one line.
pub(super) fn flat(tokens: &[&str]) -> String {
    let (mut text, mut last) = (String::new(), "");
    for token in tokens {
        push_token(&mut text, last, token);
        last = token;
    }
    text
}

/// Adds a token to a line that ends with another.
pub(super) fn push_token(line: &mut String, last: &str, token: &str) {
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
pub(super) fn limit(indent: usize) -> usize {
    WIDTH.max(indent + LEAST)
}

/// Adds the space in front of a line.
pub(super) fn push_indent(out: &mut String, mut indent: usize) {
    const SPACES: &str = "                                ";
    while indent > 0 {
        let some = indent.min(SPACES.len());
        out.push_str(&SPACES[..some]);
        indent -= some;
    }
}

/// How wide a text is: in bytes, since that is what prettyplease counts.
pub(super) fn columns(text: &str) -> usize {
    text.len()
}

/// Whether there is a space between two tokens.
pub(super) fn is_spaced(last: &str, token: &str) -> bool {
    match last {
        "" | "::" | "(" | "[" | "<" | "&" | "." | ".." | "#" | "*" => return false,
        "!" => return token == "{",
        "impl" if token == "<" => return false,
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
