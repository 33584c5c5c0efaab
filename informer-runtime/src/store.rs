//! The cache: objects by key, indexes over them, one writer, readers on snapshots.

mod sorted_map;
mod walk;
mod index;
mod apply;
mod keep;

pub(crate) use apply::{Applied, Notification, StoreWriter};
pub use index::IndexFunc;
pub(crate) use index::{IndexItem, NewIndex};
pub(crate) use keep::make_kept;
pub(crate) use sorted_map::{Item, SortedMap};

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::entry::Entry;
use crate::key::ObjectKey;

impl Item for Entry {
    type Key = ObjectKey;
    type Probe<'a> = (&'a str, &'a str);

    fn probe(&self) -> Self::Probe<'_> {
        (self.namespace(), self.name())
    }

    fn to_key(&self) -> ObjectKey {
        self.key()
    }

    fn probe_key(key: &ObjectKey) -> Self::Probe<'_> {
        (key.namespace(), key.name())
    }

    fn compare(one: Self::Probe<'_>, other: Self::Probe<'_>) -> Ordering {
        one.cmp(&other)
    }
}

/// The cache at one moment. Reading it blocks nobody and nothing changes it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Snapshot {
    pub(crate) objects: SortedMap<Entry>,
    pub(crate) indexes: BTreeMap<Arc<str>, SortedMap<IndexItem>>,
    /// The version that the cache has reached; empty before the first list.
    pub(crate) resource_version: Arc<str>,
}

impl Snapshot {
    pub(crate) fn get(&self, namespace: &str, name: &str) -> Option<&Entry> {
        self.objects.get((namespace, name))
    }

    /// All objects of a namespace, by name.
    pub(crate) fn namespace<'a>(&'a self, namespace: &'a str) -> impl Iterator<Item = &'a Entry> {
        self.objects.from((namespace, "")).take_while(move |entry| entry.namespace() == namespace)
    }
}
