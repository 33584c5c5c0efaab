//! Delays that double with every failure of an item: [`ItemExponentialFailureRateLimiter`].

use super::{failures::Failures, limiter::RateLimiter};
use std::{hash::Hash, time::Duration};
use tokio::time::Instant;

/// An item's delay is a base, doubled with every failure up to a longest delay: `base · 2ⁿ` after `n` failures before.
///
/// Items are counted until they are [forgotten](RateLimiter::forget). Unlike in client-go, an item that doesn't fail
/// again within a day after its delay is then forgotten by itself, so that keys that are gone leave nothing behind.
///
/// `C` is the clock; the default is tokio's.
#[doc(alias = "TypedItemExponentialFailureRateLimiter")]
#[doc(alias = "NewTypedItemExponentialFailureRateLimiter")]
#[derive(Clone, Debug)]
pub struct ItemExponentialFailureRateLimiter<T, C = fn() -> Instant> {
    failures: Failures<T>,
    base: Duration,
    longest: Duration,
    clock: C,
}

impl<T: Eq + Hash + Clone> ItemExponentialFailureRateLimiter<T> {
    /// A limiter whose first delay is `base`, and none of whose delays is longer than `longest`.
    #[must_use]
    pub fn new(base: Duration, longest: Duration) -> Self {
        Self::with_clock(base, longest, Instant::now)
    }
}

/// From 5 ms to 1000 s, as in client-go's default limiter for controllers.
impl<T: Eq + Hash + Clone> Default for ItemExponentialFailureRateLimiter<T> {
    fn default() -> Self {
        Self::new(Duration::from_millis(5), Duration::from_secs(1000))
    }
}

impl<T: Eq + Hash + Clone, C: Fn() -> Instant> ItemExponentialFailureRateLimiter<T, C> {
    /// As [`new`](ItemExponentialFailureRateLimiter::new), with a clock.
    #[must_use]
    pub fn with_clock(base: Duration, longest: Duration, clock: C) -> Self {
        Self { failures: Failures::new(), base, longest, clock }
    }
}

impl<T: Eq + Hash + Clone, C: Fn() -> Instant> RateLimiter<T> for ItemExponentialFailureRateLimiter<T, C> {
    fn when(&mut self, item: &T) -> Duration {
        let (base, longest) = (self.base, self.longest);
        self.failures.count(item, (self.clock)(), |before| doubled(base, before).min(longest))
    }

    fn forget(&mut self, item: &T) {
        self.failures.forget(item);
    }

    fn num_requeues(&self, item: &T) -> u32 {
        self.failures.times(item, (self.clock)())
    }
}

/// `base · 2ⁿ`, or `Duration::MAX` if that is more.
fn doubled(base: Duration, times: u32) -> Duration {
    let mut delay = base;
    let mut left = times;
    while left > 0 && !delay.is_zero() && delay < Duration::MAX {
        let step = left.min(31);
        delay = delay.saturating_mul(1 << step);
        left -= step;
    }
    delay
}
