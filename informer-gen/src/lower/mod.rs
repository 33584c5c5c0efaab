//! Documents to model: what of them the generator uses, with everything else that is wrong in them told with its
//! place.

mod pointer;
mod dns;
mod merge;
mod type_map;
mod fact;
mod shared;
mod schema;
mod rules;
mod crd;
mod openapi;
mod graph;
mod depth;
mod cycles;
mod api;

pub(crate) use api::api;
pub(crate) use merge::crds_first;
pub(crate) use openapi::{facts, find as openapi, is_list, nothing};
pub(crate) use type_map::TypeMap;

use crate::document::node::Node;
use crate::model::Kind;
use crate::problem::Problems;

/// The kinds of some CustomResourceDefinitions (apiextensions v1), in any order. What is wrong becomes a problem; a
/// CRD with errors may be missing from the result.
pub(crate) fn crds(roots: &[Node<'_>], types: &TypeMap, problems: &mut Problems) -> Vec<Kind> {
    roots.iter().flat_map(|root| crd::kinds(*root, types, problems)).collect()
}

/// The schema of a kind, if this is its CRD.
pub(crate) fn schema_of<'a>(crd: Node<'a>, kind: &Kind) -> Option<Node<'a>> {
    let spec = crd.get("spec")?;
    let is = |node: Node<'_>, key: &str, text: &str| node.get(key).and_then(Node::as_str) == Some(text);
    let same =
        is(spec, "group", &kind.group) && spec.get("names").is_some_and(|names| is(names, "plural", &kind.plural));
    let version = spec.get("versions").filter(|_| same)?.items().find(|version| is(*version, "name", &kind.version))?;
    version.get("schema")?.get("openAPIV3Schema")
}

#[cfg(test)]
mod tests;
