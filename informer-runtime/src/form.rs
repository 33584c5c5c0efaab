//! What of each object is asked for: all of it, or its metadata.

use crate::resource::Resource;

/// The kind that a server gives objects of which it sends the metadata alone.
const PARTIAL_KIND: &str = "PartialObjectMetadata";
const PARTIAL_API_VERSION: &str = "meta.k8s.io/v1";

/// How an informer wants its objects.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(crate) enum Form {
    #[default]
    Full,
    /// As PartialObjectMetadata (client-go's `metadata/metadata.go`).
    Metadata,
}

impl Form {
    /// What is accepted as the answer to a list. A server that can't leave anything out sends whole objects.
    pub(crate) fn accept_list(self) -> &'static str {
        match self {
            Self::Full => "application/json",
            Self::Metadata => "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json",
        }
    }

    /// What is accepted as the answer to a watch.
    pub(crate) fn accept_watch(self) -> &'static str {
        match self {
            Self::Full => "application/json",
            Self::Metadata => "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json",
        }
    }

    /// Whether a received object of this kind is what was asked for.
    pub(crate) fn admits(self, resource: &Resource, kind: &[u8]) -> bool {
        kind == resource.kind().as_bytes() || self == Self::Metadata && kind == PARTIAL_KIND.as_bytes()
    }

    /// apiVersion and kind of objects that come without.
    pub(crate) fn type_of(self, resource: &Resource) -> (String, String) {
        match self {
            Self::Full => (resource.api_version(), resource.kind().to_owned()),
            Self::Metadata => (PARTIAL_API_VERSION.to_owned(), PARTIAL_KIND.to_owned()),
        }
    }
}
