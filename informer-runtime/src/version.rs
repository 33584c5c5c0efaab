//! Which of two resource versions is the older one, where that can be told.

/// Whether `one` is older than `other`. Versions are decimal numbers of any length, in order (KEP-5504); of what is no
/// such number, and of none at all, nothing can be told: false.
pub(crate) fn is_older(one: &str, other: &str) -> bool {
    is_number(one) && is_number(other) && (one.len(), one) < (other.len(), other)
}

/// Whether it is a version that can be compared.
pub(crate) fn is_number(version: &str) -> bool {
    !version.is_empty() && !version.starts_with('0') && version.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::is_older;

    #[test]
    fn numbers_are_compared_as_such_and_nothing_else_is() {
        assert!(is_older("9", "10") && is_older("10", "11") && is_older("9", "100000000000000000000000000000"));
        assert!(!is_older("10", "9") && !is_older("10", "10"));
        for odd in ["", "0", "010", "1a", "-1", "1.5"] {
            assert!(!is_older(odd, "5") && !is_older("5", odd), "{odd}");
        }
    }
}
