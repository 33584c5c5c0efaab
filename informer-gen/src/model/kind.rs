//! One kind in one version.

use serde::Serialize;

use super::shape::Object;
use crate::problem::Place;

/// A resource that can be listed and watched, and the form of its objects.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Kind {
    pub(crate) group: String,
    pub(crate) version: String,
    /// As it stands in objects.
    pub(crate) kind: String,
    /// As it stands in URLs; declared, never inferred.
    pub(crate) plural: String,
    pub(crate) singular: String,
    /// `kind` of a list of them.
    pub(crate) list_kind: String,
    pub(crate) namespaced: bool,
    /// Set when the version is marked as deprecated.
    pub(crate) deprecated: Option<Deprecation>,
    /// The object itself, without apiVersion, kind and metadata.
    pub(crate) root: Object,
    /// Where it is declared.
    #[serde(skip)]
    pub(crate) place: Place,
}

/// A version on its way out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Deprecation {
    /// What the server warns of, where the CRD says so.
    pub(crate) warning: Option<String>,
}
