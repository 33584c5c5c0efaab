//! What an informer keeps of every object as a value of one type, read without decoding.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::Arc;

use crate::entry::Entry;
use crate::error::DecodeError;
use crate::head::Labels;
use crate::key::ObjectKey;
use crate::store::Snapshot;

/// The kept values of all objects at one moment: [`Indexer::projections`](crate::Indexer::projections).
///
/// ```no_run
/// use informer_runtime::{Error, SharedInformer};
/// use k8s_openapi::api::core::v1::Pod;
///
/// #[derive(serde::Deserialize)]
/// struct Placed {
///     spec: Spec,
/// }
///
/// #[derive(serde::Deserialize)]
/// #[serde(rename_all = "camelCase")]
/// struct Spec {
///     node_name: Option<String>,
/// }
///
/// # fn example(client: kube::Client) -> Result<(), Error> {
/// let pods = SharedInformer::<Pod>::builder(client).project::<Placed>().build();
/// let on_node = pods.indexer().projections::<Placed>()?;
/// let count = on_node.iter().filter(|pod| pod.spec.node_name.as_deref() == Some("n1")).count();
/// # Ok(())
/// # }
/// ```
pub struct Projections<T> {
    snapshot: Arc<Snapshot>,
    /// Of the type among those that are kept.
    place: usize,
    kind: PhantomData<fn() -> T>,
}

impl<T: Send + Sync + 'static> Projections<T> {
    pub(crate) fn new(snapshot: Arc<Snapshot>, place: usize) -> Self {
        Self { snapshot, place, kind: PhantomData }
    }

    /// All objects that decode, sorted by namespace and name.
    pub fn iter(&self) -> impl Iterator<Item = Projected<'_, T>> {
        self.snapshot.objects.iter().filter_map(|entry| self.project(entry)?.ok())
    }

    /// Those of one namespace, sorted by name.
    pub fn in_namespace<'a>(&'a self, namespace: &'a str) -> impl Iterator<Item = Projected<'a, T>> {
        self.snapshot.namespace(namespace).filter_map(|entry| self.project(entry)?.ok())
    }

    /// One object, if it is there; `""` as namespace for a cluster-scoped one.
    ///
    /// # Errors
    /// If it does not decode.
    pub fn get(&self, namespace: &str, name: &str) -> Result<Option<Projected<'_, T>>, DecodeError> {
        let Some(entry) = self.snapshot.get(namespace, name) else {
            return Ok(None);
        };
        self.project(entry).transpose().map_err(Clone::clone)
    }

    /// Of the objects that do not decode: where, and how.
    pub fn errors(&self) -> impl Iterator<Item = &DecodeError> {
        self.snapshot.objects.iter().filter_map(|entry| self.project(entry)?.err())
    }

    /// How many objects there are, those that do not decode among them.
    #[must_use]
    pub fn len(&self) -> usize {
        self.snapshot.objects.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn project<'a>(&self, entry: &'a Entry) -> Option<Result<Projected<'a, T>, &'a DecodeError>> {
        match entry.kept(self.place)? {
            Ok(value) => value.downcast_ref().map(|value| Ok(Projected { entry, value })),
            Err(error) => Some(Err(error)),
        }
    }
}

impl<T> Clone for Projections<T> {
    fn clone(&self) -> Self {
        Self { snapshot: self.snapshot.clone(), place: self.place, kind: PhantomData }
    }
}

/// Shows how many there are, never the objects.
impl<T> fmt::Debug for Projections<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Projections").field("objects", &self.snapshot.objects.len()).finish_non_exhaustive()
    }
}

/// The kept value of one object, and the object's head beside it. Dereferences to the value.
pub struct Projected<'a, T> {
    entry: &'a Entry,
    value: &'a T,
}

impl<'a, T> Projected<'a, T> {
    /// The value.
    #[must_use]
    pub fn value(&self) -> &'a T {
        self.value
    }

    /// Namespace and name.
    #[must_use]
    pub fn key(&self) -> ObjectKey {
        self.entry.key()
    }

    /// The namespace; `None` for a cluster-scoped object.
    #[must_use]
    pub fn namespace(&self) -> Option<&'a str> {
        Some(self.entry.namespace()).filter(|namespace| !namespace.is_empty())
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &'a str {
        self.entry.name()
    }

    /// The resourceVersion.
    #[must_use]
    pub fn resource_version(&self) -> &'a str {
        self.entry.resource_version()
    }

    /// The labels.
    #[must_use]
    pub fn labels(&self) -> &'a Labels {
        self.entry.labels()
    }
}

impl<T> Deref for Projected<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.value
    }
}

impl<T> Clone for Projected<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Projected<'_, T> {}

/// Shows the key and the version, never the value.
impl<T> fmt::Debug for Projected<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.entry.fmt(f)
    }
}
