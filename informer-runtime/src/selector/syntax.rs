//! What can be a label key and a label value, as the API server checks it.

/// The longest name or value, in bytes.
const NAME_MAX: usize = 63;
/// The longest prefix of a key, in bytes.
const PREFIX_MAX: usize = 253;

/// Says what is wrong with a label key, if anything: an optional DNS subdomain and a slash, then a name.
pub(super) fn check_key(key: &str) -> Result<(), &'static str> {
    let name = match key.split_once('/') {
        None => key,
        Some((prefix, name)) => {
            if !is_subdomain(prefix) {
                return Err("the prefix of a label key must be a DNS subdomain of at most 253 lower-case characters");
            }
            name
        }
    };
    if is_name(name) {
        Ok(())
    } else {
        Err("a label key must be 1 to 63 letters, digits, '-', '_' or '.', with a letter or digit at both ends")
    }
}

/// Says what is wrong with a label value, if anything: empty, or formed like a name.
pub(super) fn check_value(value: &str) -> Result<(), &'static str> {
    if value.is_empty() || is_name(value) {
        Ok(())
    } else {
        Err("a label value must be at most 63 letters, digits, '-', '_' or '.', with a letter or digit at both ends")
    }
}

fn is_name(text: &str) -> bool {
    let inner = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let bytes = text.as_bytes();
    let ends = (bytes.first(), bytes.last());
    matches!(ends, (Some(first), Some(last)) if first.is_ascii_alphanumeric() && last.is_ascii_alphanumeric())
        && bytes.len() <= NAME_MAX
        && bytes.iter().all(|byte| inner(*byte))
}

fn is_subdomain(text: &str) -> bool {
    let lower = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let label = |part: &str| {
        let bytes = part.as_bytes();
        bytes.iter().all(|byte| lower(*byte) || *byte == b'-')
            && matches!((bytes.first(), bytes.last()), (Some(first), Some(last)) if lower(*first) && lower(*last))
    };
    text.len() <= PREFIX_MAX && text.split('.').all(label)
}
