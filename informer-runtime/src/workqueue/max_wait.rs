//! A limiter whose delays are bounded: [`WithMaxWaitRateLimiter`].

use super::limiter::RateLimiter;
use std::time::Duration;

/// Asks another limiter and cuts its delays to a longest one. All else is the other's.
///
/// Useful around a [`BucketRateLimiter`](crate::BucketRateLimiter), whose delays have no bound of their own.
#[doc(alias = "TypedWithMaxWaitRateLimiter")]
#[doc(alias = "NewTypedWithMaxWaitRateLimiter")]
#[derive(Clone, Debug)]
pub struct WithMaxWaitRateLimiter<L> {
    limiter: L,
    longest: Duration,
}

impl<L> WithMaxWaitRateLimiter<L> {
    /// A limiter that says what `limiter` says, but at most `longest`.
    #[must_use]
    pub fn new(limiter: L, longest: Duration) -> Self {
        Self { limiter, longest }
    }
}

impl<T, L: RateLimiter<T>> RateLimiter<T> for WithMaxWaitRateLimiter<L> {
    fn when(&mut self, item: &T) -> Duration {
        self.limiter.when(item).min(self.longest)
    }

    fn forget(&mut self, item: &T) {
        self.limiter.forget(item);
    }

    fn num_requeues(&self, item: &T) -> u32 {
        self.limiter.num_requeues(item)
    }
}
