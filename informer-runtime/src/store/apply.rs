//! The writer: deltas in, changes of the cache and notifications out.

use std::cmp::Ordering;
use std::sync::Arc;

use super::index::{IndexFunc, IndexValues};
use super::sorted_map::{Item, SortedMap};
use super::{IndexItem, Snapshot};
use crate::delta::{Delta, PageItem};
use crate::entry::Entry;
use crate::error::{Error, Kind};
use crate::key::ObjectKey;

/// What handlers hear of.
#[derive(Debug, Clone)]
pub(crate) enum Notification {
    Added {
        entry: Entry,
        initial: bool,
    },
    Updated {
        old: Entry,
        new: Entry,
    },
    Deleted {
        entry: Entry,
        /// Whether the server told of the deletion; else a list no longer had the object.
        final_state: bool,
    },
}

impl Notification {
    /// The key of the object that changed.
    pub(crate) fn key(&self) -> ObjectKey {
        match self {
            Self::Added { entry, .. } | Self::Deleted { entry, .. } => entry.key(),
            Self::Updated { new, .. } => new.key(),
        }
    }
}

/// The next generation of objects while a list comes in.
#[derive(Debug, Default)]
struct Replacement {
    objects: SortedMap<Entry>,
}

/// The one writer of an informer's cache.
#[derive(Debug, Default)]
pub(crate) struct StoreWriter {
    present: Snapshot,
    indexes: Vec<(Arc<str>, IndexValues)>,
    replacement: Option<Replacement>,
    replaced_once: bool,
}

/// What a delta did beside changing objects.
#[derive(Debug, Default)]
pub(crate) struct Applied {
    pub(crate) notifications: Vec<Notification>,
    pub(crate) errors: Vec<Error>,
    /// The first whole list was taken in.
    pub(crate) initial_list_done: bool,
    /// A reader would see a difference.
    pub(crate) changed: bool,
}

impl StoreWriter {
    /// The cache as it is now.
    pub(crate) fn snapshot(&self) -> Snapshot {
        self.present.clone()
    }

    /// Applies one delta.
    pub(crate) fn apply(&mut self, delta: Delta, applied: &mut Applied) {
        applied.changed |=
            matches!(delta, Delta::Put(_) | Delta::Delete(_) | Delta::Bookmark(_) | Delta::ReplaceEnd(_));
        match delta {
            Delta::Put(entry) => {
                self.reach(entry.resource_version());
                self.put(entry, applied);
            }
            Delta::Delete(last) => {
                self.reach(last.resource_version());
                // What the cache never had, nobody was told of. The server's last state is the one to tell.
                if self.take(&last.key()).is_some() {
                    applied.notifications.push(Notification::Deleted { entry: last, final_state: true });
                }
            }
            Delta::Bookmark(version) => self.reach(&version),
            Delta::ReplaceBegin => self.replacement = Some(Replacement::default()),
            Delta::ReplacePage(items) => {
                if let Some(next) = &mut self.replacement {
                    next.page(&self.present.objects, items);
                }
            }
            Delta::ReplaceAbort => self.replacement = None,
            Delta::ReplaceEnd(version) => {
                if let Some(next) = self.replacement.take() {
                    self.replace(next, applied);
                    self.present.resource_version = version;
                }
            }
        }
    }

    fn reach(&mut self, version: &str) {
        if !version.is_empty() && *self.present.resource_version != *version {
            self.present.resource_version = version.into();
        }
    }

    fn put(&mut self, entry: Entry, applied: &mut Applied) {
        self.file(&entry, applied);
        applied.notifications.push(match self.present.objects.insert(entry.clone()) {
            Some(old) => Notification::Updated { old, new: entry },
            None => Notification::Added { entry, initial: false },
        });
    }

    fn take(&mut self, key: &ObjectKey) -> Option<Entry> {
        let old = self.present.objects.remove((key.namespace(), key.name()))?;
        for (name, values) in &mut self.indexes {
            values.remove(self.present.indexes.entry(name.clone()).or_default(), key);
        }
        Some(old)
    }

