//! What stands behind the `…Informer` name that a generated crate gives each kind.

use std::fmt;
use std::marker::PhantomData;

use kube::core::{NamespaceResourceScope, PartialObjectMeta};

use crate::DynamicObject;
use crate::error::Error;
use crate::factory::{InformerAccess, SharedInformerFactory};
use crate::generic::GenericInformer;
use crate::informer_builder::SharedInformerBuilder;
use crate::lister::Lister;
use crate::resource::{Object, Resource};
use crate::shared_informer::SharedInformer;

/// The shared informer of one kind in a factory, and the kind's lister `L`.
///
/// Cheap to clone. Nothing is watched until [`informer`](Self::informer) or [`lister`](Self::lister) is called, which
/// makes the factory hold an informer for what was asked; equal questions share one.
pub struct KindInformer<K, L> {
    access: InformerAccess<K>,
    lister: PhantomData<fn() -> L>,
}

impl<K: Object, L: From<Lister<K>>> KindInformer<K, L> {
    /// In a factory, with the factory's namespace and list options.
    #[must_use]
    pub fn new(factory: &SharedInformerFactory) -> Self {
        Self::of(InformerAccess::new(factory))
    }

    /// [`new`](Self::new), its types forgotten: for lists of informers of several kinds.
    #[must_use]
    pub fn boxed(factory: &SharedInformerFactory) -> Box<dyn GenericInformer>
    where
        L: 'static,
    {
        Box::new(Self::new(factory))
    }

    fn of(access: InformerAccess<K>) -> Self {
        KindInformer { access, lister: PhantomData }
    }

    /// Only the objects that a label selector picks (`tier=a,!old`, or a [`Selector`](crate::Selector)): an informer
    /// of its own.
    #[must_use]
    pub fn labels(self, selector: impl ToString) -> Self {
        Self::of(self.access.labels(selector))
    }

    /// Only the objects that a field selector picks (`metadata.name=a`): an informer of its own.
    #[must_use]
    pub fn fields(self, selector: impl ToString) -> Self {
        Self::of(self.access.fields(selector))
    }

    /// The same objects' metadata alone: name, labels, annotations, owners and the like, and nothing else is asked for.
    #[must_use]
    pub fn metadata(&self) -> InformerAccess<PartialObjectMeta> {
        self.access.metadata()
    }

    /// The informer; the same one for everybody who asks this factory for the same objects.
    #[doc(alias = "Informer")]
    #[must_use]
    pub fn informer(&self) -> SharedInformer<K> {
        self.access.informer()
    }

    /// The informer, with choices of its own: `new` changes a builder that has the factory's, as to keep a
    /// [projection](SharedInformerBuilder::project) or to [transform](SharedInformerBuilder::transform).
    ///
    /// # Errors
    /// If there is one for the same objects that was made with other choices.
    pub fn informer_with(
        &self,
        new: impl FnOnce(SharedInformerBuilder<K>) -> SharedInformerBuilder<K>,
    ) -> Result<SharedInformer<K>, Error> {
        self.access.informer_with(new)
    }

    /// Reads from the informer's cache.
    #[doc(alias = "Lister")]
    #[must_use]
    pub fn lister(&self) -> L {
        L::from(self.access.lister())
    }
}

impl<K, L> KindInformer<K, L>
where
    K: Object + kube::Resource<Scope = NamespaceResourceScope>,
    L: From<Lister<K>>,
{
    /// Only the objects of one namespace: an informer of its own.
    #[must_use]
    pub fn in_namespace(self, namespace: impl Into<String>) -> Self {
        Self::of(self.access.in_namespace(namespace))
    }
}

impl<K: Object, L> GenericInformer for KindInformer<K, L> {
    fn resource(&self) -> &Resource {
        self.access.resource()
    }

    fn informer(&self) -> SharedInformer<DynamicObject> {
        self.access.informer().cast()
    }
}

impl<K, L> Clone for KindInformer<K, L> {
    fn clone(&self) -> Self {
        KindInformer { access: self.access.clone(), lister: PhantomData }
    }
}

impl<K, L> fmt::Debug for KindInformer<K, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KindInformer").finish_non_exhaustive()
    }
}
