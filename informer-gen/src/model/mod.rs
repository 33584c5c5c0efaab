//! What the generator understood of its input: plain data, to be dumped and compared.

mod fact;
mod release;
mod rust_path;
mod shape;
mod definition;
mod kind;
mod skipped;
mod version;

pub(crate) use definition::{Definition, Served, Users};
pub(crate) use fact::{Fact, Rule};
pub(crate) use kind::{Deprecation, Kind, Objects};
pub use release::Release;
pub(crate) use release::stretches;
pub(crate) use rust_path::RustPath;
pub(crate) use shape::{Enum, Field, Object, Presence, Reference, Shape, Slot};
pub(crate) use skipped::Skipped;
pub(crate) use version::Priority;

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

/// All kinds that get an informer. Groups by name, versions by [`Priority`], kinds by name, so that equal input in any
/// order gives an equal value.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Api {
    /// The releases that the input tells apart; mostly none.
    pub(crate) releases: BTreeSet<Release>,
    pub(crate) groups: Vec<Group>,
    /// Definitions that values of kinds refer to, by name: each is one type.
    pub(crate) definitions: BTreeMap<String, Definition>,
    /// Definitions that are the objects of several kinds, by name: each is one type.
    pub(crate) served: BTreeMap<String, Served>,
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
        let releases = kinds.iter().flat_map(|kind| &kind.releases).copied().collect();
        let mut api = Api { releases, ..Api::default() };
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

    /// The objects that are generated for kinds: those of each kind by itself, and those of several.
    pub(crate) fn roots(&self) -> impl Iterator<Item = &Object> {
        let own = self.kinds().filter_map(|kind| match &kind.objects {
            Objects::Generated(object) => Some(object),
            _ => None,
        });
        own.chain(self.served.values().map(|served| &served.object))
    }

    /// The same, to be changed.
    pub(crate) fn roots_mut(&mut self) -> impl Iterator<Item = &mut Object> {
        let versions = self.groups.iter_mut().flat_map(|group| &mut group.versions);
        let own = versions.flat_map(|version| &mut version.kinds).filter_map(|kind| match &mut kind.objects {
            Objects::Generated(object) => Some(object),
            _ => None,
        });
        own.chain(self.served.values_mut().map(|served| &mut served.object))
    }

    /// Takes kinds out of which no definition is told.
    pub(crate) fn keep_kinds(&mut self, keep: impl FnOnce(Vec<Kind>) -> Vec<Kind>) {
        let Api { groups, definitions, served, .. } = std::mem::take(self);
        let kinds = groups.into_iter().flat_map(|group| group.versions).flat_map(|version| version.kinds);
        *self = Api { definitions, served, ..Api::of(keep(kinds.collect())) };
    }

    /// The types that exist already of a kind's objects and of all that is in them, definitions included.
    pub(crate) fn known_types<'a>(&'a self, kind: &'a Kind) -> BTreeSet<&'a RustPath> {
        let object = match &kind.objects {
            Objects::Known(path) => return BTreeSet::from([path]),
            Objects::Generated(object) => Some(object),
            Objects::Served(name) => self.served.get(name).map(|served| &served.object),
        };
        let mut known = object.map(Object::known_types).unwrap_or_default();
        let mut open = object.map(Object::references).unwrap_or_default();
        let mut seen = BTreeSet::new();
        while let Some(to) = open.pop() {
            let Some(definition) = self.definitions.get(&to.name).filter(|_| seen.insert(&to.name)) else { continue };
            known.extend(definition.shape.known_types());
            open.extend(definition.shape.references());
        }
        known
    }

    /// All kinds, in order.
    pub(crate) fn kinds(&self) -> impl Iterator<Item = &Kind> {
        self.groups.iter().flat_map(|group| &group.versions).flat_map(|version| &version.kinds)
    }
}
