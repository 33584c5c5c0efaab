//! Wires the stages of one informer, and starts and stops them. The only file that knows them all.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use arc_swap::ArcSwap;
use tokio::runtime::Handle;
use tokio::sync::{Notify, watch};
use tokio::time::Instant;
use tokio_util::sync::{CancellationToken, DropGuard};
use tokio_util::task::TaskTracker;

use crate::delta::Delta;
use crate::delta_queue::{DeltaReceiver, delta_queue};
use crate::entry::{EntryContext, EntryMaker};
use crate::error::{Error, Kind};
use crate::options::ReflectorOptions;
use crate::processor::{ErrorSink, Listener, Processor, ResyncTimers, Unlist};
use crate::reflector::{Observer, Reflector, Target};
use crate::resource::Resource;
use crate::store::{Applied, IndexFunc, Snapshot, StoreWriter};
use crate::transport::Transport;

/// Called with every error of an informer. Must not block.
pub type ErrorHook = Arc<dyn Fn(&Resource, &Error) + Send + Sync>;

/// What an informer is made of.
pub(crate) struct Plan {
    pub(crate) transport: Arc<dyn Transport>,
    pub(crate) target: Target,
    pub(crate) options: ReflectorOptions,
    pub(crate) keep_managed_fields: bool,
    pub(crate) decoded_budget: usize,
    pub(crate) on_error: Vec<ErrorHook>,
    pub(crate) rng: fastrand::Rng,
    /// Of handlers that do not choose their own; zero for never.
    pub(crate) resync: Duration,
}

impl Plan {
    /// What differs between two plans for one target, if anything that matters does.
    pub(crate) fn conflict(&self, other: &Self) -> Option<&'static str> {
        if self.options != other.options {
            Some("reflector options")
        } else if self.keep_managed_fields != other.keep_managed_fields {
            Some("choice about managedFields")
        } else if self.decoded_budget != other.decoded_budget {
            Some("budget for decoded values")
        } else {
            None
        }
    }
}

/// One informer, without a type. Its tasks hold this; users hold [`InformerHandle`].
pub(crate) struct Informer {
    plan: Plan,
    context: Arc<EntryContext>,
    snapshot: ArcSwap<Snapshot>,
    inner: Mutex<Inner>,
    phase: watch::Sender<Phase>,
    last_error: Mutex<Option<Error>>,
    listeners_changed: Notify,
    tasks: TaskTracker,
    stop: CancellationToken,
}

#[derive(Default)]
struct Inner {
    writer: StoreWriter,
    processor: Processor,
    /// Where tasks run, once started.
    runtime: Option<Handle>,
    /// No handler may come any more.
    closed: bool,
}

/// How far an informer has come.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Phase {
    pub(crate) started: bool,
    pub(crate) synced: bool,
    pub(crate) stopped: bool,
}

/// What users hold. When the last one is dropped, the informer stops.
pub(crate) struct InformerHandle {
    informer: Arc<Informer>,
    _stop: DropGuard,
}

impl std::ops::Deref for InformerHandle {
    type Target = Arc<Informer>;

    fn deref(&self) -> &Arc<Informer> {
        &self.informer
    }
}

impl InformerHandle {
    pub(crate) fn new(plan: Plan) -> Self {
        let resource = plan.target.resource.clone();
        let context = EntryContext::new(resource, plan.decoded_budget, plan.keep_managed_fields);
        let stop = CancellationToken::new();
        let informer = Arc::new(Informer {
            plan,
            context: Arc::new(context),
            snapshot: ArcSwap::default(),
            inner: Mutex::default(),
            phase: watch::Sender::default(),
            last_error: Mutex::default(),
            listeners_changed: Notify::new(),
            tasks: TaskTracker::new(),
            stop: stop.clone(),
        });
        Self { informer, _stop: stop.drop_guard() }
    }
}

impl Informer {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn plan(&self) -> &Plan {
        &self.plan
    }

    pub(crate) fn resource(&self) -> &Resource {
        &self.plan.target.resource
    }

