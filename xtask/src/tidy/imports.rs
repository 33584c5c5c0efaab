//! Imports go upwards only: the `mod` lines of a crate's root stand in reading order, and a file uses modules that are
//! declared above its own. What stands under `cfg(test)` is free.

use super::Finding;
use super::files::File;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::BTreeSet;

pub(super) fn check(files: &[File], findings: &mut Vec<Finding>) {
    let is_root = |file: &&File| file.path.ends_with("/src/lib.rs") || file.path.ends_with("/src/main.rs");
    for root in files.iter().filter(is_root).filter(|file| !file.is_generated()) {
        let folder = root.path.trim_end_matches(root.name());
        let Ok(tokens) = root.text.parse::<TokenStream>() else {
            continue;
        };
        let order = modules(tokens);
        for file in files.iter().filter(|file| file.has_extension("rs") && !file.is_generated()) {
            let Some(module) = file.path.strip_prefix(folder).and_then(|rest| rest.split(['/', '.']).next()) else {
                continue;
            };
            let Some(own) = order.iter().position(|name| name == module) else {
                continue;
            };
            let Ok(tokens) = file.text.parse::<TokenStream>() else {
                continue;
            };
            let mut used = BTreeSet::new();
            uses(tokens, &mut used);
            for later in order.iter().skip(own + 1).filter(|later| used.contains(*later)) {
                findings.push(Finding {
                    file: file.path.clone(),
                    line: 0,
                    what: format!("uses crate::{later}, which {} declares below {module}", root.path),
                });
            }
        }
    }
}

/// The names of `mod name;` lines, in order, without those under `cfg(test)`.
fn modules(tokens: TokenStream) -> Vec<String> {
    let tokens: Vec<TokenTree> = without_tests(tokens);
    let mut names = Vec::new();
    for window in tokens.windows(3) {
        if let [TokenTree::Ident(word), TokenTree::Ident(name), TokenTree::Punct(end)] = window
            && word == "mod"
            && end.as_char() == ';'
        {
            names.push(name.to_string());
        }
    }
    names
}

/// Collects every `name` of `crate::name` and of `crate::{name, …}`.
fn uses(tokens: TokenStream, used: &mut BTreeSet<String>) {
    let mut open = vec![tokens];
    while let Some(tokens) = open.pop() {
        let tokens = without_tests(tokens);
        for (at, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Group(group) => open.push(group.stream()),
                TokenTree::Ident(word) if word == "crate" => match tokens.get(at + 1..) {
                    Some([TokenTree::Punct(a), TokenTree::Punct(b), next, ..])
                        if a.as_char() == ':' && b.as_char() == ':' =>
                    {
                        first_parts(next, used);
                    }
                    _ => {}
                },
                _ => {}
            }
        }
    }
}

/// What follows `crate::`: one name, or a group with a name at the start of each of its paths.
fn first_parts(next: &TokenTree, used: &mut BTreeSet<String>) {
    match next {
        TokenTree::Ident(name) => {
            used.insert(name.to_string());
        }
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
            let mut starts = true;
            for token in group.stream() {
                match token {
                    TokenTree::Ident(name) if starts => {
                        used.insert(name.to_string());
                        starts = false;
                    }
                    TokenTree::Punct(punct) if punct.as_char() == ',' => starts = true,
                    _ => starts = false,
                }
            }
        }
        _ => {}
    }
}

/// The tokens without each item that `#[cfg(test)]` stands before.
fn without_tests(tokens: TokenStream) -> Vec<TokenTree> {
    let mut kept: Vec<TokenTree> = Vec::new();
    let mut skipping = false;
    for token in tokens {
        if skipping {
            // an item ends with its braces or its semicolon
            skipping = match &token {
                TokenTree::Group(group) => group.delimiter() != Delimiter::Brace,
                TokenTree::Punct(punct) => punct.as_char() != ';',
                _ => true,
            };
        } else if is_cfg_test(&token) && matches!(kept.last(), Some(TokenTree::Punct(punct)) if punct.as_char() == '#')
        {
            kept.pop();
            skipping = true;
        } else {
            kept.push(token);
        }
    }
    kept
}

fn is_cfg_test(token: &TokenTree) -> bool {
    let TokenTree::Group(attribute) = token else {
        return false;
    };
    if attribute.delimiter() != Delimiter::Bracket {
        return false;
    }
    let text: String = attribute.stream().to_string().split_whitespace().collect();
    text == "cfg(test)" || text.starts_with("cfg(all(test,")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(files: &[(&str, &str)]) -> Vec<String> {
        let file = |&(path, text): &(&str, &str)| File { path: path.to_owned(), text: text.to_owned() };
        let mut findings = Vec::new();
        check(&files.iter().map(file).collect::<Vec<_>>(), &mut findings);
        findings.iter().map(ToString::to_string).collect()
    }

    const LIBRARY: (&str, &str) =
        ("a/src/lib.rs", "mod low;\npub mod middle;\n#[cfg(test)]\nmod support;\nmod high;\n");

    #[test]
    fn upwards_is_fine() {
        let high = ("a/src/high.rs", "use crate::{low::A, middle};\nfn f() { crate::low::g() }");
        assert_eq!(findings(&[LIBRARY, high]), [""; 0]);
    }

    #[test]
    fn downwards_is_found_in_groups_and_bodies() {
        let low = ("a/src/low/part.rs", "use crate::{low::B, high};\nfn f() { crate::middle::g() }");
        assert_eq!(
            findings(&[LIBRARY, low]),
            [
                "a/src/low/part.rs: uses crate::middle, which a/src/lib.rs declares below low",
                "a/src/low/part.rs: uses crate::high, which a/src/lib.rs declares below low",
            ]
        );
    }

    #[test]
    fn tests_may_use_anything() {
        let low = ("a/src/low.rs", "#[cfg(test)]\nuse crate::high::x;\n#[cfg(test)]\nmod tests { use crate::high; }\n");
        assert_eq!(findings(&[LIBRARY, low]), [""; 0]);
    }
}
