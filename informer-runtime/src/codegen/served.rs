//! One type for objects that several groups or versions serve: its parameter says which.

use std::fmt::Debug;

use k8s_openapi::ResourceScope;

/// Where objects are served: the parameter of their type. A type with no value of interest.
pub trait ServedAs: Clone + Debug + Default + PartialEq + Send + Sync + 'static {
    /// Group and version as objects have them.
    const API_VERSION: &'static str;
    /// The group; `""` is core.
    const GROUP: &'static str;
    /// `kind` of the objects.
    const KIND: &'static str;
    /// `kind` of a list of them.
    const LIST_KIND: &'static str;
    /// As it stands in URLs.
    const PLURAL: &'static str;
    /// The version.
    const VERSION: &'static str;
    /// Whether they live in namespaces.
    type Scope: ResourceScope;
}

/// What the Kubernetes traits ask of a type with such a parameter, and a way from one place to another; the list has
/// all its fields but `served`.
#[doc(hidden)]
#[macro_export]
macro_rules! __informer_runtime_served_object {
    ($name:ident<$at:ident> { $($field:ident),* $(,)? }) => {
        impl<$at: $crate::codegen::ServedAs> $crate::codegen::k8s_openapi::Resource for $name<$at> {
            const API_VERSION: &'static str = $at::API_VERSION;
            const GROUP: &'static str = $at::GROUP;
            const KIND: &'static str = $at::KIND;
            const VERSION: &'static str = $at::VERSION;
            const URL_PATH_SEGMENT: &'static str = $at::PLURAL;
            type Scope = $at::Scope;
        }

        impl<$at: $crate::codegen::ServedAs> $crate::codegen::k8s_openapi::ListableResource for $name<$at> {
            const LIST_KIND: &'static str = $at::LIST_KIND;
        }

        impl<$at: $crate::codegen::ServedAs> $crate::codegen::k8s_openapi::Metadata for $name<$at> {
            type Ty = $crate::codegen::ObjectMeta;

            fn metadata(&self) -> &Self::Ty {
                &self.metadata
            }

            fn metadata_mut(&mut self) -> &mut Self::Ty {
                &mut self.metadata
            }
        }

        impl<$at> $name<$at> {
            /// The same object as another group or version serves it. Nothing is copied.
            #[must_use]
            pub fn served_as<__Other: $crate::codegen::ServedAs>(self) -> $name<__Other> {
                $name { served: ::std::marker::PhantomData, $($field: self.$field,)* }
            }
        }
    };
}

pub use crate::__informer_runtime_served_object as served_object;
