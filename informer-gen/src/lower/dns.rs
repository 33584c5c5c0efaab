//! The rules for names that end up in URLs. Only names that pass go on, so nothing behind this has to fear a name.

/// Whether a name is a DNS label that begins with a letter: `[a-z]([-a-z0-9]*[a-z0-9])?`, at most 63 bytes.
pub(crate) fn is_label(name: &str) -> bool {
    is_part(name) && name.starts_with(|c: char| c.is_ascii_lowercase())
}

/// Whether a name is a DNS name of two parts at least, as groups of CRDs are; at most 253 bytes.
pub(crate) fn is_group(name: &str) -> bool {
    name.len() <= 253 && name.contains('.') && name.split('.').all(is_part)
}

/// Whether a name can be a group of whatever server: `""`, one part (`apps`) or more.
pub(crate) fn is_any_group(name: &str) -> bool {
    name.is_empty() || is_group(name) || is_part(name)
}

/// Whether a name can be a kind: a label but for its case.
pub(crate) fn is_kind(name: &str) -> bool {
    is_label(&name.to_ascii_lowercase())
}

fn is_part(part: &str) -> bool {
    let inner = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    !part.is_empty() && part.len() <= 63 && part.chars().all(inner) && !part.starts_with('-') && !part.ends_with('-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for good in ["widgets", "v1", "v1-internal", "a"] {
            assert!(is_label(good), "{good}");
        }
        for bad in ["", "Widgets", "1st", "a_b", "a-", "a.b", "größe", "a\"b", &"a".repeat(64)] {
            assert!(!is_label(bad), "{bad}");
        }
        for good in ["shop.example.test", "3scale.test", "a-b.c"] {
            assert!(is_group(good), "{good}");
        }
        for bad in ["", "shop", "shop..test", ".test", "Shop.test", "a_b.test", "a\".test"] {
            assert!(!is_group(bad), "{bad}");
        }
        assert!(is_kind("HTTPRoute") && is_kind("postgresql") && !is_kind("1st") && !is_kind("Wid get"));
    }
}
