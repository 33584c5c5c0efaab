//! The rules for names that end up in URLs. Only names that pass go on, so nothing behind this has to fear a name.

/// Whether a name is a DNS label that begins with a letter: `[a-z]([-a-z0-9]*[a-z0-9])?`, at most 63 bytes.
pub(crate) fn is_label(name: &str) -> bool {
    name.len() <= 63 && is_part(name) && name.starts_with(|c: char| c.is_ascii_lowercase())
}

/// Bytes that a DNS name may have.
pub(crate) const MAX_NAME: usize = 253;

/// Whether a name is a DNS name of two parts at least, as groups of CRDs are.
pub(crate) fn is_group(name: &str) -> bool {
    name.contains('.') && is_subdomain(name)
}

/// Whether a name is a DNS name as the server sees it: its parts may be as long as the whole.
pub(crate) fn is_subdomain(name: &str) -> bool {
    name.len() <= MAX_NAME && name.split('.').all(is_part)
}

/// Whether a name can be a group of whatever server: `""`, one part (`apps`) or more.
pub(crate) fn is_any_group(name: &str) -> bool {
    name.is_empty() || is_subdomain(name)
}

/// Whether a name can be a kind: a label but for its case.
pub(crate) fn is_kind(name: &str) -> bool {
    is_label(&name.to_ascii_lowercase())
}

fn is_part(part: &str) -> bool {
    let inner = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    !part.is_empty() && part.chars().all(inner) && !part.starts_with('-') && !part.ends_with('-')
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
