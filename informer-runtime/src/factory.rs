//! One informer for each thing that is watched, however many ask for it.

mod builder;
mod resources;

pub use builder::SharedInformerFactoryBuilder;
use resources::Resources;

use std::collections::HashMap;
use std::fmt;
use std::marker::PhantomData;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use kube::core::DynamicObject;
use tokio_util::sync::CancellationToken;

use crate::error::Error;
use crate::generic::GenericInformer;
use crate::informer::{ErrorHook, InformerHandle};
use crate::options::ListOptions;
use crate::reflector::Target;
use crate::resource::{GroupVersionResource, Object, Resource};
use crate::shared_informer::{SharedInformer, SharedInformerBuilder};
use crate::sync::{SyncResult, wait, wait_within};
use crate::transport::Transport;

type Tweak = Arc<dyn Fn(&mut ListOptions) + Send + Sync>;

/// Shares informers: equal requests get one watch and one cache (client-go's `informers/factory.go`).
///
/// One factory serves all generated crates and all other types. What is watched (resource, namespace, selectors) is
/// the key. Cheap to clone; when the last clone and everything that came from it is dropped, all informers end.
#[derive(Clone)]
pub struct SharedInformerFactory {
    shared: Arc<Shared>,
}

struct Shared {
    transport: Arc<dyn Transport>,
    resources: Resources,
    default_resync: Duration,
    custom_resync: HashMap<GroupVersionResource, Duration>,
    namespace: Option<String>,
    tweak: Option<Tweak>,
    on_error: Vec<ErrorHook>,
    informers: Mutex<Informers>,
}

#[derive(Default)]
struct Informers {
    by_target: HashMap<Target, Arc<InformerHandle>>,
    /// In the order in which they were first asked for.
    order: Vec<Target>,
    shut_down: bool,
}

/// What of a resource an accessor asks for, beside the factory's own choices.
#[derive(Debug, Clone, Default)]
pub(crate) struct InformerScope {
    pub(crate) namespace: Option<String>,
    pub(crate) labels: Option<String>,
    pub(crate) fields: Option<String>,
}

impl InformerScope {
    fn narrow(&self, options: &mut ListOptions) {
        join(&mut options.label_selector, self.labels.as_deref());
        join(&mut options.field_selector, self.fields.as_deref());
    }
}

/// Both selectors must hold.
fn join(selector: &mut Option<String>, more: Option<&str>) {
    match (selector.as_mut().filter(|text| !text.is_empty()), more.filter(|text| !text.is_empty())) {
        (Some(text), Some(more)) => {
            text.push(',');
            text.push_str(more);
        }
        (None, more) => *selector = more.map(str::to_owned),
        (Some(_), None) => {}
    }
}

impl SharedInformerFactory {
    /// A factory for all namespaces. `default_resync` is the resync period of handlers that do not choose their own;
    /// zero for none. The resource tables of generated crates come through [`builder`](Self::builder), or through the
    /// `new_shared_informer_factory` of a generated crate.
    #[doc(alias = "NewSharedInformerFactory")]
    #[must_use]
    pub fn new(client: impl Transport, default_resync: Duration) -> Self {
        Self::builder(client).default_resync(default_resync).build_with_table(&[])
    }

    /// A factory with choices.
    #[doc(alias = "NewSharedInformerFactoryWithOptions")]
    pub fn builder(client: impl Transport) -> SharedInformerFactoryBuilder {
        SharedInformerFactoryBuilder::new(Arc::new(client))
    }

    fn lock(&self) -> MutexGuard<'_, Informers> {
        self.shared.informers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The informer of a type, in the factory's namespace and with its tweak.
    #[doc(alias = "InformerFor")]
    #[must_use]
    pub fn informer_for<K: Object>(&self) -> SharedInformer<K> {
        self.informer_in(&Resource::of::<K>(), &InformerScope::default())
    }

    /// The informer of a type, made by `new` from a builder that has the factory's choices. If there is one for what
    /// the result watches, that one is given, and the result of `new` is dropped, as in client-go.
    ///
    /// # Errors
    /// If the one that is there talks to the server in another way (page size, time limits, managedFields).
    #[doc(alias = "NewInformerFunc")]
    pub fn informer_for_with<K: Object>(
        &self,
        new: impl FnOnce(SharedInformerBuilder<K>) -> SharedInformerBuilder<K>,
    ) -> Result<SharedInformer<K>, Error> {
        let builder = new(self.prepare(&Resource::of::<K>(), &InformerScope::default()));
        self.share(builder)
    }

