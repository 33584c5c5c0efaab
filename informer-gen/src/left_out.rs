//! With [`Request::keep_going`](crate::Request::keep_going): what is left out, and the rest of the kinds.
//!
//! A CRD is left out as a whole when anything is wrong with it; a document is when something is wrong with it that can't
//! be put down to one CRD. Of two CRDs that can't both be there none is: nothing says which one is meant.

use std::collections::BTreeSet;
use std::fmt;

use crate::model::{Api, Kind};
use crate::names::{self, Names, Renames};
use crate::problem::{Place, Problem, Problems};
use crate::source::{SourceId, Sources};

/// What [`generate`](crate::generate) left out to keep going. Its `Display` is a line for people.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// The CRDs by their `metadata.name`, in order.
    pub crds: BTreeSet<String>,
    /// Files and documents that could not be read, or of which nothing says which CRD is wrong.
    pub inputs: usize,
    spoilt: BTreeSet<(SourceId, usize)>,
}

impl LeftOut {
    /// Whether nothing was.
    pub fn is_empty(&self) -> bool {
        self.crds.is_empty() && self.inputs == 0
    }

    /// What the forgiven problems are about.
    pub(crate) fn of(problems: &Problems, sources: &Sources) -> Self {
        let mut left_out = LeftOut::default();
        for problem in problems.iter().filter(|problem| problem.is_left_out()) {
            match &problem.place {
                None => left_out.inputs += 1,
                Some(Place { crd: Some(name), .. }) => drop(left_out.crds.insert(name.to_string())),
                Some(place) => drop(left_out.spoilt.insert(sources.document(place.span))),
            }
        }
        left_out.inputs += left_out.spoilt.len();
        left_out
    }

    /// The kinds of what is not left out.
    pub(crate) fn without(&self, kinds: Vec<Kind>, sources: &Sources) -> Vec<Kind> {
        let is_left_out = |place: &Place| {
            place.crd.as_ref().is_some_and(|name| self.crds.contains(&**name))
                || self.spoilt.contains(&sources.document(place.span))
        };
        kinds.into_iter().filter(|kind| !is_left_out(&kind.place)).collect()
    }

    /// What is asked for and fits nothing may be meant for what is left out, and then forbids no output.
    pub(crate) fn excuse(&self, problems: &mut Problems) {
        if !self.is_empty() && problems.iter().all(|problem| problem.place.is_none()) {
            problems.forgive();
        }
    }

    /// Names for all kinds; those whose names clash go, with all of their CRD.
    pub(crate) fn named(
        &mut self,
        api: &mut Api,
        renames: &Renames,
        problems: &mut Problems,
        sources: &Sources,
    ) -> Names {
        loop {
            let mut found = Problems::new();
            let names = names::allocate(api, renames, &mut found);
            let (mut clashes, mut others) = found.apart(|problem| problem.places().any(|place| place.crd.is_some()));
            if clashes.is_empty() {
                self.excuse(&mut others);
                problems.extend(others);
                return names;
            }
            let crds = clashes.iter().flat_map(Problem::places).filter_map(|place| place.crd.as_deref());
            self.crds.extend(crds.map(str::to_owned));
            let before = api.kinds().count();
            api.keep_kinds(|kinds| self.without(kinds, sources));
            if api.kinds().count() < before {
                clashes.forgive();
            }
            let goes_on = !clashes.has_errors();
            problems.extend(clashes);
            if !goes_on {
                return names;
            }
        }
    }
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = |number: usize, word: &str| format!("{number} {word}{}", if number == 1 { "" } else { "s" });
        match (count(self.crds.len(), "CRD"), count(self.inputs, "whole input")) {
            (crds, _) if self.inputs == 0 => write!(f, "{crds} left out"),
            (_, inputs) if self.crds.is_empty() => write!(f, "{inputs} left out"),
            (crds, inputs) => write!(f, "{crds} and {inputs} left out"),
        }
    }
}
