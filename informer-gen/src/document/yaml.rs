//! YAML events to an arena, with a stack of our own instead of recursion.
//!
//! JSON goes the same way: what the API server accepts as JSON, YAML's flow style reads with the same meaning, and one
//! reader has one set of limits. An error ends its document; reading goes on with the next one, so that one run tells
//! of all.
//!
//! Two things are read that the server refuses, since nothing but the message would be better for refusing them: a tab
//! before the first key, and documents after a `...` line (the server drops them without a word).

use std::collections::HashMap;
use std::ops::Range;

use granit_parser::{ErrorKind, Event, Parser, ScalarStyle, ScanError};

use super::node::{Arena, MAX_ALIASED, MAX_DEPTH, MAX_EXPANDED, NodeId, ObjectKey, Value};
use super::scalar::{self, Scalar, Tag};
use crate::problem::{Problem, Problems};
use crate::source::{SourceId, Span};

/// What tags of YAML's own types begin with.
const CORE_TAGS: &str = "tag:yaml.org,2002:";

/// What the problem of a text begins with that the parser can't read.
pub(crate) const INVALID: &str = "this is no valid YAML";

/// Broken documents in one file of which is told; then the file is given up.
const MAX_BROKEN: usize = 20;

/// What was read of a text.
#[derive(Debug, Default)]
pub(crate) struct Read {
    /// The roots of the documents that could be read, without the empty ones.
    pub(crate) roots: Vec<NodeId>,
    /// Byte offset at which each document starts, the empty and the broken ones included.
    pub(crate) starts: Vec<u32>,
}

/// Reads all documents of some parts of a text into the arena. What could not be read becomes problems.
pub(crate) fn read(
    id: SourceId,
    text: &str,
    parts: impl Iterator<Item = Range<usize>>,
    arena: &mut Arena,
    problems: &mut Problems,
) -> Read {
    let (mut read, mut broken) = (Read::default(), 0);
    for part in parts {
        let at = Base { source: id, offset: part.start };
        read_part(&text[part], at, arena, problems, (&mut read, &mut broken));
        if broken == MAX_BROKEN {
            break;
        }
    }
    read
}

fn read_part(
    text: &str,
    at: Base,
    arena: &mut Arena,
    problems: &mut Problems,
    (read, broken): (&mut Read, &mut usize),
) {
    let mut options = granit_parser::options! {
        // The parser looks ahead; what it lets through is counted again here, aliases followed.
        flow_nesting_limit: MAX_DEPTH as usize * 4,
        block_nesting_limit: MAX_DEPTH as usize * 4,
        // A key longer than YAML allows is read: JSON has no such limit.
        simple_key_max_lookahead: 16 * 1024,
        block_scalar_eof_without_line_feed: true,
    };
    options.set_emit_comments(false);
    let mut parser = Parser::new_from_str_with_options(text, options);
    let before = read.starts.len();
    loop {
        let mut builder = Builder::new(arena, problems);
        let mut start = None;
        let outcome = loop {
            match parser.next() {
                None => break Ok(None),
                Some(Err(error)) => break Err(at.scan_problem(&error)),
                Some(Ok((event, span))) => {
                    let span = at.span(span);
                    if matches!(event, Event::DocumentStart(..)) {
                        start = Some(span.bytes().start);
                    }
                    match builder.event(event, span) {
                        Ok(true) => break Ok(builder.root()),
                        Ok(false) => {}
                        Err(problem) => break Err(problem),
                    }
                }
            }
        };
        // The first of a part that is broken from the start counts too; after others of the part it is one with them.
        let broken_at_once = outcome.is_err() && read.starts.len() == before;
        read.starts.extend(start.or(broken_at_once.then_some(at.offset as u32)));
        match outcome {
            Ok(Some(root)) if arena.node(root).is_null() => {}
            Ok(Some(root)) => read.roots.push(root),
            Ok(None) => return,
            Err(problem) => {
                *broken += 1;
                let last = *broken == MAX_BROKEN;
                let given_up =
                    || format!("{MAX_BROKEN} documents of this file can't be read: what follows was not looked at");
                problems.push(if last { problem.hint(given_up()) } else { problem });
                if *broken == MAX_BROKEN || !matches!(parser.proceed_next_document(), Ok(true)) {
                    return;
                }
            }
        }
    }
}

/// Where the text lies that the parser was given.
#[derive(Clone, Copy)]
struct Base {
    source: SourceId,
    offset: usize,
}

impl Base {
    fn span(self, span: granit_parser::Span) -> Span {
        let start = span.start.byte_offset().unwrap_or(0);
        let end = span.end.byte_offset().unwrap_or(start);
        Span::new(self.source, self.offset + start, self.offset + end)
    }

