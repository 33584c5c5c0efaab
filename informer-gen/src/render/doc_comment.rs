//! Descriptions to doc comments: any text in, Markdown out that rustdoc shows as it was meant and never warns of.
//!
//! Kept are paragraphs, list items, code spans and closed code blocks (as plain text, never as a doc test). Everything
//! else that Markdown, HTML or rustdoc would read something into is escaped. Lines are wrapped at about 100
//! characters; words are never cut.

use crate::code::Code;
use crate::wording::{Part, Sentence};

/// Where lines are wrapped, in characters, words permitting.
const WIDTH: usize = 100;

/// Doc attributes for a description, one for each line; nothing for an empty one.
pub(crate) fn attributes(text: &str) -> Code {
    attributes_of(&lines(text))
}

/// [`attributes`] for the first paragraph alone.
pub(crate) fn first_paragraph(text: &str) -> Code {
    let lines = lines(text);
    let end = lines.iter().position(String::is_empty).unwrap_or(lines.len());
    // A text that begins with a code block is taken whole.
    let end = if lines.first().is_some_and(|line| line.starts_with("```")) { lines.len() } else { end };
    attributes_of(&lines[..end])
}

fn attributes_of(lines: &[String]) -> Code {
    let mut code = Code::new();
    lines.iter().for_each(|line| code.doc(line));
    code
}

/// A doc attribute for a line of our own making, which is Markdown already.
pub(crate) fn line(text: &str) -> Code {
    let mut code = Code::new();
    code.doc(text);
    code
}

/// A line of our own making as the doc of the module around it.
pub(crate) fn inner_line(line: &str) -> Code {
    let mut code = Code::new();
    code.inner_doc(line);
    code
}

/// The lines of the comment, without leading spaces of the comment itself.
pub(crate) fn lines(text: &str) -> Vec<String> {
    let clean = cleaned(text);
    let input: Vec<&str> = clean.lines().collect();
    let mut output = Output::default();
    let mut at = 0;
    while at < input.len() {
        let line = input[at].trim();
        if let Some(length) = fenced_block(&input[at..]) {
            output.block(&input[at + 1..at + length - 1]);
            at += length;
            continue;
        }
        if line.is_empty() {
            output.end_paragraph();
        } else if let Some(item) = list_item(line) {
            output.item(item);
        } else {
            output.text(line);
        }
        at += 1;
    }
    output.end()
}

/// One line, escaped: for names and values inside our own sentences.
pub(crate) fn inline(text: &str) -> String {
    words(cleaned(text).replace('\n', " ").trim()).join(" ")
}

/// Doc attributes for sentences, as a paragraph behind other docs with a line for each.
pub(crate) fn sentences(sentences: &[Sentence]) -> Code {
    if sentences.is_empty() {
        return Code::new();
    }
    let mut lines = vec![String::new()];
    lines.extend(sentences.iter().map(|sentence| {
        let parts = sentence.0.iter().map(|part| match part {
            Part::Ours(text) => text.clone(),
            Part::Code(text) => span(text),
            Part::Theirs(text) => inline(text),
        });
        parts.collect()
    }));
    attributes_of(&lines)
}

/// Any text as a code span, as it is but for line ends and what nobody sees.
fn span(text: &str) -> String {
    let text = cleaned(text).replace('\n', " ");
    if text.trim().is_empty() {
        return inline(&format!("{text:?}"));
    }
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let marks = "`".repeat(longest + 1);
    // One space on either side belongs to the marks.
    let padded = text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']);
    let pad = if padded { " " } else { "" };
    format!("{marks}{pad}{text}{pad}{marks}")
}

/// The name of a group as code, the core group by what people call it.
pub(super) fn group_code(group: &str) -> String {
    if group.is_empty() { "core (`\"\"`)".to_owned() } else { code(group) }
}

/// A name as a code span, or escaped where a code span can't hold it.
pub(crate) fn code(text: &str) -> String {
    let plain = |c: char| (c.is_ascii_graphic() || c == ' ') && c != '`';
    if !text.trim().is_empty() && text.chars().all(plain) && text.len() <= WIDTH {
        format!("`{}`", text.trim())
    } else {
        inline(&format!("{text:?}"))
    }
}

/// Line ends as `\n`; no control characters, none that turn the direction of text or are not seen at all.
fn cleaned(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    let clean = text.chars().filter_map(|c| match c {
        '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => Some('\n'),
        '\t' => Some(' '),
        '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{61c}' | '\u{feff}' => None,
        c if c.is_control() => None,
        c => Some(c),
    });
    clean.collect()
}

