//! What is the same for all kinds whose type exists already, but must be items of the generated crate: the lister, so
//! that it can have methods of the kind's own, and the functions that make an informer outside of any factory.

use crate::factory::SharedInformerFactory;
use crate::generic::GenericInformer;
use crate::resource::{Resource, Scope};

/// Lister and constructors of a kind whose objects live in namespaces, each with the name that it has in client-go.
#[doc(hidden)]
#[macro_export]
macro_rules! __informer_runtime_namespaced_kind {
    (
        $kind:ty: $lister:ident $go_lister:literal, $namespace:ident -> $namespace_lister:ty;
        $new:ident $go_new:literal, $new_filtered:ident $go_new_filtered:literal
    ) => {
        $crate::__informer_runtime_lister! {
            /// Reads the objects of all namespaces from a cache, and those of one by its name.
            $lister $go_lister, $kind
        }

        impl $lister {
            /// The objects of one namespace.
            #[must_use]
            pub fn $namespace(&self, namespace: &str) -> $namespace_lister {
                self.0.by_namespace(namespace)
            }
        }

        /// An informer outside of any factory, so shared with nobody: the objects of one namespace (`""`: of all). Its
        /// handlers are told of every object again after each `resync` (zero: never).
        #[doc(alias = $go_new)]
        #[must_use]
        pub fn $new(
            client: impl $crate::codegen::Transport,
            namespace: &str,
            resync: $crate::codegen::Duration,
        ) -> $crate::codegen::SharedInformer<$kind> {
            $new_filtered(client, namespace, resync, |_| {})
        }

        /// The same with list options of your own; `tweak_list_options` runs once.
        #[doc(alias = $go_new_filtered)]
        #[must_use]
        pub fn $new_filtered(
            client: impl $crate::codegen::Transport,
            namespace: &str,
            resync: $crate::codegen::Duration,
            tweak_list_options: impl FnOnce(&mut $crate::codegen::ListOptions),
        ) -> $crate::codegen::SharedInformer<$kind> {
            let builder = $crate::codegen::SharedInformer::builder(client).namespace(namespace).resync(resync);
            builder.tweak_list_options(tweak_list_options).build()
        }
    };
}

/// Lister and constructors of a kind whose objects belong to the cluster.
#[doc(hidden)]
#[macro_export]
macro_rules! __informer_runtime_cluster_kind {
    (
        $kind:ty: $lister:ident $go_lister:literal;
        $new:ident $go_new:literal, $new_filtered:ident $go_new_filtered:literal
    ) => {
        $crate::__informer_runtime_lister! {
            /// Reads the objects from a cache, one of them by its name alone.
            $lister $go_lister, $kind
        }

        impl $lister {
            /// The object of a name.
            ///
            /// # Errors
            /// Not found (`is_not_found()`) when the cache has none.
            pub fn get(
                &self,
                name: &str,
            ) -> ::std::result::Result<$crate::codegen::Cached<$kind>, $crate::codegen::Error> {
                self.0.get("", name)
            }
        }

        /// An informer outside of any factory, so shared with nobody. Its handlers are told of every object again after
        /// each `resync` (zero: never).
        #[doc(alias = $go_new)]
        #[must_use]
        pub fn $new(
            client: impl $crate::codegen::Transport,
            resync: $crate::codegen::Duration,
        ) -> $crate::codegen::SharedInformer<$kind> {
            $new_filtered(client, resync, |_| {})
        }

        /// The same with list options of your own; `tweak_list_options` runs once.
        #[doc(alias = $go_new_filtered)]
        #[must_use]
        pub fn $new_filtered(
            client: impl $crate::codegen::Transport,
            resync: $crate::codegen::Duration,
            tweak_list_options: impl FnOnce(&mut $crate::codegen::ListOptions),
        ) -> $crate::codegen::SharedInformer<$kind> {
            let builder = $crate::codegen::SharedInformer::builder(client).resync(resync);
            builder.tweak_list_options(tweak_list_options).build()
        }
    };
}

/// A lister of its own for a kind, so that it can have more methods: it does what `Lister` does.
#[doc(hidden)]
#[macro_export]
macro_rules! __informer_runtime_lister {
    ($(#[$attribute:meta])* $lister:ident $go_lister:literal, $kind:ty) => {
        $(#[$attribute])*
        #[derive(Clone, Debug)]
        pub struct $lister($crate::codegen::Lister<$kind>);

        impl $lister {
            /// On the cache of an informer.
            #[doc(alias = $go_lister)]
            #[must_use]
            pub fn new(indexer: $crate::codegen::Indexer<$kind>) -> Self {
                Self($crate::codegen::Lister::new(indexer))
            }
        }

        impl ::std::convert::From<$crate::codegen::Lister<$kind>> for $lister {
            fn from(lister: $crate::codegen::Lister<$kind>) -> Self {
                Self(lister)
            }
        }

        impl ::std::ops::Deref for $lister {
            type Target = $crate::codegen::Lister<$kind>;

            fn deref(&self) -> &Self::Target {
                &self.0
            }
        }
    };
}

pub use crate::{
    __informer_runtime_cluster_kind as cluster_kind, __informer_runtime_namespaced_kind as namespaced_kind,
};

/// The row of a resource table for a type that says itself what it is, as those of k8s-openapi do.
#[must_use]
pub const fn resource<K>() -> Resource
where
    K: k8s_openapi::Resource,
    K::Scope: Scope,
{
    Resource::new(K::GROUP, K::VERSION, K::KIND, K::URL_PATH_SEGMENT, <K::Scope as Scope>::NAMESPACED)
}

/// How an informer of a kind is made whose type is forgotten: [`KindInformer::boxed`](super::KindInformer::boxed).
pub type NewInformer = fn(&SharedInformerFactory) -> Box<dyn GenericInformer>;

/// What `informers` of a generated crate gives: each made by one of these.
#[must_use]
pub fn informers(factory: &SharedInformerFactory, new: &[NewInformer]) -> Vec<Box<dyn GenericInformer>> {
    new.iter().map(|new| new(factory)).collect()
}
