//! One handler: its queue, and the task that tells it what waits there.

use std::cell::Cell;
use std::fmt;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use futures::task::AtomicWaker;
use tokio::sync::{Notify, watch};

use super::backlog::{Backlog, Work};
use super::in_hand::{InHand, Told};
use crate::error::{Error, Kind};
use crate::handler::{Delivery, HandlerOptions, Sink};
use crate::store::{Notification, Snapshot};

/// How many calls a handler gets before other tasks of its thread have a turn.
const CALLS_PER_TURN: usize = 64;

static NEXT_ID: AtomicU64 = AtomicU64::new(0);

thread_local! {
    /// The listener whose handler this thread is calling.
    static CALLING: Cell<Option<u64>> = const { Cell::new(None) };
}

/// Where errors of a listener go.
pub(crate) type ErrorSink = Arc<dyn Fn(Error) + Send + Sync>;

/// One registered handler, or a stream in the place of one.
pub(crate) struct Listener {
    id: u64,
    name: String,
    /// `None` for a stream: then whoever holds it takes what comes, and there is no task.
    sink: Option<Sink>,
    pub(crate) resync_period: Option<Duration>,
    /// With more than this the informer waits.
    bound: Option<usize>,
    backlog: Mutex<Backlog>,
    /// How many changes left the backlog and have not been told.
    in_hand: AtomicUsize,
    more: AtomicWaker,
    /// There is room again below the bound.
    room: Notify,
    panics: AtomicU64,
    /// The same as in `state`, for a look before every call.
    closed: AtomicBool,
    state: watch::Sender<State>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct State {
    /// All initial objects were told.
    pub(super) synced: bool,
    /// Nothing more may be told.
    pub(super) closed: bool,
    /// A task has this listener in hand.
    pub(super) running: bool,
    /// The task has ended; of a stream: it has given all it had, or was dropped.
    pub(super) ended: bool,
    /// All that was queued when the end was asked for was told.
    pub(super) drained: bool,
}

impl Listener {
    /// `period` of resyncs for one that does not choose its own; a handler's `sink`, or `None` for a stream.
    pub(crate) fn new(options: HandlerOptions, period: Duration, sink: Option<Sink>) -> Arc<Self> {
        let id = NEXT_ID.fetch_add(1, Ordering::Relaxed);
        let period = options.resync_period.unwrap_or(period);
        Arc::new(Self {
            id,
            name: options.name.unwrap_or_else(|| format!("#{id}")),
            sink,
            resync_period: Some(period).filter(|period| !period.is_zero()),
            bound: match options.delivery {
                Delivery::Bounded(changes) => Some(changes.max(1)),
                _ => None,
            },
            backlog: Mutex::new(Backlog::new(options.delivery)),
            in_hand: AtomicUsize::new(0),
            more: AtomicWaker::new(),
            room: Notify::new(),
            panics: AtomicU64::new(0),
            closed: AtomicBool::new(false),
            state: watch::Sender::default(),
        })
    }

    pub(crate) fn id(&self) -> u64 {
        self.id
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    fn backlog(&self) -> MutexGuard<'_, Backlog> {
        self.backlog.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn state(&self) -> watch::Receiver<State> {
        self.state.subscribe()
    }

    pub(super) fn waiting(&self) -> usize {
        let backlog = self.backlog();
        backlog.changes() + self.in_hand.load(Ordering::Acquire)
    }

    pub(super) fn merged(&self) -> u64 {
        self.backlog().merged()
    }

    pub(super) fn panics(&self) -> u64 {
        self.panics.load(Ordering::Relaxed)
    }

    pub(super) fn push_initial(&self, snapshot: Snapshot, done: bool) {
        self.push_work(Work::Initial { snapshot, done });
    }

    pub(super) fn push(&self, changes: Arc<[Notification]>) {
        self.push_work(Work::Batch(changes));
    }

    pub(crate) fn push_resync(&self, snapshot: Snapshot) {
        self.push_work(Work::Resync(snapshot));
    }

    fn push_work(&self, work: Work) {
        self.backlog().push(work, self.in_hand.load(Ordering::Acquire));
        self.more.wake();
    }

    /// Ends the listener: what waits is dropped, a call that is under way ends.
    pub(crate) fn close(&self) {
        self.closed.store(true, Ordering::Release);
        self.backlog().clear();
        self.state.send_modify(|state| state.closed = true);
        self.more.wake();
        self.room.notify_one();
    }

    /// Lets nothing more in; what waits is told, and then it ends.
    pub(super) fn seal(&self) {
        self.backlog().seal();
        self.more.wake();
        self.room.notify_one();
    }

    /// Whether the informer has to wait for this one.
    pub(super) fn is_full(&self) -> bool {
        self.bound.is_some_and(|bound| {
            let backlog = self.backlog();
            !backlog.is_sealed() && backlog.changes() + self.in_hand.load(Ordering::Acquire) >= bound
        })
    }

    /// Waits until [`is_full`](Self::is_full) may be false. For the informer alone. Cancel safe.
    pub(crate) async fn room(&self) {
        self.room.notified().await;
    }

    /// Whether the task may start: once, not after the end, and not for a stream.
    pub(crate) fn begin(&self) -> bool {
        self.state.send_if_modified(|state| {
            let begin = self.sink.is_some() && !state.running && !state.closed;
            state.running |= begin;
            begin
        })
    }

    /// Waits until the task has ended, or can no longer start.
    pub(crate) async fn ended(&self) {
        // The sender lives as long as this borrow.
        let _ = self.state().wait_for(|state| state.ended || !state.running).await;
    }

    pub(super) fn is_stream(&self) -> bool {
        self.sink.is_none()
    }

    /// Whether this thread is inside a call of this listener's handler.
    pub(super) fn is_calling(&self) -> bool {
        CALLING.get() == Some(self.id)
    }

    fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Acquire)
    }

