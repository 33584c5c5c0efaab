//! So many tries a second over all items: [`BucketRateLimiter`].

use super::{delays::LONGEST, limiter::RateLimiter};
use std::time::Duration;
use tokio::time::Instant;

// Not the `governor` crate: it says how long to wait for a token, but can't promise it to the one who asked, so that
// of ten who ask now all would come at the same time.

/// A bucket of tokens that fills at a steady rate; every try takes one, and waits until there is one for it.
///
/// Unlike the other limiters it looks at all items together, and counts and forgets none. Who asks gets a turn of
/// their own: ten items that find the bucket empty come one after another, not all at once. A turn is not given back.
///
/// As client-go's `workqueue.TypedBucketRateLimiter` over a `rate.Limiter`. `C` is the clock; the default is tokio's.
#[doc(alias = "TypedBucketRateLimiter")]
#[derive(Clone, Debug)]
pub struct BucketRateLimiter<C = fn() -> Instant> {
    /// How long a token takes to come.
    interval: Duration,
    /// How long a whole bucket takes to come.
    whole: Duration,
    /// How long it would take, at `seen`, until the bucket is full and all turns are over.
    missing: Duration,
    seen: Instant,
    clock: C,
}

impl BucketRateLimiter {
    /// A limiter of `qps` tries a second, and of `burst` at once when there was none for long enough.
    ///
    /// A `burst` of 0 is taken for 1. If `qps` is infinite nothing waits; if it is 0, negative or not a number, nothing
    /// comes after the first burst (in less than 30 years).
    #[must_use]
    pub fn new(qps: f64, burst: u32) -> Self {
        Self::with_clock(qps, burst, Instant::now)
    }
}

/// 10 tries a second, 100 at once, as in client-go's default limiter for controllers.
impl Default for BucketRateLimiter {
    fn default() -> Self {
        Self::new(10.0, 100)
    }
}

impl<C: Fn() -> Instant> BucketRateLimiter<C> {
    /// As [`new`](BucketRateLimiter::new), with a clock.
    #[must_use]
    pub fn with_clock(qps: f64, burst: u32, clock: C) -> Self {
        let seconds = if qps > 0.0 { 1.0 / qps } else { f64::INFINITY };
        let interval = Duration::try_from_secs_f64(seconds).map_or(LONGEST, |interval| interval.min(LONGEST));
        let whole = interval.saturating_mul(burst.max(1));
        Self { interval, whole, missing: Duration::ZERO, seen: clock(), clock }
    }
}

impl<T, C: Fn() -> Instant> RateLimiter<T> for BucketRateLimiter<C> {
    fn when(&mut self, _item: &T) -> Duration {
        let now = (self.clock)().max(self.seen);
        self.missing = self.missing.saturating_sub(now - self.seen).saturating_add(self.interval);
        self.seen = now;
        self.missing.saturating_sub(self.whole)
    }

    fn forget(&mut self, _item: &T) {}

    fn num_requeues(&self, _item: &T) -> u32 {
        0
    }
}
