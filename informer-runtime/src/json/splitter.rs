//! Cuts the items out of a list body while it arrives, so that a list is never held whole.

use std::ops::Range;

use super::string::find_special;

/// How large the body may be apart from its items.
const MAX_ENVELOPE: usize = 1 << 20;

/// What a push of bytes may run into.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Split {
    #[error("a list item is larger than {0} bytes")]
    ItemTooLarge(usize),
    #[error("a list is larger than {MAX_ENVELOPE} bytes apart from its items")]
    EnvelopeTooLarge,
    #[error("the items of a list are not separated by commas")]
    Separator,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Outside the array of items.
    Envelope,
    /// In the array, before the first item or its end.
    First,
    /// In an item that began at `start` of the buffer.
    Item { start: usize },
    /// After an item.
    Between,
    /// After a comma.
    Next,
}

/// Splits `{…,"items":[A,B],…}` into A, B and the envelope `{…,"items":[],…}`, at whatever places the bytes are cut.
///
/// It looks for boundaries only: that an item, and the envelope, are well-formed is checked by whoever reads them.
#[derive(Debug)]
pub(crate) struct ItemSplitter {
    buffer: Vec<u8>,
    /// What of the buffer has been looked at.
    scanned: usize,
    state: State,
    depth: usize,
    in_string: bool,
    /// Where the last string of the envelope's first level is: the name of the member that follows.
    key: Range<usize>,
    string_start: usize,
    envelope: Vec<u8>,
    max_item: usize,
    /// The item before us is too large: it is dropped as it comes.
    oversized: bool,
}

impl ItemSplitter {
    pub(crate) fn new(max_item: usize) -> Self {
        Self {
            buffer: Vec::new(),
            scanned: 0,
            state: State::Envelope,
            depth: 0,
            in_string: false,
            key: 0..0,
            string_start: 0,
            envelope: Vec::new(),
            max_item,
            oversized: false,
        }
    }

    /// Takes the next bytes and calls `item` with each item that they complete, or, for one that is too large and was
    /// dropped, with that error: the others come out all the same.
    pub(crate) fn push(&mut self, chunk: &[u8], mut item: impl FnMut(Result<&[u8], Split>)) -> Result<(), Split> {
        self.buffer.extend_from_slice(chunk);
        while self.scanned < self.buffer.len() {
            if self.in_string {
                self.string();
            } else {
                self.structure(&mut item)?;
            }
        }
        self.compact()
    }

