//! The resources that a server serves, and how each is written.

use informer_runtime::Resource;

/// How lists and objects of a resource are laid out in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Like built-in kinds: kind and apiVersion first, metadata before items, items without kind and apiVersion.
    BuiltIn,
    /// Like custom resources: keys sorted, so items come before metadata; items carry kind and apiVersion; an
    /// empty `continue` is written.
    Custom,
}

/// One resource as a server serves it.
///
/// A [`Resource`] or a reference to one converts into it, with the layout that its group suggests.
#[derive(Clone, Debug)]
pub struct Served {
    resource: Resource,
    layout: Layout,
    fields: Vec<String>,
}

impl Served {
    /// With the layout that the group suggests: [`Layout::BuiltIn`] for the core group and for groups without a
    /// dot or under `k8s.io`, else [`Layout::Custom`].
    #[must_use]
    pub fn new(resource: Resource) -> Self {
        let group = resource.group();
        let built_in = !group.contains('.') || group.ends_with(".k8s.io");
        let layout = if built_in { Layout::BuiltIn } else { Layout::Custom };
        Self { resource, layout, fields: Vec::new() }
    }

    /// With this layout.
    #[must_use]
    pub fn layout(mut self, layout: Layout) -> Self {
        self.layout = layout;
        self
    }

    /// With field selectors on these paths, such as `spec.color`, besides metadata.name and metadata.namespace.
    #[must_use]
    pub fn selectable_fields<S: Into<String>>(mut self, paths: impl IntoIterator<Item = S>) -> Self {
        self.fields.extend(paths.into_iter().map(Into::into));
        self
    }

    pub(crate) fn resource(&self) -> &Resource {
        &self.resource
    }

    pub(crate) fn laid_out(&self) -> Layout {
        self.layout
    }

    /// The paths of selectable fields, metadata's apart.
    pub(crate) fn fields(&self) -> &[String] {
        &self.fields
    }
}

impl From<Resource> for Served {
    fn from(resource: Resource) -> Self {
        Self::new(resource)
    }
}

impl From<&Resource> for Served {
    fn from(resource: &Resource) -> Self {
        Self::new(resource.clone())
    }
}
