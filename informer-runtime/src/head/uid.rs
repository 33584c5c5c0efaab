//! Object uids: sixteen bytes where they are UUIDs, as a server makes them.

use std::fmt;

/// The uid of an object. Prints as the server wrote it.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Uid(Form);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Form {
    Uuid(u128),
    Other(Box<str>),
}

impl Uid {
    /// Whether the object came without a uid.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        matches!(&self.0, Form::Other(text) if text.is_empty())
    }
}

impl From<&str> for Uid {
    fn from(text: &str) -> Self {
        Self(parse(text).map_or_else(|| Form::Other(text.into()), Form::Uuid))
    }
}

/// Only the form that printing gives back: lower case, hyphens in their places.
fn parse(text: &str) -> Option<u128> {
    let bytes = text.as_bytes();
    if bytes.len() != 36 {
        return None;
    }
    let mut value = 0;
    for (place, &byte) in bytes.iter().enumerate() {
        let digit = match (place, byte) {
            (8 | 13 | 18 | 23, b'-') => continue,
            (8 | 13 | 18 | 23, _) => return None,
            (_, b'0'..=b'9') => byte - b'0',
            (_, b'a'..=b'f') => byte - b'a' + 10,
            _ => return None,
        };
        value = value << 4 | u128::from(digit);
    }
    Some(value)
}

impl fmt::Display for Uid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Form::Other(text) => f.write_str(text),
            Form::Uuid(value) => write!(
                f,
                "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
                value >> 96,
                (value >> 80) & 0xffff,
                (value >> 64) & 0xffff,
                (value >> 48) & 0xffff,
                value & 0xffff_ffff_ffff
            ),
        }
    }
}

impl fmt::Debug for Uid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_what_it_read() {
        for text in [
            "0a1b2c3d-0000-4fff-abcd-00000000000f",
            "0A1B2C3D-0000-4fff-abcd-00000000000f",
            "not-a-uuid",
            "",
            "0a1b2c3d-0000-4fff-abcd-00000000000g",
            "0a1b2c3d00000-4fff-abcd-00000000000f",
        ] {
            assert_eq!(Uid::from(text).to_string(), text);
        }
    }
}
