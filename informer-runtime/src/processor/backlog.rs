//! What a handler has not been told yet.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use crate::key::ObjectKey;
use crate::store::{Notification, Snapshot};

/// How many changes may wait for one handler one by one. Beyond it, what waits is merged per key: a handler that is
/// stuck costs at most one change per object.
pub(crate) const MERGE_ABOVE: usize = 65_536;
/// So many empty places are not worth a sweep.
const SMALLEST_SWEEP: usize = 1024;

/// One thing to tell.
#[derive(Debug)]
pub(super) enum Work {
    /// Changes in order.
    Batch(Arc<[Notification]>),
    /// Changes of which only the last of each key counts.
    Merged(Merged),
    /// All objects there are, as initial adds. `done` if there are no more initial ones.
    Initial { snapshot: Snapshot, done: bool },
    /// All objects there are, once more.
    Resync(Snapshot),
}

impl Work {
    /// How many changes wait in it, of those that count as waiting.
    fn changes(&self) -> usize {
        match self {
            Self::Batch(changes) => changes.len(),
            Self::Merged(merged) => merged.len(),
            _ => 0,
        }
    }
}

/// The queue of one handler.
#[derive(Debug, Default)]
pub(super) struct Backlog {
    work: VecDeque<Work>,
    /// How many changes wait. Initial objects and resyncs are snapshots, and do not count.
    changes: usize,
    merged: u64,
}

impl Backlog {
    pub(super) fn push(&mut self, work: Work) {
        match work {
            Work::Batch(changes) => {
                if let Some(Work::Merged(merged)) = self.work.back_mut() {
                    let before = merged.len();
                    self.merged += merged.take_in(&changes);
                    self.changes = self.changes - before + merged.len();
                    return;
                }
                self.changes += changes.len();
                self.work.push_back(Work::Batch(changes));
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
        self.changes -= work.changes();
        Some(work)
    }

    /// How many changes wait, and how many were merged away so far.
    pub(super) fn sizes(&self) -> (usize, u64) {
        (self.changes, self.merged)
    }

    /// Joins the plain batches at the end of the queue.
    fn merge_tail(&mut self) {
        let mut batches = Vec::new();
        while let Some(Work::Batch(_)) = self.work.back() {
            batches.extend(self.work.pop_back());
        }
        let mut merged = Merged::default();
        for work in batches.into_iter().rev() {
            self.changes -= work.changes();
            if let Work::Batch(changes) = work {
                self.merged += merged.take_in(&changes);
            }
        }
        self.changes += merged.len();
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
    fn len(&self) -> usize {
        self.places.len()
    }

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
        // Objects that came and went leave their places empty: they must not add up.
        if self.changes.len() > 2 * self.places.len() + SMALLEST_SWEEP {
            self.changes.retain(Option::is_some);
            self.places = self.changes.iter().flatten().zip(0..).map(|(change, place)| (change.key(), place)).collect();
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
