//! One handler: its queue, its task, and what its owner holds.

use std::borrow::Borrow;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{Notify, watch};

use super::backlog::{Backlog, Work};
use crate::error::{Error, Kind};
use crate::handler::Sink;
use crate::store::{Notification, Snapshot};

/// How many calls a handler gets before other tasks of its thread have a turn.
const CALLS_PER_TURN: usize = 64;

static NEXT_ID: AtomicU64 = AtomicU64::new(0);

/// Where errors of a listener go.
pub(crate) type ErrorSink = Arc<dyn Fn(Error) + Send + Sync>;

/// One registered handler.
pub(crate) struct Listener {
    id: u64,
    name: String,
    sink: Sink,
    pub(crate) resync_period: Option<Duration>,
    backlog: Mutex<Backlog>,
    more: Notify,
    /// The same as in `state`, for a look before every call.
    closed: AtomicBool,
    state: watch::Sender<State>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct State {
    /// All initial objects were told.
    synced: bool,
    /// Nothing more may be told.
    closed: bool,
    /// A task has this listener in hand.
    running: bool,
    /// The task has ended.
    ended: bool,
}

impl Listener {
    pub(crate) fn new(name: Option<String>, sink: Sink, resync_period: Option<Duration>) -> Arc<Self> {
        let id = NEXT_ID.fetch_add(1, Ordering::Relaxed);
        Arc::new(Self {
            id,
            name: name.unwrap_or_else(|| format!("#{id}")),
            sink,
            resync_period,
            backlog: Mutex::default(),
            more: Notify::new(),
            closed: AtomicBool::new(false),
            state: watch::Sender::default(),
        })
    }

    pub(crate) fn id(&self) -> u64 {
        self.id
    }

    fn backlog(&self) -> MutexGuard<'_, Backlog> {
        self.backlog.lock().unwrap_or_else(PoisonError::into_inner)
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
        self.backlog().push(work);
        self.more.notify_one();
    }

    /// Ends the listener: what waits is dropped, a call that is under way ends.
    pub(crate) fn close(&self) {
        self.closed.store(true, Ordering::Release);
        self.state.send_modify(|state| state.closed = true);
        self.more.notify_one();
    }

    /// Whether the task may start: once, and not after the end.
    pub(crate) fn begin(&self) -> bool {
        self.state.send_if_modified(|state| {
            let begin = !state.running && !state.closed;
            state.running |= begin;
            begin
        })
    }

    /// Waits until the task has ended, or can no longer start.
    pub(crate) async fn ended(&self) {
        let mut state = self.state.subscribe();
        // The sender lives as long as this borrow.
        let _ = state.wait_for(|state| state.ended || !state.running).await;
    }

    fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Acquire)
    }

    /// The task: tells what comes, until closed.
    pub(crate) async fn run(self: Arc<Self>, errors: ErrorSink) {
        let _ended = Ended(&self);
        let mut turn = Turn::default();
        while !self.is_closed() {
            let work = self.backlog().pop();
            match work {
                None => self.more.notified().await,
                Some(Work::Batch(changes)) => self.tell(changes.iter(), &errors, &mut turn).await,
                Some(Work::Merged(merged)) => self.tell(merged.into_changes(), &errors, &mut turn).await,
                Some(Work::Initial { snapshot, done }) => {
                    let changes = snapshot.objects.iter().cloned();
                    let changes = changes.map(|entry| Notification::Added { entry, initial: true });
                    self.tell(changes, &errors, &mut turn).await;
                    self.synced_if(done);
                }
                Some(Work::Resync(snapshot)) => {
                    let changes = snapshot.objects.iter().cloned();
                    let changes = changes.map(|new| Notification::Updated { old: new.clone(), new });
                    self.tell(changes, &errors, &mut turn).await;
                }
            }
        }
    }

    fn synced_if(&self, done: bool) {
        if done && !self.is_closed() {
            self.state.send_modify(|state| state.synced = true);
        }
    }

    /// Makes a call for each change, until the listener is closed.
    async fn tell<N: Borrow<Notification>>(
        &self,
        changes: impl Iterator<Item = N>,
        errors: &ErrorSink,
        turn: &mut Turn,
    ) {
        for change in changes {
            if self.is_closed() {
                return;
            }
            let change = change.borrow();
            if catch_unwind(AssertUnwindSafe(|| (self.sink)(change))).is_err() {
                let (handler, key) = (self.name.clone(), change.key());
                errors(Kind::HandlerPanicked { handler, key }.into());
            }
            turn.next().await;
        }
    }
}

impl fmt::Debug for Listener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Listener")
            .field("name", &self.name)
            .field("backlog", &self.backlog().sizes())
            .field("state", &*self.state.borrow())
            .finish_non_exhaustive()
    }
}

/// Says that the task has ended, however it does: a runtime may be shut down around it.
struct Ended<'a>(&'a Listener);

impl Drop for Ended<'_> {
    fn drop(&mut self) {
        self.0.state.send_modify(|state| state.ended = true);
    }
}

#[derive(Default)]
struct Turn {
    calls: usize,
}

impl Turn {
    async fn next(&mut self) {
        self.calls += 1;
        if self.calls.is_multiple_of(CALLS_PER_TURN) {
            tokio::task::yield_now().await;
        }
    }
}

/// A registered handler. Dropping this keeps the handler; [`remove`](Self::remove) ends it.
#[derive(Debug, Clone)]
#[doc(alias = "ResourceEventHandlerRegistration")]
pub struct Registration {
    listener: Arc<Listener>,
    informer: std::sync::Weak<dyn Unlist>,
}

/// The part of an informer that a registration needs.
pub(crate) trait Unlist: fmt::Debug + Send + Sync {
    /// Takes a listener out, so that nothing more is put into its queue.
    fn unlist(&self, id: u64);
}

impl Registration {
    pub(crate) fn new(listener: Arc<Listener>, informer: std::sync::Weak<dyn Unlist>) -> Self {
        Self { listener, informer }
    }

    /// Whether this handler has been told of all initial objects.
    #[must_use]
    pub fn has_synced(&self) -> bool {
        self.listener.state.borrow().synced
    }

    /// Waits until this handler has been told of all initial objects, or can't be any more: then it gives false.
    /// Cancel safe.
    pub async fn synced(&self) -> bool {
        let mut state = self.listener.state.subscribe();
        // The sender lives in the listener that we hold.
        let _ = state.wait_for(|state| state.synced || state.closed).await;
        self.has_synced()
    }

    /// How many changes wait for this handler, the first list apart.
    #[must_use]
    pub fn backlog(&self) -> usize {
        self.listener.backlog().sizes().0
    }

    /// How many changes were merged into later ones of the same object because more than 65,536 waited.
    #[must_use]
    pub fn merged(&self) -> u64 {
        self.listener.backlog().sizes().1
    }

    /// Removes the handler. When this returns, no call is under way and none will come; what waited is dropped. Once
    /// polled the removal happens even if the future is dropped. Must not be awaited inside the handler itself.
    #[doc(alias = "RemoveEventHandler")]
    #[doc(alias = "ShutDownEventHandler")]
    pub async fn remove(&self) {
        if let Some(informer) = self.informer.upgrade() {
            informer.unlist(self.listener.id);
        }
        self.listener.close();
        self.listener.ended().await;
    }
}
