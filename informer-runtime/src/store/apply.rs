//! The writer: deltas in, changes of the cache and notifications out.

use std::sync::Arc;

use super::Snapshot;
use super::index::{IndexValues, NewIndex, index_failed};
use super::sorted_map::{Item, SortedMap};
use super::walk::{Change, walk};
use crate::delta::{Delta, PageItem};
use crate::entry::Entry;
use crate::error::Error;
use crate::key::ObjectKey;
use crate::version::is_older;

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
        /// What was told before. The last state may be another one: the change that ends an object can be told as its
        /// end alone.
        known: Entry,
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
    /// Equal versions are no proof of equal states.
    anew: bool,
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
            matches!(delta, Delta::Put(_) | Delta::Delete(_) | Delta::Bookmark(_) | Delta::ReplaceEnd { .. });
        match delta {
            Delta::Put(entry) => {
                self.reach(entry.resource_version());
                self.put(entry, applied);
            }
            Delta::Delete(last) => {
                self.reach(last.resource_version());
                let bygone = |known: &Entry| is_older(last.resource_version(), known.resource_version());
                // What the cache never had, nobody was told of. The server's last state is the one to tell.
                if !self.present.objects.get(last.probe()).is_some_and(bygone)
                    && let Some(known) = self.take(&last.key())
                {
                    applied.notifications.push(Notification::Deleted { entry: last, known, final_state: true });
                }
            }
            Delta::Bookmark(version) => self.reach(&version),
            Delta::ReplaceBegin { anew } => {
                self.replacement = Some(Replacement { anew, ..Replacement::default() });
            }
            Delta::ReplacePage(items) => {
                if let Some(next) = &mut self.replacement {
                    next.page(&self.present.objects, items);
                }
            }
            Delta::ReplaceAbort => self.replacement = None,
            Delta::ReplaceEnd { version, partial } => {
                if let Some(mut next) = self.replacement.take() {
                    if partial {
                        next.keep_missing(&self.present.objects);
                    }
                    self.replace(next, applied);
                    self.present.resource_version = version;
                }
            }
        }
    }

    /// Moves the version on, never back: only a list does that.
    fn reach(&mut self, version: &str) {
        let present = &*self.present.resource_version;
        if !version.is_empty() && present != version && !is_older(version, present) {
            self.present.resource_version = version.into();
        }
    }

    /// An object as an event has it. The state that is known already, told again, is nothing new; an older state of the
    /// same object is the past.
    fn put(&mut self, entry: Entry, applied: &mut Applied) {
        let old = self.present.objects.insert(entry.clone());
        if let Some(old) = &old
            && (old.same_state(&entry, false) || old.succeeds(&entry))
        {
            self.present.objects.insert(old.clone());
            return;
        }
        self.file(&entry, applied);
        match old {
            None => applied.notifications.push(Notification::Added { entry, initial: false }),
            Some(old) if old.is_another(&entry) => {
                applied.notifications.push(gone(&old));
                applied.notifications.push(Notification::Added { entry, initial: false });
            }
            Some(old) => applied.notifications.push(Notification::Updated { old, new: entry }),
        }
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
                applied.notifications.push(gone(entry));
            }
            Change::Both(old, new) if old.same_entry(new) => {}
            // Deleted and made again while nobody looked: two objects, not one that changed.
            Change::Both(old, new) if old.is_another(new) => {
                applied.notifications.push(gone(old));
                changes.push(Notification::Added { entry: new.clone(), initial: false });
            }
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

    pub(crate) fn has_index(&self, name: &str) -> bool {
        self.present.indexes.contains_key(name)
    }

    /// Takes over an index that is of the present objects; gives what went wrong while it was made.
    pub(crate) fn install(&mut self, index: NewIndex) -> Vec<Error> {
        let (name, values, map, errors) = index.into_parts();
        self.present.indexes.insert(name.clone(), map);
        self.indexes.push((name, values));
        errors
    }
}

/// The end of an object that nobody saw.
fn gone(known: &Entry) -> Notification {
    Notification::Deleted { entry: known.clone(), known: known.clone(), final_state: false }
}

impl Replacement {
    /// Takes a page in. An object that the cache has in the same version takes its old place, so that the new text is
    /// dropped at once.
    fn page(&mut self, present: &SortedMap<Entry>, items: Vec<PageItem>) {
        for item in items {
            match item {
                PageItem::Put(entry) => {
                    let entry = match present.get(entry.probe()) {
                        Some(old) if old.same_state(&entry, self.anew) => old.clone(),
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

    /// Keeps the present objects that the list does not show.
    fn keep_missing(&mut self, present: &SortedMap<Entry>) {
        for entry in present.iter() {
            if self.objects.get(entry.probe()).is_none() {
                self.objects.insert(entry.clone());
            }
        }
    }
}