    /// The next thing to tell, after what is `hand`; ready with `None` at the end.
    pub(crate) fn poll_next(&self, hand: &mut InHand, context: &Context<'_>) -> Poll<Option<Told>> {
        if let Some(told) = self.next(hand) {
            return Poll::Ready(told);
        }
        self.more.register(context.waker());
        // What came before the waker was there woke nobody.
        self.next(hand).map_or(Poll::Pending, Poll::Ready)
    }

    /// `None` if there is nothing yet.
    fn next(&self, hand: &mut InHand) -> Option<Option<Told>> {
        if self.is_closed() {
            *hand = InHand::Nothing;
            self.in_hand.store(0, Ordering::Release);
            return Some(None);
        }
        let mut told = hand.next();
        if told.is_some() {
            self.in_hand.store(hand.changes(), Ordering::Release);
        }
        while told.is_none() {
            let mut backlog = self.backlog();
            let Some(work) = backlog.pop() else {
                if backlog.is_sealed() {
                    drop(backlog);
                    self.state.send_modify(|state| state.drained |= !state.closed);
                    return Some(None);
                }
                return None;
            };
            told = hand.take(work);
            // Under the lock: what waits is either still there or already counted here.
            self.in_hand.store(hand.changes(), Ordering::Release);
        }
        if self.bound.is_some() && !self.is_full() {
            self.room.notify_one();
        }
        if let Some(Told::Synced) = told {
            self.state.send_modify(|state| state.synced |= !state.closed);
        }
        Some(told)
    }

    /// The task: tells what comes, until closed or drained.
    pub(crate) async fn run(self: Arc<Self>, errors: ErrorSink) {
        let _ended = EndMark(&self);
        let Some(sink) = &self.sink else { return };
        let mut hand = InHand::default();
        let mut calls = 0_usize;
        while let Some(told) = poll_fn(|context| self.poll_next(&mut hand, context)).await {
            if let Told::Change(change) = told {
                self.call(sink, &change, &errors);
            }
            calls += 1;
            if calls.is_multiple_of(CALLS_PER_TURN) {
                tokio::task::yield_now().await;
            }
        }
    }

    fn call(&self, sink: &Sink, change: &Notification, errors: &ErrorSink) {
        let outer = CALLING.replace(Some(self.id));
        let panicked = catch_unwind(AssertUnwindSafe(|| sink(change))).is_err();
        CALLING.set(outer);
        if panicked {
            self.panics.fetch_add(1, Ordering::Relaxed);
            errors(Kind::HandlerPanicked { handler: self.name.clone(), key: change.key() }.into());
        }
    }

    /// Says that nobody will take anything any more.
    pub(crate) fn mark_ended(&self) {
        self.state.send_modify(|state| state.ended = true);
    }
}

impl fmt::Debug for Listener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Listener")
            .field("name", &self.name)
            .field("backlog", &self.waiting())
            .field("state", &*self.state.borrow())
            .finish_non_exhaustive()
    }
}

/// Says that the task has ended, however it does: a runtime may be shut down around it.
struct EndMark<'a>(&'a Listener);

impl Drop for EndMark<'_> {
    fn drop(&mut self) {
        self.0.mark_ended();
    }
}