/// How many lines a closed block between fences takes from here.
fn fenced_block(lines: &[&str]) -> Option<usize> {
    let first = lines.first()?.trim();
    if !first.starts_with("```") || first.trim_start_matches('`').contains('`') {
        return None;
    }
    let end = lines.iter().skip(1).position(|line| line.trim().starts_with("```"))?;
    (lines[end + 1].trim() == "```").then_some(end + 2)
}

fn list_item(line: &str) -> Option<&str> {
    let item = line.strip_prefix(['-', '*', '+', '\u{2022}'])?;
    let item = item.strip_prefix(' ')?.trim();
    (!item.is_empty()).then_some(item)
}

#[derive(Default)]
struct Output {
    lines: Vec<String>,
    words: Vec<String>,
    in_item: bool,
}

impl Output {
    fn text(&mut self, line: &str) {
        self.words.extend(words(line));
    }

    fn item(&mut self, item: &str) {
        let again = self.in_item;
        self.flush();
        if !again {
            self.gap();
        }
        self.in_item = true;
        self.words.extend(words(item));
    }

    fn end_paragraph(&mut self) {
        self.flush();
        self.in_item = false;
        self.gap();
    }

    fn block(&mut self, lines: &[&str]) {
        self.end_paragraph();
        let indent =
            lines.iter().filter(|line| !line.trim().is_empty()).map(|line| line.len() - line.trim_start().len());
        let indent = indent.min().unwrap_or(0);
        self.lines.push("```text".to_owned());
        self.lines.extend(lines.iter().map(|line| line.get(indent..).unwrap_or("").trim_end().to_owned()));
        self.lines.push("```".to_owned());
        self.gap();
    }

    /// An empty line, unless there is one or nothing before it.
    fn gap(&mut self) {
        if self.lines.last().is_some_and(|line| !line.is_empty()) {
            self.lines.push(String::new());
        }
    }

    fn flush(&mut self) {
        let mut first = if self.in_item { "* " } else { "" };
        let rest = if self.in_item { "  " } else { "" };
        let mut line = String::new();
        for word in self.words.drain(..) {
            if line.is_empty() {
                line = first.to_owned() + &line_start(word);
                first = rest;
            } else if line.chars().count() + 1 + word.chars().count() > WIDTH {
                self.lines.push(std::mem::replace(&mut line, rest.to_owned() + &line_start(word)));
            } else {
                line.push(' ');
                line.push_str(&word);
            }
        }
        if !line.is_empty() {
            self.lines.push(line);
        }
    }

    fn end(mut self) -> Vec<String> {
        self.flush();
        while self.lines.last().is_some_and(String::is_empty) {
            self.lines.pop();
        }
        self.lines
    }
}

/// A word that begins a line: nothing in it may begin a heading, list, rule or table.
fn line_start(word: String) -> String {
    let digits = word.len() - word.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let rest = &word[digits..];
    if digits > 0 && (rest == "." || rest == ")") {
        return format!("{}\\{rest}", &word[..digits]);
    }
    match word.chars().next() {
        Some('#' | '-' | '+' | '=' | '~' | ':' | '!' | '^') => format!("\\{word}"),
        _ => word,
    }
}

/// The words of a line, escaped; a code span is one word, a bare URL gets its brackets.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = line;
    // With an odd number of marks nobody knows which of them are meant.
    let spans = line.matches('`').count().is_multiple_of(2) && !line.contains("``");
    let mut word = String::new();
    while let Some(c) = rest.chars().next() {
        let length = if c == '`' && spans {
            let length = rest[1..].find('`').map_or(rest.len(), |end| end + 2);
            match rest[1..length - 1].trim() {
                "" => word.push_str("\\`\\`"),
                code => word.push_str(&format!("`{code}`")),
            }
            length
        } else if let Some(length) = url(rest) {
            word.push_str(&format!("<{}>", &rest[..length]));
            length
        } else if c.is_whitespace() {
            if !word.is_empty() {
                words.push(std::mem::take(&mut word));
            }
            c.len_utf8()
        } else {
            escape(&mut word, c);
            c.len_utf8()
        };
        rest = &rest[length..];
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

fn escape(word: &mut String, c: char) {
    // A lone `_` inside a word is never emphasis, but at its edges it may be; escaping it always is simpler to trust.
    if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '&' | '|' | '$') || (c == '~') {
        word.push('\\');
    }
    word.push(c);
}

