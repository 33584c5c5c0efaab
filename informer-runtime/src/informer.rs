//! Wires the stages of one informer, and starts and stops them. The only file that knows them all.

mod listeners;

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arc_swap::ArcSwap;
use tokio::runtime::Handle;
use tokio::sync::{Notify, watch};
use tokio::time::Instant;
use tokio_util::sync::{CancellationToken, DropGuard};
use tokio_util::task::TaskTracker;

use crate::delta::Delta;
use crate::delta_queue::{DeltaReceiver, delta_queue};
use crate::entry::{EntryContext, EntryMaker};
use crate::error::Error;
use crate::plan::Plan;
use crate::processor::{Processor, ResyncTimers};
use crate::reflector::Reflector;
use crate::reports::Reports;
use crate::resource::Resource;
use crate::stats::{InformerStats, Now};
use crate::store::{Applied, Snapshot, StoreWriter, make_kept};

/// One informer, without a type. Its tasks hold this; users hold [`InformerHandle`].
pub(crate) struct Informer {
    plan: Plan,
    context: Arc<EntryContext>,
    snapshot: ArcSwap<Snapshot>,
    /// Told of every new snapshot.
    moved: watch::Sender<()>,
    /// Locked while a batch is taken in, index functions included; so never together with what others wait for.
    writer: Mutex<StoreWriter>,
    /// No user code runs under this one.
    inner: Mutex<Inner>,
    /// How many want the writer to wait.
    holds: watch::Sender<usize>,
    phase: watch::Sender<Phase>,
    reports: Arc<Reports>,
    listeners_changed: Notify,
    tasks: TaskTracker,
    stop: CancellationToken,
}

