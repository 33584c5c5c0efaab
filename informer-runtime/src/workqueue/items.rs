//! Which items wait, which are in work, and which must be worked on again: values in, values out, nobody waits here.

use super::room::better_capacity;
use std::{
    collections::{HashMap, VecDeque, hash_map::Entry},
    hash::Hash,
};

/// Every item that is not idle, and the order of those that wait.
pub(super) struct Items<T> {
    stages: HashMap<T, Stage>,
    /// Exactly the items in [`Stage::Queued`].
    queue: VecDeque<T>,
    /// How many are in [`Stage::InWorkAndDirty`].
    dirty: usize,
}

#[derive(Clone, Copy)]
enum Stage {
    Queued,
    InWork,
    /// In work, and added since.
    InWorkAndDirty,
}

/// What the end of the work on an item meant.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    /// Nobody worked on it: nothing was changed.
    Stray,
    /// It is idle now.
    Idle,
    /// It was added meanwhile and is queued again.
    Again,
}

impl<T> Items<T> {
    pub(super) fn new() -> Self {
        Self { stages: HashMap::new(), queue: VecDeque::new(), dirty: 0 }
    }

    pub(super) fn queued(&self) -> usize {
        self.queue.len()
    }

    pub(super) fn in_work(&self) -> usize {
        self.stages.len() - self.queue.len()
    }

    /// Whether nothing waits nor will wait unless something is added.
    pub(super) fn is_exhausted(&self) -> bool {
        self.queue.is_empty() && self.dirty == 0
    }

    /// Whether no item waits and none is in work.
    pub(super) fn is_idle(&self) -> bool {
        self.stages.is_empty()
    }
}

impl<T: Eq + Hash + Clone> Items<T> {
    /// Whether the queue got longer.
    pub(super) fn add(&mut self, item: T) -> bool {
        match self.stages.entry(item) {
            Entry::Vacant(vacant) => {
                self.queue.push_back(vacant.key().clone());
                vacant.insert(Stage::Queued);
                true
            }
            Entry::Occupied(mut occupied) => {
                if let Stage::InWork = occupied.get() {
                    occupied.insert(Stage::InWorkAndDirty);
                    self.dirty += 1;
                }
                false
            }
        }
    }

    /// The item that waits longest; it is in work from now on.
    pub(super) fn take(&mut self) -> Option<T> {
        let stage = self.stages.get_mut(self.queue.front()?)?;
        *stage = Stage::InWork;
        self.queue.pop_front()
    }

    pub(super) fn done(&mut self, item: &T) -> Ended {
        match self.stages.get_mut(item) {
            None | Some(Stage::Queued) => Ended::Stray,
            Some(Stage::InWork) => {
                self.stages.remove(item);
                if let Some(capacity) = better_capacity(self.stages.len(), self.stages.capacity()) {
                    self.stages.shrink_to(capacity);
                    self.queue.shrink_to(capacity);
                }
                Ended::Idle
            }
            Some(stage @ Stage::InWorkAndDirty) => {
                *stage = Stage::Queued;
                self.dirty -= 1;
                self.queue.push_back(item.clone());
                Ended::Again
            }
        }
    }
}
