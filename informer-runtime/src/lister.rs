//! Readers of the cache: the store by key, indexes, and listers by namespace and labels.

use std::any::{TypeId, type_name};
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use serde::de::DeserializeOwned;

use crate::cached::Cached;
use crate::entry::Entry;
use crate::error::{DecodeError, Error, Kind};
use crate::informer::InformerHandle;
use crate::key::ObjectKey;
use crate::projections::Projections;
use crate::resource::Resource;
use crate::selector::Selector;
use crate::store::{IndexFunc, Snapshot};

/// Reads an informer's cache by key and by index.
///
/// Every call sees one moment of the cache, blocks nobody, and is blocked by nobody. Lists are sorted by namespace and
/// name. Before the informer has synced the cache is empty; after it has stopped it stays as it was last.
///
/// Holding an indexer or a lister keeps the informer running, so a handler that holds one of its own informer keeps that
/// running until it is told to stop.
#[doc(alias = "GetIndexer")]
#[doc(alias = "GetStore")]
pub struct Indexer<K> {
    informer: Arc<InformerHandle>,
    kind: PhantomData<fn() -> K>,
}

/// The cache without its indexes; client-go's `Store`. Here the same thing.
#[doc(alias = "cache.Store")]
pub type Store<K> = Indexer<K>;

impl<K> Indexer<K> {
    pub(crate) fn new(informer: Arc<InformerHandle>) -> Self {
        Self { informer, kind: PhantomData }
    }

    fn snapshot(&self) -> Arc<Snapshot> {
        self.informer.snapshot()
    }

    /// The resource that is cached.
    #[must_use]
    pub fn resource(&self) -> &Resource {
        self.informer.resource()
    }

    /// The object with this key.
    #[must_use]
    #[doc(alias = "GetByKey")]
    pub fn get_by_key(&self, key: &ObjectKey) -> Option<Cached<K>> {
        self.get(key.namespace(), key.name())
    }

    fn get(&self, namespace: &str, name: &str) -> Option<Cached<K>> {
        self.snapshot().get(namespace, name).cloned().map(Cached::new)
    }

    /// All objects.
    #[must_use]
    pub fn list(&self) -> Vec<Cached<K>> {
        self.snapshot().objects.iter().cloned().map(Cached::new).collect()
    }

    /// All keys.
    #[must_use]
    #[doc(alias = "ListKeys")]
    pub fn list_keys(&self) -> Vec<ObjectKey> {
        self.snapshot().objects.iter().map(|entry| entry.key()).collect()
    }

    /// How many objects there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.snapshot().objects.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The version that the cache has reached: of the last change, list or bookmark that it took in. Empty before the
    /// first list.
    #[must_use]
    #[doc(alias = "LastStoreSyncResourceVersion")]
    pub fn resource_version(&self) -> String {
        self.snapshot().resource_version.to_string()
    }

    /// Adds an index; it is complete when this returns, on a running informer too. Takes as long as the function does
    /// for all objects, on this thread; nobody else waits for that.
    ///
    /// # Errors
    /// If there is an index of that name, or if this is called by an index function.
    #[doc(alias = "AddIndexers")]
    pub fn add_index(&self, name: &str, function: IndexFunc) -> Result<(), Error> {
        self.informer.add_index(name, function)
    }

    /// The objects that an index files under a value.
    ///
    /// # Errors
    /// If there is no such index.
    #[doc(alias = "ByIndex")]
    pub fn by_index(&self, name: &str, value: &str) -> Result<Vec<Cached<K>>, Error> {
        self.indexed(name, value, |entry| Cached::new(entry.clone()))
    }

    /// The keys of the objects that an index files under a value.
    ///
    /// # Errors
    /// If there is no such index.
    #[doc(alias = "IndexKeys")]
    pub fn index_keys(&self, name: &str, value: &str) -> Result<Vec<ObjectKey>, Error> {
        self.indexed(name, value, |entry| entry.key())
    }

    fn indexed<T>(&self, name: &str, value: &str, each: impl Fn(&Entry) -> T) -> Result<Vec<T>, Error> {
        let snapshot = self.snapshot();
        let index = snapshot.indexes.get(name).ok_or_else(|| Kind::UnknownIndex(name.to_owned()))?;
        let items = index.from((value, "", "")).take_while(|item| *item.value == *value);
        Ok(items.map(|item| each(&item.entry)).collect())
    }

    /// All values under which an index files something, sorted.
    ///
    /// # Errors
    /// If there is no such index.
    #[doc(alias = "ListIndexFuncValues")]
    pub fn list_index_func_values(&self, name: &str) -> Result<Vec<String>, Error> {
        let snapshot = self.snapshot();
        let index = snapshot.indexes.get(name).ok_or_else(|| Kind::UnknownIndex(name.to_owned()))?;
        let mut values: Vec<String> = Vec::new();
        for item in index.iter() {
            if values.last().is_none_or(|last| **last != *item.value) {
                values.push(item.value.to_string());
            }
        }
        Ok(values)
    }

