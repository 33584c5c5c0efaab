//! Paths of Rust types that exist already.

use std::fmt;

use serde::{Serialize, Serializer};

/// The path of a Rust type in another crate, beginning with the crate's name: `k8s_openapi::api::core::v1::Pod`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RustPath(String);

impl RustPath {
    /// A path from its text; `None` for what is no plain path.
    pub(crate) fn new(text: &str) -> Option<Self> {
        let path = syn::parse_str::<syn::Path>(text).ok()?;
        let plain = path.leading_colon.is_none() && path.segments.iter().all(|segment| segment.arguments.is_none());
        let in_crate = !["self", "super", "crate"].iter().any(|word| path.segments[0].ident == word);
        (plain && in_crate).then(|| RustPath(text.to_owned()))
    }

    /// The names in the path.
    pub(crate) fn segments(&self) -> impl Iterator<Item = &str> {
        self.0.split("::")
    }

    /// Whether it is a type of k8s-openapi.
    pub(crate) fn is_k8s_openapi(&self) -> bool {
        self.segments().next() == Some("k8s_openapi")
    }

    /// Whether it is a type of informer-runtime.
    pub(crate) fn is_of_runtime(&self) -> bool {
        self.segments().next() == Some("informer_runtime")
    }
}

impl fmt::Display for RustPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for RustPath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}
