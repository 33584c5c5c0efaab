//! The objects of all resources, and the history of their changes.
//!
//! One counter numbers all changes, as in etcd. A collection keeps a log of its latest changes, from which a watch
//! catches up and an older state is made by undoing.

use std::collections::{BTreeMap, VecDeque};
use std::ops::{Bound, RangeBounds};
use std::sync::Arc;

use bytes::Bytes;
use informer_runtime::Resource;
use serde_json::{Value, json};

use crate::head::Head;
use crate::registry::{Layout, Served};
use crate::render::{self, Form};

/// One version of one object: its JSON, and what selectors look at.
#[derive(Debug)]
pub(crate) struct Stored {
    pub(crate) head: Head,
    whole: Bytes,
    layout: Layout,
}

impl Stored {
    /// Sets the version in the object, which must be one.
    fn new(mut value: Value, version: u64, served: &Served) -> Self {
        value["metadata"]["resourceVersion"] = json!(version.to_string());
        value.sort_all_objects();
        let whole = render::object(served, &value, Form::Whole);
        Self { head: Head::of(&value, served), whole, layout: served.laid_out() }
    }

    pub(crate) fn value(&self) -> Value {
        render::read(&self.whole)
    }

    pub(crate) fn bytes(&self, served: &Served, form: Form) -> Bytes {
        if self.layout == served.laid_out() {
            render::reform(served, &self.whole, form)
        } else {
            render::object(served, &self.value(), form)
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChangeKind {
    Added,
    Modified,
    Deleted,
}

/// One change: the object before it, and after it. A deletion's `after` is the last state with the version of
/// the deletion.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    pub(crate) version: u64,
    pub(crate) kind: ChangeKind,
    pub(crate) before: Option<Arc<Stored>>,
    pub(crate) after: Arc<Stored>,
    key: String,
}

/// The objects of one resource.
#[derive(Debug)]
pub(crate) struct Collection {
    pub(crate) served: Served,
    objects: BTreeMap<String, Arc<Stored>>,
    log: VecDeque<Change>,
    // Version of the last change that is no longer in the log
    floor: u64,
}

/// All resources.
#[derive(Debug)]
pub(crate) struct Store {
    version: u64,
    history: usize,
    collections: Vec<Collection>,
    // Kept, but not served
    unserved: Vec<Collection>,
}

/// Where an object is: `namespace/name`, or `name` alone. The order of keys is the order of lists.
pub(crate) fn key(namespace: &str, name: &str) -> String {
    if namespace.is_empty() { name.to_owned() } else { format!("{namespace}/{name}") }
}

impl Store {
    /// `history`: how many changes each resource remembers.
    pub(crate) fn new(version: u64, history: usize) -> Self {
        Self { version, history, collections: Vec::new(), unserved: Vec::new() }
    }

    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    /// Adds a resource, or replaces how it is served. A version before it was added is unknown to it.
    pub(crate) fn serve(&mut self, served: Served) {
        if let Some(place) = self.unserved.iter().position(|kept| kept.served.resource() == served.resource()) {
            let mut collection = self.unserved.swap_remove(place);
            collection.forget_history(self.version);
            self.collections.push(collection);
        }
        match self.collections.iter_mut().find(|known| known.served.resource() == served.resource()) {
            Some(known) => known.served = served,
            None => self.collections.push(Collection {
                served,
                objects: BTreeMap::new(),
                log: VecDeque::new(),
                floor: self.version,
            }),
        }
    }

    pub(crate) fn stop_serving(&mut self, resource: &Resource) {
        self.collections.retain(|collection| collection.served.resource() != resource);
    }

    /// Stops serving a resource, but keeps what is there.
    pub(crate) fn unserve(&mut self, resource: &Resource) {
        let place = self.collections.iter().position(|collection| collection.served.resource() == resource);
        self.unserved.extend(place.map(|place| self.collections.remove(place)));
    }

    /// Makes all versions of a resource but the present one unknown.
    pub(crate) fn forget_history(&mut self, resource: &Resource) {
        let version = self.version;
        let of = self.collections.iter_mut().filter(|collection| collection.served.resource() == resource);
        of.for_each(|collection| collection.forget_history(version));
    }

    pub(crate) fn collection(&self, resource: &Resource) -> Option<&Collection> {
        self.collections.iter().find(|collection| collection.served.resource() == resource)
    }

    pub(crate) fn find(&self, group: &str, version: &str, plural: &str) -> Option<&Collection> {
        self.collections.iter().find(|collection| {
            let resource = collection.served.resource();
            (resource.group(), resource.version(), resource.plural()) == (group, version, plural)
        })
    }

    pub(crate) fn served(&self) -> impl Iterator<Item = &Served> {
        self.collections.iter().map(|collection| &collection.served)
    }

    /// Writes an object, or removes the one that is there. `None` if the resource is not served, or there is
    /// nothing to remove.
    pub(crate) fn commit(&mut self, resource: &Resource, key: &str, value: Option<Value>) -> Option<Change> {
        let history = self.history;
        let collection = self.collections.iter_mut().find(|collection| collection.served.resource() == resource)?;
        let before = collection.objects.get(key).cloned();
        let (kind, value) = match (value, &before) {
            (Some(value), None) => (ChangeKind::Added, value),
            (Some(value), Some(_)) => (ChangeKind::Modified, value),
            (None, Some(last)) => (ChangeKind::Deleted, last.value()),
            (None, None) => return None,
        };
        self.version += 1;
        let after = Arc::new(Stored::new(value, self.version, &collection.served));
        if kind == ChangeKind::Deleted {
            collection.objects.remove(key);
        } else {
            collection.objects.insert(key.to_owned(), after.clone());
        }
        let change = Change { version: self.version, kind, before, after, key: key.to_owned() };
        collection.log.push_back(change.clone());
        while collection.log.len() > history {
            collection.floor = collection.log.pop_front().map_or(collection.floor, |change| change.version);
        }
        Some(change)
    }

    /// Moves the version on without a change.
    pub(crate) fn advance(&mut self, versions: u64) {
        self.version += versions;
    }

    /// Makes everything as it was at a version, that version the newest, and forgets the history. `false`, and nothing
    /// happens, if some resource does not remember it.
    pub(crate) fn restore(&mut self, version: u64) -> bool {
        if version > self.version || self.collections.iter().any(|collection| !collection.remembers(version)) {
            return false;
        }
        for collection in &mut self.collections {
            let then = collection.objects_at(version, None, None);
            collection.objects = then.map(|(key, stored)| (key.to_owned(), stored.clone())).collect();
        }
        self.version = version;
        self.compact();
        true
    }

    /// Forgets the history: only the current version can be watched from or listed exactly.
    pub(crate) fn compact(&mut self) {
        for collection in &mut self.collections {
            collection.log.clear();
            collection.floor = self.version;
        }
    }
}

impl Collection {
    fn forget_history(&mut self, version: u64) {
        self.log.clear();
        self.floor = version;
    }

    pub(crate) fn get(&self, key: &str) -> Option<&Arc<Stored>> {
        self.objects.get(key)
    }

    pub(crate) fn keys(&self) -> impl Iterator<Item = &String> {
        self.objects.keys()
    }

    /// Whether all that happened after a version is known.
    pub(crate) fn remembers(&self, version: u64) -> bool {
        version >= self.floor
    }

    /// The changes after a version, oldest first.
    pub(crate) fn changes_after(&self, version: u64) -> impl Iterator<Item = &Change> {
        self.log.range(self.log.partition_point(|change| change.version <= version)..)
    }

    /// The objects of a namespace, or all, as they were at a version, in order of their keys from the one after
    /// `after` on. The version must be remembered.
    pub(crate) fn objects_at<'a>(
        &'a self,
        version: u64,
        namespace: Option<&str>,
        after: Option<&str>,
    ) -> Box<dyn Iterator<Item = (&'a str, &'a Arc<Stored>)> + 'a> {
        let Some(range) = range_of(namespace, after) else {
            return Box::new(std::iter::empty());
        };
        // The first change of a key after that version knows what was there
        let mut undone = BTreeMap::new();
        for change in self.changes_after(version).filter(|change| range.contains(&change.key)) {
            undone.entry(change.key.as_str()).or_insert(change.before.as_ref());
        }
        let current = self.objects.range(range).map(|(key, stored)| (key.as_str(), stored));
        if undone.is_empty() {
            return Box::new(current);
        }
        let mut then: BTreeMap<_, _> = current.collect();
        for (key, before) in undone {
            match before {
                Some(before) => then.insert(key, before),
                None => then.remove(key),
            };
        }
        Box::new(then.into_iter())
    }
}

/// The keys of a namespace, or all, after a key. `None` if there can be none.
fn range_of(namespace: Option<&str>, after: Option<&str>) -> Option<(Bound<String>, Bound<String>)> {
    let after = after.map(str::to_owned);
    let Some(namespace) = namespace else {
        return Some((after.map_or(Bound::Unbounded, Bound::Excluded), Bound::Unbounded));
    };
    // '0' is what follows '/'
    let (first, end) = (format!("{namespace}/"), format!("{namespace}0"));
    match after {
        Some(after) if after >= end => None,
        Some(after) if after >= first => Some((Bound::Excluded(after), Bound::Excluded(end))),
        _ => Some((Bound::Included(first), Bound::Excluded(end))),
    }
}
