//! Words that Rust keeps for itself.

/// Keywords of every edition up to 2024, weak ones that can't name an item included.
const KEYWORDS: &[&str] = &[
    "Self", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro",
    "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static", "struct", "super",
    "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// Whether a word can't be an identifier in some edition.
pub(crate) fn is_keyword(word: &str) -> bool {
    word == "_" || KEYWORDS.binary_search(&word).is_ok()
}

/// The word as an identifier that is valid in every edition and in every position: a keyword gets an underscore
/// behind it (`type_`), as in k8s-openapi; a leading digit gets one in front.
pub(crate) fn safe(word: &str) -> String {
    if is_keyword(word) {
        format!("{word}_")
    } else if word.starts_with(|c: char| c.is_ascii_digit()) {
        format!("_{word}")
    } else {
        word.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted_for_the_search() {
        assert!(KEYWORDS.is_sorted());
    }

    #[test]
    fn safe_words_parse_as_identifiers() {
        for word in KEYWORDS.iter().chain(&["1st", "_", "plain", "union", "3scale_net"]) {
            let safe = safe(word);
            assert!(syn::parse_str::<syn::Ident>(&safe).is_ok() && !is_keyword(&safe), "{safe}");
        }
        assert_eq!(safe("gen"), "gen_");
        assert_eq!(safe("1st"), "_1st");
        assert_eq!(safe("union"), "union");
    }
}
