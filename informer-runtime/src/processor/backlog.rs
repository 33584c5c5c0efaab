//! What a handler has not been told yet.

use std::collections::VecDeque;
use std::sync::Arc;

use super::merged::{Merged, Waiting};
use crate::handler::Delivery;
use crate::store::{Notification, Snapshot};

/// How many changes may wait for one handler one by one. Beyond it, what waits is merged per key: a handler that is
/// stuck costs at most one change per object.
pub(crate) const MERGE_ABOVE: usize = 65_536;

/// One thing to tell.
#[derive(Debug)]
pub(super) enum Work {
    /// Changes in order.
    Batch(Arc<[Notification]>),
    /// What a merged queue holds for one object.
    One(Waiting),
    /// All objects there are, as initial adds. `done` if there are no more initial ones.
    Initial { snapshot: Snapshot, done: bool },
    /// All objects there are, once more.
    Resync(Snapshot),
}

#[derive(Debug)]
enum Queued {
    Work(Work),
    /// Changes of which only the last of each key counts. Leaves the queue key by key, so that what has not left can
    /// still be merged with what comes.
    Merged(Merged),
}

impl Queued {
    /// How many changes wait in it, of those that count as waiting.
    fn changes(&self) -> usize {
        match self {
            Self::Work(Work::Batch(changes)) => changes.len(),
            Self::Merged(merged) => merged.len(),
            Self::Work(_) => 0,
        }
    }
}

/// The queue of one handler.
#[derive(Debug)]
pub(super) struct Backlog {
    queue: VecDeque<Queued>,
    /// More changes than this are merged per key.
    merge_above: usize,
    /// How many changes wait. Initial objects and resyncs are snapshots, and do not count.
    changes: usize,
    merged: u64,
    /// Nothing more is taken.
    sealed: bool,
}

impl Backlog {
    pub(super) fn new(delivery: Delivery) -> Self {
        Self::merging_above(match delivery {
            Delivery::EveryEvent => MERGE_ABOVE,
            Delivery::Coalesced => 0,
            Delivery::Bounded(_) => usize::MAX,
        })
    }

    fn merging_above(merge_above: usize) -> Self {
        Self { queue: VecDeque::new(), merge_above, changes: 0, merged: 0, sealed: false }
    }

    /// Takes what a handler is to be told, while it still has `in_hand` changes of what left this queue before.
    pub(super) fn push(&mut self, work: Work, in_hand: usize) {
        if self.sealed {
            return;
        }
        match work {
            Work::Batch(changes) => self.push_batch(changes, in_hand),
            // A handler that has not got to the last one yet is not told twice.
            Work::Resync(_) if self.queue.iter().any(|one| matches!(one, Queued::Work(Work::Resync(_)))) => {}
            other => self.queue.push_back(Queued::Work(other)),
        }
    }

    fn push_batch(&mut self, changes: Arc<[Notification]>, in_hand: usize) {
        if let Some(Queued::Merged(merged)) = self.queue.back_mut() {
            let before = merged.len();
            self.merged += merged.take_in(&changes);
            self.changes = self.changes - before + merged.len();
            return;
        }
        self.changes += changes.len();
        self.queue.push_back(Queued::Work(Work::Batch(changes)));
        if self.changes.saturating_add(in_hand) > self.merge_above {
            self.merge_tail();
        }
    }

    /// What comes next.
    pub(super) fn pop(&mut self) -> Option<Work> {
        loop {
            if let Queued::Merged(merged) = self.queue.front_mut()? {
                let waiting = merged.pop();
                self.changes -= usize::from(waiting.is_some());
                if merged.is_empty() {
                    self.queue.pop_front();
                }
                match waiting {
                    Some(waiting) => return Some(Work::One(waiting)),
                    None => continue,
                }
            }
            let queued = self.queue.pop_front()?;
            self.changes -= queued.changes();
            if let Queued::Work(work) = queued {
                return Some(work);
            }
        }
    }

    /// Takes nothing more from now on.
    pub(super) fn seal(&mut self) {
        self.sealed = true;
    }

    pub(super) fn is_sealed(&self) -> bool {
        self.sealed
    }

    /// Nothing will ever be told of what waits.
    pub(super) fn clear(&mut self) {
        self.sealed = true;
        self.queue.clear();
        self.changes = 0;
    }

    /// How many changes wait.
    pub(super) fn changes(&self) -> usize {
        self.changes
    }

    /// How many changes were merged away so far.
    pub(super) fn merged(&self) -> u64 {
        self.merged
    }

    /// Joins the plain batches at the end of the queue.
    fn merge_tail(&mut self) {
        let mut batches = Vec::new();
        while let Some(Queued::Work(Work::Batch(_))) = self.queue.back() {
            batches.extend(self.queue.pop_back());
        }
        let mut merged = Merged::default();
        for queued in batches.into_iter().rev() {
            self.changes -= queued.changes();
            if let Queued::Work(Work::Batch(changes)) = queued {
                self.merged += merged.take_in(&changes);
            }
        }
        self.changes += merged.len();
        if !merged.is_empty() {
            self.queue.push_back(Queued::Merged(merged));
        }
    }
}

#[cfg(test)]
#[path = "backlog_model.rs"]
mod model;
