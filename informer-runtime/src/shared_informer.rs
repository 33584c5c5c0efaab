//! One informer as users hold it: a watch, a cache, and any number of handlers and readers.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::decoded::{DEFAULT_BUDGET, DecodeStats};
use crate::error::Error;
use crate::handler::{EventHandler, EventHandlerFuncs, sink};
use crate::informer::{ErrorHook, InformerHandle, Plan};
use crate::lister::{Indexer, Lister, Store};
use crate::options::{ListOptions, ReflectorOptions};
use crate::processor::{Listener, Registration};
use crate::reflector::Target;
use crate::resource::{Object, Resource};
use crate::store::IndexFunc;
use crate::sync::{SyncResult, wait};
use crate::transport::Transport;

/// A shared informer, seen as one of `K` (client-go's `SharedIndexInformer`, `tools/cache/shared_informer.go`).
///
/// Cheap to clone; all clones are the same informer. It runs on tasks of its own once started, by
/// [`run`](Self::run) or by its factory, and ends when it is told to or when nobody holds it any more. A stopped
/// informer never starts again.
#[doc(alias = "SharedIndexInformer")]
pub struct SharedInformer<K> {
    informer: Arc<InformerHandle>,
    kind: PhantomData<fn() -> K>,
}

/// Choices for one handler.
#[derive(Debug, Clone, Default)]
#[must_use]
pub struct HandlerOptions {
    name: Option<String>,
    resync_period: Option<Duration>,
}

impl HandlerOptions {
    /// The informer's own resync period, and a number as name.
    pub fn new() -> Self {
        Self::default()
    }

    /// Tells the handler all objects again, as updates from and to the same version, in this period. Zero: never. A
    /// period below one second is taken as one second. No request is made for it.
    pub fn resync_period(mut self, period: Duration) -> Self {
        self.resync_period = Some(period);
        self
    }

    /// What errors call the handler.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }
}

impl<K: Object> SharedInformer<K> {
    /// Begins an informer of its own, shared with nobody. Most programs ask a
    /// [`SharedInformerFactory`](crate::SharedInformerFactory) instead.
    #[doc(alias = "NewSharedIndexInformer")]
    pub fn builder(client: impl Transport) -> SharedInformerBuilder<K> {
        SharedInformerBuilder::new(Arc::new(client), Resource::of::<K>())
    }
}

impl<K> SharedInformer<K> {
    pub(crate) fn new(informer: Arc<InformerHandle>) -> Self {
        Self { informer, kind: PhantomData }
    }

    pub(crate) fn handle(&self) -> &Arc<InformerHandle> {
        &self.informer
    }

    /// What is listed and watched.
    #[must_use]
    pub fn resource(&self) -> &Resource {
        self.informer.resource()
    }

    /// A handler of closures, with the type known.
    #[must_use]
    pub fn handler(&self) -> EventHandlerFuncs<K> {
        EventHandlerFuncs::new()
    }

    /// Adds a handler. Before the start or later: it is told of all objects that are there (as initial ones), then of
    /// every change. Adding never makes the informer or other handlers wait.
    ///
    /// The handler stays when the registration is dropped.
    ///
    /// # Errors
    /// If the informer has stopped.
    ///
    /// # Panics
    /// Never; on a running informer it may be called from any thread.
    #[doc(alias = "AddEventHandler")]
    pub fn add_event_handler(&self, handler: impl EventHandler<K>) -> Result<Registration, Error>
    where
        K: 'static,
    {
        self.add_event_handler_with(HandlerOptions::new(), handler)
    }

    /// Adds a handler with choices of its own.
    ///
    /// # Errors
    /// If the informer has stopped.
    #[doc(alias = "AddEventHandlerWithResyncPeriod")]
    #[doc(alias = "AddEventHandlerWithOptions")]
    pub fn add_event_handler_with(
        &self,
        options: HandlerOptions,
        handler: impl EventHandler<K>,
    ) -> Result<Registration, Error>
    where
        K: 'static,
    {
        let period = options.resync_period.unwrap_or(self.informer.plan().resync);
        let listener = Listener::new(options.name, sink(handler), Some(period).filter(|period| !period.is_zero()));
        self.informer.add_listener(listener.clone())?;
        Ok(Registration::new(listener, self.informer.unlist_weak()))
    }

