//! Documents to model: what of a CustomResourceDefinition the generator uses, with everything else that is wrong in it
//! told with its place.

mod pointer;
mod dns;
mod schema;
mod crd;

use crate::document::node::Node;
use crate::model::Api;
use crate::problem::Problems;

/// The model of some CustomResourceDefinitions (apiextensions v1), in any order. What is wrong becomes a problem; a
/// CRD with errors may be missing from the result.
pub(crate) fn crds(roots: &[Node<'_>], problems: &mut Problems) -> Api {
    Api::of(roots.iter().flat_map(|root| crd::kinds(*root, problems)).collect())
}

#[cfg(test)]
mod tests;
