//! A work queue that retries with growing delays: [`RateLimitingQueue`].

use super::{default_limiter::default_controller_rate_limiter, delaying::DelayingQueue, limiter::RateLimiter};
use std::{
    fmt,
    hash::Hash,
    ops::Deref,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// A [`DelayingQueue`], with all its methods and those of [`WorkQueue`](crate::WorkQueue), that asks a [`RateLimiter`]
/// how long a failed item has to wait.
///
/// The loop of a controller's worker: [`forget`](Self::forget) the key when all is well,
/// [`add_rate_limited`](Self::add_rate_limited) when not, and end the work on it in both cases, here by dropping it.
///
/// ```
/// use informer_runtime::{ObjectKey, RateLimitingQueue};
///
/// /// Makes the world match the object of this key, whatever has become of it.
/// async fn reconcile(key: &ObjectKey, tries: u32) -> Result<(), String> {
///     if tries < 2 { Err(format!("{key} is not ready")) } else { Ok(()) }
/// }
///
/// async fn work(queue: RateLimitingQueue<ObjectKey>) {
///     while let Some(key) = queue.next().await {
///         match reconcile(&key, queue.num_requeues(&key)).await {
///             Ok(()) => queue.forget(&key),
///             Err(_) if queue.num_requeues(&key) < 5 => {
///                 queue.add_rate_limited(key.clone());
///             }
///             Err(error) => {
///                 eprintln!("gave up: {error}"); // until the object changes
///                 queue.forget(&key);
///             }
///         }
///     } // `key` is dropped here: done
/// }
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
/// let queue = RateLimitingQueue::default();
/// let workers: Vec<_> = (0..2).map(|_| tokio::spawn(work(queue.clone()))).collect();
///
/// // in the event handlers
/// queue.add(ObjectKey::new("red", "one"));
///
/// # tokio::time::sleep(std::time::Duration::from_millis(5 + 10)).await;
/// # tokio::time::sleep(std::time::Duration::from_millis(1)).await;
/// # assert_eq!((queue.len(), queue.waiting()), (0, 0));
/// # assert_eq!(queue.num_requeues(&ObjectKey::new("red", "one")), 0);
/// // at the end: what is queued is worked on, what waits for a retry is dropped
/// queue.shut_down_with_drain().await;
/// for worker in workers {
///     worker.await.expect("no panic");
/// }
/// # }
/// ```
///
/// Every clone is the same queue with the same limiter. As client-go's `workqueue.TypedRateLimitingInterface`.
#[doc(alias = "TypedRateLimitingInterface")]
#[doc(alias = "NewTypedRateLimitingQueue")]
pub struct RateLimitingQueue<T> {
    queue: DelayingQueue<T>,
    limiter: Arc<Mutex<dyn RateLimiter<T> + Send>>,
}

impl<T> Clone for RateLimitingQueue<T> {
    fn clone(&self) -> Self {
        Self { queue: self.queue.clone(), limiter: Arc::clone(&self.limiter) }
    }
}

impl<T> fmt::Debug for RateLimitingQueue<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RateLimitingQueue").field(&self.queue).finish()
    }
}

/// With the [usual limiter of a controller](default_controller_rate_limiter).
impl<T: Eq + Hash + Clone + Send + 'static> Default for RateLimitingQueue<T> {
    fn default() -> Self {
        Self::new(default_controller_rate_limiter())
    }
}

/// The queue that items come to after their delay.
impl<T> Deref for RateLimitingQueue<T> {
    type Target = DelayingQueue<T>;

    fn deref(&self) -> &DelayingQueue<T> {
        &self.queue
    }
}

impl<T> RateLimitingQueue<T> {
    fn limiter(&self) -> MutexGuard<'_, dyn RateLimiter<T> + Send + 'static> {
        self.limiter.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// `item` needs no more tries, because it succeeded or because it is given up: its next failure is the first.
    ///
    /// This changes only what the limiter knows; an item that waits for its time goes on waiting, and the work on an
    /// item must be ended all the same.
    #[doc(alias = "Forget")]
    pub fn forget(&self, item: &T) {
        self.limiter().forget(item);
    }

    /// How often `item` failed since it was forgotten, as the limiter counts.
    #[doc(alias = "NumRequeues")]
    #[must_use]
    pub fn num_requeues(&self, item: &T) -> u32 {
        self.limiter().num_requeues(item)
    }
}

impl<T: Eq + Hash + Clone> RateLimitingQueue<T> {
    /// An empty queue with this limiter. The default is the [usual limiter of a
    /// controller](default_controller_rate_limiter).
    ///
    /// A limiter is asked with a lock held, so it must not call its own queue. If it panics, so does the call that
    /// asked it; the queue goes on.
    #[must_use]
    pub fn new(limiter: impl RateLimiter<T> + Send + 'static) -> Self {
        Self { queue: DelayingQueue::new(), limiter: Arc::new(Mutex::new(limiter)) }
    }

    /// `item` failed: asks for it to be worked on again when the limiter says.
    ///
    /// Returns `false` if the queue is shutting down: then nothing happens, and the failure isn't counted.
    #[doc(alias = "AddRateLimited")]
    pub fn add_rate_limited(&self, item: T) -> bool {
        if self.queue.is_shutting_down() {
            return false;
        }
        let delay = self.limiter().when(&item);
        self.queue.add_after(item, delay)
    }
}
