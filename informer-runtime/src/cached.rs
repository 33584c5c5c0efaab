//! The one currency of every edge: an object of the cache, decoded only if and when somebody asks.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{OwnerReference, Time};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::entry::Entry;
use crate::error::DecodeError;
use crate::head::{Labels, Uid};
use crate::json::value_at;
use crate::key::ObjectKey;

/// An object of an informer's cache, seen as a `K`.
///
/// Cheap to clone, never changes, and stays what it is when the cache moves on. Key, uid, version and labels cost
/// nothing; [`get`](Self::get) decodes the object the first time and shares the value afterwards.
pub struct Cached<K> {
    entry: Entry,
    kind: PhantomData<fn() -> K>,
}

#[derive(Deserialize)]
struct Meta<T> {
    metadata: T,
}

macro_rules! metadata_field {
    ($struct:ident, $field:ident: $type:ty, $wire:literal) => {
        #[derive(Deserialize, Default)]
        #[serde(default)]
        struct $struct {
            #[serde(rename = $wire)]
            $field: Option<$type>,
        }
    };
}

metadata_field!(Annotations, annotations: BTreeMap<String, Option<String>>, "annotations");
metadata_field!(OwnerReferences, owner_references: Vec<OwnerReference>, "ownerReferences");
metadata_field!(DeletionTimestamp, deletion_timestamp: Time, "deletionTimestamp");
metadata_field!(Generation, generation: i64, "generation");
metadata_field!(Finalizers, finalizers: Vec<String>, "finalizers");

impl<K> Cached<K> {
    pub(crate) fn new(entry: Entry) -> Self {
        Self { entry, kind: PhantomData }
    }

    /// Namespace and name.
    #[must_use]
    pub fn key(&self) -> ObjectKey {
        self.entry.key()
    }

    /// The namespace; `None` for a cluster-scoped object.
    #[must_use]
    pub fn namespace(&self) -> Option<&str> {
        Some(self.entry.namespace()).filter(|namespace| !namespace.is_empty())
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.entry.name()
    }

    /// The uid.
    #[must_use]
    pub fn uid(&self) -> &Uid {
        self.entry.uid()
    }

    /// The resourceVersion.
    #[must_use]
    pub fn resource_version(&self) -> &str {
        self.entry.resource_version()
    }

    /// The labels.
    #[must_use]
    pub fn labels(&self) -> &Labels {
        self.entry.labels()
    }

    /// The annotations, by a parse of the metadata alone.
    ///
    /// # Errors
    /// If the object's annotations are no map of strings.
    pub fn annotations(&self) -> Result<BTreeMap<String, String>, DecodeError> {
        let found = self.metadata::<Annotations>()?.annotations.unwrap_or_default();
        Ok(found.into_iter().map(|(key, value)| (key, value.unwrap_or_default())).collect())
    }

    /// The owner references, by a parse of the metadata alone.
    ///
    /// # Errors
    /// If they are not what a server sends.
    pub fn owner_references(&self) -> Result<Vec<OwnerReference>, DecodeError> {
        Ok(self.metadata::<OwnerReferences>()?.owner_references.unwrap_or_default())
    }

    /// Since when the object is being deleted, by a parse of the metadata alone.
    ///
    /// # Errors
    /// If it is no time.
    pub fn deletion_timestamp(&self) -> Result<Option<Time>, DecodeError> {
        Ok(self.metadata::<DeletionTimestamp>()?.deletion_timestamp)
    }

    /// The generation, by a parse of the metadata alone.
    ///
    /// # Errors
    /// If it is no number.
    pub fn generation(&self) -> Result<Option<i64>, DecodeError> {
        Ok(self.metadata::<Generation>()?.generation)
    }

    /// The finalizers, by a parse of the metadata alone.
    ///
    /// # Errors
    /// If they are no list of strings.
    pub fn finalizers(&self) -> Result<Vec<String>, DecodeError> {
        Ok(self.metadata::<Finalizers>()?.finalizers.unwrap_or_default())
    }

    fn metadata<T: DeserializeOwned>(&self) -> Result<T, DecodeError> {
        Ok(self.entry.decode::<Meta<T>>()?.metadata)
    }

    /// The decoded object, without its managedFields unless the informer keeps them.
    ///
    /// The value is shared with everyone who asked or asks for the same type, as long as the informer's budget for
    /// decoded values allows; beyond it the object is decoded anew.
    ///
    /// # Errors
    /// If the object does not fit the type: the error names the object and the place in it. Other objects, and the
    /// informer, are not touched by that. A server that was given a stricter schema keeps and sends what it had stored
    /// by the old one, so one field of a wrong type is enough; then [`get_as`](Self::get_as) with a smaller type reads
    /// all the fields that this type has, and [`raw`](Self::raw) is there in any case.
    pub fn get(&self) -> Result<Arc<K>, DecodeError>
    where
        K: DeserializeOwned + Send + Sync + 'static,
    {
        self.entry.decoded()
    }

    /// The object decoded straight into another type, such as a small struct with the fields that are needed; what
    /// stands in other fields does not matter then. Shared like [`get`](Self::get)'s value.
    ///
    /// # Errors
    /// If the object does not fit the type.
    pub fn get_as<T>(&self) -> Result<Arc<T>, DecodeError>
    where
        T: DeserializeOwned + Send + Sync + 'static,
    {
        self.entry.decoded()
    }

    /// The object's JSON exactly as the server sent it, or as the informer's [`Transform`](crate::Transform) left it.
    /// Items of the lists of built-in kinds come without kind and apiVersion.
    #[must_use]
    pub fn raw(&self) -> Cow<'_, str> {
        self.entry.raw()
    }

    /// Whether the values at a JSON pointer (RFC 6901, such as `/spec`) differ, by their bytes. A value that is in one
    /// object only differs.
    #[must_use]
    pub fn differs(&self, other: &Self, pointer: &str) -> bool {
        let (mine, others) = (self.raw(), other.raw());
        value_at(&mine, pointer) != value_at(&others, pointer)
    }

    /// The same object seen as another type. Nothing is converted: [`get`](Self::get) decodes, or says why not.
    #[must_use]
    pub fn cast<T>(&self) -> Cached<T> {
        Cached::new(self.entry.clone())
    }
}

impl<K> Clone for Cached<K> {
    fn clone(&self) -> Self {
        Self::new(self.entry.clone())
    }
}

/// Shows the key and the version, never the object.
impl<K> fmt::Debug for Cached<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.entry.key(), self.resource_version())
    }
}
