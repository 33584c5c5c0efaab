//! A few quick tries, then slow ones: [`ItemFastSlowRateLimiter`].

use super::{failures::Failures, limiter::RateLimiter};
use std::{hash::Hash, time::Duration};
use tokio::time::Instant;

/// An item's first failures have a short delay, all later ones a long one.
///
/// Items are counted until they are [forgotten](RateLimiter::forget), or until a day after their delay has passed
/// without another failure.
///
/// `C` is the clock; the default is tokio's.
#[doc(alias = "TypedItemFastSlowRateLimiter")]
#[doc(alias = "NewTypedItemFastSlowRateLimiter")]
#[derive(Clone, Debug)]
pub struct ItemFastSlowRateLimiter<T, C = fn() -> Instant> {
    failures: Failures<T>,
    fast: Duration,
    slow: Duration,
    fast_tries: u32,
    clock: C,
}

impl<T: Eq + Hash + Clone> ItemFastSlowRateLimiter<T> {
    /// A limiter whose delays are `fast` for the first `fast_tries` failures of an item, then `slow`.
    #[must_use]
    pub fn new(fast: Duration, slow: Duration, fast_tries: u32) -> Self {
        Self::with_clock(fast, slow, fast_tries, Instant::now)
    }
}

impl<T: Eq + Hash + Clone, C: Fn() -> Instant> ItemFastSlowRateLimiter<T, C> {
    /// As [`new`](ItemFastSlowRateLimiter::new), with a clock.
    #[must_use]
    pub fn with_clock(fast: Duration, slow: Duration, fast_tries: u32, clock: C) -> Self {
        Self { failures: Failures::new(), fast, slow, fast_tries, clock }
    }
}

impl<T: Eq + Hash + Clone, C: Fn() -> Instant> RateLimiter<T> for ItemFastSlowRateLimiter<T, C> {
    fn when(&mut self, item: &T) -> Duration {
        let (fast, slow, fast_tries) = (self.fast, self.slow, self.fast_tries);
        self.failures.count(item, (self.clock)(), |before| if before < fast_tries { fast } else { slow })
    }

    fn forget(&mut self, item: &T) {
        self.failures.forget(item);
    }

    fn num_requeues(&self, item: &T) -> u32 {
        self.failures.times(item, (self.clock)())
    }
}
