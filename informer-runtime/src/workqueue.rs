//! A queue of keys to work on, for controllers: [`WorkQueue`].
//!
//! Handlers put keys in, workers take them out, look up the current object, and make the world match it. A key that is
//! added many times is worked on once; what matters is not how often something changed but that it is looked at again.

mod items;

use items::{Ended, Items};
use std::{
    fmt,
    hash::Hash,
    ops::Deref,
    pin::pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use tokio::sync::Notify;

/// A queue in which an item is at most once, and which never gives an item to two workers at a time.
///
/// - [`add`](Self::add) puts an item at the end, unless it is in the queue already.
/// - An item that is added while a worker has it is queued again once, when the worker is [`done`](Self::done) with it.
/// - Items come out in the order in which they were added.
/// - After [`shut_down`](Self::shut_down), nothing can be added; what is queued is still given out, and then
///   [`get`](Self::get) returns `None`.
///
/// Every clone is the same queue. There is no bound: it holds at most one entry for each distinct item, which for
/// object keys is a bound of its own.
///
/// The semantics are those of client-go's `workqueue.TypedInterface`, with these differences: a call of `done` for an
/// item that no worker has is ignored; a shut-down with drain waits for queued items as well as for those in work;
/// during a shut-down `get` still waits for an item in work that will be queued again, so nothing that the queue
/// accepted is left undone (a worker must end its work before it asks for more); `add` says whether the queue took
/// the item.
///
/// ```
/// use informer_runtime::WorkQueue;
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let queue = WorkQueue::new();
/// queue.add("red/one");
/// queue.add("red/two");
/// queue.add("red/one"); // already waiting
/// queue.shut_down();
/// let mut seen = Vec::new();
/// while let Some(key) = queue.next().await {
///     seen.push(*key);
/// } // each `key` is dropped here: done
/// assert_eq!(seen, ["red/one", "red/two"]);
/// # }
/// ```
#[doc(alias = "NewTyped")]
#[doc(alias = "workqueue")]
pub struct WorkQueue<T> {
    shared: Arc<Shared<T>>,
}

struct Shared<T> {
    state: Mutex<State<T>>,
    /// Someone may find an item, or the end.
    available: Notify,
    /// A drain may be over.
    drained: Notify,
}

struct State<T> {
    items: Items<T>,
    mode: Mode,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Open,
    /// Shutting down; drains wait until nothing is left.
    Draining,
    /// Shutting down; drains don't wait.
    Closed,
}

impl<T> Clone for WorkQueue<T> {
    fn clone(&self) -> Self {
        Self { shared: Arc::clone(&self.shared) }
    }
}

impl<T> fmt::Debug for WorkQueue<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.lock();
        f.debug_struct("WorkQueue")
            .field("len", &state.items.queued())
            .field("in_work", &state.items.in_work())
            .field("shutting_down", &(state.mode != Mode::Open))
            .finish()
    }
}

impl<T: Eq + Hash + Clone> Default for WorkQueue<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> WorkQueue<T> {
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        // `Hash` and `Eq` of an item may panic; `Items` is then as it was
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many items wait for a worker. Items in work don't count.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lock().items.queued()
    }

    /// Whether no item waits for a worker.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether a shut-down has begun.
    #[doc(alias = "ShuttingDown")]
    #[must_use]
    pub fn is_shutting_down(&self) -> bool {
        self.lock().mode != Mode::Open
    }

    /// Refuses new items from now on. What is queued is still given out, as is what workers have and was added again.
    ///
    /// Ends every [`shut_down_with_drain`](Self::shut_down_with_drain) that still waits. Harmless if repeated.
    pub fn shut_down(&self) {
        self.lock().mode = Mode::Closed;
        self.shared.available.notify_waiters();
        self.shared.drained.notify_waiters();
    }

    /// Refuses new items, and waits until every queued item was given out and is [`done`](Self::done).
    ///
    /// Workers must go on taking items meanwhile; [`shut_down`](Self::shut_down) ends the wait. Several callers may
    /// wait. On a queue that was shut down by `shut_down` before, this starts a drain all the same.
    ///
    /// # Cancel safety
    ///
    /// The shut-down happens when the future is polled first. If it is dropped after that, the queue stays shut down.
    pub async fn shut_down_with_drain(&self) {
        self.lock().mode = Mode::Draining;
        self.shared.available.notify_waiters();
        loop {
            let mut changed = pin!(self.shared.drained.notified());
            changed.as_mut().enable(); // before the look, so that no change is missed
            {
                let state = self.lock();
                if state.mode != Mode::Draining || state.items.is_idle() {
                    return;
                }
            }
            changed.await;
        }
    }
}

