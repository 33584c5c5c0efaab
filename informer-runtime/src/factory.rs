//! One informer for each thing that is watched, however many ask for it.

mod access;
mod builder;
mod informers;
mod resources;

pub use access::InformerAccess;
pub(crate) use access::InformerScope;
pub use builder::SharedInformerFactoryBuilder;
use informers::{Informers, Key};
use resources::Resources;

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use kube::core::{DynamicObject, PartialObjectMeta};
use tokio_util::sync::CancellationToken;

use crate::error::Error;
use crate::form::Form;
use crate::generic::GenericInformer;
use crate::informer::InformerHandle;
use crate::informer_builder::SharedInformerBuilder;
use crate::options::ListOptions;
use crate::plan::Plan;
use crate::reports::ErrorHook;
use crate::resource::{GroupVersionResource, Object, Resource};
use crate::shared_informer::SharedInformer;
use crate::sync::{Failed, SyncResult, Until, wait};
use crate::transform::Transform;
use crate::transport::Transport;

type Tweak = Arc<dyn Fn(&mut ListOptions) + Send + Sync>;

/// Shares informers: equal requests get one watch and one cache (client-go's `informers/factory.go`).
///
/// One factory serves all generated crates and all other types. What is watched (resource, namespace, selectors) is
/// the key, and so are the transform and whether the objects are whole. Cheap to clone; when the last clone and
/// everything that came from it is dropped, all informers end.
///
/// An informer that has stopped, or was told to, has left its place: who asks next gets a new one, with a cache and
/// handlers of its own, and [`start`](Self::start) starts it. What the old one had goes with its last reader.
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
    transform: Transform,
    custom_transform: HashMap<GroupVersionResource, Transform>,
    on_error: Vec<ErrorHook>,
    informers: Mutex<Informers>,
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
    /// If the one that is there talks to the server in another way (page size, time limits), or keeps its objects in
    /// another way (managedFields, budget, types). One with another transform is another informer.
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
        self.present_or_new(builder, |_, _| true).0
    }

    fn prepare<K>(&self, resource: &Resource, scope: &InformerScope) -> SharedInformerBuilder<K> {
        let shared = &self.shared;
        let namespace = scope.namespace.as_deref().or(shared.namespace.as_deref());
        let name = resource.group_version_resource();
        let mut builder = SharedInformerBuilder::new(shared.transport.clone(), resource.clone(), scope.form)
            .namespace(namespace.unwrap_or_default())
            .resync(*shared.custom_resync.get(&name).unwrap_or(&shared.default_resync))
            .transform(shared.custom_transform.get(&name).unwrap_or(&shared.transform).clone());
        builder.plan.on_error.clone_from(&shared.on_error);
        builder.tweak_list_options(|options| {
            if let Some(tweak) = &shared.tweak {
                tweak(options);
            }
            scope.narrow(options);
        })
    }

    fn share<K>(&self, builder: SharedInformerBuilder<K>) -> Result<SharedInformer<K>, Error> {
        let resource = builder.plan.target.resource.clone();
        // Who asks for metadata need not take whole objects that are kept in another way.
        match self.present_or_new(builder, |plan, there| plan.conflict(there).is_none()) {
            (informer, None) => Ok(informer),
            (_, Some(what)) => Err(crate::error::Kind::InformerConflict { resource, what }.into()),
        }
    }

    /// The informer that is there for what `builder` would watch, and what is different about it, if anything is; else
    /// a new one. Readers of metadata ride on an informer of whole objects that is there, if it `may` carry them.
    fn present_or_new<K>(
        &self,
        mut builder: SharedInformerBuilder<K>,
        may: impl Fn(&Plan, &Plan) -> bool,
    ) -> (SharedInformer<K>, Option<&'static str>) {
        let key = Key::of(&builder.plan);
        let mut informers = self.lock();
        if let Some(there) = informers.present(&key) {
            let conflict = there.plan().conflict(&builder.plan);
            return (SharedInformer::new(there.clone()), conflict);
        }
        let whole = key.whole();
        if let Some(there) = whole.and_then(|whole| informers.present(&whole))
            && may(&builder.plan, there.plan())
        {
            return (SharedInformer::new(there.clone()), None);
        }
        let factory = Arc::downgrade(&self.shared);
        builder.plan.on_end = Some(Box::new(move || {
            if let Some(shared) = factory.upgrade() {
                drop(Self { shared }.sweep());
            }
        }));
        let informer = builder.build();
        informers.insert(key, informer.handle().clone());
        (informer, None)
    }

    fn sweep(&self) -> Vec<Arc<InformerHandle>> {
        self.lock().sweep()
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
        InformerAccess::of_resource(self, resource.clone(), Form::Full)
    }

    /// Access to the metadata of any resource: name, labels, annotations, owners and the like, and nothing else is
    /// asked for (as PartialObjectMetadata; from a server that can't leave the rest out, it is dropped as it comes). In
    /// all else it is as any other access.
    ///
    /// If the factory has an informer of the whole objects in the same scope by the time
    /// [`informer`](InformerAccess::informer) is called, that one is given: one watch does for both. An informer of
    /// metadata is never given to who asks for whole objects.
    #[doc(alias = "metadatainformer")]
    #[must_use]
    pub fn metadata(&self, resource: &Resource) -> InformerAccess<PartialObjectMeta> {
        InformerAccess::of_resource(self, resource.clone(), Form::Metadata)
    }

    /// The resources that [`for_resource`](Self::for_resource) knows.
    pub fn resources(&self) -> impl Iterator<Item = &Resource> {
        self.shared.resources.iter()
    }

    /// Starts all informers that were asked for and are not started yet, without waiting. Call it again after asking
    /// for more, or for one that has stopped. They stop when `stop` is cancelled. Does nothing after [`shutdown`](Self::shutdown).
    ///
    /// # Panics
    /// Outside of a tokio runtime.
    pub fn start(&self, stop: &CancellationToken) {
        let informers = self.lock();
        if !informers.shut_down {
            informers.here().iter().for_each(|informer| informer.start(stop));
        }
    }

    /// Waits until all started informers have their first whole list in their cache. Cancel safe.
    ///
    /// # Errors
    /// If `stop` is cancelled, or one of them stops, before that: the error says which are not synced, and the last
    /// error of each. Informers that are not synced yet go on all the same: the next wait may succeed. One that stopped
    /// before it was synced is named until somebody asks for it anew.
    pub async fn wait_for_cache_sync(&self, stop: &CancellationToken) -> Result<SyncResult, Error> {
        let (started, failed) = self.started();
        wait(Until::Cancelled(stop), started, failed).await
    }

    /// The same for at most `limit`.
    ///
    /// # Errors
    /// If the time is over before all are synced.
    pub async fn wait_for_cache_sync_within(&self, limit: Duration) -> Result<SyncResult, Error> {
        let (started, failed) = self.started();
        wait(Until::Over(limit), started, failed).await
    }

    fn started(&self) -> (Vec<Arc<InformerHandle>>, Vec<Failed>) {
        let informers = self.lock();
        let started = informers.here().into_iter().filter(|informer| informer.phase().started).collect();
        (started, informers.failed())
    }

    /// Stops all informers, and returns when none of their tasks is left. The factory starts nothing afterwards.
    /// Cancel safe: they stop all the same. (client-go's only waits; here nobody has to cancel first.)
    pub async fn shutdown(&self) {
        let all = {
            let mut informers = self.lock();
            informers.shut_down = true;
            informers.all()
        };
        futures::future::join_all(all.iter().map(|informer| informer.shutdown())).await;
    }
}

impl fmt::Debug for SharedInformerFactory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedInformerFactory").field("informers", &self.lock().here()).finish()
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
