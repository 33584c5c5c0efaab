//! Finding the end of a string literal, eight bytes at a time.

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// The offset from `from` of the first byte that ends or interrupts a string: a quote, a backslash or a control
/// character. `None` if the text ends before one.
#[inline]
pub(super) fn find_special(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    while let Some(word) = bytes.get(at..at + 8) {
        let word = u64::from_le_bytes(word.try_into().unwrap_or_default());
        let quote = word ^ (ONES * b'"' as u64);
        let backslash = word ^ (ONES * b'\\' as u64);
        // The lowest flagged byte is always a true hit; only bytes above it may be flagged by a borrow.
        let hits = ((quote.wrapping_sub(ONES) & !quote)
            | (backslash.wrapping_sub(ONES) & !backslash)
            | (word.wrapping_sub(ONES * 0x20) & !word))
            & HIGHS;
        if hits != 0 {
            return Some(at + (hits.trailing_zeros() / 8) as usize);
        }
        at += 8;
    }
    bytes[at..].iter().position(|&byte| byte == b'"' || byte == b'\\' || byte < 0x20).map(|found| at + found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn finds_what_a_plain_search_finds(bytes in proptest::collection::vec(any::<u8>(), 0..64), from in 0_usize..8) {
            let from = from.min(bytes.len());
            let plain = bytes[from..].iter().position(|&b| b == b'"' || b == b'\\' || b < 0x20).map(|p| p + from);
            prop_assert_eq!(find_special(&bytes, from), plain);
        }
    }
}
