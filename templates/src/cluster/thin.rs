//! Informer and lister of `Placeholder`.

use ::informer_runtime::codegen;

/// The shared informer of `Placeholder` objects in a factory, and its lister.
pub type PlaceholderInformer = codegen::KindInformer<super::Placeholder, PlaceholderLister>;

/// Handlers of `Placeholder` events, made of closures.
pub type PlaceholderEventHandlerFuncs = codegen::EventHandlerFuncs<super::Placeholder>;

codegen::cluster_kind! {
    super::Placeholder: PlaceholderLister "NewPlaceholderLister";
    new_placeholder_informer "NewPlaceholderInformer", new_filtered_placeholder_informer "NewFilteredPlaceholderInformer"
}
