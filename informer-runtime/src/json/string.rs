//! Finding the end of a string literal, sixteen bytes at a time.

use wide::u8x16;

const BLOCK: usize = 16;

/// The place from `from` of the first byte that ends or interrupts a string: a quote, a backslash or a control
/// character. `None` if the text ends before one.
#[inline(always)]
pub(super) fn find_special(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    while let Some(block) = bytes.get(at..).and_then(|rest| rest.first_chunk::<BLOCK>()) {
        let block = u8x16::new(*block);
        let special = block.simd_eq(b'"') | block.simd_eq(b'\\') | block.simd_lt(0x20);
        let hits = special.to_bitmask();
        if hits != 0 {
            return Some(at + hits.trailing_zeros() as usize);
        }
        at += BLOCK;
    }
    let rest = bytes.get(at..).unwrap_or_default();
    rest.iter().position(|&byte| byte == b'"' || byte == b'\\' || byte < 0x20).map(|found| at + found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn finds_what_a_plain_search_finds(bytes in proptest::collection::vec(any::<u8>(), 0..80), from in 0_usize..20) {
            let from = from.min(bytes.len());
            let plain = bytes[from..].iter().position(|&b| b == b'"' || b == b'\\' || b < 0x20).map(|p| p + from);
            prop_assert_eq!(find_special(&bytes, from), plain);
        }

        #[test]
        fn finds_the_first_in_long_text(len in 0_usize..200, special in proptest::sample::select(&b"\"\\\x00\x1f"[..])) {
            let mut bytes = vec![b'\x80'; len];
            bytes.push(special);
            bytes.extend([b' '; 20]);
            prop_assert_eq!(find_special(&bytes, 0), Some(len));
        }
    }
}