    pub(crate) fn informer_in<K>(&self, resource: &Resource, scope: &InformerScope) -> SharedInformer<K> {
        let builder = self.prepare(resource, scope);
        self.present(&builder).unwrap_or_else(|| self.insert(builder))
    }

    fn prepare<K>(&self, resource: &Resource, scope: &InformerScope) -> SharedInformerBuilder<K> {
        let shared = &self.shared;
        let namespace = scope.namespace.as_deref().or(shared.namespace.as_deref());
        let resync = shared.custom_resync.get(&resource.group_version_resource());
        let mut builder = SharedInformerBuilder::new(shared.transport.clone(), resource.clone())
            .namespace(namespace.unwrap_or_default())
            .resync(*resync.unwrap_or(&shared.default_resync));
        builder.plan.on_error.clone_from(&shared.on_error);
        builder.tweak_list_options(|options| {
            if let Some(tweak) = &shared.tweak {
                tweak(options);
            }
            scope.narrow(options);
        })
    }

    /// The running or future informer of a target; a stopped one has left its place.
    fn present<K>(&self, builder: &SharedInformerBuilder<K>) -> Option<SharedInformer<K>> {
        let informers = self.lock();
        let there = informers.by_target.get(&builder.plan.target)?;
        (!there.phase().stopped).then(|| SharedInformer::new(there.clone()))
    }

    fn share<K>(&self, builder: SharedInformerBuilder<K>) -> Result<SharedInformer<K>, Error> {
        if let Some(there) = self.present(&builder) {
            if let Some(what) = there.handle().plan().conflict(&builder.plan) {
                let resource = builder.plan.target.resource;
                return Err(crate::error::Kind::InformerConflict { resource, what }.into());
            }
            return Ok(there);
        }
        Ok(self.insert(builder))
    }

    fn insert<K>(&self, builder: SharedInformerBuilder<K>) -> SharedInformer<K> {
        let target = builder.plan.target.clone();
        let informer = builder.build();
        let mut informers = self.lock();
        // Somebody else may have been quicker.
        if let Some(there) = informers.by_target.get(&target).filter(|there| !there.phase().stopped) {
            return SharedInformer::new(there.clone());
        }
        if informers.by_target.insert(target.clone(), informer.handle().clone()).is_none() {
            informers.order.push(target);
        }
        informer
    }

    /// The informer of a registered resource; the same one that its typed accessor gives. As in client-go the informer
    /// is asked for at once, so that the next [`start`](Self::start) starts it.
    ///
    /// # Errors
    /// If no table that was given to the builder has the resource: the error lists near names.
    #[doc(alias = "ForResource")]
    pub fn for_resource(&self, resource: &GroupVersionResource) -> Result<ResourceInformer, Error> {
        let resource = self.shared.resources.find(resource)?;
        Ok(ResourceInformer { informer: self.informer_in(resource, &InformerScope::default()) })
    }

    /// Access to any resource, whether its type is known or not. Shares watch and cache with the typed access to it.
    #[must_use]
    pub fn dynamic(&self, resource: &Resource) -> InformerAccess<DynamicObject> {
        InformerAccess::of_resource(self, resource.clone())
    }

    /// The resources that [`for_resource`](Self::for_resource) knows.
    pub fn resources(&self) -> impl Iterator<Item = &Resource> {
        self.shared.resources.iter()
    }

    fn handles(&self) -> Vec<Arc<InformerHandle>> {
        let informers = self.lock();
        informers.order.iter().filter_map(|target| informers.by_target.get(target)).cloned().collect()
    }

    /// Starts all informers that were asked for and are not started yet, without waiting. Call it again after asking
    /// for more. They stop when `stop` is cancelled. Does nothing after [`shutdown`](Self::shutdown).
    ///
    /// # Panics
    /// Outside of a tokio runtime.
    pub fn start(&self, stop: &CancellationToken) {
        if self.lock().shut_down {
            return;
        }
        for informer in self.handles() {
            informer.start(stop);
        }
    }