    fn scan_problem(self, error: &ScanError) -> Problem {
        let at = self.offset + error.marker().byte_offset().unwrap_or(0);
        let at = Span::new(self.source, at, at);
        if matches!(error.kind(), ErrorKind::RecursionLimitExceeded) {
            return too_deep(at);
        }
        Problem::error(format!("{INVALID}: {}", error.info())).at(at)
    }
}

/// An open list or object.
struct Frame {
    span: Span,
    anchor: usize,
    contents: Contents,
}

enum Contents {
    Array(Vec<NodeId>),
    Object { entries: Vec<Entry>, key: Option<PendingKey> },
}

struct Entry {
    key: ObjectKey,
    value: NodeId,
    /// Came through `<<`, so another entry of that name may replace it.
    merged: bool,
}

enum PendingKey {
    Plain(ObjectKey),
    Merge(Span),
}

/// Builds the values of one document.
struct Builder<'b> {
    arena: &'b mut Arena,
    problems: &'b mut Problems,
    open: Vec<Frame>,
    anchors: HashMap<usize, NodeId>,
    root: Option<NodeId>,
    /// Values in the arena when the document began.
    first: usize,
    /// Entries copied by `<<` in this document.
    merged: u64,
}

impl<'b> Builder<'b> {
    fn new(arena: &'b mut Arena, problems: &'b mut Problems) -> Self {
        Builder {
            first: arena.len(),
            arena,
            problems,
            open: Vec::new(),
            anchors: HashMap::new(),
            root: None,
            merged: 0,
        }
    }

    fn root(&self) -> Option<NodeId> {
        self.root
    }

