//! What says how long a failed item has to wait: [`RateLimiter`].

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

/// Says how long an item that failed should wait for its next try.
///
/// A limiter is a value that only counts and reckons: it neither waits nor queues. A
/// [`RateLimitingQueue`](crate::RateLimitingQueue) asks it and does the waiting.
///
/// A box of a limiter is a limiter; an `Arc<Mutex<_>>` of one is a limiter that several queues can share.
///
/// As client-go's `workqueue.TypedRateLimiter`.
///
/// ```
/// use informer_runtime::RateLimiter;
/// use std::time::Duration;
///
/// /// Every item waits a second, however often it fails.
/// struct EverySecond;
///
/// impl<T> RateLimiter<T> for EverySecond {
///     fn when(&mut self, _item: &T) -> Duration {
///         Duration::from_secs(1)
///     }
///     fn forget(&mut self, _item: &T) {}
///     fn num_requeues(&self, _item: &T) -> u32 {
///         0
///     }
/// }
/// ```
#[doc(alias = "TypedRateLimiter")]
pub trait RateLimiter<T> {
    /// `item` failed: how long to wait before it is tried again. Each call counts as a failure.
    #[doc(alias = "When")]
    fn when(&mut self, item: &T) -> Duration;

    /// `item` needs no more tries, because it succeeded or because it is given up. Its next failure is the first.
    #[doc(alias = "Forget")]
    fn forget(&mut self, item: &T);

    /// How often `item` failed since it was forgotten. 0 from a limiter that doesn't count.
    #[doc(alias = "NumRequeues")]
    fn num_requeues(&self, item: &T) -> u32;
}

impl<T, L: RateLimiter<T> + ?Sized> RateLimiter<T> for Box<L> {
    fn when(&mut self, item: &T) -> Duration {
        (**self).when(item)
    }

    fn forget(&mut self, item: &T) {
        (**self).forget(item);
    }

    fn num_requeues(&self, item: &T) -> u32 {
        (**self).num_requeues(item)
    }
}

/// One limiter for several queues, or for a queue and others who want to see it. A panic in a call of another owner is
/// passed over.
impl<T, L: RateLimiter<T> + ?Sized> RateLimiter<T> for Arc<Mutex<L>> {
    fn when(&mut self, item: &T) -> Duration {
        self.lock().unwrap_or_else(PoisonError::into_inner).when(item)
    }

    fn forget(&mut self, item: &T) {
        self.lock().unwrap_or_else(PoisonError::into_inner).forget(item);
    }

    fn num_requeues(&self, item: &T) -> u32 {
        self.lock().unwrap_or_else(PoisonError::into_inner).num_requeues(item)
    }
}
