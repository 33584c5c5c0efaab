//! Where a walk over a document is: steps that know the step before them, so that a walk needs no recursion and a
//! pointer is only written out when there is something to tell.

use crate::lower::pointer::Pointer;
use crate::problem::{Place, Problem, Problems};
use crate::source::Span;

/// One step down.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step<'a> {
    Key(&'a str),
    Item(usize),
}

/// A place in a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct At(u32);

/// Gathers what is wrong in one part of a CRD.
pub(super) struct Teller<'p, 'a> {
    crd: Option<&'p str>,
    /// Pointer of the part's root.
    base: Pointer,
    steps: Vec<(At, Step<'a>)>,
    problems: &'p mut Problems,
    told: usize,
}

impl<'p, 'a> Teller<'p, 'a> {
    /// For the part at `base` of the CRD of this name.
    pub(super) fn new(crd: Option<&'p str>, base: Pointer, problems: &'p mut Problems) -> Self {
        Teller { crd, base, steps: Vec::new(), problems, told: 0 }
    }

    /// The part's root.
    pub(super) fn root(&self) -> At {
        At(u32::MAX)
    }

    /// A place below another.
    pub(super) fn down(&mut self, at: At, step: Step<'a>) -> At {
        self.steps.push((at, step));
        At(u32::try_from(self.steps.len() - 1).unwrap_or(u32::MAX))
    }

    /// The place under a key.
    pub(super) fn key(&mut self, at: At, key: &'a str) -> At {
        self.down(at, Step::Key(key))
    }

    fn pointer(&self, at: At) -> String {
        let (mut at, mut steps) = (at, Vec::new());
        while let Some((before, step)) = self.steps.get(at.0 as usize) {
            steps.push(*step);
            at = *before;
        }
        let mut pointer = self.base.clone();
        for step in steps.into_iter().rev() {
            match step {
                Step::Key(key) => pointer.push(key),
                Step::Item(number) => pointer.push(&number.to_string()),
            }
        }
        pointer.join(&[])
    }

    /// Tells an error; an empty hint is none.
    pub(super) fn error(&mut self, span: Span, at: At, message: impl Into<String>, hint: &str) {
        self.told += 1;
        let mut place = Place::new(span).pointer(self.pointer(at));
        if let Some(name) = self.crd {
            place = place.crd(name);
        }
        let problem = Problem::error(message).at(place);
        self.problems.push(if hint.is_empty() { problem } else { problem.hint(hint) });
    }

    /// Whether nothing was told.
    pub(super) fn is_content(&self) -> bool {
        self.told == 0
    }
}
