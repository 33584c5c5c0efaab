//! Object uids: sixteen bytes where they are UUIDs, as a server makes them.

use std::fmt;

/// The uid of an object. Prints as the server wrote it.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Uid(Form);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Form {
    Uuid([u8; 16]),
    Other(Box<str>),
}

impl Uid {
    /// Whether the object came without a uid.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        matches!(&self.0, Form::Other(text) if text.is_empty())
    }
}

impl Default for Uid {
    fn default() -> Self {
        Self(Form::Other(Box::default()))
    }
}

impl From<&str> for Uid {
    fn from(text: &str) -> Self {
        Self(parse(text).map_or_else(|| Form::Other(text.into()), Form::Uuid))
    }
}

/// Only the form that printing gives back: lower case, hyphens in their places.
fn parse(text: &str) -> Option<[u8; 16]> {
    let text: &[u8; 36] = text.as_bytes().try_into().ok()?;
    if [8, 13, 18, 23].iter().any(|&place| text[place] != b'-') {
        return None;
    }
    let mut uuid = [0; 16];
    // A digit that is none sets a bit that no digit has.
    let mut odd = 0;
    for (byte, place) in uuid.iter_mut().zip(PAIRS) {
        let (high, low) = (DIGITS[text[place] as usize], DIGITS[text[place + 1] as usize]);
        *byte = high << 4 | low & 15;
        odd |= high | low;
    }
    (odd & NO_DIGIT == 0).then_some(uuid)
}

/// Where each pair of digits stands.
const PAIRS: [usize; 16] = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];
const NO_DIGIT: u8 = 0x80;
/// The value of each hexadecimal digit in lower case.
const DIGITS: [u8; 256] = {
    let mut digits = [NO_DIGIT; 256];
    let mut value = 0;
    while value < 16 {
        digits[b"0123456789abcdef"[value] as usize] = value as u8;
        value += 1;
    }
    digits
};

impl fmt::Display for Uid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Form::Other(text) => f.write_str(text),
            Form::Uuid(bytes) => {
                let value = u128::from_be_bytes(*bytes);
                write!(
                    f,
                    "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
                    value >> 96,
                    (value >> 80) & 0xffff,
                    (value >> 64) & 0xffff,
                    (value >> 48) & 0xffff,
                    value & 0xffff_ffff_ffff
                )
            }
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
