//! Opens the inputs and finds the CRDs and the OpenAPI documents in them.
//!
//! `input` reads texts, `yaml` makes values of them as the API server would (`scalar`; `json_stream` for JSON values one
//! after the other), `node` holds the values and is what later stages look at, `find` picks the CRDs, `spec` the OpenAPI
//! documents. Nothing here knows what a schema is.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

mod input;
mod json_stream;
pub(crate) mod node;
mod scalar;
mod yaml;
pub(crate) mod find;
pub(crate) mod spec;

use crate::model::Release;
use crate::problem::{Problem, Problems, Severity};
use crate::request::Request;
use crate::source::{Sources, Span};
use input::{Folders, Reader, Text};
use node::{Arena, NodeId};
use spec::Spec;

/// Everything that the inputs hold.
#[derive(Debug, Default)]
pub(crate) struct Documents {
    sources: Sources,
    arena: Arena,
    /// Roots of what was given as CRDs.
    roots: Vec<NodeId>,
    /// Roots of what was given as OpenAPI documents.
    specs: Vec<Given>,
}

/// The root of a document that was given as an OpenAPI document.
#[derive(Debug)]
struct Given {
    root: NodeId,
    release: Option<Release>,
    path: Option<PathBuf>,
}

impl Documents {
    /// Reads what was given as CRDs; what can't be read becomes problems. `stdin` is read only when it is an input.
    pub(crate) fn read_crds(&mut self, request: &Request, stdin: &mut dyn Read, problems: &mut Problems) {
        let texts = Reader::new(&mut self.sources, problems).read(&request.inputs, Folders::Flat, stdin);
        for text in texts {
            self.roots.extend(values(&text, &self.sources, &mut self.arena, problems));
        }
    }

    /// Reads what was given as OpenAPI documents, in the same way: those of no release first, then release by release,
    /// so that of two that tell the same thing in other words the same one is the first, in whatever order they are given.
    pub(crate) fn read_openapi(&mut self, request: &Request, stdin: &mut dyn Read, problems: &mut Problems) {
        let mut by_release = BTreeMap::from([(None, request.openapi.clone())]);
        for (release, input) in &request.releases {
            by_release.entry(Some(*release)).or_default().push(input.clone());
        }
        for (release, inputs) in by_release {
            let texts = Reader::new(&mut self.sources, problems).read(&inputs, Folders::Deep, stdin);
            for text in texts {
                let roots = values(&text, &self.sources, &mut self.arena, problems).into_iter();
                self.specs.extend(roots.map(|root| Given { root, release, path: text.path.clone() }));
            }
        }
        self.read_beside_indexes(problems);
    }

    /// An index of OpenAPI documents names others; those that lie beside it are read as if they were given.
    fn read_beside_indexes(&mut self, problems: &mut Problems) {
        let canonical = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let mut named = Vec::new();
        for given in &self.specs {
            let root = self.arena.node(given.root);
            let Some(path) = given.path.as_deref().filter(|_| spec::is_index(root)) else { continue };
            let there = spec::beside(root, path);
            if there.is_empty() {
                problems.push(spec::lonely_index(root));
            }
            named.extend(there.into_iter().map(|path| (given.release, path)));
        }
        let with_release = |given: &Given| Some((given.release, canonical(given.path.as_deref()?)));
        let mut known: HashSet<_> = self.specs.iter().filter_map(with_release).collect();
        for (release, path) in named {
            if !known.insert((release, canonical(&path))) {
                continue;
            }
            if let Some(text) = Reader::new(&mut self.sources, problems).file(path) {
                let roots = values(&text, &self.sources, &mut self.arena, problems).into_iter();
                self.specs.extend(roots.map(|root| Given { root, release, path: text.path.clone() }));
            }
        }
    }

    /// The OpenAPI documents; what is none becomes a problem.
    pub(crate) fn specs(&self, problems: &mut Problems) -> Vec<Spec<'_>> {
        let mut specs = Vec::new();
        for given in &self.specs {
            match Spec::of(self.arena.node(given.root), given.release) {
                Ok(spec) => specs.extend(spec),
                Err(problem) => problems.push(problem),
            }
        }
        specs
    }

    /// The CRDs among the documents. That there are none at all is a problem.
    pub(crate) fn crds(&self, problems: &mut Problems) -> find::Found<'_> {
        let found = find::crds(self.roots.iter().map(|id| self.arena.node(*id)), problems);
        if found.crds.is_empty()
            && found.refused == 0
            && !problems.iter().any(|problem| problem.severity() == Severity::Error)
        {
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

/// Whether a text begins as JSON and does not end as such.
fn ends_early(text: &str) -> bool {
    text.trim_start().starts_with(['{', '[']) && !text.trim_end().ends_with(['}', ']'])
}

/// The values of a text: its documents, without empty ones.
fn values(text: &Text, sources: &Sources, arena: &mut Arena, problems: &mut Problems) -> Vec<NodeId> {
    let mut broken = Problems::new();
    let file = sources.get(text.id);
    let contents = file.text();
    let is_unread = |broken: &Problems| broken.iter().any(|problem| problem.message().starts_with(yaml::INVALID));
    let mut read = yaml::read(text.id, contents, std::iter::once(0..contents.len()), arena, &mut broken);
    if is_unread(&broken) && json_stream::is_stream(contents) {
        broken = Problems::new();
        read = yaml::read(text.id, contents, json_stream::values(contents), arena, &mut broken);
    }
    let last = read.starts.last().copied().unwrap_or_default();
    file.set_documents(read.starts);
    let (roots, unread) = (read.roots, is_unread(&broken));
    if unread && ends_early(contents) {
        // What is told of the documents before the one that is cut off stays true.
        let is_of_last = |problem: &Problem| problem.places().next().is_none_or(|at| at.span.bytes().start >= last);
        problems.extend(broken.apart(is_of_last).1);
        let end = Span::new(text.id, contents.len(), contents.len());
        problems.push(Problem::error("this JSON ends in the middle: was it cut off?").at(end).hint("fetch it again"));
        return roots;
    }
    match find::template_mark(contents).filter(|_| !broken.is_empty()) {
        Some(at) => problems.push(find::template(Span::new(text.id, at, at + 2))),
        None => problems.extend(broken),
    }
    roots
}

#[cfg(test)]
mod tests;
