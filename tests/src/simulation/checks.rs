//! What must hold once the faults have stopped and all is quiet.

use std::collections::{BTreeMap, BTreeSet};

use informer_runtime::Selector;
use serde_json::Value;

use super::fleet::{BY_SIZE, BY_TIER, Fleet, Member, Running, WANTED_TIER};
use super::plan::{InformerPlan, Kind};
use super::world::World;
use crate::{Widget, Zone};

/// What is wrong with the caches.
pub(super) fn caches(fleet: &Fleet, world: &World) -> Vec<String> {
    let named = |(plan, running): (&InformerPlan, &Running)| {
        let wrongs = cache(plan, running, world).into_iter();
        wrongs.map(|wrong| format!("{}: {wrong}", name(plan))).collect::<Vec<_>>()
    };
    fleet.running().flat_map(named).collect()
}

/// What is wrong.
pub(super) fn check(fleet: &Fleet, world: &World) -> Vec<String> {
    let mut wrongs = Vec::new();
    for (plan, running) in fleet.running() {
        let found = [
            cache(plan, running, world),
            handlers(plan, running, world),
            indexes(running),
            readers(plan, running),
            vec![last_version(running, world)],
        ];
        let name = name(plan);
        let found = found.concat().into_iter().filter(|wrong| !wrong.is_empty());
        wrongs.extend(found.map(|wrong| format!("{name}: {wrong}")));
    }
    wrongs
}

fn name(plan: &InformerPlan) -> String {
    format!("{:?} in {:?} with tier {:?}", plan.kind, plan.namespace, plan.tier)
}

fn version(object: &Value) -> String {
    object["metadata"]["resourceVersion"].as_str().unwrap_or_default().to_owned()
}

/// The first difference between two maps.
fn difference(what: &str, wanted: &BTreeMap<String, Value>, found: &BTreeMap<String, Value>) -> Option<String> {
    let keys: BTreeSet<&String> = wanted.keys().chain(found.keys()).collect();
    let differs = keys.into_iter().find(|key| wanted.get(*key).map(content) != found.get(*key).map(content))?;
    let (wanted, found) = (wanted.get(differs).map(version), found.get(differs).map(version));
    Some(format!("{what}: {differs} is at {wanted:?} on the server, and at {found:?} here"))
}

/// An object without kind and apiVersion, which items of lists may lack.
fn content(object: &Value) -> Value {
    let mut object = object.clone();
    if let Some(root) = object.as_object_mut() {
        root.remove("kind");
        root.remove("apiVersion");
    }
    object
}

fn read(json: &str) -> Value {
    serde_json::from_str(json).unwrap_or_default()
}

fn cache(plan: &InformerPlan, running: &Running, world: &World) -> Vec<String> {
    let objects = running.informer.store().list();
    let found = objects.iter().map(|object| (object.key().to_string(), read(&object.raw()))).collect();
    difference("the cache", &world.expected(plan), &found).into_iter().collect()
}

fn handlers(plan: &InformerPlan, running: &Running, world: &World) -> Vec<String> {
    let of_member = |member: &Member| {
        let mut wanted = world.expected(plan);
        if member.flavour.filtering {
            wanted.retain(|_, object| object["metadata"]["labels"]["tier"] == WANTED_TIER);
        }
        let found = member.ledger.known().into_iter().map(|(key, known)| (key, read(&known.raw))).collect();
        let what = format!("{:?}", member.registration);
        let done = member.registration.has_synced() && member.registration.backlog() == 0;
        let undone = (!done).then(|| format!("{what} is not synced, or not told everything"));
        difference(&what, &wanted, &found).or(undone)
    };
    running.members.iter().filter_map(of_member).collect()
}

/// Each index has what its function says of each object.
fn indexes(running: &Running) -> Vec<String> {
    if !running.indexed {
        return Vec::new();
    }
    let indexer = running.informer.indexer();
    let (mut by_tier, mut by_size) = (BTreeMap::<_, Vec<_>>::new(), BTreeMap::<_, Vec<_>>::new());
    for object in indexer.list() {
        if let Some(tier) = object.labels().get("tier") {
            by_tier.entry(tier.to_owned()).or_default().push(object.key());
        }
        if let Ok(widget) = object.cast::<Widget>().get() {
            by_size.entry(widget.spec.size.to_string()).or_default().push(object.key());
        }
    }
    let found = |name: &str| {
        let values = indexer.list_index_func_values(name).unwrap_or_default();
        let keys = |value: String| (value.clone(), indexer.index_keys(name, &value).unwrap_or_default());
        values.into_iter().map(keys).collect::<BTreeMap<_, _>>()
    };
    [(BY_TIER, by_tier), (BY_SIZE, by_size)]
        .into_iter()
        .filter(|(name, wanted)| found(name) != *wanted)
        .map(|(name, wanted)| format!("index {name} has {:?} in place of {wanted:?}", found(name)))
        .collect()
}

/// Listers are sorted, agree with each other, and decode what decodes.
fn readers(plan: &InformerPlan, running: &Running) -> Vec<String> {
    let lister = running.informer.lister();
    let keys = |objects: &[informer_runtime::Cached<_>]| objects.iter().map(|object| object.key()).collect::<Vec<_>>();
    let all = lister.list(&Selector::everything());
    let mut wrongs = Vec::new();
    if !keys(&all).is_sorted() || keys(&all) != running.informer.store().list_keys() {
        wrongs.push(String::from("the lister is not sorted, or not as the store"));
    }
    let namespaces: BTreeSet<&str> = all.iter().filter_map(|object| object.namespace()).collect();
    let apart = namespaces.iter().flat_map(|name| lister.by_namespace(name).list(&Selector::everything()));
    let apart: Vec<_> = apart.collect();
    if plan.kind == Kind::Widgets && keys(&apart) != keys(&all) {
        wrongs.push(String::from("the namespaces in order are not the whole"));
    }
    let front = Selector::from_set([("tier", WANTED_TIER)]);
    let labelled = all.iter().filter(|object| object.labels().get("tier") == Some(WANTED_TIER));
    if keys(&lister.list(&front)) != labelled.map(|object| object.key()).collect::<Vec<_>>() {
        wrongs.push(String::from("the lister selects by labels wrongly"));
    }
    let bad = all.iter().filter(|object| read(&object.raw())["spec"]["size"].is_string()).count();
    let undecoded = match plan.kind {
        Kind::Widgets => running.informer.cast::<Widget>().lister().list_decoded(&Selector::everything()).1.len(),
        Kind::Zones => running.informer.cast::<Zone>().lister().list_decoded(&Selector::everything()).1.len(),
    };
    if undecoded != if plan.kind == Kind::Widgets { bad } else { 0 } {
        wrongs.push(format!("{undecoded} objects did not decode, {bad} are bad"));
    }
    wrongs
}

/// A bookmark was sent just before.
fn last_version(running: &Running, world: &World) -> String {
    let (found, wanted) = (running.informer.last_sync_resource_version(), world.server.resource_version().to_string());
    if found == wanted { String::new() } else { format!("is at {found:?}, the server at {wanted}") }
}
