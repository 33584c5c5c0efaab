//! What the generator understood of its input: plain data, to be dumped and compared.

mod fact;
mod release;
mod rust_path;
mod shape;
mod kind;
mod skipped;
mod version;

pub(crate) use fact::{Fact, Rule};
pub(crate) use kind::{Deprecation, Kind, Objects};
pub use release::Release;
pub(crate) use release::stretches;
pub(crate) use rust_path::RustPath;
pub(crate) use shape::{Enum, Field, Object, Presence, Shape, Slot};
pub(crate) use skipped::Skipped;
pub(crate) use version::Priority;

use std::collections::BTreeSet;

use serde::Serialize;

/// All kinds that get an informer. Groups by name, versions by [`Priority`], kinds by name, so that equal input in any
/// order gives an equal value.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Api {
    /// The releases that the input tells apart; mostly none.
    pub(crate) releases: BTreeSet<Release>,
    pub(crate) groups: Vec<Group>,
}

/// An API group.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Group {
    /// As in `apiVersion` and URLs.
    pub(crate) name: String,
    /// The preferred one first.
    pub(crate) versions: Vec<Version>,
}

/// A served version of a group.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Version {
    /// As in `apiVersion` and URLs.
    pub(crate) name: String,
    pub(crate) kinds: Vec<Kind>,
}

impl Api {
    /// Puts kinds in order under their groups and versions.
    pub(crate) fn of(mut kinds: Vec<Kind>) -> Self {
        let key =
            |kind: &Kind| (kind.group.clone(), Priority::of(&kind.version), kind.kind.clone(), kind.plural.clone());
        kinds.sort_by_cached_key(key);
        let mut api =
            Api { releases: kinds.iter().flat_map(|kind| &kind.releases).copied().collect(), groups: Vec::new() };
        for kind in kinds {
            if api.groups.last().is_none_or(|group| group.name != kind.group) {
                api.groups.push(Group { name: kind.group.clone(), versions: Vec::new() });
            }
            let Some(group) = api.groups.last_mut() else { continue };
            if group.versions.last().is_none_or(|version| version.name != kind.version) {
                group.versions.push(Version { name: kind.version.clone(), kinds: Vec::new() });
            }
            if let Some(version) = group.versions.last_mut() {
                version.kinds.push(kind);
            }
        }
        api
    }

    /// All kinds, in order, without their groups.
    pub(crate) fn into_kinds(self) -> Vec<Kind> {
        self.groups.into_iter().flat_map(|group| group.versions).flat_map(|version| version.kinds).collect()
    }

    /// All kinds, in order.
    pub(crate) fn kinds(&self) -> impl Iterator<Item = &Kind> {
        self.groups.iter().flat_map(|group| &group.versions).flat_map(|version| &version.kinds)
    }
}
