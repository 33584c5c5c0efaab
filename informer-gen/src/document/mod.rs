//! Opens the inputs and finds the CRDs in them.
//!
//! `input` reads texts, `yaml` makes values of them as the API server would (`scalar`), `node` holds the values and is
//! what later stages look at, `find` picks the CRDs. Nothing here knows what a schema is.

use std::io::Read;

mod input;
pub(crate) mod node;
mod scalar;
mod yaml;
pub(crate) mod find;

use crate::problem::{Problem, Problems};
use crate::request::Input;
use crate::source::{Sources, Span};
use node::{Arena, NodeId};

/// Everything that the inputs hold.
#[derive(Debug)]
pub(crate) struct Documents {
    sources: Sources,
    arena: Arena,
    roots: Vec<NodeId>,
}

impl Documents {
    /// Reads the inputs; what can't be read becomes problems. `stdin` is read only when it is an input.
    pub(crate) fn read(inputs: &[Input], stdin: &mut dyn Read, problems: &mut Problems) -> Self {
        let (mut sources, mut arena, mut roots) = (Sources::default(), Arena::default(), Vec::new());
        for id in input::read(inputs, stdin, &mut sources, problems) {
            let mut broken = Problems::new();
            roots.extend(yaml::read(id, &sources, &mut arena, &mut broken));
            let text = sources.get(id).text();
            match find::template_mark(text).filter(|_| !broken.is_empty()) {
                Some(at) => problems.push(find::template(Span::new(id, at, at + 2))),
                None => problems.extend(broken),
            }
        }
        Documents { sources, arena, roots }
    }

    /// The CRDs among the documents. That there are none at all is a problem.
    pub(crate) fn crds(&self, problems: &mut Problems) -> find::Found<'_> {
        let found = find::crds(self.roots.iter().map(|id| self.arena.node(*id)), problems);
        if found.crds.is_empty() && found.refused == 0 && !problems.has_errors() {
            let kinds: Vec<&str> = found.others.keys().take(5).map(String::as_str).collect();
            let problem = Problem::error("the inputs hold no CustomResourceDefinition");
            problems.push(match kinds.as_slice() {
                [] => problem,
                kinds => problem.hint(format!("what they hold: {}", kinds.join(", "))),
            });
        }
        found
    }

    /// The texts in which all places lie.
    pub(crate) fn sources(&self) -> &Sources {
        &self.sources
    }
}

#[cfg(test)]
mod tests;