    /// Takes the next event; true at the document's end.
    fn event(&mut self, event: Event<'_>, span: Span) -> Result<bool, Problem> {
        match event {
            Event::DocumentStart(_, Some(version)) if (version.major, version.minor) != (1, 1) => {
                let message =
                    format!("YAML {}.{} is declared; Kubernetes reads YAML 1.1", version.major, version.minor);
                return Err(Problem::error(message).at(span).hint("remove the `%YAML` line"));
            }
            Event::DocumentEnd => return Ok(true),
            Event::Scalar(text, style, anchor, tag) => {
                let plain = style == ScalarStyle::Plain;
                let tag = tag.map(|tag| Tag::new(tag.suffix_in_namespace(CORE_TAGS).as_deref()));
                if self.wants_key() && plain && tag.is_none() && text == "<<" {
                    self.set_key(PendingKey::Merge(span));
                    return Ok(false);
                }
                let located = |message: String| Problem::error(message).at(span);
                let scalar = scalar::resolve(&text, plain, tag).map_err(located)?;
                if self.wants_key() {
                    let name = scalar.clone().into_key().map_err(located)?;
                    self.set_key(PendingKey::Plain(ObjectKey { name, span }));
                    // Few keys have an anchor, and fewer values no JSON form.
                    if let (true, Ok(value)) = (anchor != 0, scalar.into_value()) {
                        let id = self.arena.add(value, span);
                        self.anchors.insert(anchor, id);
                    }
                } else {
                    let id = self.arena.add(scalar.into_value().map_err(located)?, span);
                    self.finished(id, anchor, span)?;
                }
            }
            Event::SequenceStart(_, anchor, _) => self.open(span, anchor, Contents::Array(Vec::new()))?,
            Event::MappingStart(_, anchor, _) => {
                self.open(span, anchor, Contents::Object { entries: Vec::new(), key: None })?;
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(span)?,
            Event::Alias(anchor) => self.alias(anchor, span)?,
            _ => {}
        }
        Ok(false)
    }

    /// Whether the next node is a key.
    fn wants_key(&self) -> bool {
        matches!(self.open.last(), Some(Frame { contents: Contents::Object { key: None, .. }, .. }))
    }

    fn set_key(&mut self, pending: PendingKey) {
        if let Some(Frame { contents: Contents::Object { key, .. }, .. }) = self.open.last_mut() {
            *key = Some(pending);
        }
    }

    fn open(&mut self, span: Span, anchor: usize, contents: Contents) -> Result<(), Problem> {
        if self.wants_key() {
            return Err(Problem::error("a list or object can't be a key").at(span));
        }
        if self.open.len() as u32 >= MAX_DEPTH {
            return Err(too_deep(span));
        }
        self.open.push(Frame { span, anchor, contents });
        Ok(())
    }

    fn close(&mut self, end: Span) -> Result<(), Problem> {
        let Some(frame) = self.open.pop() else { return Ok(()) };
        let span = frame.span.to(end);
        let value = match frame.contents {
            Contents::Array(items) => Value::Array(items),
            Contents::Object { entries, .. } => Value::Object(self.without_duplicates(entries)),
        };
        let id = self.arena.add(value, span);
        self.finished(id, frame.anchor, span)
    }

    /// The last entry of each name, in the place of the first. A name that is written twice is an error, and the
    /// document is read on.
    fn without_duplicates(&mut self, entries: Vec<Entry>) -> Vec<(ObjectKey, NodeId)> {
        let mut kept: Vec<Entry> = Vec::with_capacity(entries.len());
        let mut by_name: HashMap<String, usize> = HashMap::with_capacity(entries.len());
        for entry in entries {
            let Some(&at) = by_name.get(&entry.key.name) else {
                by_name.insert(entry.key.name.clone(), kept.len());
                kept.push(entry);
                continue;
            };
            let first = &kept[at];
            if !first.merged && !entry.merged {
                let message = format!("the key {:?} is there twice in one object", entry.key.name);
                let problem = Problem::error(message).at(entry.key.span);
                self.problems.push(problem.related(first.key.span, "first here"));
            }
            kept[at] = entry;
        }
        kept.into_iter().map(|entry| (entry.key, entry.value)).collect()
    }

    fn alias(&mut self, anchor: usize, span: Span) -> Result<(), Problem> {
        let Some(&id) = self.anchors.get(&anchor) else {
            // The reader has refused unknown names already, so the anchor's own value is still open.
            return Err(Problem::error("this alias stands inside the value that it stands for").at(span));
        };
        if !self.wants_key() {
            return self.finished(id, 0, span);
        }
        let node = self.arena.node(id);
        let scalar = match node.value() {
            Value::Null => Scalar::Null,
            Value::Bool(value) => Scalar::Bool(*value),
            Value::String(text) => Scalar::Text(text.clone()),
            Value::Number(number) => match (number.as_i64(), number.as_u64(), number.as_f64()) {
                (Some(value), ..) => Scalar::Int(value),
                (_, Some(value), _) => Scalar::Uint(value),
                (.., value) => Scalar::Float(value.unwrap_or(f64::NAN)),
            },
            Value::Array(_) | Value::Object(_) => {
                return Err(Problem::error("a list or object can't be a key").at(span));
            }
        };
        let name = scalar.into_key().map_err(|message| Problem::error(message).at(span))?;
        self.set_key(PendingKey::Plain(ObjectKey { name, span }));
        Ok(())
    }

    /// Puts a finished value where it belongs.
    fn finished(&mut self, id: NodeId, anchor: usize, span: Span) -> Result<(), Problem> {
        let node = self.arena.node(id);
        if node.depth() + self.open.len() as u32 > MAX_DEPTH {
            return Err(too_deep(span));
        }
        let written = (self.arena.len() - self.first) as u64;
        if node.expanded() > MAX_EXPANDED.min(written + MAX_ALIASED) {
            return Err(too_large(span));
        }
        if anchor != 0 {
            self.anchors.insert(anchor, id);
        }
        let merge = match self.open.last_mut().map(|frame| &mut frame.contents) {
            None => {
                self.root = Some(id);
                None
            }
            Some(Contents::Array(items)) => {
                items.push(id);
                None
            }
            Some(Contents::Object { entries, key }) => match key.take() {
                Some(PendingKey::Plain(key)) => {
                    entries.push(Entry { key, value: id, merged: false });
                    None
                }
                Some(PendingKey::Merge(span)) => Some(span),
                None => None,
            },
        };
        merge.map_or(Ok(()), |key_span| self.merge(id, key_span))
    }

    /// `<<: value`: the entries of an object, or of a list of objects of which earlier ones win.
    fn merge(&mut self, id: NodeId, key_span: Span) -> Result<(), Problem> {
        let node = self.arena.node(id);
        let maps: Vec<_> = if node.is_array() { node.items().collect() } else { vec![node] };
        if let Some(other) = maps.iter().find(|map| !map.is_object()) {
            let message = format!("`<<` takes an object or a list of objects, not a {}", other.kind_name());
            return Err(Problem::error(message).at(key_span));
        }
        let mut copied = Vec::new();
        for map in maps.iter().rev() {
            let Value::Object(entries) = map.value() else { continue };
            self.merged += entries.len() as u64;
            if self.merged > MAX_ALIASED {
                return Err(too_large(key_span));
            }
            let entries = entries.iter().map(|(key, value)| (key.clone(), *value));
            copied.extend(entries.map(|(key, value)| Entry { key, value, merged: true }));
        }
        if let Some(Frame { contents: Contents::Object { entries, .. }, .. }) = self.open.last_mut() {
            entries.extend(copied);
        }
        Ok(())
    }
}

fn too_deep(span: Span) -> Problem {
    Problem::error(format!("this is nested more than {MAX_DEPTH} levels deep")).at(span)
}

fn too_large(span: Span) -> Problem {
    let message = format!(
        "this document is too large with its aliases written out: {MAX_EXPANDED} values may be in one, {MAX_ALIASED} of \
         them by aliases"
    );
    Problem::error(message).at(span)
}
