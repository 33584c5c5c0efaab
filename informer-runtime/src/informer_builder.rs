//! The choices of one informer.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

use kube::core::{DynamicObject, PartialObjectMeta};
use serde::de::DeserializeOwned;

use crate::entry::EntryPolicy;
use crate::error::Error;
use crate::form::Form;
use crate::informer::InformerHandle;
use crate::kept::KeptType;
use crate::options::{ListOptions, ReflectorOptions};
use crate::plan::Plan;
use crate::reflector::Target;
use crate::reports::ErrorHook;
use crate::resource::{Object, Resource};
use crate::shared_informer::SharedInformer;
use crate::transform::Transform;
use crate::transport::Transport;

impl<K: Object> SharedInformer<K> {
    /// Begins an informer of its own, shared with nobody. Most programs ask a
    /// [`SharedInformerFactory`](crate::SharedInformerFactory) instead.
    #[doc(alias = "NewSharedIndexInformer")]
    pub fn builder(client: impl Transport) -> SharedInformerBuilder<K> {
        SharedInformerBuilder::new(Arc::new(client), Resource::of::<K>(), Form::Full)
    }
}

impl SharedInformer<DynamicObject> {
    /// Begins an informer of its own for a resource whose type is not known.
    pub fn dynamic_builder(client: impl Transport, resource: &Resource) -> SharedInformerBuilder<DynamicObject> {
        SharedInformerBuilder::new(Arc::new(client), resource.clone(), Form::Full)
    }
}

impl SharedInformer<PartialObjectMeta> {
    /// Begins an informer of its own for the metadata of a resource:
    /// [`SharedInformerFactory::metadata`](crate::SharedInformerFactory::metadata) says what that is.
    pub fn metadata_builder(client: impl Transport, resource: &Resource) -> SharedInformerBuilder<PartialObjectMeta> {
        SharedInformerBuilder::new(Arc::new(client), resource.clone(), Form::Metadata)
    }
}

/// Makes a [`SharedInformer`].
#[must_use]
pub struct SharedInformerBuilder<K> {
    pub(crate) plan: Plan,
    kind: PhantomData<fn() -> K>,
}

impl<K> SharedInformerBuilder<K> {
    pub(crate) fn new(transport: Arc<dyn Transport>, resource: Resource, form: Form) -> Self {
        Self {
            plan: Plan {
                transport,
                target: Target { resource, namespace: None, options: ListOptions::default(), form },
                options: ReflectorOptions::default(),
                entries: EntryPolicy { form, ..EntryPolicy::default() },
                on_error: Vec::new(),
                rng: fastrand::Rng::new(),
                resync: Duration::ZERO,
                on_end: None,
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
        self.plan.entries.decoded_budget = bytes;
        self
    }

    /// Keeps every object decoded as `T`, usually as the whole type: made once for each change, before handlers hear of
    /// it, and kept as long as the object. For programs that read all objects all the time. Decoded values of built-in
    /// kinds take two to three times the memory that they take in Go, and many times that of the JSON.
    ///
    /// Of `T` only: other types stay within the [budget](Self::decoded_budget). May be called for several types.
    pub fn decoded<T: DeserializeOwned + Send + Sync + 'static>(mut self) -> Self {
        let kept = KeptType::new::<T>();
        if !self.plan.entries.kept.contains(&kept) {
            self.plan.entries.kept.push(kept);
        }
        self
    }

    /// Keeps a `T`, usually a small struct of the fields that are needed, of every object. It is made once for each
    /// change; [`Indexer::projections`](crate::Indexer::projections) reads them all at the speed of memory, and
    /// [`Cached::get_as`](crate::Cached::get_as) and indexes find them. May be called for several types.
    pub fn project<T: DeserializeOwned + Send + Sync + 'static>(self) -> Self {
        self.decoded::<T>()
    }

    /// What happens to every object between the server and the cache. Default: nothing. The last call counts;
    /// [`Transform::then`] makes one of two.
    #[doc(alias = "SetTransform")]
    pub fn transform(mut self, transform: Transform) -> Self {
        self.plan.entries.transform = transform;
        self
    }

    /// Whether decoded values have their managedFields. Default false: they are nearly half of a decoded object.
    pub fn keep_managed_fields(mut self, keep: bool) -> Self {
        self.plan.entries.keep_managed_fields = keep;
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
