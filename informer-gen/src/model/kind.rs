//! One kind in one version.

use std::collections::BTreeSet;

use serde::Serialize;

use super::release::Release;
use super::rust_path::RustPath;
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
    /// The type of its objects.
    pub(crate) objects: Objects,
    /// Where its objects are a definition of an OpenAPI document: the definition's name.
    #[serde(skip)]
    pub(crate) definition: Option<String>,
    /// Of the releases that the input tells apart, those that serve it; none where it tells none apart.
    pub(crate) releases: BTreeSet<Release>,
    /// Where it is declared.
    #[serde(skip)]
    pub(crate) place: Place,
}

impl Kind {
    /// Whether the type of the objects is one of k8s-openapi: a kind that Kubernetes itself has.
    pub(crate) fn is_built_in(&self) -> bool {
        matches!(&self.objects, Objects::Known(path) if path.is_k8s_openapi())
    }

    /// The types that exist already of its objects and of what is in them; not those that its definitions name.
    pub(crate) fn known_types(&self) -> BTreeSet<&RustPath> {
        match &self.objects {
            Objects::Known(path) => BTreeSet::from([path]),
            Objects::Generated(object) => object.known_types(),
            Objects::Served(_) => BTreeSet::new(),
        }
    }
}

/// Where the type of a kind's objects comes from.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) enum Objects {
    /// It is generated; this is its form, without apiVersion, kind and metadata.
    Generated(Object),
    /// It is generated, and other kinds have it too: the definition's name in [`Api::served`](super::Api::served).
    Served(String),
    /// It exists.
    Known(RustPath),
}

/// A version on its way out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Deprecation {
    /// What the server warns of, where the CRD says so.
    pub(crate) warning: Option<String>,
}
