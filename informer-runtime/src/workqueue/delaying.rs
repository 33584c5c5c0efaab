//! A work queue that also takes items for later: [`DelayingQueue`].

use super::queue::WorkQueue;
use std::{fmt, hash::Hash, ops::Deref, time::Duration};

/// A [`WorkQueue`], with all its methods, that items can be added to after a delay.
///
/// - An item waits for its time at most once, until the earliest time that was asked for. [`add`](WorkQueue::add)
///   doesn't touch that: the item is queued now and again then.
/// - When its time comes, an item is queued as by [`add`](WorkQueue::add). Items come in the order of their times,
///   and those of the same time in the order in which they were added.
/// - [`len`](WorkQueue::len) doesn't count items before their time; [`waiting`](Self::waiting) does.
/// - A shut-down, with drain or without, drops the items whose time has not come.
///
/// Every clone is the same queue. There is no task behind it: those who wait in [`get`](WorkQueue::get) or
/// [`next`](WorkQueue::next) watch the clock, which is tokio's, so time can be paused in tests. A time is kept to the
/// millisecond.
///
/// The semantics are those of client-go's `workqueue.TypedDelayingInterface`, which however leaves it to chance in
/// which order items of the same time come.
///
/// ```
/// use informer_runtime::DelayingQueue;
/// use std::time::Duration;
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
/// let queue = DelayingQueue::new();
/// queue.add_after("red/one", Duration::from_secs(10));
/// queue.add_after("red/two", Duration::from_secs(5));
/// queue.add_after("red/one", Duration::from_secs(1)); // earlier: this one counts
/// assert_eq!(queue.get().await, Some("red/one"));
/// assert_eq!(queue.get().await, Some("red/two"));
/// # }
/// ```
#[doc(alias = "TypedDelayingInterface")]
#[doc(alias = "NewTypedDelayingQueue")]
pub struct DelayingQueue<T> {
    queue: WorkQueue<T>,
}

impl<T> Clone for DelayingQueue<T> {
    fn clone(&self) -> Self {
        Self { queue: self.queue.clone() }
    }
}

impl<T> fmt::Debug for DelayingQueue<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("DelayingQueue").field(&self.queue).finish()
    }
}

impl<T: Eq + Hash + Clone> Default for DelayingQueue<T> {
    fn default() -> Self {
        Self::new()
    }
}

/// The queue that items come to when their time has come.
impl<T> Deref for DelayingQueue<T> {
    type Target = WorkQueue<T>;

    fn deref(&self) -> &WorkQueue<T> {
        &self.queue
    }
}

impl<T: Eq + Hash + Clone> DelayingQueue<T> {
    /// An empty queue.
    #[must_use]
    pub fn new() -> Self {
        Self { queue: WorkQueue::new() }
    }

    /// Asks for `item` to be worked on when `delay` has passed; a delay of zero is as [`add`](WorkQueue::add).
    ///
    /// If the item waits for its time already, the earlier time counts. A delay is at most 30 years; a longer one is
    /// cut to that. Returns `false` if the queue is shutting down: then nothing happens.
    #[doc(alias = "AddAfter")]
    pub fn add_after(&self, item: T, delay: Duration) -> bool {
        self.queue.add_after(item, delay)
    }

    /// How many items wait for their time.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.queue.waiting()
    }
}
