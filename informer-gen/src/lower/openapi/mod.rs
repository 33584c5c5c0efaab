//! OpenAPI documents to kinds: what can be listed and watched, and what not and why.

mod url;
mod operation;
mod facts;
mod resource;

pub(crate) use facts::{facts, is_list};

use std::collections::{BTreeMap, BTreeSet};

use super::pointer::Pointer;
use super::schema::{self, References};
use super::type_map::TypeMap;
use super::{dns, merge};
use crate::document::spec::Spec;
use crate::model::{Definition, Deprecation, Kind, Object, Objects, Skipped};
use crate::problem::{Place, Problem, Problems};
use operation::{GroupVersionKind, kind_of};
use resource::{Listed, Met, Name, Resource, Resources};

/// What OpenAPI documents hold.
#[derive(Clone, Debug, Default)]
pub(crate) struct Found {
    pub(crate) kinds: Vec<Kind>,
    /// What the kinds refer to, in each document.
    pub(crate) definitions: Vec<(String, Definition)>,
    /// Sorted, each once.
    pub(crate) skipped: Vec<Skipped>,
}

/// Looks through documents in any order. What is wrong becomes a problem.
pub(crate) fn find(specs: &[Spec<'_>], types: &TypeMap, problems: &mut Problems) -> Found {
    let mut found = Found::default();
    let mut skipped: BTreeMap<Skipped, BTreeSet<_>> = BTreeMap::new();
    for spec in specs {
        let resources = Resources::of(spec);
        let mut reader = Reader { spec, types, resources: &resources, problems };
        let mut kinds = reader.kinds();
        if kinds.is_empty() && !resources.marked && !is_discovery(spec) {
            reader.problems.push(foreign(spec));
        }
        for row in second_names(&mut kinds).into_iter().chain(skips(&resources, &kinds)) {
            skipped.entry(row).or_default().extend(spec.release);
        }
        found.definitions.extend(reader.definitions(&kinds));
        found.kinds.extend(kinds);
    }
    found.kinds = merge::same(std::mem::take(&mut found.kinds), problems);
    // What one document lacks another may have: the watch of a resource is in one document with its list.
    found.skipped = skipped.into_iter().map(|(row, releases)| Skipped { releases, ..row }).collect();
    found
}

/// A document of Kubernetes that only tells which groups, versions or other documents there are.
fn is_discovery(spec: &Spec<'_>) -> bool {
    let known = ["/api", "/apis", "/version", "/logs", "/openid", "/.well-known", "/openapi"];
    let under = |path: &str| {
        known.iter().any(|known| path == *known || path.strip_prefix(known).is_some_and(|rest| rest.starts_with('/')))
    };
    spec.title().is_some_and(|title| title.contains("Kubernetes")) && spec.paths().all(|(path, _)| under(path))
}

fn foreign(spec: &Spec<'_>) -> Problem {
    let title = spec.title().map(|title| format!(" ({title})")).unwrap_or_default();
    let message = format!(
        "this is no document of a Kubernetes API{title}: no path under /api or /apis lists and watches anything"
    );
    let hint = "a Kubernetes API server has its document at /openapi/v2; what other servers offer can't be watched with informers";
    Problem::error(message).at(spec.place()).hint(hint)
}

/// That there is nothing to watch in any document.
pub(crate) fn nothing(spec: &Spec<'_>, skipped: &[Skipped]) -> Problem {
    let problem = Problem::error("nothing in the documents can be both listed and watched").at(spec.place());
    let why: Vec<String> = skipped.iter().take(4).map(|row| format!("{} {}", row.kind, row.reason)).collect();
    if why.is_empty() { problem } else { problem.hint(why.join("; ")) }
}

struct Reader<'r, 'a> {
    spec: &'r Spec<'a>,
    types: &'r TypeMap,
    resources: &'r Resources<'a>,
    problems: &'r mut Problems,
}

impl<'a> Reader<'_, 'a> {
    fn kinds(&mut self) -> Vec<Kind> {
        let resources = self.resources;
        let mut kinds = Vec::new();
        for (name, resource, listed) in resources.informed() {
            kinds.extend(self.kind(name, resource, &listed));
        }
        kinds
    }

    fn kind(&mut self, name: Name<'a>, resource: &Resource<'a>, listed: &Listed<'a>) -> Option<Kind> {
        let (group, version, plural) = name;
        let place = Place::new(resource.place).pointer(Pointer::default().join(&["paths", resource.path]));
        let good =
            dns::is_any_group(group) && dns::is_label(version) && dns::is_label(plural) && dns::is_kind(listed.kind);
        if !good {
            let message = format!(
                "{:?} in {} is no resource of Kubernetes: names must be DNS labels",
                listed.kind, resource.path
            );
            self.problems.push(Problem::error(message).at(place));
            return None;
        }
        let list_kind = listed.list.map(|list| self.kind_of_definition(list.list));
        Some(Kind {
            group: group.to_owned(),
            version: version.to_owned(),
            kind: listed.kind.to_owned(),
            plural: plural.to_owned(),
            singular: listed.kind.to_lowercase(),
            list_kind: list_kind.unwrap_or_else(|| format!("{}List", listed.kind)),
            namespaced: resource.namespaced,
            deprecated: listed.deprecated.then_some(Deprecation { warning: None }),
            objects: self.objects(&GroupVersionKind { group, version, kind: listed.kind }, listed)?,
            definition: listed.list.map(|list| list.item.to_owned()),
            releases: self.spec.release.into_iter().collect(),
            place,
        })
    }

    fn kind_of_definition(&self, definition: &'a str) -> String {
        let marked = self.spec.definition(definition).map(GroupVersionKind::marked).unwrap_or_default();
        let kind = marked.first().map_or(kind_of(definition), |marked| marked.kind);
        kind.to_owned()
    }

    /// The type of a kind's objects. Where the document says nothing of it, it is any object.
    fn objects(&mut self, kind: &GroupVersionKind<'a>, listed: &Listed<'a>) -> Option<Objects> {
        let Some(list) = listed.list else {
            return Some(Objects::Generated(Object { open: true, ..Object::default() }));
        };
        let definition = self.spec.definition(list.item);
        let marked = definition.map(GroupVersionKind::marked).unwrap_or_default();
        if let Some(path) = self.types.resolve(list.item, self.spec.release) {
            // A type is of one group, version and kind; a definition may be of several.
            let fits = marked.is_empty() || marked == [*kind];
            if fits || !path.is_k8s_openapi() {
                return Some(Objects::Known(path));
            }
        }
        let references = References { spec: self.spec, types: self.types };
        schema::kind(list.item, &references, self.problems).map(Objects::Generated)
    }

    /// The definitions that some kinds refer to, and those that they refer to in turn.
    fn definitions(&mut self, kinds: &[Kind]) -> BTreeMap<String, Definition> {
        let references = References { spec: self.spec, types: self.types };
        let objects = kinds.iter().filter_map(|kind| match &kind.objects {
            Objects::Generated(object) => Some(object.references()),
            _ => None,
        });
        let mut open: BTreeSet<String> = objects.flatten().map(|reference| reference.name.clone()).collect();
        let mut definitions = BTreeMap::new();
        let mut seen = open.clone();
        while let Some(name) = open.pop_first() {
            let Some(definition) = schema::definition(&name, &references, self.problems) else { continue };
            for reference in definition.shape.references() {
                if seen.insert(reference.name.clone()) {
                    open.insert(reference.name.clone());
                }
            }
            definitions.insert(name, definition);
        }
        definitions
    }
}