#[derive(Default)]
struct Inner {
    processor: Processor,
    /// Where tasks run, once started.
    runtime: Option<Handle>,
    /// What it was started with.
    started_with: Option<CancellationToken>,
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
        let context = EntryContext::new(resource, plan.entries.clone());
        let reports = Arc::new(Reports::new(plan.target.resource.clone(), plan.on_error.clone()));
        let stop = CancellationToken::new();
        let informer = Arc::new(Informer {
            plan,
            context: Arc::new(context),
            snapshot: ArcSwap::default(),
            moved: watch::Sender::default(),
            writer: Mutex::default(),
            inner: Mutex::default(),
            holds: watch::Sender::default(),
            phase: watch::Sender::default(),
            reports,
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

    /// Locked before [`inner`](Self::lock), never after.
    fn writer(&self) -> MutexGuard<'_, StoreWriter> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
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
        self.reports.last()
    }

    /// What it counted, and what it holds now.
    pub(crate) fn stats(&self) -> InformerStats {
        let (handlers, backlog) = self.lock().processor.sizes();
        let snapshot = self.snapshot();
        self.reports.counters.stats(Now {
            handlers,
            backlog,
            objects: snapshot.objects.len(),
            resource_version: snapshot.resource_version.to_string(),
            decode: self.context.decoded.stats(),
        })
    }

    pub(crate) fn watch_snapshots(&self) -> watch::Receiver<()> {
        self.moved.subscribe()
    }

    /// Whether it has stopped or was told to.
    pub(crate) fn is_ending(&self) -> bool {
        let cancelled = || self.lock().started_with.as_ref().is_some_and(CancellationToken::is_cancelled);
        self.phase().stopped || self.stop.is_cancelled() || cancelled()
    }

    fn entry_maker(self: &Arc<Self>) -> EntryMaker {
        let informer = self.clone();
        EntryMaker::new(self.context.clone(), move |error| informer.failed(error))
    }

    /// Starts the tasks, unless that was done before. They end when `stop` is cancelled.
    pub(crate) fn start(self: &Arc<Self>, stop: &CancellationToken) {
        let runtime = Handle::current();
        let first = self.phase.send_if_modified(|phase| !std::mem::replace(&mut phase.started, true));
        if !first {
            return;
        }
        let (sender, receiver) = delta_queue(self.reports.counters.queued.clone());
        let reflector = Reflector::new(
            self.plan.transport.clone(),
            self.plan.target.clone(),
            self.plan.options.clone(),
            self.entry_maker(),
            sender,
            self.reports.clone(),
            self.plan.rng.clone(),
        );
        {
            let mut inner = self.lock();
            inner.runtime = Some(runtime.clone());
            inner.started_with = Some(stop.clone());
            for listener in inner.processor.listeners() {
                self.spawn(&runtime, listener.clone());
            }
        }
        let stop = stop.clone();
        let informer = self.clone();
        self.tasks.spawn_on(async move { informer.supervise(reflector, receiver, stop).await }, &runtime);
        #[cfg(feature = "metrics")]
        self.publish_stats(&runtime);
        self.tasks.close();
    }

    #[cfg(feature = "metrics")]
    fn publish_stats(self: &Arc<Self>, runtime: &Handle) {
        let (informer, mut phase) = (self.clone(), self.watch_phase());
        // The sender lives in the informer that the task holds.
        let stopped = async move { drop(phase.wait_for(|phase| phase.stopped).await) };
        let publish = crate::publish::publish(self.plan.target.clone(), move || informer.stats(), stopped);
        self.tasks.spawn_on(publish, runtime);
    }

    /// Runs the stages and ends them in order: reflector, queue and store, handlers.
    async fn supervise(self: Arc<Self>, reflector: Reflector, queue: DeltaReceiver, stop: CancellationToken) {
        let reflecting = CancellationToken::new();
        let process = self.process(queue, reflecting.clone());
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
                _ = &mut task => reflecting.cancel(),
                () = stopped => drop(task.await),
            }
        };
        tokio::join!(process, reflect);
        let listeners = self.close_listeners();
        for listener in &listeners {
            listener.ended().await;
        }
        self.has_stopped();
    }

    /// Takes deltas into the store and tells the handlers; looks after resyncs between.
    async fn process(&self, mut queue: DeltaReceiver, stopping: CancellationToken) {
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
            let batch = async {
                self.unheld().await;
                tokio::select! {
                    () = self.room() => {}
                    // Nobody may keep an informer from its end.
                    () = stopping.cancelled() => {}
                }
                queue.recv().await
            };
            look = tokio::select! {
                biased;
                batch = batch => match batch {
                    // A queue that is never empty must not put off a resync.
                    Some(batch) => { self.apply(batch); next.is_some_and(|at| at <= Instant::now()) }
                    None => return,
                },
                () = due => true,
                () = self.listeners_changed.notified() => true,
            };
        }
    }

    fn apply(&self, batch: Vec<Delta>) {
        if !self.plan.entries.kept.is_empty() {
            make_kept(&self.snapshot.load(), &batch); // before others are kept out by the lock
        }
        let mut applied = Applied::default();
        let mut writer = self.writer();
        for delta in batch {
            writer.apply(delta, &mut applied);
            if std::mem::take(&mut applied.initial_list_done) {
                self.publish(&writer, &mut applied, true);
            }
        }
        self.publish(&writer, &mut applied, false);
        drop(writer);
        for error in applied.errors {
            self.failed(error);
        }
    }

    /// Ends the tasks, and waits until none is left. Cancel safe: the end comes all the same.
    pub(crate) async fn shutdown(&self) {
        self.stop.cancel();
        if self.phase().started {
            self.tasks.wait().await;
        } else {
            self.close_listeners();
            self.has_stopped();
        }
    }

    fn has_stopped(&self) {
        let first = self.phase.send_if_modified(|phase| !std::mem::replace(&mut phase.stopped, true));
        if let Some(on_end) = self.plan.on_end.as_ref().filter(|_| first) {
            on_end();
        }
    }

    /// Waits until all tasks have ended.
    pub(crate) async fn ended(&self) {
        if self.phase().started {
            self.tasks.wait().await;
        }
    }

    /// Reports what failed in the store or in a handler; the reflector reports by itself.
    pub(crate) fn failed(&self, error: Error) {
        self.reports.failed(error);
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
