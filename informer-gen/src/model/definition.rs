//! Definitions of OpenAPI documents that get one type each, wherever they are referred to.

use std::collections::BTreeSet;

use serde::Serialize;

use super::release::Release;
use super::shape::{Object, Shape};
use crate::problem::Place;

/// The kinds that a definition is part of: it is there if one of them is.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Users {
    /// Their groups.
    pub(crate) groups: BTreeSet<String>,
    /// Of the releases that the input tells apart, those that serve one of them.
    pub(crate) releases: BTreeSet<Release>,
}

impl Users {
    /// Adds others; whether there were new ones.
    pub(crate) fn add(&mut self, others: &Users) -> bool {
        let before = (self.groups.len(), self.releases.len());
        self.groups.extend(others.groups.iter().cloned());
        self.releases.extend(&others.releases);
        before != (self.groups.len(), self.releases.len())
    }
}

/// A definition whose values are objects with known keys, or one of some texts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Definition {
    /// An object or an enum.
    pub(crate) shape: Shape,
    pub(crate) users: Users,
    /// Where it is written.
    #[serde(skip)]
    pub(crate) place: Place,
}

/// The form of the objects of several kinds, without apiVersion, kind and metadata: one definition that is served in
/// several groups or versions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Served {
    pub(crate) object: Object,
    pub(crate) users: Users,
    /// Where the first of the kinds is declared.
    #[serde(skip)]
    pub(crate) place: Place,
}
