//! What every stage knows of an object without decoding it.

mod labels;
mod scan;
mod uid;

pub(crate) use labels::LabelInterner;
pub use labels::Labels;
pub(crate) use scan::{ScannedObject, scan_object};
pub use uid::Uid;

use std::sync::Arc;

use crate::key::ObjectKey;

/// Namespace, name, uid, resourceVersion and labels of an object.
///
/// This is what indexes on the head see, and what [`Cached`](crate::Cached) answers without decoding.
#[derive(Debug, Clone)]
pub struct Head {
    pub(crate) key: ObjectKey,
    pub(crate) uid: Uid,
    pub(crate) resource_version: Box<str>,
    pub(crate) labels: Arc<Labels>,
}

impl Head {
    /// Namespace and name.
    #[must_use]
    pub fn key(&self) -> &ObjectKey {
        &self.key
    }

    /// The uid, empty if the object has none.
    #[must_use]
    pub fn uid(&self) -> &Uid {
        &self.uid
    }

    /// The resourceVersion, empty if the object has none.
    #[must_use]
    pub fn resource_version(&self) -> &str {
        &self.resource_version
    }

    /// The labels.
    #[must_use]
    pub fn labels(&self) -> &Labels {
        &self.labels
    }

    /// Whether both are the same state of the same object.
    pub(crate) fn same_version(&self, other: &Self) -> bool {
        self.uid == other.uid && !self.resource_version.is_empty() && self.resource_version == other.resource_version
    }
}
