//! What is wrong with an input or an output folder, gathered so that one run tells everything.

use std::fmt;

use crate::source::{Sources, Span};

/// How much a [`Problem`] matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Nothing is written; or, if the request says to keep going, something was left out for it.
    Error,
    /// Something was left out or made looser; the output is usable.
    Warning,
}

/// Where a problem lies: a stretch of a file, and where known the CRD and the JSON pointer in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) span: Span,
    pub(crate) crd: Option<Box<str>>,
    pub(crate) pointer: Option<Box<str>>,
}

impl Place {
    /// A stretch of a file.
    pub(crate) fn new(span: Span) -> Self {
        Place { span, crd: None, pointer: None }
    }

    /// In the CRD of this `metadata.name`.
    #[must_use]
    pub(crate) fn crd(mut self, name: impl Into<String>) -> Self {
        self.crd = Some(name.into().into());
        self
    }

    /// At this JSON pointer (`/spec/versions/0`) from the CRD's root.
    #[must_use]
    pub(crate) fn pointer(mut self, pointer: impl Into<String>) -> Self {
        self.pointer = Some(pointer.into().into());
        self
    }
}

impl From<Span> for Place {
    fn from(span: Span) -> Self {
        Place::new(span)
    }
}

/// One thing that is wrong, with where and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub(crate) severity: Severity,
    pub(crate) internal: bool,
    /// What it is about was left out, so it does not forbid an output.
    pub(crate) forgiven: bool,
    pub(crate) message: Box<str>,
    pub(crate) place: Option<Place>,
    /// Other places that matter, each with a few words: the first of two that clash, for instance.
    pub(crate) related: Vec<(Place, String)>,
    pub(crate) hint: Option<Box<str>>,
}

impl Problem {
    /// Something that forbids an output.
    pub(crate) fn error(message: impl Into<String>) -> Self {
        Problem {
            severity: Severity::Error,
            internal: false,
            forgiven: false,
            message: message.into().into(),
            place: None,
            related: Vec::new(),
            hint: None,
        }
    }

    /// Something that people should know; an output is still made.
    pub(crate) fn warning(message: impl Into<String>) -> Self {
        Problem { severity: Severity::Warning, ..Problem::error(message) }
    }

    /// A mistake of the generator itself; exit code 3.
    pub(crate) fn internal(message: impl Into<String>) -> Self {
        Problem { internal: true, ..Problem::error(message) }
    }

    /// Where it lies; a [`Span`] will do.
    #[must_use]
    pub(crate) fn at(mut self, place: impl Into<Place>) -> Self {
        self.place = Some(place.into());
        self
    }

    /// Another place that matters, with a few words on it.
    #[must_use]
    pub(crate) fn related(mut self, place: impl Into<Place>, words: impl Into<String>) -> Self {
        self.related.push((place.into(), words.into()));
        self
    }

    /// What to do about it.
    #[must_use]
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into().into());
        self
    }

    /// Whether it is an error and an output was made all the same, without what it is about.
    pub fn is_left_out(&self) -> bool {
        self.forgiven
    }

    /// How much it matters.
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// Every place that it names.
    pub(crate) fn places(&self) -> impl Iterator<Item = &Place> {
        self.place.iter().chain(self.related.iter().map(|(place, _)| place))
    }

    /// What is wrong, in one sentence without the place.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What to do about it, where something useful is known.
    pub fn hint_text(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// The `metadata.name` of the CRD it lies in, where known.
    pub fn crd_name(&self) -> Option<&str> {
        self.place.as_ref()?.crd.as_deref()
    }

    /// The JSON pointer from the CRD's root, where known.
    pub fn json_pointer(&self) -> Option<&str> {
        self.place.as_ref()?.pointer.as_deref()
    }
}

/// All problems of one run.
///
/// As an error (`Err(Problems)`) it holds at least one [`Severity::Error`]. Its `Display` is the full text for people,
/// without colour: each problem with file, line, column, CRD, JSON pointer and hint.
#[derive(Clone, Default)]
pub struct Problems {
    list: Vec<Problem>,
    sources: Sources,
}

impl Problems {
    /// None yet.
    pub(crate) fn new() -> Self {
        Problems::default()
    }

    /// Adds one.
    pub(crate) fn push(&mut self, problem: Problem) {
        self.list.push(problem);
    }

    /// Adds all of another collection.
    pub(crate) fn extend(&mut self, other: Problems) {
        self.list.extend(other.list);
    }

    /// Those that are so, and the others.
    pub(crate) fn apart(self, is_so: impl Fn(&Problem) -> bool) -> (Problems, Problems) {
        let (so, others) = self.list.into_iter().partition(is_so);
        (Problems { list: so, ..Problems::default() }, Problems { list: others, ..Problems::default() })
    }

    /// Remembers the texts in which the places lie, and puts the problems in order: by file, then position. Problems
    /// without a place come first; equal ones are told once.
    #[must_use]
    pub(crate) fn located_in(mut self, sources: &Sources) -> Self {
        self.sources = sources.clone();
        self.list.sort_by_key(|problem| problem.place.as_ref().map(|place| place.span));
        self.list.dedup();
        self
    }

    /// From here on the errors so far forbid no output: what they are about is to be left out.
    pub(crate) fn forgive(&mut self) {
        for problem in self.list.iter_mut().filter(|problem| problem.severity == Severity::Error) {
            problem.forgiven = !problem.internal;
        }
    }

    /// `Ok` with the warnings when no error is among them.
    pub(crate) fn into_result(self) -> Result<Problems, Problems> {
        if self.has_errors() { Err(self) } else { Ok(self) }
    }

    /// The texts in which the places lie.
    pub(crate) fn sources(&self) -> &Sources {
        &self.sources
    }

    /// In the order in which they are told.
    pub fn iter(&self) -> impl Iterator<Item = &Problem> {
        self.list.iter()
    }

    /// How many there are, warnings included.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none, not even warnings.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether anything forbids an output.
    pub fn has_errors(&self) -> bool {
        self.list.iter().any(|problem| problem.severity == Severity::Error && !problem.forgiven)
    }

    /// Whether the generator itself is at fault (exit code 3), not the input (exit code 1).
    pub fn is_internal(&self) -> bool {
        self.list.iter().any(|problem| problem.internal)
    }

    /// `file:line:column` of a problem of this collection, where known; line and column from 1.
    pub fn location(&self, problem: &Problem) -> Option<String> {
        self.sources.place(problem.place.as_ref()?.span)
    }
}

impl From<Problem> for Problems {
    fn from(problem: Problem) -> Self {
        Problems { list: vec![problem], sources: Sources::default() }
    }
}

impl fmt::Debug for Problems {
    // The texts of the sources may be megabytes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.list).finish()
    }
}

impl std::error::Error for Problems {}
