//! Kinds and definitions to the whole: what is one type is brought together, from whatever document it comes.

use std::collections::{BTreeMap, BTreeSet};

use super::{cycles, depth};
use crate::model::{Api, Definition, Kind, Object, Objects, Served, Users};
use crate::problem::{Problem, Problems};

/// The whole of what was understood. `definitions` may hold the same one several times, and ones that no kind needs.
pub(crate) fn api(kinds: Vec<Kind>, definitions: Vec<(String, Definition)>, problems: &mut Problems) -> Api {
    one_place_each(&kinds, problems);
    let mut api = Api::of(kinds);
    share(&mut api);
    let mut by_name: BTreeMap<String, Vec<Definition>> = BTreeMap::new();
    for (name, definition) in definitions {
        by_name.entry(name).or_default().push(definition);
    }
    let needed = reached(&api, |name| by_name.get(name).map(Vec::as_slice).unwrap_or_default());
    by_name.retain(|name, _| needed.contains(name));
    api.definitions =
        by_name.into_iter().filter_map(|(name, same)| Some((name.clone(), one(&name, same, problems)?))).collect();
    depth::limit(&mut api, problems);
    note_users(&mut api);
    api.definitions.retain(|_, definition| !definition.users.groups.is_empty());
    cycles::end(&mut api, problems);
    api
}

/// A type that exists says itself where it is served, and that is one place.
fn one_place_each(kinds: &[Kind], problems: &mut Problems) {
    let mut sorted: Vec<(&_, &Kind)> = kinds
        .iter()
        .filter_map(|kind| match &kind.objects {
            Objects::Known(path) => Some((path, kind)),
            _ => None,
        })
        .collect();
    sorted.sort_by_key(|(path, kind)| (*path, &kind.group, &kind.version, &kind.plural));
    for pair in sorted.windows(2) {
        let [(path, first), (other, second)] = pair else { continue };
        if path != other {
            continue;
        }
        let named = |kind: &Kind| {
            let slash = if kind.group.is_empty() { "" } else { "/" };
            format!("{} of {}{slash}{}", kind.plural, kind.group, kind.version)
        };
        let message = format!(
            "{} and {} have one definition, but {path} can be the type of one of them only",
            named(first),
            named(second)
        );
        let definition = second.definition.as_deref().unwrap_or_default();
        problems.push(
            Problem::error(message)
                .at(second.place.clone())
                .related(first.place.clone(), "the other one")
                .hint(format!("have its type generated, which can be served in several places: --types {definition}=")),
        );
    }
}

/// Makes one type of a definition that is the objects of several kinds.
fn share(api: &mut Api) {
    let mut holders: BTreeMap<&str, Vec<(&Kind, &Object)>> = BTreeMap::new();
    for kind in api.kinds() {
        if let (Objects::Generated(object), Some(name)) = (&kind.objects, &kind.definition) {
            holders.entry(name).or_default().push((kind, object));
        }
    }
    // Documents of several products may use one name for several things; then each kind has its own type.
    holders.retain(|_, kinds| {
        kinds.sort_by_key(|(kind, _)| kind.place.span);
        let first = kinds[0].1.clone().without_told();
        kinds.len() > 1 && kinds.iter().all(|(_, object)| (*object).clone().without_told() == first)
    });
    let served = holders.into_iter().map(|(name, kinds)| {
        let (kind, object) = kinds[0];
        let served = Served { object: object.clone(), users: Users::default(), place: kind.place.clone() };
        (name.to_owned(), served)
    });
    let served: BTreeMap<String, Served> = served.collect();
    for kind in api.groups.iter_mut().flat_map(|group| &mut group.versions).flat_map(|version| &mut version.kinds) {
        let shared = kind.definition.as_ref().filter(|name| served.contains_key(*name));
        if let (Some(name), Objects::Generated(_)) = (shared, &kind.objects) {
            kind.objects = Objects::Served(name.clone());
        }
    }
    api.served = served;
}

/// The definitions that kinds refer to, however many steps away.
fn reached<'a>(api: &Api, definitions: impl Fn(&str) -> &'a [Definition]) -> BTreeSet<String> {
    let mut found: BTreeSet<String> = api.roots().flat_map(Object::references).map(|to| to.name.clone()).collect();
    let mut open: Vec<String> = found.iter().cloned().collect();
    while let Some(name) = open.pop() {
        for reference in definitions(&name).iter().flat_map(|definition| definition.shape.references()) {
            if found.insert(reference.name.clone()) {
                open.push(reference.name.clone());
            }
        }
    }
    found
}

/// Notes for each definition the kinds that it is part of, however many steps away.
fn note_users(api: &mut Api) {
    let mut open: Vec<(String, Users)> = Vec::new();
    for kind in api.groups.iter().flat_map(|group| &group.versions).flat_map(|version| &version.kinds) {
        let users = Users { groups: [kind.group.clone()].into(), releases: kind.releases.clone() };
        let object = match &kind.objects {
            Objects::Generated(object) => object,
            Objects::Served(name) => {
                let Some(served) = api.served.get_mut(name) else { continue };
                served.users.add(&users);
                &served.object
            }
            Objects::Known(_) => continue,
        };
        open.extend(object.references().into_iter().map(|to| (to.name.clone(), users.clone())));
    }
    while let Some((name, users)) = open.pop() {
        let Some(definition) = api.definitions.get_mut(&name) else { continue };
        if definition.users.add(&users) {
            let users = &definition.users;
            open.extend(definition.shape.references().into_iter().map(|to| (to.name.clone(), users.clone())));
        }
    }
}

/// The definition that several documents have under one name. It must be the same in all of them.
fn one(name: &str, mut same: Vec<Definition>, problems: &mut Problems) -> Option<Definition> {
    same.sort_by_key(|definition| definition.place.span);
    let mut same = same.into_iter();
    let first = same.next()?;
    // What is only told makes no other types.
    let form = first.shape.clone().without_told();
    if let Some(other) = same.find(|other| other.shape.clone().without_told() != form) {
        let problem = Problem::error(format!("the definition {name} is there twice, and the two differ"));
        problems.push(
            problem
                .at(other.place)
                .related(first.place.clone(), "the other one")
                .hint("make a crate of each of the documents; one factory serves both"),
        );
    }
    Some(first)
}