    /// Whether the first whole list is in the cache. Handlers may not have been told yet:
    /// [`Registration::has_synced`].
    #[must_use]
    #[doc(alias = "HasSynced")]
    pub fn has_synced(&self) -> bool {
        self.informer.phase().synced
    }

    /// The version that the cache has reached; empty before the first list.
    #[must_use]
    #[doc(alias = "LastSyncResourceVersion")]
    pub fn last_sync_resource_version(&self) -> String {
        self.informer.snapshot().resource_version.to_string()
    }

    /// Whether the informer has stopped, and so will never run again.
    #[must_use]
    #[doc(alias = "IsStopped")]
    pub fn is_stopped(&self) -> bool {
        self.informer.phase().stopped
    }

    /// The last error, until the server serves the informer again.
    #[must_use]
    pub fn last_error(&self) -> Option<Error> {
        self.informer.last_error()
    }

    /// How often decoded values were at hand, and how often they had to be made.
    #[must_use]
    pub fn decode_stats(&self) -> DecodeStats {
        self.informer.context().decoded.stats()
    }

    /// The cache.
    #[must_use]
    #[doc(alias = "GetStore")]
    pub fn store(&self) -> Store<K> {
        self.indexer()
    }

    /// The cache and its indexes.
    #[must_use]
    #[doc(alias = "GetIndexer")]
    pub fn indexer(&self) -> Indexer<K> {
        Indexer::new(self.informer.clone())
    }

    /// The cache by labels and namespace.
    #[must_use]
    pub fn lister(&self) -> Lister<K> {
        Lister::new(self.indexer())
    }

    /// Adds an index: [`Indexer::add_index`].
    ///
    /// # Errors
    /// If there is an index of that name.
    #[doc(alias = "AddIndexers")]
    pub fn add_index(&self, name: &str, function: IndexFunc) -> Result<(), Error> {
        self.informer.add_index(name, function)
    }

    /// What client-go's deprecated `GetController` is still used for.
    #[must_use]
    #[doc(alias = "GetController")]
    pub fn controller(&self) -> Controller {
        Controller { informer: self.informer.clone() }
    }

    /// Starts the informer on the current tokio runtime without waiting. Does nothing if it was started before.
    ///
    /// # Panics
    /// Outside of a tokio runtime.
    pub fn start(&self, stop: &CancellationToken) {
        self.informer.start(stop);
    }

    /// Runs the informer until `stop` is cancelled, and returns when none of its tasks is left. If it was started
    /// before, by its factory or another call, this waits for the same end: that of the token it was started with, or
    /// this one.
    ///
    /// Dropping the future neither stops the informer nor loses anything.
    ///
    /// # Panics
    /// Outside of a tokio runtime.
    #[doc(alias = "Run")]
    #[doc(alias = "RunWithContext")]
    pub async fn run(&self, stop: CancellationToken) {
        self.informer.start(&stop);
        tokio::select! {
            () = self.informer.ended() => {}
            () = stop.cancelled() => self.informer.shutdown().await,
        }
    }

    /// Stops the informer and returns when none of its tasks is left. Cancel safe: it stops all the same.
    pub async fn shutdown(&self) {
        self.informer.shutdown().await;
    }

    /// Waits until the first whole list is in the cache.
    ///
    /// # Errors
    /// If `stop` is cancelled, or the informer stops, before that: with the reason why it has not synced, as far as
    /// known. Cancel safe.
    #[doc(alias = "WaitForCacheSync")]
    pub async fn wait_for_cache_sync(&self, stop: &CancellationToken) -> Result<SyncResult, Error> {
        wait(stop, vec![self.informer.clone()]).await
    }

    /// The same informer seen as another type: one watch, one cache.
    #[must_use]
    pub fn cast<T>(&self) -> SharedInformer<T> {
        SharedInformer::new(self.informer.clone())
    }
}

