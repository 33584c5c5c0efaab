//! The limiters that do for most controllers, with client-go's numbers.

use super::{bucket::BucketRateLimiter, exponential::ItemExponentialFailureRateLimiter, max_of::MaxOfRateLimiter};
use std::{hash::Hash, time::Duration};

/// The usual limiter of a controller: per item from 5 ms doubling to 1000 s, and over all items 10 tries a second with
/// 100 at once; the longer delay counts.
#[doc(alias = "DefaultTypedControllerRateLimiter")]
#[must_use]
pub fn default_controller_rate_limiter<T>() -> MaxOfRateLimiter<T>
where
    T: Eq + Hash + Clone + Send + 'static,
{
    MaxOfRateLimiter::new().with(ItemExponentialFailureRateLimiter::default()).with(BucketRateLimiter::default())
}

/// The usual limiter where items don't share a limit: per item from 1 ms doubling to 1000 s.
#[doc(alias = "DefaultTypedItemBasedRateLimiter")]
#[must_use]
pub fn default_item_based_rate_limiter<T: Eq + Hash + Clone>() -> ItemExponentialFailureRateLimiter<T> {
    ItemExponentialFailureRateLimiter::new(Duration::from_millis(1), Duration::from_secs(1000))
}
