//! One operation on a path: what it does, on which kind, and what it answers.

use crate::document::node::Node;
use crate::document::spec::{Form, Spec};

/// Methods of HTTP that a path can have.
const METHODS: [&str; 7] = ["get", "put", "post", "delete", "options", "head", "patch"];

/// Group, version and kind of objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct GroupVersionKind<'a> {
    pub(super) group: &'a str,
    pub(super) version: &'a str,
    pub(super) kind: &'a str,
}

impl<'a> GroupVersionKind<'a> {
    /// From `{group, version, kind}`.
    pub(super) fn of(node: Node<'a>) -> Option<Self> {
        let text = |key| node.get(key).and_then(Node::as_str);
        Some(GroupVersionKind { group: text("group")?, version: text("version")?, kind: text("kind")? })
    }

    /// What the extension of an operation or a definition names: one or, on definitions, several.
    pub(super) fn marked(node: Node<'a>) -> Vec<Self> {
        let Some(mark) = node.get("x-kubernetes-group-version-kind") else { return Vec::new() };
        if mark.is_array() { mark.items().filter_map(Self::of).collect() } else { Self::of(mark).into_iter().collect() }
    }
}

/// An operation of a document.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operation<'a> {
    pub(super) method: &'static str,
    pub(super) node: Node<'a>,
}

/// A list that an operation answers.
#[derive(Clone, Copy, Debug)]
pub(super) struct List<'a> {
    /// Name of the list's definition.
    pub(super) list: &'a str,
    /// Name of the definition of its items.
    pub(super) item: &'a str,
}

impl<'a> Operation<'a> {
    /// The operations on a path.
    pub(super) fn all(path: Node<'a>) -> impl Iterator<Item = Self> {
        METHODS.into_iter().filter_map(move |method| Some(Operation { method, node: path.get(method)? }))
    }

    /// What the document says the operation does: `list`, `watchlist`, `post`.
    pub(super) fn action(&self) -> Option<&'a str> {
        self.node.get("x-kubernetes-action")?.as_str()
    }

    /// The kind that the document says it is about. Where that is the list itself, it is the kind of its items.
    pub(super) fn marked_kind(&self, spec: &Spec<'a>) -> Option<GroupVersionKind<'a>> {
        let marked = GroupVersionKind::marked(self.node).first().copied()?;
        let list = self.list(spec).filter(|list| kind_of(list.list) == marked.kind);
        Some(list.map_or(marked, |list| GroupVersionKind { kind: kind_of(list.item), ..marked }))
    }

    /// Whether it bears a mark of Kubernetes.
    pub(super) fn is_marked(&self) -> bool {
        self.node.entries().any(|(key, _)| key.name.starts_with("x-kubernetes-"))
    }

    /// Whether it is on its way out.
    pub(super) fn is_deprecated(&self) -> bool {
        self.node.get("deprecated").and_then(Node::as_bool) == Some(true)
    }

    /// Name of the definition that it answers with.
    pub(super) fn answers(&self, spec: &Spec<'a>) -> Option<&'a str> {
        let answer = self.node.get("responses")?.get("200")?;
        spec.reference(body_schema(spec, answer)?)
    }

    /// Name of the definition that it takes.
    pub(super) fn takes(&self, spec: &Spec<'a>) -> Option<&'a str> {
        let schema = match spec.form {
            Form::Swagger2 => {
                let parameters = self.node.get("parameters")?.items().filter_map(|node| spec.resolved(node));
                let mut bodies = parameters.filter(|node| node.get("in").and_then(Node::as_str) == Some("body"));
                bodies.next()?.get("schema")?
            }
            Form::OpenApi3 => body_schema(spec, self.node.get("requestBody")?)?,
        };
        spec.reference(schema)
    }

    /// The list that it answers, if it answers one of objects.
    pub(super) fn list(&self, spec: &Spec<'a>) -> Option<List<'a>> {
        let list = self.answers(spec)?;
        let properties = spec.definition(list)?.get("properties")?;
        let items = properties.get("items").filter(|_| properties.get("metadata").is_some())?;
        Some(List { list, item: spec.reference(items.get("items")?)? })
    }

    /// Whether it, or the path that it is on, has the parameter `watch`.
    pub(super) fn has_watch_parameter(&self, spec: &Spec<'a>, path: Node<'a>) -> bool {
        let parameters = [self.node, path].into_iter().filter_map(|node| node.get("parameters")).flat_map(Node::items);
        let text = |node: Node<'a>, key| node.get(key).and_then(Node::as_str);
        let mut resolved = parameters.filter_map(|node| spec.resolved(node));
        resolved.any(|node| text(node, "name") == Some("watch") && text(node, "in") == Some("query"))
    }
}

/// The schema of a body: in OpenAPI 3 that of JSON, or of whatever else comes first.
fn body_schema<'a>(spec: &Spec<'a>, body: Node<'a>) -> Option<Node<'a>> {
    match spec.form {
        Form::Swagger2 => body.get("schema"),
        Form::OpenApi3 => {
            let content = body.get("content")?;
            let json = content.get("application/json").or_else(|| content.entries().next().map(|(_, node)| node));
            json?.get("schema")
        }
    }
}

/// The kind in a definition's name: the last of its parts.
pub(super) fn kind_of(definition: &str) -> &str {
    definition.rsplit('.').next().unwrap_or(definition)
}
