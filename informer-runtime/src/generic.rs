//! Informers whose type is known at run time only.

use kube::core::DynamicObject;

use crate::lister::{Lister, NamespaceLister};
use crate::resource::Resource;
use crate::shared_informer::SharedInformer;

/// What every generated `XInformer`, and what `for_resource` gives, can do without its type
/// (`informers/generic.go` in client-go).
///
/// The informer behind it is the very one of the typed accessor: one watch, one cache.
pub trait GenericInformer: Send + Sync {
    /// What is listed and watched.
    fn resource(&self) -> &Resource;

    /// The informer; asks the factory for it, so that it is started with the factory.
    fn informer(&self) -> SharedInformer<DynamicObject>;

    /// A lister of the informer's cache.
    fn lister(&self) -> GenericLister {
        self.informer().lister()
    }
}

/// A lister of objects whose type is not known.
pub type GenericLister = Lister<DynamicObject>;

/// The same for one namespace.
pub type GenericNamespaceLister = NamespaceLister<DynamicObject>;
