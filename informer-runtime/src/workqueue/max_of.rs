//! Several limiters as one: [`MaxOfRateLimiter`].

use super::limiter::RateLimiter;
use std::{fmt, time::Duration};

/// Asks several limiters and takes the longest delay. Each of them counts every failure.
///
/// ```
/// use informer_runtime::{BucketRateLimiter, ItemFastSlowRateLimiter, MaxOfRateLimiter, RateLimiter};
/// use std::time::Duration;
///
/// let mut limiter = MaxOfRateLimiter::new()
///     .with(ItemFastSlowRateLimiter::new(Duration::from_millis(5), Duration::from_secs(10), 3))
///     .with(BucketRateLimiter::new(10.0, 100));
/// assert_eq!(limiter.when(&"red/one"), Duration::from_millis(5));
/// assert_eq!(limiter.num_requeues(&"red/one"), 1);
/// ```
#[doc(alias = "TypedMaxOfRateLimiter")]
#[doc(alias = "NewTypedMaxOfRateLimiter")]
pub struct MaxOfRateLimiter<T> {
    limiters: Vec<Box<dyn RateLimiter<T> + Send>>,
}

impl<T> MaxOfRateLimiter<T> {
    /// Of no limiters: nothing waits.
    #[must_use]
    pub fn new() -> Self {
        Self { limiters: Vec::new() }
    }

    /// One more limiter to ask.
    #[must_use]
    pub fn with(mut self, limiter: impl RateLimiter<T> + Send + 'static) -> Self {
        self.limiters.push(Box::new(limiter));
        self
    }
}

impl<T> Default for MaxOfRateLimiter<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> fmt::Debug for MaxOfRateLimiter<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MaxOfRateLimiter").field("limiters", &self.limiters.len()).finish()
    }
}

impl<T> RateLimiter<T> for MaxOfRateLimiter<T> {
    fn when(&mut self, item: &T) -> Duration {
        self.limiters.iter_mut().map(|limiter| limiter.when(item)).max().unwrap_or_default()
    }

    fn forget(&mut self, item: &T) {
        for limiter in &mut self.limiters {
            limiter.forget(item);
        }
    }

    /// The largest number that one of the limiters says.
    fn num_requeues(&self, item: &T) -> u32 {
        self.limiters.iter().map(|limiter| limiter.num_requeues(item)).max().unwrap_or_default()
    }
}