    /// The list without its items, once all bytes are in.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        self.flush_envelope();
        self.envelope
    }

    fn string(&mut self) {
        match find_special(&self.buffer, self.scanned) {
            None => self.scanned = self.buffer.len(),
            // The escaped byte may not be here yet; it is stepped over all the same.
            Some(at) if self.buffer[at] == b'\\' => self.scanned = at + 2,
            Some(at) => {
                self.in_string = self.buffer[at] != b'"';
                if !self.in_string && self.state == State::Envelope && self.depth == 1 {
                    self.key = self.string_start..at;
                }
                self.scanned = at + 1;
            }
        }
    }

    fn structure(&mut self, item: &mut impl FnMut(Result<&[u8], Split>)) -> Result<(), Split> {
        let at = self.scanned;
        let byte = self.buffer[at];
        self.scanned += 1;
        match (self.state, byte) {
            (_, b' ' | b'\n' | b'\r' | b'\t') => {}
            (State::First | State::Between, b']') => {
                self.depth -= 1;
                self.state = State::Envelope;
                // The envelope keeps the bracket, not what came before it.
                self.buffer.drain(..at);
                self.scanned = 1;
            }
            (State::Between, b',') => self.state = State::Next,
            (State::Between, _) | (State::Next, b']') => return Err(Split::Separator),
            (State::First | State::Next, _) => {
                self.state = State::Item { start: at };
                self.open_or_close(byte, at);
            }
            (State::Item { start }, b',' | b']') if self.depth == 2 => {
                // The item was a scalar: no object, but whoever reads it shall say so.
                item(self.complete(start..at));
                self.scanned = at;
            }
            (State::Item { start }, _) => {
                self.open_or_close(byte, at);
                if self.depth == 2 && matches!(byte, b'}' | b']') {
                    item(self.complete(start..at + 1));
                }
            }
            (State::Envelope, _) => {
                self.open_or_close(byte, at);
                if byte == b'[' && self.depth == 2 && &self.buffer[self.key.clone()] == b"items" {
                    self.state = State::First;
                    self.flush_envelope();
                }
            }
        }
        Ok(())
    }

    /// The item that ends here.
    fn complete(&mut self, place: Range<usize>) -> Result<&[u8], Split> {
        self.state = State::Between;
        match std::mem::take(&mut self.oversized) || place.len() > self.max_item {
            true => Err(Split::ItemTooLarge(self.max_item)),
            false => Ok(&self.buffer[place]),
        }
    }

    fn open_or_close(&mut self, byte: u8, at: usize) {
        match byte {
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => self.depth = self.depth.saturating_sub(1),
            b'"' => {
                self.in_string = true;
                self.string_start = at + 1;
            }
            _ => {}
        }
    }

    /// Moves what has been scanned of the envelope out of the buffer.
    fn flush_envelope(&mut self) {
        let end = self.scanned.min(self.buffer.len());
        self.envelope.extend_from_slice(&self.buffer[..end]);
        self.buffer.drain(..end);
        self.scanned -= end;
        self.key = 0..0;
    }

    /// Drops what is no longer needed; says so when what is needed grows too large.
    fn compact(&mut self) -> Result<(), Split> {
        match self.state {
            State::Envelope => {
                if self.envelope.len() + self.buffer.len() > MAX_ENVELOPE {
                    return Err(Split::EnvelopeTooLarge);
                }
            }
            State::Item { start } => {
                self.buffer.drain(..start);
                self.scanned -= start;
                self.string_start = self.string_start.saturating_sub(start);
                self.state = State::Item { start: 0 };
                self.oversized |= self.buffer.len() > self.max_item;
                if self.oversized {
                    // The byte after a backslash may not be here yet.
                    self.scanned -= self.buffer.len();
                    self.buffer.clear();
                }
            }
            State::First | State::Between | State::Next => {
                self.buffer.clear();
                self.scanned = 0;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn split(text: &str, size: usize) -> Result<(Vec<String>, String), Split> {
        let mut items = Vec::new();
        let mut splitter = ItemSplitter::new(1 << 16);
        for chunk in text.as_bytes().chunks(size) {
            splitter.push(chunk, |item| {
                items.push(
                    item.map_or_else(|error| error.to_string(), |item| String::from_utf8(item.to_vec()).unwrap()),
                );
            })?;
        }
        Ok((items, String::from_utf8(splitter.finish()).unwrap()))
    }

    #[test]
    fn items_come_out_whole_wherever_the_bytes_are_cut() {
        let cases = [
            (
                r#"{"kind":"L","items":[{"a":"]}"},{"b":["\\",{"c":"\""}]}],"metadata":{"resourceVersion":"1"}}"#,
                vec![r#"{"a":"]}"}"#, r#"{"b":["\\",{"c":"\""}]}"#],
                r#"{"kind":"L","items":[],"metadata":{"resourceVersion":"1"}}"#,
            ),
            (
                r#"{"metadata":{"items":[1]},"x":"items","items": [ 1 , "two" ,null ] }"#,
                vec!["1 ", r#""two" "#, "null "],
                r#"{"metadata":{"items":[1]},"x":"items","items": [] }"#,
            ),
            (r#"{"items":[]}"#, vec![], r#"{"items":[]}"#),
            (r#"{"items":null}"#, vec![], r#"{"items":null}"#),
            (r#"{}"#, vec![], r#"{}"#),
            ("404 page not found", vec![], "404 page not found"),
        ];
        for (text, items, envelope) in cases {
            for size in 1..=text.len() {
                let (found, rest) = split(text, size).unwrap();
                assert_eq!(found, items, "{text} by {size}");
                assert_eq!(rest, envelope, "{text} by {size}");
            }
        }
    }

    #[test]
    fn limits_and_garbage_are_errors() {
        assert_eq!(split(r#"{"items":[{} {}]}"#, 3), Err(Split::Separator));
        let large = format!(r#"{{"items":[{{"a":"{}"}},{{}}],"b":1}}"#, r#"\\x\""#.repeat(1 << 15));
        for size in [7, 4096, 1 << 20] {
            let (items, envelope) = split(&large, size).unwrap();
            assert_eq!(items, ["a list item is larger than 65536 bytes", "{}"]);
            assert_eq!(envelope, r#"{"items":[],"b":1}"#);
        }
        let envelope = format!(r#"{{"a":"{}"}}"#, "x".repeat(MAX_ENVELOPE));
        assert_eq!(split(&envelope, 4096), Err(Split::EnvelopeTooLarge));
    }

    proptest! {
        #[test]
        fn garbage_never_panics(bytes in proptest::collection::vec(proptest::sample::select(&b"{}[]\",:\\items 1"[..]), 0..80), size in 1_usize..9) {
            let mut splitter = ItemSplitter::new(64);
            for chunk in bytes.chunks(size) {
                if splitter.push(chunk, |_| ()).is_err() { return Ok(()); }
            }
            splitter.finish();
        }
    }
}