/// Takes out all but one of the resources that are the same kind of the same version: a server may have an old name
/// beside a new one. The one named like its kind stays, else the first.
fn second_names(kinds: &mut Vec<Kind>) -> Vec<Skipped> {
    let key = |kind: &Kind| (kind.group.clone(), kind.version.clone(), kind.kind.clone());
    let mut names: BTreeMap<_, Vec<String>> = BTreeMap::new();
    for kind in kinds.iter() {
        names.entry(key(kind)).or_default().push(kind.plural.clone());
    }
    let mut skipped = Vec::new();
    kinds.retain(|kind| {
        let names = &names[&key(kind)];
        let like_kind = |plural: &&String| plural.starts_with(&kind.kind.to_lowercase());
        let first = names.iter().filter(like_kind).min().or_else(|| names.iter().min());
        let Some(first) = first.filter(|first| **first != kind.plural) else { return true };
        skipped.push(Skipped {
            group: kind.group.clone(),
            version: kind.version.clone(),
            kind: kind.kind.clone(),
            resources: vec![kind.plural.clone()],
            reason: format!("is served as {first} too, and has its informer there"),
            releases: BTreeSet::new(),
        });
        false
    });
    skipped
}

/// Kinds without an informer, each with the reason.
fn skips(resources: &Resources<'_>, kinds: &[Kind]) -> Vec<Skipped> {
    let informed = |kind: &GroupVersionKind<'_>| {
        kinds
            .iter()
            .any(|known| (&*known.group, &*known.version, &*known.kind) == (kind.group, kind.version, kind.kind))
    };
    let without = resources.kinds.iter().filter(|(kind, _)| !informed(kind));
    let skipped = without.map(|(kind, met)| Skipped {
        group: kind.group.to_owned(),
        version: kind.version.to_owned(),
        kind: kind.kind.to_owned(),
        resources: if met.plurals.is_empty() {
            met.below.iter().cloned().collect()
        } else {
            met.plurals.iter().map(|plural| (*plural).to_owned()).collect()
        },
        reason: reason(kind, met, resources),
        releases: BTreeSet::new(),
    });
    skipped.collect()
}

fn reason(kind: &GroupVersionKind<'_>, met: &Met<'_>, resources: &Resources<'_>) -> String {
    let has = |action: &str| met.actions.contains(action);
    if met.plurals.is_empty() {
        return "is only a subresource of other objects".to_owned();
    }
    if has("list") {
        let parameter = met.plurals.iter().any(|plural| {
            resources.by_name.get(&(kind.group, kind.version, *plural)).is_some_and(|resource| resource.watch_parameter)
        });
        return match parameter {
            true => "can be listed, but not watched: other resources of its group and version have a watch path, it has none".to_owned(),
            false => "can be listed, but not watched".to_owned(),
        };
    }
    if has("watch") || has("watchlist") {
        return "can be watched, but not listed".to_owned();
    }
    let actions: Vec<&str> = met.actions.iter().copied().collect();
    match actions.as_slice() {
        ["post"] => "can only be created".to_owned(),
        actions => format!("can be neither listed nor watched, only: {}", actions.join(", ")),
    }
}