    /// Waits until all started informers have their first whole list in their cache. Cancel safe.
    ///
    /// # Errors
    /// If `stop` is cancelled before that: the error says which are not synced, and the last error of each.
    pub async fn wait_for_cache_sync(&self, stop: &CancellationToken) -> Result<SyncResult, Error> {
        wait(stop, self.started()).await
    }

    /// The same for at most `limit`.
    ///
    /// # Errors
    /// If the time is over before all are synced.
    pub async fn wait_for_cache_sync_within(&self, limit: Duration) -> Result<SyncResult, Error> {
        wait_within(limit, self.started()).await
    }

    fn started(&self) -> Vec<Arc<InformerHandle>> {
        self.handles().into_iter().filter(|informer| informer.phase().started).collect()
    }

    /// Stops all informers, and returns when none of their tasks is left. The factory starts nothing afterwards.
    /// Cancel safe: they stop all the same. (client-go's only waits; here nobody has to cancel first.)
    pub async fn shutdown(&self) {
        self.lock().shut_down = true;
        futures::future::join_all(self.handles().iter().map(|informer| informer.shutdown())).await;
    }
}

impl fmt::Debug for SharedInformerFactory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedInformerFactory").field("informers", &self.handles()).finish()
    }
}

/// What a generated accessor is: a resource of a factory, perhaps narrowed. Nothing is watched before
/// [`informer`](Self::informer) or [`lister`](Self::lister) is called.
pub struct InformerAccess<K> {
    factory: SharedInformerFactory,
    resource: Resource,
    scope: InformerScope,
    kind: PhantomData<fn() -> K>,
}

impl<K: Object> InformerAccess<K> {
    /// The access to a type's resource.
    #[must_use]
    pub fn new(factory: &SharedInformerFactory) -> Self {
        Self::of_resource(factory, Resource::of::<K>())
    }
}

impl<K> InformerAccess<K> {
    fn of_resource(factory: &SharedInformerFactory, resource: Resource) -> Self {
        Self { factory: factory.clone(), resource, scope: InformerScope::default(), kind: PhantomData }
    }

    /// Only this namespace, whatever the factory's is; `""` for all.
    #[must_use]
    pub fn in_namespace(mut self, namespace: impl Into<String>) -> Self {
        self.scope.namespace = Some(namespace.into());
        self
    }

    /// Only objects with these labels, and with those that the factory's tweak asks for.
    #[must_use]
    pub fn labels(mut self, selector: impl ToString) -> Self {
        join(&mut self.scope.labels, Some(&selector.to_string()));
        self
    }

    /// Only objects with these fields, in the API server's notation.
    #[must_use]
    pub fn fields(mut self, selector: impl ToString) -> Self {
        join(&mut self.scope.fields, Some(&selector.to_string()));
        self
    }

    /// What is listed and watched.
    #[must_use]
    pub fn resource(&self) -> &Resource {
        &self.resource
    }

    /// The informer.
    #[must_use]
    pub fn informer(&self) -> SharedInformer<K> {
        self.factory.informer_in(&self.resource, &self.scope)
    }

    /// A lister of the informer's cache.
    #[must_use]
    pub fn lister(&self) -> crate::lister::Lister<K> {
        self.informer().lister()
    }
}

impl<K> Clone for InformerAccess<K> {
    fn clone(&self) -> Self {
        Self {
            factory: self.factory.clone(),
            resource: self.resource.clone(),
            scope: self.scope.clone(),
            kind: PhantomData,
        }
    }
}

impl<K> fmt::Debug for InformerAccess<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InformerAccess").field("resource", &self.resource).field("scope", &self.scope).finish()
    }
}

/// What [`for_resource`](SharedInformerFactory::for_resource) gives.
#[derive(Debug, Clone)]
pub struct ResourceInformer {
    informer: SharedInformer<DynamicObject>,
}

impl GenericInformer for ResourceInformer {
    fn resource(&self) -> &Resource {
        self.informer.resource()
    }

    fn informer(&self) -> SharedInformer<DynamicObject> {
        self.informer.clone()
    }
}