    fn file(&mut self, entry: &Entry, applied: &mut Applied) {
        for (name, values) in &mut self.indexes {
            let map = self.present.indexes.entry(name.clone()).or_default();
            if let Err(detail) = values.put(map, entry) {
                applied.errors.push(index_failed(name, entry, detail));
            }
        }
    }

    /// Swaps the generations: what is gone is told first, then what is new or changed. Objects that are the same
    /// state of the same object stayed, and nobody hears of them. Of the first list nothing is told here: all of it is
    /// new to every handler, as the present objects are to one that comes later.
    fn replace(&mut self, next: Replacement, applied: &mut Applied) {
        let old = std::mem::replace(&mut self.present.objects, next.objects);
        let new = self.present.objects.clone();
        if !std::mem::replace(&mut self.replaced_once, true) {
            applied.initial_list_done = true;
            if !self.indexes.is_empty() {
                new.iter().for_each(|entry| self.file(entry, applied));
            }
            return;
        }
        let mut changes = Vec::new();
        walk(&old, &new, |change| match change {
            Change::Gone(entry) => {
                for (name, values) in &mut self.indexes {
                    values.remove(self.present.indexes.entry(name.clone()).or_default(), &entry.key());
                }
                applied.notifications.push(Notification::Deleted { entry: entry.clone(), final_state: false });
            }
            Change::Both(old, new) if old.same_entry(new) => {}
            Change::Both(old, new) => changes.push(Notification::Updated { old: old.clone(), new: new.clone() }),
            Change::New(entry) => changes.push(Notification::Added { entry: entry.clone(), initial: false }),
        });
        for change in &changes {
            if let Notification::Added { entry, .. } | Notification::Updated { new: entry, .. } = change {
                self.file(entry, applied);
            }
        }
        applied.notifications.append(&mut changes);
    }

    /// Adds an index and files all present objects.
    pub(crate) fn add_index(&mut self, name: &str, function: IndexFunc) -> Result<Vec<Error>, Error> {
        if self.present.indexes.contains_key(name) {
            return Err(Kind::IndexExists(name.to_owned()).into());
        }
        let name: Arc<str> = name.into();
        let mut values = IndexValues::new(function);
        let mut map: SortedMap<IndexItem> = SortedMap::default();
        let mut errors = Vec::new();
        for entry in self.present.objects.iter() {
            if let Err(detail) = values.put(&mut map, entry) {
                errors.push(index_failed(&name, entry, detail));
            }
        }
        self.present.indexes.insert(name.clone(), map);
        self.indexes.push((name, values));
        Ok(errors)
    }
}

fn index_failed(index: &str, entry: &Entry, detail: String) -> Error {
    Kind::Index { index: index.to_owned(), key: entry.key(), detail }.into()
}

impl Replacement {
    /// Takes a page in. An object that the cache has in the same version takes its old place, so that the new text is
    /// dropped at once.
    fn page(&mut self, present: &SortedMap<Entry>, items: Vec<PageItem>) {
        for item in items {
            match item {
                PageItem::Put(entry) => {
                    let entry = match present.get(entry.probe()) {
                        Some(old) if old.same_version(&entry) => old.clone(),
                        _ => entry,
                    };
                    self.objects.insert(entry);
                }
                PageItem::Delete(key) => {
                    self.objects.remove((key.namespace(), key.name()));
                }
            }
        }
    }
}

enum Change<'a> {
    Gone(&'a Entry),
    Both(&'a Entry, &'a Entry),
    New(&'a Entry),
}

/// Walks two generations side by side.
fn walk<'a>(old: &'a SortedMap<Entry>, new: &'a SortedMap<Entry>, mut tell: impl FnMut(Change<'a>)) {
    let (mut olds, mut news) = (old.iter().peekable(), new.iter().peekable());
    loop {
        let order = match (olds.peek(), news.peek()) {
            (None, None) => return,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(one), Some(other)) => one.probe().cmp(&other.probe()),
        };
        let gone = if order.is_le() { olds.next() } else { None };
        let come = if order.is_ge() { news.next() } else { None };
        match (gone, come) {
            (Some(old), Some(new)) => tell(Change::Both(old, new)),
            (Some(old), None) => tell(Change::Gone(old)),
            (None, Some(new)) => tell(Change::New(new)),
            (None, None) => return,
        }
    }
}
