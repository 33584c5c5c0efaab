//! The choices of a factory.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::resources::Resources;
use super::{Shared, SharedInformerFactory, Tweak};
use crate::error::Error;
use crate::options::ListOptions;
use crate::reports::ErrorHook;
use crate::resource::{GroupVersionResource, Object, Resource};
use crate::transform::Transform;
use crate::transport::Transport;

/// Makes a [`SharedInformerFactory`].
#[must_use]
pub struct SharedInformerFactoryBuilder {
    transport: Arc<dyn Transport>,
    tables: Vec<Vec<Resource>>,
    default_resync: Duration,
    custom_resync: HashMap<GroupVersionResource, Duration>,
    namespace: Option<String>,
    tweak: Option<Tweak>,
    transform: Transform,
    custom_transform: HashMap<GroupVersionResource, Transform>,
    on_error: Vec<ErrorHook>,
}

impl SharedInformerFactoryBuilder {
    pub(super) fn new(transport: Arc<dyn Transport>) -> Self {
        Self {
            transport,
            tables: Vec::new(),
            default_resync: Duration::ZERO,
            custom_resync: HashMap::new(),
            namespace: None,
            tweak: None,
            transform: Transform::none(),
            custom_transform: HashMap::new(),
            on_error: Vec::new(),
        }
    }

    /// Registers the table of a generated crate for `for_resource`. May be called for several.
    pub fn resources(mut self, table: &[Resource]) -> Self {
        self.tables.push(table.to_vec());
        self
    }

    /// The resync period of handlers that do not choose their own. Default: none.
    pub fn default_resync(mut self, period: Duration) -> Self {
        self.default_resync = period;
        self
    }

    /// Another resync period for one type.
    #[doc(alias = "WithCustomResyncConfig")]
    pub fn custom_resync<K: Object>(mut self, period: Duration) -> Self {
        let resource = Resource::of::<K>().group_version_resource();
        self.custom_resync.insert(resource, period);
        self
    }

    /// Only this namespace, for all namespaced kinds that do not choose their own; `""` for all.
    #[doc(alias = "WithNamespace")]
    pub fn namespace(mut self, namespace: &str) -> Self {
        self.namespace = Some(namespace.to_owned());
        self
    }

    /// Changes which objects every informer lists and watches. Runs once for each request for an informer; its result
    /// is part of the informer's identity.
    #[doc(alias = "WithTweakListOptions")]
    pub fn tweak_list_options(mut self, tweak: impl Fn(&mut ListOptions) + Send + Sync + 'static) -> Self {
        self.tweak = Some(Arc::new(tweak));
        self
    }

    /// What happens to the objects of all resources between the server and the cache. Default: nothing. A resource may
    /// have [its own](Self::custom_transform), and so may a single informer, by
    /// [`informer_for_with`](SharedInformerFactory::informer_for_with).
    #[doc(alias = "WithTransform")]
    pub fn transform(mut self, transform: Transform) -> Self {
        self.transform = transform;
        self
    }

    /// Another transform for one type, in place of that for all; [`Transform::none`] leaves its objects alone.
    pub fn custom_transform<K: Object>(self, transform: Transform) -> Self {
        self.custom_transform_of(&Resource::of::<K>(), transform)
    }

    /// Another transform for one resource, in place of that for all.
    pub fn custom_transform_of(mut self, resource: &Resource, transform: Transform) -> Self {
        self.custom_transform.insert(resource.group_version_resource(), transform);
        self
    }

    /// Called with every error of every informer. Must not block.
    pub fn on_error(mut self, hook: impl Fn(&Resource, &Error) + Send + Sync + 'static) -> Self {
        self.on_error.push(Arc::new(hook));
        self
    }

    /// The factory.
    ///
    /// # Errors
    /// If two registered tables disagree about a resource's kind or scope.
    pub fn build(mut self) -> Result<SharedInformerFactory, Error> {
        let mut resources = Resources::default();
        for table in std::mem::take(&mut self.tables) {
            resources.add(&table)?;
        }
        Ok(self.with_resources(resources))
    }

    /// The factory with one table that is known to agree with itself: that of a generated crate.
    pub(crate) fn build_with_table(self, table: &[Resource]) -> SharedInformerFactory {
        let mut resources = Resources::default();
        // Of rows that disagree the first one counts; the generator does not write such rows.
        let _ = resources.add(table);
        self.with_resources(resources)
    }

    fn with_resources(self, resources: Resources) -> SharedInformerFactory {
        SharedInformerFactory {
            shared: Arc::new(Shared {
                transport: self.transport,
                resources,
                default_resync: self.default_resync,
                custom_resync: self.custom_resync,
                namespace: self.namespace,
                tweak: self.tweak,
                transform: self.transform,
                custom_transform: self.custom_transform,
                on_error: self.on_error,
                informers: Mutex::default(),
            }),
        }
    }
}

impl fmt::Debug for SharedInformerFactoryBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedInformerFactoryBuilder")
            .field("namespace", &self.namespace)
            .field("default_resync", &self.default_resync)
            .finish_non_exhaustive()
    }
}