    pub(crate) fn context(&self) -> &EntryContext {
        &self.context
    }

    /// The cache as it is now.
    pub(crate) fn snapshot(&self) -> Arc<Snapshot> {
        self.snapshot.load_full()
    }

    pub(crate) fn phase(&self) -> Phase {
        *self.phase.borrow()
    }

    pub(crate) fn watch_phase(&self) -> watch::Receiver<Phase> {
        self.phase.subscribe()
    }

    pub(crate) fn last_error(&self) -> Option<Error> {
        self.last_error.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Starts the tasks, unless that was done before. They end when `stop` is cancelled.
    pub(crate) fn start(self: &Arc<Self>, stop: &CancellationToken) {
        let runtime = Handle::current();
        let first = self.phase.send_if_modified(|phase| !std::mem::replace(&mut phase.started, true));
        if !first {
            return;
        }
        let (sender, receiver) = delta_queue();
        let reflector = Reflector::new(
            self.plan.transport.clone(),
            self.plan.target.clone(),
            self.plan.options.clone(),
            EntryMaker::new(self.context.clone()),
            sender,
            self.clone(),
            self.plan.rng.clone(),
        );
        {
            let mut inner = self.lock();
            inner.runtime = Some(runtime.clone());
            for listener in inner.processor.listeners() {
                self.spawn(&runtime, listener.clone());
            }
        }
        let stop = stop.clone();
        let informer = self.clone();
        self.tasks.spawn_on(async move { informer.supervise(reflector, receiver, stop).await }, &runtime);
        self.tasks.close();
    }

    /// Runs the stages and ends them in order: reflector, queue and store, handlers.
    async fn supervise(self: Arc<Self>, reflector: Reflector, queue: DeltaReceiver, stop: CancellationToken) {
        let reflecting = CancellationToken::new();
        let process = self.process(queue);
        let reflect = async {
            let stopped = async {
                tokio::select! {
                    () = stop.cancelled() => {}
                    () = self.stop.cancelled() => {}
                }
                reflecting.cancel();
            };
            // Separate tasks: the store keeps up while the reflector reads. The reflector's end closes the queue.
            let mut task = self.tasks.spawn(reflector.run(reflecting.clone()));
            tokio::select! {
                // Only a panic, of a transport say, ends it before it is told to. Then the informer ends for all to see.
                _ = &mut task => {}
                () = stopped => drop(task.await),
            }
        };
        tokio::join!(process, reflect);
        let listeners = {
            let mut inner = self.lock();
            inner.closed = true;
            // A handler may hold a reader of this informer: kept here, it would hold all of it for ever.
            inner.processor.clear()
        };
        for listener in &listeners {
            listener.close();
        }
        for listener in &listeners {
            listener.ended().await;
        }
        self.phase.send_modify(|phase| phase.stopped = true);
    }

    /// Takes deltas into the store and tells the handlers; looks after resyncs between.
    async fn process(&self, mut queue: DeltaReceiver) {
        let mut timers = ResyncTimers::default();
        let mut next = None;
        let mut look = true;
        loop {
            if look {
                next = self.resync(&mut timers);
            }
            let due = async {
                match next {
                    Some(at) => tokio::time::sleep_until(at).await,
                    None => std::future::pending().await,
                }
            };
            look = tokio::select! {
                biased;
                batch = queue.recv() => match batch {
                    // A queue that is never empty must not put off a resync.
                    Some(batch) => { self.apply(batch); next.is_some_and(|at| at <= Instant::now()) }
                    None => return,
                },
                () = due => true,
                () = self.listeners_changed.notified() => true,
            };
        }
    }

    fn resync(&self, timers: &mut ResyncTimers) -> Option<Instant> {
        let inner = self.lock();
        let (due, next) = timers.due(inner.processor.listeners(), Instant::now());
        for listener in due {
            listener.push_resync(inner.writer.snapshot());
        }
        next
    }

    fn apply(&self, batch: Vec<Delta>) {
        let mut applied = Applied::default();
        let mut inner = self.lock();
        for delta in batch {
            inner.writer.apply(delta, &mut applied);
            if std::mem::take(&mut applied.initial_list_done) {
                self.publish(&inner, &mut applied);
                inner.processor.begin(&inner.writer.snapshot());
                self.phase.send_modify(|phase| phase.synced = true);
            }
        }
        self.publish(&inner, &mut applied);
        drop(inner);
        for error in applied.errors {
            self.failed(error);
        }
    }

    /// The store first, then the handlers: who is told of a change finds it in the store.
    fn publish(&self, inner: &Inner, applied: &mut Applied) {
        if std::mem::take(&mut applied.changed) {
            self.snapshot.store(Arc::new(inner.writer.snapshot()));
        }
        inner.processor.distribute(std::mem::take(&mut applied.notifications));
    }

    fn spawn(self: &Arc<Self>, runtime: &Handle, listener: Arc<Listener>) {
        if listener.begin() {
            let informer = Arc::downgrade(self);
            let errors: ErrorSink = Arc::new(move |error| {
                if let Some(informer) = informer.upgrade() {
                    informer.failed(error);
                }
            });
            self.tasks.spawn_on(listener.run(errors), runtime);
        }
    }

    /// Lets a handler in.
    pub(crate) fn add_listener(self: &Arc<Self>, listener: Arc<Listener>) -> Result<(), Error> {
        let mut inner = self.lock();
        if inner.closed || self.stop.is_cancelled() {
            return Err(Kind::Stopped(self.resource().clone()).into());
        }
        let (snapshot, synced) = (inner.writer.snapshot(), self.phase().synced);
        inner.processor.add(listener.clone(), snapshot, synced);
        if let Some(runtime) = &inner.runtime {
            self.spawn(&runtime.clone(), listener);
        }
        drop(inner);
        self.listeners_changed.notify_one();
        Ok(())
    }

    pub(crate) fn unlist_weak(self: &Arc<Self>) -> Weak<dyn Unlist> {
        let weak: Weak<Self> = Arc::downgrade(self);
        weak
    }

    pub(crate) fn add_index(&self, name: &str, function: IndexFunc) -> Result<(), Error> {
        let errors = {
            let mut inner = self.lock();
            let errors = inner.writer.add_index(name, function)?;
            self.snapshot.store(Arc::new(inner.writer.snapshot()));
            errors
        };
        for error in errors {
            self.failed(error);
        }
        Ok(())
    }

    /// Ends the tasks, and waits until none is left. Cancel safe: the end comes all the same.
    pub(crate) async fn shutdown(&self) {
        self.stop.cancel();
        if self.phase().started {
            self.tasks.wait().await;
        } else {
            let listeners = {
                let mut inner = self.lock();
                inner.closed = true;
                inner.processor.clear()
            };
            listeners.iter().for_each(|listener| listener.close());
            self.phase.send_modify(|phase| phase.stopped = true);
        }
    }

    /// Waits until all tasks have ended.
    pub(crate) async fn ended(&self) {
        if self.phase().started {
            self.tasks.wait().await;
        }
    }
}

impl Observer for Informer {
    fn failed(&self, error: Error) {
        tracing::debug!(resource = %self.resource(), %error, "informer");
        *self.last_error.lock().unwrap_or_else(PoisonError::into_inner) = Some(error.clone());
        for hook in &self.plan.on_error {
            // A hook that panics must not take a stage of the informer with it.
            if catch_unwind(AssertUnwindSafe(|| hook(self.resource(), &error))).is_err() {
                tracing::error!(resource = %self.resource(), "an error hook panicked");
            }
        }
    }

    fn served(&self) {
        *self.last_error.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

impl Unlist for Informer {
    fn unlist(&self, id: u64) {
        self.lock().processor.remove(id);
        self.listeners_changed.notify_one();
    }
}

impl fmt::Debug for Informer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Informer")
            .field("resource", self.resource())
            .field("phase", &self.phase())
            .field("objects", &self.snapshot.load().objects.len())
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for InformerHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.informer.fmt(f)
    }
}
