//! The texts that were read, and places in them.
//!
//! A [`Span`] is three numbers, so every node of a document can carry one; the text and the file's name are looked up
//! in [`Sources`] only when a message is printed.

use std::sync::{Arc, OnceLock};

/// A stretch of one source, in bytes. `start <= end`; both lie within the source's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Span {
    source: u32,
    start: u32,
    end: u32,
}

impl Span {
    /// The bytes `start..end` of a source. The bounds are put right by [`Sources`] when they are looked up.
    pub(crate) fn new(source: SourceId, start: usize, end: usize) -> Self {
        let start = u32::try_from(start).unwrap_or(u32::MAX);
        let end = u32::try_from(end).unwrap_or(u32::MAX).max(start);
        Span { source: source.0, start, end }
    }

    /// From the start of this one to the end of another in the same source.
    pub(crate) fn to(self, end: Span) -> Self {
        Span { end: end.end.max(self.start), ..self }
    }

    /// Its first byte, for values too large to be marked.
    pub(crate) fn start(self) -> Span {
        Span { end: self.start, ..self }
    }

    /// Its bytes.
    pub(crate) fn bytes(self) -> std::ops::Range<u32> {
        self.start..self.end
    }

    /// The whole of a source, by its first byte: for problems of a file as such.
    #[cfg(test)]
    pub(crate) fn start_of(source: SourceId) -> Self {
        Span { source: source.0, start: 0, end: 0 }
    }
}

/// Names one source of a [`Sources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SourceId(u32);

/// Everything that was read in one run, in reading order. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sources {
    files: Vec<Arc<SourceFile>>,
}

/// One text with its name as shown to people.
#[derive(Debug)]
pub(crate) struct SourceFile {
    name: String,
    text: String,
    /// Byte offset of each line's first byte.
    lines: Vec<u32>,
    /// Byte offset of each document's start, once it is known.
    documents: OnceLock<Vec<u32>>,
}

impl Sources {
    /// Adds a text under the name that messages show.
    pub(crate) fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> SourceId {
        let text = text.into();
        let mut lines = vec![0];
        lines.extend(text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at as u32 + 1));
        self.files.push(Arc::new(SourceFile { name: name.into(), text, lines, documents: OnceLock::new() }));
        SourceId((self.files.len() - 1) as u32)
    }

    /// Bytes of all texts together.
    pub(crate) fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.text.len() as u64).sum()
    }

    /// The document in which a span lies: its source, and its number there, from 1.
    pub(crate) fn document(&self, span: Span) -> (SourceId, usize) {
        let number = self.file(span).and_then(|file| file.document(span));
        (SourceId(span.source), number.map_or(1, |(number, _)| number))
    }

    /// The source of an id that [`Sources::add`] gave.
    pub(crate) fn get(&self, id: SourceId) -> &Arc<SourceFile> {
        &self.files[id.0 as usize]
    }

    /// The file in which a span lies, if the span belongs to these sources.
    pub(crate) fn file(&self, span: Span) -> Option<&SourceFile> {
        self.files.get(span.source as usize).map(Arc::as_ref)
    }

    /// `file:line:column` of a span's start; lines and columns count from 1, columns in characters.
    pub(crate) fn place(&self, span: Span) -> Option<String> {
        let file = self.file(span)?;
        let (line, column) = file.line_and_column(span);
        Some(format!("{}:{line}:{column}", file.name))
    }
}

impl SourceFile {
    /// The name as shown to people.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The text after decoding to UTF-8, without a byte order mark.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Line and column of a span's start, from 1, columns in characters.
    pub(crate) fn line_and_column(&self, span: Span) -> (usize, usize) {
        let start = self.range(span).start;
        let line = self.lines.partition_point(|first| *first as usize <= start);
        let first = self.lines[line - 1] as usize;
        (line, self.text[first..start].chars().count() + 1)
    }

    /// Notes where its documents start, in order; the first time counts.
    pub(crate) fn set_documents(&self, starts: Vec<u32>) {
        let _ = self.documents.set(starts);
    }

    /// The number of the document in which a span lies, from 1, and how many there are; of one alone there is none.
    pub(crate) fn document(&self, span: Span) -> Option<(usize, usize)> {
        let starts = self.documents.get().filter(|starts| starts.len() > 1)?;
        Some((starts.partition_point(|start| *start <= span.start).max(1), starts.len()))
    }

    /// The span as a range that is sure to slice the text.
    pub(crate) fn range(&self, span: Span) -> std::ops::Range<usize> {
        let floor = |at: u32| {
            let mut at = (at as usize).min(self.text.len());
            while !self.text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let start = floor(span.start);
        start..floor(span.end).max(start)
    }

    /// The lines around a span with the number of the first and its byte offset: what a message shows of the file.
    pub(crate) fn excerpt(&self, span: Span, around: usize) -> Excerpt<'_> {
        let range = self.range(span);
        let line_of = |at: usize| self.lines.partition_point(|first| *first as usize <= at) - 1;
        let from = line_of(range.start).saturating_sub(around);
        // A span over a whole mapping would show pages: its first line says where it is.
        let to = (line_of(range.start) + around + 1).min(self.lines.len());
        let start = self.lines[from] as usize;
        let end = self.lines.get(to).map_or(self.text.len(), |at| *at as usize);
        let mark_end = self.text[range.start..].find('\n').map_or(self.text.len(), |at| range.start + at);
        let mark = range.start - start..range.end.min(mark_end).max(range.start) - start;
        Excerpt { text: &self.text[start..end], first_line: from + 1, mark }
    }
}

/// A few lines of a source with a marked part.
#[derive(Debug)]
pub(crate) struct Excerpt<'a> {
    /// The lines.
    pub(crate) text: &'a str,
    /// Number of the first of them, from 1.
    pub(crate) first_line: usize,
    /// The marked bytes, counted from the start of `text`.
    pub(crate) mark: std::ops::Range<usize>,
}
