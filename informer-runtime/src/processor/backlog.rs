//! What a handler has not been told yet.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use crate::key::ObjectKey;
use crate::store::{Notification, Snapshot};

/// How many changes may wait for one handler one by one. Beyond it, what waits is merged per key: a handler that is
/// stuck costs at most one change per object.
pub(crate) const MERGE_ABOVE: usize = 65_536;

/// One thing to tell.
#[derive(Debug)]
pub(super) enum Work {
    /// Changes in order. `done` ends the initial objects.
    Batch { changes: Arc<[Notification]>, done: bool },
    /// Changes of which only the last of each key counts.
    Merged(Merged),
    /// All objects there are, as initial adds. `done` if there are no more initial ones.
    Initial { snapshot: Snapshot, done: bool },
    /// All objects there are, once more.
    Resync(Snapshot),
}

/// The queue of one handler.
#[derive(Debug, Default)]
pub(super) struct Backlog {
    work: VecDeque<Work>,
    /// How many changes wait, those of the first list apart: that many there are objects anyway.
    changes: usize,
    merged: u64,
}

impl Backlog {
    pub(super) fn push(&mut self, work: Work) {
        match work {
            Work::Batch { changes, done: false } => {
                self.changes += changes.len();
                if let Some(Work::Merged(merged)) = self.work.back_mut() {
                    self.merged += merged.take_in(&changes);
                    return;
                }
                self.work.push_back(Work::Batch { changes, done: false });
                if self.changes > MERGE_ABOVE {
                    self.merge_tail();
                }
            }
            Work::Resync(snapshot) => {
                // A handler that has not got through the last one yet is not told twice.
                if !self.work.iter().any(|work| matches!(work, Work::Resync(_))) {
                    self.work.push_back(Work::Resync(snapshot));
                }
            }
            other => self.work.push_back(other),
        }
    }

    pub(super) fn pop(&mut self) -> Option<Work> {
        let work = self.work.pop_front()?;
        match &work {
            Work::Batch { changes, done: false } => self.changes = self.changes.saturating_sub(changes.len()),
            Work::Merged(_) => self.changes = 0,
            _ => {}
        }
        Some(work)
    }

    /// How many changes wait, and how many were merged away so far.
    pub(super) fn sizes(&self) -> (usize, u64) {
        (self.changes, self.merged)
    }

    /// Joins the plain batches at the end of the queue.
    fn merge_tail(&mut self) {
        let mut batches = Vec::new();
        while let Some(Work::Batch { done: false, .. }) = self.work.back() {
            batches.extend(self.work.pop_back());
        }
        let mut merged = Merged::default();
        for work in batches.into_iter().rev() {
            if let Work::Batch { changes, .. } = work {
                self.merged += merged.take_in(&changes);
            }
        }
        self.work.push_back(Work::Merged(merged));
    }
}

/// Changes with at most one for each key, in the order in which the keys first changed.
#[derive(Debug, Default)]
pub(super) struct Merged {
    changes: Vec<Option<Notification>>,
    places: HashMap<ObjectKey, usize>,
}

impl Merged {
    /// Takes changes in; gives how many were merged away.
    fn take_in(&mut self, changes: &[Notification]) -> u64 {
        let mut merged = 0;
        for change in changes {
            let key = change.key();
            let Some(&place) = self.places.get(&key) else {
                self.places.insert(key, self.changes.len());
                self.changes.push(Some(change.clone()));
                continue;
            };
            merged += 1;
            let waiting = self.changes[place].take();
            let joined = match waiting {
                Some(waiting) => join(waiting, change.clone()),
                None => Some(change.clone()),
            };
            if joined.is_none() {
                self.places.remove(&key);
            }
            self.changes[place] = joined;
        }
        merged
    }

    pub(super) fn into_changes(self) -> impl Iterator<Item = Notification> {
        self.changes.into_iter().flatten()
    }
}

/// Two changes of one key as one; `None` if the handler need not hear of the object at all.
fn join(first: Notification, second: Notification) -> Option<Notification> {
    use Notification::{Added, Deleted, Updated};
    match (first, second) {
        (Added { initial, .. }, Updated { new: entry, .. } | Added { entry, .. }) => Some(Added { entry, initial }),
        (Added { .. }, Deleted { .. }) => None,
        (Updated { old, .. }, Updated { new, .. } | Added { entry: new, .. }) => Some(Updated { old, new }),
        // Deleted and made again: to the handler, who has heard of neither, the object changed.
        (Deleted { entry: old, .. }, Added { entry: new, .. } | Updated { new, .. }) => Some(Updated { old, new }),
        (Updated { .. } | Deleted { .. }, deleted @ Deleted { .. }) => Some(deleted),
    }
}
