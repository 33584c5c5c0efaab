//! What gets no informer.

use std::collections::BTreeSet;

use serde::Serialize;

use super::release::Release;

/// A kind that a document has, and why it gets no informer.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(crate) struct Skipped {
    pub(crate) group: String,
    pub(crate) version: String,
    pub(crate) kind: String,
    /// Resources, or subresources, that are about it.
    pub(crate) resources: Vec<String>,
    /// The rest of a sentence that begins with the kind.
    pub(crate) reason: String,
    /// Of the releases that the input tells apart, those that have it.
    pub(crate) releases: BTreeSet<Release>,
}
