//! All that generated code may call. Nobody else needs it.
//!
//! Generated crates name kube, k8s-openapi and serde only through this module, so that they depend on this crate
//! alone and can't be of another version of those than it is. A change of what generated code relies on raises
//! [`VERSION`], and a crate made for another version fails to compile with a text that says what to do.

mod condition;
mod kind;
mod kind_informer;
pub mod prelude;
mod serde_support;
mod served;

pub use std::default::Default;
pub use std::time::Duration;

pub use k8s_openapi;
pub use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
pub use kube;
pub use serde;
pub use serde_json;
pub use tokio_util::sync::CancellationToken;

pub use crate::factory::{InformerAccess, SharedInformerFactory};
pub use crate::generic::{GenericInformer, GenericLister};
pub use crate::{
    Cached, DecodeError, Deleted, DynamicObject, Error, EventHandler, EventHandlerFuncs, Indexer, ListOptions, Lister,
    NamespaceLister, Object, Resource, Selector, SharedInformer, SharedInformerBuilder, Transport,
};
pub use condition::Condition;
pub use kind::{NewInformer, cluster_kind, informers, namespaced_kind, resource};
pub use kind_informer::KindInformer;
pub use serde_support::*;
pub use served::{ServedAs, served_object};

/// The version of what generated code relies on.
pub const VERSION: u32 = 1;

/// Stands in every generated crate, in a `const`, and fails the compilation if the crate was made for another version.
///
/// # Panics
/// In a `const`, so at compile time, if the versions differ.
pub const fn requires(version: u32) {
    assert!(
        version == VERSION,
        "this crate was generated for another version of informer-runtime: regenerate it with the informer-gen of this version"
    );
}

/// What a user does to the list options of every informer of a factory.
pub type TweakListOptions = Box<dyn Fn(&mut ListOptions) + Send + Sync>;

/// The factory that `new_shared_informer_factory` and `new_filtered_shared_informer_factory` of a generated crate give:
/// `namespace` is `""` for all, `resources` the crate's own table.
pub fn new_factory(
    client: impl Transport,
    default_resync: Duration,
    namespace: &str,
    tweak: Option<TweakListOptions>,
    resources: &[Resource],
) -> SharedInformerFactory {
    let mut builder = SharedInformerFactory::builder(client).default_resync(default_resync).namespace(namespace);
    if let Some(tweak) = tweak {
        builder = builder.tweak_list_options(tweak);
    }
    builder.build_with_table(resources)
}
