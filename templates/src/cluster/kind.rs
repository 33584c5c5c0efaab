//! Informer and lister of `Placeholder`.

use ::informer_runtime::codegen;

/// The shared informer of `Placeholder` objects in a factory, and its lister.
pub type PlaceholderInformer = codegen::KindInformer<super::Placeholder, PlaceholderLister>;

/// Handlers of `Placeholder` events, made of closures.
pub type PlaceholderEventHandlerFuncs = codegen::EventHandlerFuncs<super::Placeholder>;

/// Reads `Placeholder` objects from a cache: what [`codegen::Lister`] does, and objects by their name alone.
#[derive(Clone, Debug)]
pub struct PlaceholderLister(codegen::Lister<super::Placeholder>);

impl PlaceholderLister {
    /// On the cache of an informer.
    #[doc(alias = "NewPlaceholderLister")]
    #[must_use]
    pub fn new(indexer: codegen::Indexer<super::Placeholder>) -> Self {
        Self(codegen::Lister::new(indexer))
    }

    /// The object of a name.
    ///
    /// # Errors
    /// Not found (`is_not_found()`) when the cache has none.
    pub fn get(&self, name: &str) -> ::std::result::Result<codegen::Cached<super::Placeholder>, codegen::Error> {
        self.0.get("", name)
    }
}

impl ::std::convert::From<codegen::Lister<super::Placeholder>> for PlaceholderLister {
    fn from(lister: codegen::Lister<super::Placeholder>) -> Self {
        Self(lister)
    }
}

impl ::std::ops::Deref for PlaceholderLister {
    type Target = codegen::Lister<super::Placeholder>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

/// An informer outside of any factory, so shared with nobody. Its handlers are told of every object again after each
/// `resync` (zero: never).
#[doc(alias = "NewPlaceholderInformer")]
#[must_use]
pub fn new_placeholder_informer(
    client: impl codegen::Transport,
    resync: codegen::Duration,
) -> codegen::SharedInformer<super::Placeholder> {
    codegen::SharedInformer::builder(client).resync(resync).build()
}

/// [`new_placeholder_informer`] with list options of your own; `tweak_list_options` runs once.
#[doc(alias = "NewFilteredPlaceholderInformer")]
#[must_use]
pub fn new_filtered_placeholder_informer(
    client: impl codegen::Transport,
    resync: codegen::Duration,
    tweak_list_options: impl FnOnce(&mut codegen::ListOptions),
) -> codegen::SharedInformer<super::Placeholder> {
    let builder = codegen::SharedInformer::builder(client).resync(resync);
    builder.tweak_list_options(tweak_list_options).build()
}