impl<K> Clone for SharedInformer<K> {
    fn clone(&self) -> Self {
        Self::new(self.informer.clone())
    }
}

impl<K> fmt::Debug for SharedInformer<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.informer.fmt(f)
    }
}

/// Two questions about an informer, and nothing more.
#[derive(Debug, Clone)]
pub struct Controller {
    informer: Arc<InformerHandle>,
}

impl Controller {
    /// As [`SharedInformer::has_synced`].
    #[must_use]
    pub fn has_synced(&self) -> bool {
        self.informer.phase().synced
    }

    /// As [`SharedInformer::last_sync_resource_version`].
    #[must_use]
    pub fn last_sync_resource_version(&self) -> String {
        self.informer.snapshot().resource_version.to_string()
    }
}

/// Makes a [`SharedInformer`].
#[must_use]
pub struct SharedInformerBuilder<K> {
    pub(crate) plan: Plan,
    kind: PhantomData<fn() -> K>,
}

impl<K> SharedInformerBuilder<K> {
    pub(crate) fn new(transport: Arc<dyn Transport>, resource: Resource) -> Self {
        Self {
            plan: Plan {
                transport,
                target: Target { resource, namespace: None, options: ListOptions::default() },
                options: ReflectorOptions::default(),
                keep_managed_fields: false,
                decoded_budget: DEFAULT_BUDGET,
                on_error: Vec::new(),
                rng: fastrand::Rng::new(),
                resync: Duration::ZERO,
            },
            kind: PhantomData,
        }
    }

    /// Only this namespace; `""` for all. Without effect on cluster-scoped kinds.
    pub fn namespace(mut self, namespace: &str) -> Self {
        let namespaced = self.plan.target.resource.is_namespaced() && !namespace.is_empty();
        self.plan.target.namespace = namespaced.then(|| namespace.to_owned());
        self
    }

    /// Changes which objects are listed and watched. Runs at once.
    #[doc(alias = "TweakListOptionsFunc")]
    pub fn tweak_list_options(mut self, tweak: impl FnOnce(&mut ListOptions)) -> Self {
        tweak(&mut self.plan.target.options);
        self
    }

    /// The resync period of handlers that do not choose their own. Default: none.
    pub fn resync(mut self, period: Duration) -> Self {
        self.plan.resync = period;
        self
    }

    /// Changes how the informer talks to the server.
    pub fn reflector_options(mut self, change: impl FnOnce(&mut ReflectorOptions)) -> Self {
        change(&mut self.plan.options);
        self
    }

    /// How much raw JSON, in bytes, the objects whose decoded values are kept may have in all. Default 8 MiB.
    pub fn decoded_budget(mut self, bytes: usize) -> Self {
        self.plan.decoded_budget = bytes;
        self
    }

    /// Whether decoded values have their managedFields. Default false: they are nearly half of a decoded object.
    pub fn keep_managed_fields(mut self, keep: bool) -> Self {
        self.plan.keep_managed_fields = keep;
        self
    }

    /// Called with every error: of requests, of the stream, of indexes and of handlers. Must not block. May be set
    /// more than once; all are called.
    #[doc(alias = "SetWatchErrorHandler")]
    pub fn on_error(mut self, hook: impl Fn(&Resource, &Error) + Send + Sync + 'static) -> Self {
        let hook: ErrorHook = Arc::new(hook);
        self.plan.on_error.push(hook);
        self
    }

    /// Makes all that is random (delays, watch times) repeatable.
    pub fn random_seed(mut self, seed: u64) -> Self {
        self.plan.rng = fastrand::Rng::with_seed(seed);
        self
    }

    /// The informer. Nothing is requested before it is started.
    #[must_use]
    pub fn build(self) -> SharedInformer<K> {
        SharedInformer::new(Arc::new(InformerHandle::new(self.plan)))
    }
}

impl<K> fmt::Debug for SharedInformerBuilder<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedInformerBuilder")
            .field("target", &self.plan.target)
            .field("options", &self.plan.options)
            .finish_non_exhaustive()
    }
}
