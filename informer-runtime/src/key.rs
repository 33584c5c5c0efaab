//! The key of an object: its namespace and its name.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// Namespace and name; the namespace of a cluster-scoped object is empty.
///
/// Prints and parses as `namespace/name`, or `name` alone, as client-go's `ObjectName` and `MetaNamespaceKeyFunc` do
/// (`tools/cache/store.go`, `object-names.go`). Cheap to clone.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[doc(alias = "MetaNamespaceKeyFunc")]
#[doc(alias = "SplitMetaNamespaceKey")]
#[doc(alias = "ObjectName")]
pub struct ObjectKey {
    namespace: Arc<str>,
    name: Arc<str>,
}

impl ObjectKey {
    /// A key from its parts; `""` as namespace for a cluster-scoped object.
    #[must_use]
    pub fn new(namespace: &str, name: &str) -> Self {
        Self { namespace: Arc::from(namespace), name: Arc::from(name) }
    }

    pub(crate) fn from_parts(namespace: Arc<str>, name: Arc<str>) -> Self {
        Self { namespace, name }
    }

    /// The namespace; empty for a cluster-scoped object.
    #[must_use]
    pub fn namespace(&self) -> &str {
        &self.namespace
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl fmt::Display for ObjectKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.namespace.is_empty() { f.write_str(&self.name) } else { write!(f, "{}/{}", self.namespace, self.name) }
    }
}

impl fmt::Debug for ObjectKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.to_string())
    }
}

/// A text that is no key: it has more than one slash.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not a key: expected `name` or `namespace/name`")]
pub struct InvalidKey {
    text: String,
}

impl FromStr for ObjectKey {
    type Err = InvalidKey;

    fn from_str(text: &str) -> Result<Self, InvalidKey> {
        let (namespace, name) = text.split_once('/').unwrap_or(("", text));
        if name.contains('/') {
            return Err(InvalidKey { text: text.to_owned() });
        }
        Ok(Self::new(namespace, name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_and_parses() {
        for text in ["red/a", "zone-1"] {
            assert_eq!(text.parse::<ObjectKey>().unwrap().to_string(), text);
        }
        assert_eq!("red/a".parse(), Ok(ObjectKey::new("red", "a")));
        assert!("a/b/c".parse::<ObjectKey>().is_err());
    }
}