    /// What the informer keeps of every object as a `T`, all of one moment. Nothing is decoded or copied.
    ///
    /// # Errors
    /// If the informer was not built with [`project`](crate::SharedInformerBuilder::project) or
    /// [`decoded`](crate::SharedInformerBuilder::decoded) of this type.
    pub fn projections<T>(&self) -> Result<Projections<T>, Error>
    where
        T: DeserializeOwned + Send + Sync + 'static,
    {
        let place = self.informer.context().kept_place(TypeId::of::<T>());
        let place =
            place.ok_or_else(|| Kind::NotKept { resource: self.resource().clone(), type_name: type_name::<T>() })?;
        Ok(Projections::new(self.snapshot(), place))
    }

    /// The same cache seen as another type.
    #[must_use]
    pub fn cast<T>(&self) -> Indexer<T> {
        Indexer::new(self.informer.clone())
    }
}

impl<K> Clone for Indexer<K> {
    fn clone(&self) -> Self {
        Self::new(self.informer.clone())
    }
}

impl<K> fmt::Debug for Indexer<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Indexer").field(&self.informer).finish()
    }
}

/// Reads an informer's cache by labels and namespace (client-go's `listers/generic_helpers.go`).
#[derive(Debug)]
pub struct Lister<K> {
    indexer: Indexer<K>,
}

impl<K> Lister<K> {
    /// A lister over an informer's cache.
    #[must_use]
    pub fn new(indexer: Indexer<K>) -> Self {
        Self { indexer }
    }

    /// The cache behind it.
    #[must_use]
    pub fn indexer(&self) -> &Indexer<K> {
        &self.indexer
    }

    /// All objects with these labels, sorted by namespace and name.
    #[must_use]
    pub fn list(&self, selector: &Selector) -> Vec<Cached<K>> {
        select(self.indexer.snapshot().objects.iter(), selector)
    }

    /// The object of this name; `""` as namespace for a cluster-scoped one.
    ///
    /// # Errors
    /// A not-found error that names the resource by its plural, as an API server does.
    pub fn get(&self, namespace: &str, name: &str) -> Result<Cached<K>, Error> {
        self.indexer.get(namespace, name).ok_or_else(|| {
            Kind::NotFound { resource: self.indexer.resource().clone(), key: ObjectKey::new(namespace, name) }.into()
        })
    }

    /// A lister of one namespace.
    #[must_use]
    pub fn by_namespace(&self, namespace: &str) -> NamespaceLister<K> {
        NamespaceLister { lister: self.clone(), namespace: namespace.into() }
    }

    /// All objects with these labels, decoded, and apart from them the errors of those that do not decode.
    #[must_use]
    pub fn list_decoded(&self, selector: &Selector) -> (Vec<Arc<K>>, Vec<DecodeError>)
    where
        K: DeserializeOwned + Send + Sync + 'static,
    {
        decode(self.list(selector))
    }
}

impl<K> Clone for Lister<K> {
    fn clone(&self) -> Self {
        Self::new(self.indexer.clone())
    }
}

/// A lister of one namespace.
#[derive(Debug)]
pub struct NamespaceLister<K> {
    lister: Lister<K>,
    namespace: Arc<str>,
}

impl<K> NamespaceLister<K> {
    /// The namespace.
    #[must_use]
    pub fn namespace(&self) -> &str {
        &self.namespace
    }

    /// The cache behind it.
    #[must_use]
    pub fn indexer(&self) -> &Indexer<K> {
        self.lister.indexer()
    }

    /// The objects of the namespace with these labels, sorted by name. The empty namespace means all, as in client-go.
    #[must_use]
    pub fn list(&self, selector: &Selector) -> Vec<Cached<K>> {
        if self.namespace.is_empty() {
            return self.lister.list(selector);
        }
        select(self.lister.indexer.snapshot().namespace(&self.namespace), selector)
    }

    /// The object of this name.
    ///
    /// # Errors
    /// A not-found error that names the resource by its plural.
    pub fn get(&self, name: &str) -> Result<Cached<K>, Error> {
        self.lister.get(&self.namespace, name)
    }

    /// As [`Lister::list_decoded`], of this namespace.
    #[must_use]
    pub fn list_decoded(&self, selector: &Selector) -> (Vec<Arc<K>>, Vec<DecodeError>)
    where
        K: DeserializeOwned + Send + Sync + 'static,
    {
        decode(self.list(selector))
    }
}

impl<K> Clone for NamespaceLister<K> {
    fn clone(&self) -> Self {
        Self { lister: self.lister.clone(), namespace: self.namespace.clone() }
    }
}

fn select<'a, K>(entries: impl Iterator<Item = &'a Entry>, selector: &Selector) -> Vec<Cached<K>> {
    let all = selector.is_everything();
    entries
        .filter(|entry| all || selector.matches_with(|key| entry.labels().get(key)))
        .map(|entry| Cached::new(entry.clone()))
        .collect()
}

fn decode<K>(objects: Vec<Cached<K>>) -> (Vec<Arc<K>>, Vec<DecodeError>)
where
    K: DeserializeOwned + Send + Sync + 'static,
{
    let (mut values, mut errors) = (Vec::with_capacity(objects.len()), Vec::new());
    for object in objects {
        match object.get() {
            Ok(value) => values.push(value),
            Err(error) => errors.push(error),
        }
    }
    (values, errors)
}
