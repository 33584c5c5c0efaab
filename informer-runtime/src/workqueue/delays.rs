//! Which items wait for their time, and in which order that comes: values in, values out, nobody waits here.

use super::room::better_capacity;
use std::{
    collections::{BTreeMap, HashMap},
    hash::Hash,
    time::Duration,
};
use tokio::time::Instant;

/// Longer delays are cut to this; no clock can be relied on to reach `Duration::MAX` from now. 30 years.
pub(super) const LONGEST: Duration = Duration::from_secs(30 * 365 * 24 * 60 * 60);

/// The time `delay` after `now`, at most 30 years away.
pub(super) fn after(now: Instant, delay: Duration) -> Instant {
    now + delay.min(LONGEST)
}

/// Each item once, with the earliest time that was asked for.
pub(super) struct Delays<T> {
    by_time: BTreeMap<Turn, T>,
    turns: HashMap<T, Turn>,
    /// How many turns were given out.
    count: u64,
}

/// When an item's time comes; equal times in the order in which they were asked for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Turn {
    at: Instant,
    nth: u64,
}

impl<T> Delays<T> {
    pub(super) fn new() -> Self {
        Self { by_time: BTreeMap::new(), turns: HashMap::new(), count: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.by_time.len()
    }

    /// When the next item's time comes.
    pub(super) fn first(&self) -> Option<Instant> {
        Some(self.by_time.first_key_value()?.0.at)
    }
}

impl<T: Eq + Hash + Clone> Delays<T> {
    /// Lets `item` wait until `at`, unless its time comes earlier anyway.
    pub(super) fn put(&mut self, item: T, at: Instant) {
        let turn = Turn { at, nth: self.count };
        if let Some(earlier) = self.turns.get_mut(&item) {
            if earlier.at <= at {
                return;
            }
            self.by_time.remove(earlier);
            *earlier = turn;
        } else {
            self.turns.insert(item.clone(), turn);
        }
        self.by_time.insert(turn, item);
        self.count += 1;
    }

    /// The next item whose time has come.
    pub(super) fn take(&mut self, now: Instant) -> Option<T> {
        let first = self.by_time.first_entry().filter(|first| first.key().at <= now)?;
        let item = first.remove();
        self.turns.remove(&item);
        if let Some(capacity) = better_capacity(self.turns.len(), self.turns.capacity()) {
            self.turns.shrink_to(capacity);
        }
        Some(item)
    }
}
