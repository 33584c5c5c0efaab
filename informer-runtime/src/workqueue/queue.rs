//! The queue itself: [`WorkQueue`], and who waits for it.

use super::{
    delays::{Delays, after},
    items::{Ended, Items},
};
use std::{
    fmt,
    hash::Hash,
    mem,
    ops::Deref,
    pin::pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio::{
    sync::Notify,
    time::{Instant, timeout_at},
};

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
#[doc(alias = "TypedInterface")]
#[doc(alias = "NewTyped")]
#[doc(alias = "workqueue")]
pub struct WorkQueue<T> {
    shared: Arc<Shared<T>>,
}

struct Shared<T> {
    state: Mutex<State<T>>,
    /// Someone may find an item, or the end, or an earlier time to wait for. Whoever waits here for an item waits no
    /// longer than until the first item's time, so nobody needs to be woken when that comes.
    available: Notify,
    /// A drain may be over.
    drained: Notify,
}

struct State<T> {
    items: Items<T>,
    /// Items whose time has not come, if this is the inside of a delaying queue. Empty once a shut-down began.
    delays: Delays<T>,
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
            .field("waiting", &state.delays.len())
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

    /// Whether a shut-down has begun.
    #[doc(alias = "ShuttingDown")]
    #[must_use]
    pub fn is_shutting_down(&self) -> bool {
        self.lock().mode != Mode::Open
    }
}

impl<T: Eq + Hash + Clone> WorkQueue<T> {
    /// An empty queue.
    #[must_use]
    pub fn new() -> Self {
        let state = State { items: Items::new(), delays: Delays::new(), mode: Mode::Open };
        Self { shared: Arc::new(Shared { state: Mutex::new(state), available: Notify::new(), drained: Notify::new() }) }
    }

    /// What there is now: items whose time has come are queued.
    fn current(&self) -> MutexGuard<'_, State<T>> {
        let mut state = self.lock();
        if state.delays.len() > 0 {
            let now = Instant::now();
            while let Some(item) = state.delays.take(now) {
                state.items.add(item);
            }
        }
        state
    }

    /// Refuses new items from now on, except those that are in work and were added again. What waits for its time is
    /// returned, to be dropped without the lock.
    fn close(&self, mode: Mode) -> Delays<T> {
        let mut state = self.current();
        state.mode = mode;
        mem::replace(&mut state.delays, Delays::new())
    }

    /// How many items wait for a worker. Items in work don't count.
    #[must_use]
    pub fn len(&self) -> usize {
        self.current().items.queued()
    }

    /// Whether no item waits for a worker.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Refuses new items from now on. What is queued is still given out, as is what workers have and was added again.
    ///
    /// Ends every [`shut_down_with_drain`](Self::shut_down_with_drain) that still waits. Harmless if repeated.
    pub fn shut_down(&self) {
        drop(self.close(Mode::Closed));
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
        drop(self.close(Mode::Draining));
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

    /// Asks for `item` to be worked on. Returns `false` if the queue is shutting down: then nothing happens.
    ///
    /// An item that waits already keeps its place; one that is in work is queued again when it is done.
    pub fn add(&self, item: T) -> bool {
        let queued = {
            let mut state = self.current();
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

    /// For [`DelayingQueue::add_after`](super::DelayingQueue::add_after).
    pub(super) fn add_after(&self, item: T, delay: Duration) -> bool {
        if delay.is_zero() {
            return self.add(item);
        }
        let earlier = {
            let mut state = self.current();
            if state.mode != Mode::Open {
                return false;
            }
            let first = state.delays.first();
            state.delays.put(item, after(Instant::now(), delay));
            state.delays.first() != first
        };
        if earlier {
            self.shared.available.notify_waiters(); // everybody waits for an item's time that isn't the first now
        }
        true
    }

    /// How many items wait for their time.
    pub(super) fn waiting(&self) -> usize {
        self.current().delays.len()
    }

    /// Waits for an item and gives it to the caller, who must call [`done`](Self::done) when finished with it.
    /// `None`: the queue is shutting down, nothing is left in it, and nothing in work will come back.
    ///
    /// [`next`](Self::next) does the same and can't be forgotten to be done.
    ///
    /// # Panics
    ///
    /// If items wait for their time and this is polled outside a tokio runtime, or in one without time. A queue that
    /// nothing was added to for later needs no runtime.
    ///
    /// # Cancel safety
    ///
    /// An item leaves the queue only when the future returns it, so a dropped future loses nothing.
    pub async fn get(&self) -> Option<T> {
        loop {
            let mut changed = pin!(self.shared.available.notified());
            changed.as_mut().enable(); // before the look, so that no change is missed
            let first = {
                let mut state = self.current();
                if let Some(item) = state.items.take() {
                    return Some(item);
                }
                if state.mode != Mode::Open && state.items.is_exhausted() {
                    return None;
                }
                state.delays.first()
            };
            match first {
                None => changed.await,
                // either may be the case now; the next round looks
                Some(time) => timeout_at(time, changed).await.unwrap_or_default(),
            }
        }
    }

    /// As [`get`](Self::get), with a guard that calls [`done`](Self::done) when it is dropped, also if the worker
    /// panics or is cancelled.
    ///
    /// # Panics
    ///
    /// As [`get`](Self::get).
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
            let mut state = self.current();
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

impl<T: Eq + Hash + Clone + fmt::Display> fmt::Display for WorkItem<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.item.fmt(f)
    }
}

impl<T: Eq + Hash + Clone> Drop for WorkItem<T> {
    fn drop(&mut self) {
        self.queue.done(&self.item);
    }
}