/// The length of a web address at the start of a text.
fn url(text: &str) -> Option<usize> {
    let scheme = ["https://", "http://"].into_iter().find(|scheme| text.starts_with(scheme))?;
    let allowed = |c: char| c.is_ascii_alphanumeric() || "-._~:/?#@!$&'*+,;=%".contains(c);
    let end = text.find(|c| !allowed(c)).unwrap_or(text.len());
    let length = text[..end].trim_end_matches(['.', ',', ';', ':', '!', '?', '\'', '*', '_']).len();
    (length > scheme.len()).then_some(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_stays_plain() {
        assert_eq!(lines("Size of the widget.\n\nMore on it."), ["Size of the widget.", "", "More on it."]);
        assert!(lines(" \n ").is_empty());
    }

    #[test]
    fn code_blocks_are_no_tests() {
        assert_eq!(lines("See:\n```\n  let x = 1;\n```\nEnd"), ["See:", "", "```text", "let x = 1;", "```", "", "End"]);
        assert_eq!(lines("```yaml\na: b\n```"), ["```text", "a: b", "```"]);
        assert_eq!(lines("```yaml\na: <b>"), ["\\`\\`\\`yaml a: \\<b\\>"]);
        assert_eq!(lines("    let x = 1;"), ["let x = 1;"]);
    }

    #[test]
    fn markdown_is_defused() {
        assert_eq!(lines("a <name> [link] \\"), ["a \\<name\\> \\[link\\] \\\\"]);
        assert_eq!(lines("# no heading"), ["\\# no heading"]);
        assert_eq!(lines("! mark"), ["\\! mark"]);
        assert_eq!(lines("1. first"), ["1\\. first"]);
        assert_eq!(lines("use `a <b>` here, ` odd"), ["use \\`a \\<b\\>\\` here, \\` odd"]);
        assert_eq!(lines("use `a <b>` here"), ["use `a <b>` here"]);
        assert_eq!(lines("*/ and /*"), ["\\*/ and /\\*"]);
        assert_eq!(lines("at https://example.test/a_b. Or"), ["at <https://example.test/a_b>. Or"]);
    }

    #[test]
    fn unseen_characters_are_gone() {
        assert_eq!(lines("a\u{202e}b\u{2028}c\rd\te\0"), ["ab c d e"]);
    }

    #[test]
    fn lists_stay_lists() {
        assert_eq!(lines("One of:\n- a\n  more\n- b\n\nEnd"), ["One of:", "", "* a more", "* b", "", "End"]);
    }

    #[test]
    fn long_lines_are_wrapped_and_wrapping_makes_no_markup() {
        let text = "word ".repeat(19) + "- # 1. end " + &"word ".repeat(40);
        let lines = lines(&text);
        assert!(lines.iter().all(|line| line.len() <= WIDTH) && lines.len() == 4, "{lines:?}");
        assert!(
            lines[1].starts_with("\\# ") || lines[1].starts_with("1\\.") || lines[1].starts_with("end"),
            "{lines:?}"
        );
        let long = "x".repeat(20_000);
        assert_eq!(super::lines(&long), [long]);
    }

    #[test]
    fn names_in_our_own_sentences() {
        assert_eq!(code("a b"), "`a b`");
        assert_eq!(code("a`b"), "\"a\\`b\"");
        assert_eq!(code(""), "\"\"");
    }

    #[test]
    fn code_of_others_is_code() {
        assert_eq!(span("^[a-z]<b>|$"), "`^[a-z]<b>|$`");
        assert_eq!(span("a`b"), "``a`b``");
        assert_eq!(span("``a\u{202e}"), "``` ``a ```");
        assert_eq!(span("self\n > 0 "), "` self  > 0  `");
        assert_eq!(span(" \n"), "\" \"");
    }

    proptest::proptest! {
        /// Whatever the text: one line for each attribute, so that each is printed as a line comment.
        #[test]
        fn any_text(text in "(\\PC|[ \\t\\r\\n`*_#<>\\[\\]-]){0,60}") {
            for line in lines(&text) {
                proptest::prop_assert!(!line.contains(['\n', '\r', '\t', '\0', '\u{202e}']), "{line:?}");
            }
            let told = super::span(&text);
            proptest::prop_assert!(!told.contains(['\n', '\r', '\t', '\0', '\u{202e}']), "{told:?}");
            let docs = attributes(&text);
            let printed = crate::layout::text(&crate::code::quote!(#docs pub struct A {}));
            proptest::prop_assert_eq!(prettyplease::unparse(&syn::parse_file(&printed).unwrap()), printed);
        }
    }
}
