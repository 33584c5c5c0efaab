//! Regular expressions as far as they can be judged without compiling them: what is not closed, and what Go's regexp,
//! which the server uses, does not have.

/// What is wrong with a pattern, if anything is found.
pub(super) fn wrong(pattern: &str) -> Option<&'static str> {
    let mut chars = pattern.chars().peekable();
    let mut groups = 0u32;
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                None => return Some("it ends in a backslash"),
                Some('1'..='9') => return Some("it refers back to a group"),
                // Everything up to \E is literal.
                Some('Q') => {
                    while let Some(c) = chars.next() {
                        if c == '\\' && chars.next_if_eq(&'E').is_some() {
                            break;
                        }
                    }
                }
                Some(_) => {}
            },
            '[' => skip_class(&mut chars)?,
            '(' => {
                groups += 1;
                if chars.next_if_eq(&'?').is_some() {
                    match chars.next() {
                        Some('=' | '!') => return Some("it looks ahead"),
                        Some('<') if matches!(chars.peek(), Some('=' | '!')) => return Some("it looks behind"),
                        Some('>') => return Some("it has an atomic group"),
                        _ => {}
                    }
                }
            }
            ')' if groups == 0 => return Some("`)` closes nothing"),
            ')' => groups -= 1,
            _ => {}
        }
    }
    (groups > 0).then_some("`(` is not closed")
}

/// To the end of a class such as `[^]a-z[:alpha:]]`. `None` where it has no end; the server tells of that.
fn skip_class(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Option<()> {
    chars.next_if_eq(&'^');
    chars.next_if_eq(&']');
    loop {
        match chars.next()? {
            '\\' => drop(chars.next()?),
            '[' if chars.peek() == Some(&':') => while chars.next()? != ']' {},
            ']' => return Some(()),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_server_would_refuse() {
        for good in ["", "^a(b|c)*$", r"\(", "[(]", "[]()]", "[^])]", "[[:alpha:](]", "(?i)a", "(?P<n>a)", r"\Q(\E"] {
            assert_eq!(wrong(good), None, "{good}");
        }
        for bad in ["(a", "a)", "(?=a)", "(?!a)", "(?<!a)b", r"(a)\1", "a\\", "((a)"] {
            assert!(wrong(bad).is_some(), "{bad}");
        }
    }
}
