//! JSON values one after the other in one text, with nothing but white space between: what `kubectl get -o json` gives
//! when it is run several times into one file, and what `kubectl apply` reads. YAML has no such thing, so the text is cut
//! into its values first.

use std::ops::Range;

/// Values that a text may have; of more, the text is none of these.
const MAX_VALUES: usize = 100_000;

/// Whether the text is more than one JSON object, one after the other. The last one may be cut off: it is read for what
/// is to be told of it.
pub(crate) fn is_stream(text: &str) -> bool {
    let (mut count, mut end) = (0, 0);
    for value in values(text) {
        count += 1;
        end = value.end;
        if count > MAX_VALUES {
            return false;
        }
    }
    count > 1 && text[end..].trim().is_empty()
}

/// The objects of a text, up to the first thing that is none.
pub(crate) fn values(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + (text[at..].len() - text[at..].trim_start().len());
        if !text[start..].starts_with('{') {
            return None;
        }
        at = start + length(&text.as_bytes()[start..]);
        Some(start..at)
    })
}

/// Bytes of the object or list that a text begins with; all of the text if it does not end.
fn length(text: &[u8]) -> usize {
    let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
    for (at, byte) in text.iter().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 && !quoted {
            return at + 1;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_cut_apart() {
        for (text, wanted) in [
            (r#"{"a": 1}{"b": "}{"}"#, &[r#"{"a": 1}"#, r#"{"b": "}{"}"#][..]),
            ("\n{\"a\": [{}]}\r\n{}\n", &["{\"a\": [{}]}", "{}"]),
            (r#"{"a": "\"}"} {"b": "#, &[r#"{"a": "\"}"}"#, r#"{"b": "#]),
        ] {
            let parts: Vec<&str> = values(text).map(|range| &text[range]).collect();
            assert_eq!(parts, wanted);
            assert!(is_stream(text), "{text}");
        }
        for text in ["", "{}", "{} x", "{} [] {}", "a: {}\n{}", "[{}]", "{}\n---\n{}", "{}, {}"] {
            assert!(!is_stream(text), "{text}");
        }
    }
}
