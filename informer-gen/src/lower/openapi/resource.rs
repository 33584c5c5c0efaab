//! The resources of one document: what its paths say about each of them, whichever way they say it.

use std::collections::{BTreeMap, BTreeSet};

use super::operation::{GroupVersionKind, List, Operation, kind_of};
use super::url::{Part, Url};
use crate::document::spec::Spec;
use crate::source::Span;

/// Group, version and plural.
pub(super) type Name<'a> = (&'a str, &'a str, &'a str);

/// What the paths of one resource say.
#[derive(Clone, Debug)]
pub(super) struct Resource<'a> {
    /// Whether there is a collection within a namespace.
    pub(super) namespaced: bool,
    pub(super) listed: Option<Listed<'a>>,
    /// Whether there is a path that only watches the collection.
    pub(super) watch_path: bool,
    /// Whether the list operation has the parameter `watch`.
    pub(super) watch_parameter: bool,
    /// Its first path.
    pub(super) place: Span,
    pub(super) path: &'a str,
}

/// How the collection of a resource is listed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Listed<'a> {
    pub(super) kind: &'a str,
    pub(super) list: Option<List<'a>>,
    pub(super) deprecated: bool,
}

/// How a kind is met in the paths of a document.
#[derive(Clone, Debug, Default)]
pub(super) struct Met<'a> {
    /// What can be done with a collection or an object of it.
    pub(super) actions: BTreeSet<&'a str>,
    /// Resources whose collection or object it is.
    pub(super) plurals: BTreeSet<&'a str>,
    /// Subresources that speak of it.
    pub(super) below: BTreeSet<String>,
}

/// All that the paths of a document say.
#[derive(Clone, Debug, Default)]
pub(super) struct Resources<'a> {
    pub(super) by_name: BTreeMap<Name<'a>, Resource<'a>>,
    pub(super) kinds: BTreeMap<GroupVersionKind<'a>, Met<'a>>,
    /// Groups with versions that have paths which only watch.
    pub(super) with_watch_paths: BTreeSet<(&'a str, &'a str)>,
    /// Whether any operation bears a mark of Kubernetes.
    pub(super) marked: bool,
}

impl<'a> Resources<'a> {
    /// Looks through all paths.
    pub(super) fn of(spec: &Spec<'a>) -> Self {
        let mut resources = Resources::default();
        for (path, node) in spec.paths() {
            let Some(url) = Url::parse(path) else { continue };
            let operations: Vec<Operation<'a>> = Operation::all(node).collect();
            resources.marked |= operations.iter().any(Operation::is_marked);
            if url.part == Part::Collection {
                let name = url.name();
                let fresh = || Resource {
                    namespaced: false,
                    listed: None,
                    watch_path: false,
                    watch_parameter: false,
                    place: node.span().start(),
                    path,
                };
                let resource = resources.by_name.entry(name).or_insert_with(fresh);
                resource.namespaced |= url.namespaced;
                if url.watch {
                    resource.watch_path = true;
                    resources.with_watch_paths.insert((url.group, url.version));
                } else if let Some((operation, listed)) =
                    operations.iter().find_map(|operation| listed(spec, operation))
                {
                    resource.watch_parameter |= operation.has_watch_parameter(spec, node);
                    resource.listed.get_or_insert(listed);
                }
            }
            operations.iter().for_each(|operation| resources.meet(spec, &url, operation));
        }
        resources
    }

    /// Notes the kind that an operation is about.
    fn meet(&mut self, spec: &Spec<'a>, url: &Url<'a>, operation: &Operation<'a>) {
        let Some(kind) = kind(spec, url, operation) else { return };
        let met = self.kinds.entry(kind).or_default();
        match url.part {
            Part::Below(below) => drop(met.below.insert(format!("{}/{below}", url.plural))),
            Part::Collection | Part::Object => {
                met.plurals.insert(url.plural);
                met.actions.insert(operation.action().unwrap_or(match operation.method {
                    "get" if url.watch => "watch",
                    "get" if url.part == Part::Collection && operation.list(spec).is_some() => "list",
                    method => method,
                }));
            }
        }
    }

    /// The resources that can be listed and watched.
    pub(super) fn informed(&self) -> impl Iterator<Item = (Name<'a>, &Resource<'a>, Listed<'a>)> {
        let watched = self.by_name.iter().filter(|(name, resource)| self.is_watched(**name, resource));
        watched.filter_map(|(name, resource)| Some((*name, resource, resource.listed?)))
    }

    /// Whether a resource can be watched: there is a path that only watches, or else the list operation does it on
    /// request, where its group and version have no such paths at all. (Kubernetes gives the parameter to lists that
    /// can't be watched, too; and CRDs get no such paths.)
    fn is_watched(&self, name: Name<'a>, resource: &Resource<'a>) -> bool {
        resource.watch_path || resource.watch_parameter && !self.with_watch_paths.contains(&(name.0, name.1))
    }
}

/// The kind that an operation is about: as marked, else the definition of what it lists, takes or answers.
pub(super) fn kind<'a>(spec: &Spec<'a>, url: &Url<'a>, operation: &Operation<'a>) -> Option<GroupVersionKind<'a>> {
    operation.marked_kind(spec).or_else(|| {
        let list = operation.list(spec).map(|list| list.item);
        let kind = kind_of(list.or_else(|| operation.takes(spec)).or_else(|| operation.answers(spec))?);
        let known = !["Status", "WatchEvent", "DeleteOptions", "Patch"].contains(&kind);
        known.then_some(GroupVersionKind { group: url.group, version: url.version, kind })
    })
}

/// Whether an operation on a collection lists it.
fn listed<'a, 'o>(spec: &Spec<'a>, operation: &'o Operation<'a>) -> Option<(&'o Operation<'a>, Listed<'a>)> {
    if operation.method != "get" || operation.action().is_some_and(|action| action != "list") {
        return None;
    }
    let list = operation.list(spec);
    let marked = operation.marked_kind(spec).filter(|_| operation.action() == Some("list")).map(|kind| kind.kind);
    let kind = marked.or_else(|| list.map(|list| kind_of(list.item)))?;
    Some((operation, Listed { kind, list, deprecated: operation.is_deprecated() }))
}
