//! How often each item failed, without keeping for ever those that nobody speaks of any more.

use super::{delays::after, room::better_capacity};
use std::{collections::HashMap, hash::Hash, time::Duration};
use tokio::time::Instant;

/// An item that hasn't failed again this long after its delay is forgotten.
const IDLE: Duration = Duration::from_secs(24 * 60 * 60);

/// The least number of items at which the idle ones are looked for.
const FIRST_SWEEP: usize = 1024;

#[derive(Clone, Debug)]
pub(super) struct Failures<T> {
    items: HashMap<T, Failure>,
    /// At this many items, the idle ones are looked for: a cost of one look per item, over time.
    sweep_at: usize,
}

#[derive(Clone, Debug)]
struct Failure {
    times: u32,
    idle_at: Instant,
}

impl<T> Failures<T> {
    pub(super) fn new() -> Self {
        Self { items: HashMap::new(), sweep_at: FIRST_SWEEP }
    }
}

impl<T: Eq + Hash + Clone> Failures<T> {
    /// How often `item` failed.
    pub(super) fn times(&self, item: &T, now: Instant) -> u32 {
        self.items.get(item).map_or(0, |failure| failure.times_at(now))
    }

    /// Counts a failure of `item`. `delay` is told how often it had failed before.
    pub(super) fn count(&mut self, item: &T, now: Instant, delay: impl FnOnce(u32) -> Duration) -> Duration {
        let before = self.times(item, now);
        let delay = delay(before);
        let failure = Failure { times: before.saturating_add(1), idle_at: after(after(now, delay), IDLE) };
        if let Some(known) = self.items.get_mut(item) {
            *known = failure;
        } else {
            self.sweep(now);
            self.items.insert(item.clone(), failure);
        }
        delay
    }

    pub(super) fn forget(&mut self, item: &T) {
        self.items.remove(item);
        self.fit();
    }

    fn sweep(&mut self, now: Instant) {
        if self.items.len() >= self.sweep_at {
            self.items.retain(|_, failure| failure.idle_at > now);
            self.sweep_at = FIRST_SWEEP.max(2 * self.items.len());
            self.fit();
        }
    }

    fn fit(&mut self) {
        if let Some(capacity) = better_capacity(self.items.len(), self.items.capacity()) {
            self.items.shrink_to(capacity);
            self.sweep_at = self.sweep_at.min(FIRST_SWEEP.max(capacity));
        }
    }
}

impl Failure {
    fn times_at(&self, now: Instant) -> u32 {
        if self.idle_at > now { self.times } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn idle_items_are_not_kept() {
        let mut failures = Failures::new();
        let start = Instant::now();
        for item in 0..100_000_u64 {
            // each fails once and is never forgotten: a thousand a day
            let now = start + IDLE / 1000 * u32::try_from(item).unwrap();
            failures.count(&item, now, |_| Duration::ZERO);
            assert!(failures.items.len() <= 2 * FIRST_SWEEP);
        }
        assert!(failures.items.capacity() < 8 * FIRST_SWEEP);
    }

    #[test]
    fn a_burst_leaves_no_memory_behind() {
        let mut failures = Failures::new();
        let now = Instant::now();
        for item in 0..100_000 {
            failures.count(&item, now, |_| Duration::ZERO);
        }
        for item in 0..100_000 {
            failures.forget(&item);
        }
        assert!(failures.items.capacity() < 8 * FIRST_SWEEP);
        assert!(failures.sweep_at <= 4 * FIRST_SWEEP);
    }
}
