//! One informer as users hold it: a watch, a cache, and any number of handlers and readers.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::decoded::DecodeStats;
use crate::error::Error;
use crate::events::Events;
use crate::handler::{EventHandler, EventHandlerFuncs, HandlerOptions, sink};
use crate::informer::InformerHandle;
use crate::lister::{Indexer, Lister, Store};
use crate::processor::{Listener, Registration};
use crate::resource::Resource;
use crate::stats::InformerStats;
use crate::store::IndexFunc;
use crate::sync::{SyncResult, Until, wait, wait_for_version};

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
        let listener = Listener::new(options, self.informer.plan().resync, Some(sink(handler)));
        self.informer.add_listener(listener.clone())?;
        Ok(Registration::new(listener, self.informer.unlist_weak()))
    }

    /// All that handlers are told, as a stream: what is there first, then [`Event::Synced`](crate::Event::Synced), then
    /// every change.
    ///
    /// ```no_run
    /// # use informer_runtime::{Error, Event, SharedInformer};
    /// # use k8s_openapi::api::core::v1::Pod;
    /// # async fn example(pods: SharedInformer<Pod>) -> Result<(), Error> {
    /// let mut events = pods.events()?;
    /// while let Some(event) = events.next().await {
    ///     match event {
    ///         Event::Added { object, .. } => println!("add: {}", object.name()),
    ///         Event::Updated { new, .. } => println!("update: {}", new.name()),
    ///         Event::Deleted(deleted) => println!("delete: {}", deleted.name()),
    ///         Event::Synced => println!("these are all"),
    ///     }
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// If the informer has stopped.
    pub fn events(&self) -> Result<Events<K>, Error> {
        self.events_with(HandlerOptions::new())
    }

    /// A stream with choices of its own: how changes wait that are not read yet, resyncs, a name.
    ///
    /// # Errors
    /// If the informer has stopped.
    pub fn events_with(&self, options: HandlerOptions) -> Result<Events<K>, Error> {
        Events::new(self.informer.clone(), options)
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

    /// What the informer counted since it was made, and how much it holds now. Cheap; a moment of each number, not one
    /// moment of all.
    #[must_use]
    pub fn stats(&self) -> InformerStats {
        self.informer.stats()
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
        wait(Until::Cancelled(stop), vec![self.informer.clone()], Vec::new()).await
    }

    /// Waits until the cache has reached a resource version, as after a write of one's own: reads see that write then.
    /// Handlers may not have been told yet. Versions are compared as numbers, and bookmarks count. client-go has
    /// nothing like it.
    ///
    /// A server tells of a version only when it has something to tell: a change of such an object, or a bookmark about
    /// once a minute. So the version of an object of another resource is reached late.
    ///
    /// # Errors
    /// If `stop` is cancelled or the informer stops before that: the error says which version was
    /// [reached](Error::reached_version). If `version` is no decimal number without a leading zero. Cancel safe: nothing
    /// is lost, and the wait may be repeated.
    pub async fn wait_for_resource_version(&self, version: &str, stop: &CancellationToken) -> Result<(), Error> {
        wait_for_version(Until::Cancelled(stop), &self.informer, version).await
    }

    /// As [`wait_for_resource_version`](Self::wait_for_resource_version), for at most `limit`.
    ///
    /// # Errors
    /// As there, and if the time is over.
    pub async fn wait_for_resource_version_within(&self, version: &str, limit: Duration) -> Result<(), Error> {
        wait_for_version(Until::Over(limit), &self.informer, version).await
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
