//! The bound that no server gets an informer over: so many requests at once, and from then on one in an interval.

use std::time::Duration;

use tokio::time::Instant;

/// How many requests may come at once: enough for every sequence that a healthy server leads to.
const AT_ONCE: u32 = 8;

/// Counts requests. The clock is the caller's.
#[derive(Debug)]
pub(super) struct Pace {
    interval: Duration,
    /// When the requests so far would be over, had they come one in an interval.
    paid_until: Option<Instant>,
}

impl Pace {
    pub(super) fn new(interval: Duration) -> Self {
        Self { interval, paid_until: None }
    }

    /// A request is about to be made: how long it has to wait.
    pub(super) fn next(&mut self, now: Instant) -> Duration {
        let free = self.paid_until.map_or(now, |until| until.max(now));
        self.paid_until = Some(free + self.interval);
        free.duration_since(now).saturating_sub(self.interval * (AT_ONCE - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_at_once_then_one_in_an_interval() {
        let start = Instant::now();
        let mut pace = Pace::new(Duration::from_secs(1));
        let mut waits: Vec<u64> = (0..11).map(|_| pace.next(start).as_secs()).collect();
        assert_eq!(waits, [0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3]);
        let later = start + Duration::from_secs(10);
        waits = (0..8).map(|_| pace.next(later).as_secs()).collect();
        assert_eq!(waits, [0, 0, 0, 0, 0, 0, 0, 1], "one is still to be paid for");
        assert_eq!(Pace::new(Duration::ZERO).next(start), Duration::ZERO);
    }
}