impl<T: Eq + Hash + Clone> WorkQueue<T> {
    /// An empty queue.
    #[must_use]
    pub fn new() -> Self {
        let state = State { items: Items::new(), mode: Mode::Open };
        Self { shared: Arc::new(Shared { state: Mutex::new(state), available: Notify::new(), drained: Notify::new() }) }
    }

    /// Asks for `item` to be worked on. Returns `false` if the queue is shutting down: then nothing happens.
    ///
    /// An item that waits already keeps its place; one that is in work is queued again when it is done.
    pub fn add(&self, item: T) -> bool {
        let queued = {
            let mut state = self.lock();
            if state.mode != Mode::Open {
                return false;
            }
            state.items.add(item)
        };
        if queued {
            self.shared.available.notify_one();
        }
        true
    }

    /// Waits for an item and gives it to the caller, who must call [`done`](Self::done) when finished with it.
    /// `None`: the queue is shutting down, nothing is left in it, and nothing in work will come back.
    ///
    /// [`next`](Self::next) does the same and can't be forgotten to be done.
    ///
    /// # Cancel safety
    ///
    /// An item leaves the queue only when the future returns it, so a dropped future loses nothing.
    pub async fn get(&self) -> Option<T> {
        loop {
            let mut changed = pin!(self.shared.available.notified());
            changed.as_mut().enable(); // before the look, so that no change is missed
            {
                let mut state = self.lock();
                if let Some(item) = state.items.take() {
                    return Some(item);
                }
                if state.mode != Mode::Open && state.items.is_exhausted() {
                    return None;
                }
            }
            changed.await;
        }
    }

    /// As [`get`](Self::get), with a guard that calls [`done`](Self::done) when it is dropped, also if the worker
    /// panics or is cancelled.
    ///
    /// # Cancel safety
    ///
    /// As of [`get`](Self::get).
    #[doc(alias = "get")]
    pub async fn next(&self) -> Option<WorkItem<T>> {
        let item = self.get().await?;
        Some(WorkItem { item, queue: self.clone() })
    }

    /// Ends the work on `item`. If it was added meanwhile, it is queued again.
    ///
    /// Returns `false`, and does nothing, if no worker has the item.
    pub fn done(&self, item: &T) -> bool {
        let (ended, mode, idle) = {
            let mut state = self.lock();
            (state.items.done(item), state.mode, state.items.is_idle())
        };
        if ended == Ended::Again {
            if mode == Mode::Open {
                self.shared.available.notify_one();
            } else {
                // one gets the item; for the others this may have been the last thing to wait for
                self.shared.available.notify_waiters();
            }
        }
        if idle {
            self.shared.drained.notify_waiters();
        }
        ended != Ended::Stray
    }
}

/// An item in work, from [`WorkQueue::next`]. Dropping it ends the work.
#[must_use = "dropping the item says that the work on it is done"]
pub struct WorkItem<T: Eq + Hash + Clone> {
    item: T,
    queue: WorkQueue<T>,
}

impl<T: Eq + Hash + Clone> Deref for WorkItem<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.item
    }
}

impl<T: Eq + Hash + Clone + fmt::Debug> fmt::Debug for WorkItem<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("WorkItem").field(&self.item).finish()
    }
}

impl<T: Eq + Hash + Clone> Drop for WorkItem<T> {
    fn drop(&mut self) {
        self.queue.done(&self.item);
    }
}
