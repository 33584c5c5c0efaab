//! Whether a text matches a pattern, where the engine at hand surely agrees with the server's, which is Go's regexp.
//!
//! Both know classes such as `\\w` in ASCII only, and neither looks around or back. What one of them does not have is no
//! expression for the engine here, or kept from it.

use regex_lite::RegexBuilder;

use super::regexp;

/// Bytes of texts that are looked at. Time to match grows with it, times the next.
const MAX_TEXT: usize = 256;

/// Bytes of expressions that are looked at.
const MAX_PATTERN: usize = 4096;

/// Bytes that an expression may take once it is compiled.
const MAX_SIZE: usize = 1 << 14;

/// What means one thing here and another to the server.
const DIFFERENT: [&str; 4] = ["\\<", "\\>", "\\b{", "(?"];

/// Whether a pattern is found in a text. `None` where that is left to the server.
pub(super) fn matches(pattern: &str, text: &str) -> Option<bool> {
    // More is a count for the engine here than for the server.
    if pattern.len() > MAX_PATTERN || regexp::has_bare_brace(pattern) {
        return None;
    }
    let rest = pattern.replace("(?:", "(");
    // Of spaces, the two know all the same but this.
    if text.contains('\u{b}') || text.len() > MAX_TEXT || DIFFERENT.iter().any(|different| rest.contains(different)) {
        return None;
    }
    let compiled = RegexBuilder::new(pattern).size_limit(MAX_SIZE).build().ok()?;
    Some(compiled.is_match(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_matches() {
        for (pattern, text, found) in [
            ("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", "a-b", Some(true)),
            ("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", "a-", Some(false)),
            ("b", "abc", Some(true)),
            ("^(?:0|[0-9]+(ns|ms|s))$", "5s", Some(true)),
            (r"^\w$", "é", Some(false)),
            ("^.$", "é", Some(true)),
            ("a$", "a\n", Some(false)),
            (r"^\s$", "\u{b}", None),
            (r"\pL", "a", None),
            ("(?i)k", "K", None),
            (r"\<a", "<a", None),
            ("a{1000}{1000}", "a", None),
            ("^a{2,3}$", "a", Some(false)),
            ("^a{2,}$", "aa", Some(true)),
            (r"^[{ 2}]\{$", "{{", Some(true)),
            (r"^[{ 2}]\{$", "a{", Some(false)),
            ("^a{ 2}$", "a{ 2}", None),
            ("^a{2 }$", "a{2 }", None),
            ("^a{2, 3}$", "a{2, 3}", None),
            ("^a{2 ,3}$", "a{2 ,3}", None),
            ("^a{02}$", "a{02}", None),
            ("^a{2,03}$", "a{2,03}", None),
            ("^a{,2}$", "a{,2}", None),
            ("^a{+2}$", "a{+2}", None),
            ("^a{", "a{", None),
        ] {
            assert_eq!(matches(pattern, text), found, "{pattern} {text}");
        }
    }
}
