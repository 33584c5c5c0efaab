//! Chunks into lines. A chunk is cut anywhere; a line may span many.

/// A line that is longer than anybody wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an event is larger than {0} bytes")]
pub(crate) struct LineTooLong(usize);

/// The lines of a stream of chunks.
#[derive(Debug)]
pub(crate) struct Lines {
    /// A line whose end has not come yet.
    begun: Vec<u8>,
    max: usize,
}

impl Lines {
    pub(crate) fn new(max: usize) -> Self {
        Self { begun: Vec::new(), max }
    }

    /// Takes the next chunk and calls `line` with each line that it completes, without its end. Blank lines are
    /// skipped.
    pub(crate) fn push<E: From<LineTooLong>>(
        &mut self,
        chunk: &[u8],
        mut line: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut rest = chunk;
        while let Some(end) = memchr::memchr(b'\n', rest) {
            let (part, after) = (&rest[..end], &rest[end + 1..]);
            rest = after;
            if self.begun.is_empty() {
                if part.len() > self.max {
                    return Err(LineTooLong(self.max).into());
                }
                whole(part, &mut line)?;
            } else {
                self.extend(part)?;
                let result = whole(&self.begun, &mut line);
                self.begun.clear();
                result?;
            }
        }
        Ok(self.extend(rest)?)
    }

    /// The stream ended: what has no line end is a line all the same.
    pub(crate) fn finish<E>(&mut self, mut line: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        whole(&std::mem::take(&mut self.begun), &mut line)
    }

    fn extend(&mut self, part: &[u8]) -> Result<(), LineTooLong> {
        if self.begun.len() + part.len() > self.max {
            return Err(LineTooLong(self.max));
        }
        self.begun.extend_from_slice(part);
        Ok(())
    }
}

fn whole<E>(text: &[u8], line: &mut impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
    let text = text.strip_suffix(b"\r").unwrap_or(text);
    if text.iter().all(u8::is_ascii_whitespace) {
        return Ok(());
    }
    line(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_out_whole_wherever_the_chunks_are_cut() {
        let text = "{\"a\":1}\n\n{\"grö\\u00dfe\":\"ü\"}\r\n  \n{\"c\":3}";
        for size in 1..=text.len() {
            let mut lines = Lines::new(100);
            let mut found: Vec<String> = Vec::new();
            let mut take = |line: &[u8]| -> Result<(), LineTooLong> {
                found.push(String::from_utf8(line.to_vec()).unwrap());
                Ok(())
            };
            for chunk in text.as_bytes().chunks(size) {
                lines.push(chunk, &mut take).unwrap();
            }
            lines.finish(&mut take).unwrap();
            assert_eq!(found, ["{\"a\":1}", "{\"grö\\u00dfe\":\"ü\"}", "{\"c\":3}"], "by {size}");
        }
    }

    #[test]
    fn a_line_has_a_limit() {
        let mut lines = Lines::new(10);
        let nothing = |_: &[u8]| -> Result<(), LineTooLong> { Ok(()) };
        assert_eq!(lines.push(b"12345", nothing), Ok(()));
        assert_eq!(lines.push(b"678901", nothing), Err(LineTooLong(10)));
        assert_eq!(Lines::new(10).push(b"12345678901\n", nothing), Err(LineTooLong(10)), "also at once");
    }
}
