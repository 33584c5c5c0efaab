//! Informer and listers of `Placeholder`.

use ::informer_runtime::codegen;

/// The shared informer of `Placeholder` objects in a factory, and its lister.
pub type PlaceholderInformer = codegen::KindInformer<super::Placeholder, PlaceholderLister>;

/// Handlers of `Placeholder` events, made of closures.
pub type PlaceholderEventHandlerFuncs = codegen::EventHandlerFuncs<super::Placeholder>;

/// Reads `Placeholder` objects of one namespace from a cache.
pub type PlaceholderNamespaceLister = codegen::NamespaceLister<super::Placeholder>;

codegen::namespaced_kind! {
    super::Placeholder: PlaceholderLister "NewPlaceholderLister", placeholders -> PlaceholderNamespaceLister;
    new_placeholder_informer "NewPlaceholderInformer", new_filtered_placeholder_informer "NewFilteredPlaceholderInformer"
}
