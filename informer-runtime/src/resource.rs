//! What is listed and watched: group, version, kind, plural name and scope.

use std::borrow::Cow;
use std::fmt;

use kube::core::{ClusterResourceScope, NamespaceResourceScope};
use serde::de::DeserializeOwned;

pub use kube::core::GroupVersionResource;

/// One kind of object as an API server serves it.
///
/// A row of the `RESOURCES` table of a generated crate, and the identity of an informer. The plural name and the
/// scope are facts of the server's own declaration: nothing here is ever inferred from the kind.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Resource {
    group: Cow<'static, str>,
    version: Cow<'static, str>,
    plural: Cow<'static, str>,
    kind: Cow<'static, str>,
    namespaced: bool,
}

impl Resource {
    /// A row of a table known at compile time. The core group is `""`.
    #[must_use]
    pub const fn new(
        group: &'static str,
        version: &'static str,
        kind: &'static str,
        plural: &'static str,
        namespaced: bool,
    ) -> Self {
        Self {
            group: Cow::Borrowed(group),
            version: Cow::Borrowed(version),
            plural: Cow::Borrowed(plural),
            kind: Cow::Borrowed(kind),
            namespaced,
        }
    }

    /// A resource known only at run time.
    #[must_use]
    pub fn dynamic(
        group: impl Into<String>,
        version: impl Into<String>,
        kind: impl Into<String>,
        plural: impl Into<String>,
        namespaced: bool,
    ) -> Self {
        Self {
            group: Cow::Owned(group.into()),
            version: Cow::Owned(version.into()),
            plural: Cow::Owned(plural.into()),
            kind: Cow::Owned(kind.into()),
            namespaced,
        }
    }

    /// The resource of a Rust type.
    #[must_use]
    pub fn of<K: Object>() -> Self {
        Self::dynamic(K::group(&()), K::version(&()), K::kind(&()), K::plural(&()), K::NAMESPACED)
    }

    /// The API group; `""` for the core group.
    #[must_use]
    pub fn group(&self) -> &str {
        &self.group
    }

    /// The version within the group, such as `v1beta1`.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The kind, as it stands in objects.
    #[must_use]
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// The plural name, as it stands in URLs.
    #[must_use]
    pub fn plural(&self) -> &str {
        &self.plural
    }

    /// Whether objects live in namespaces.
    #[must_use]
    pub fn is_namespaced(&self) -> bool {
        self.namespaced
    }

    /// `group/version`, or the version alone for the core group.
    #[must_use]
    pub fn api_version(&self) -> String {
        if self.group.is_empty() { self.version.to_string() } else { format!("{}/{}", self.group, self.version) }
    }

    /// The identity that [`for_resource`](crate::SharedInformerFactory::for_resource) takes.
    #[must_use]
    pub fn group_version_resource(&self) -> GroupVersionResource {
        GroupVersionResource::gvr(&self.group, &self.version, &self.plural)
    }

    /// The URL path of the collection: all namespaces, or the given one. A namespace is ignored for cluster-scoped
    /// resources.
    #[must_use]
    pub fn path(&self, namespace: Option<&str>) -> String {
        let mut path = if self.group.is_empty() {
            format!("/api/{}", self.version)
        } else {
            format!("/apis/{}/{}", self.group, self.version)
        };
        if let (Some(namespace), true) = (namespace, self.namespaced) {
            path.push_str("/namespaces/");
            path.push_str(namespace);
        }
        path.push('/');
        path.push_str(&self.plural);
        path
    }
}

/// `widgets.v1.shop.example.test`, as client-go prints a resource.
impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.plural, self.version)?;
        if self.group.is_empty() { Ok(()) } else { write!(f, ".{}", self.group) }
    }
}

impl fmt::Debug for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self} ({})", self.kind)
    }
}

/// The scopes that a Rust type can declare.
pub trait Scope {
    /// Whether objects of this scope live in namespaces.
    const NAMESPACED: bool;
}

impl Scope for NamespaceResourceScope {
    const NAMESPACED: bool = true;
}

impl Scope for ClusterResourceScope {
    const NAMESPACED: bool = false;
}

/// What a typed edge asks of a type. Implemented for every type that fits, so nobody writes an impl: k8s-openapi's
/// types, `#[derive(CustomResource)]` types and generated types all do.
pub trait Object: kube::Resource<DynamicType = ()> + DeserializeOwned + Send + Sync + 'static {
    /// Whether objects of this type live in namespaces.
    const NAMESPACED: bool;
}

impl<K> Object for K
where
    K: kube::Resource<DynamicType = ()> + DeserializeOwned + Send + Sync + 'static,
    K::Scope: Scope,
{
    const NAMESPACED: bool = <K::Scope as Scope>::NAMESPACED;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_names() {
        const WIDGETS: Resource = Resource::new("shop.example.test", "v1", "Widget", "widgets", true);
        assert_eq!(WIDGETS.path(None), "/apis/shop.example.test/v1/widgets");
        assert_eq!(WIDGETS.path(Some("red")), "/apis/shop.example.test/v1/namespaces/red/widgets");
        assert_eq!(WIDGETS.to_string(), "widgets.v1.shop.example.test");
        assert_eq!(WIDGETS.api_version(), "shop.example.test/v1");
        let nodes = Resource::of::<k8s_openapi::api::core::v1::Node>();
        assert_eq!(nodes.path(Some("ignored")), "/api/v1/nodes");
        assert_eq!(nodes, Resource::new("", "v1", "Node", "nodes", false));
        assert_eq!(nodes.api_version(), "v1");
        assert_eq!(nodes.to_string(), "nodes.v1");
    }
}
