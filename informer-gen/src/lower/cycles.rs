//! Definitions that hold each other: where a type would hold itself, a box ends it.
//!
//! Lists and maps end a type by themselves, so only what is held directly counts: by a field, or by a field of an
//! object within. A reference is boxed if it can be absent and what it refers to holds, so seen, the definition that
//! refers to it. Whatever holds itself and can't be absent has no value at all, which is an error.

use std::collections::BTreeMap;

use super::graph;
use crate::model::{Api, Object, Presence, Shape};
use crate::problem::{Problem, Problems};

/// Puts boxes where they are needed.
pub(crate) fn end(api: &mut Api, problems: &mut Problems) {
    let names: Vec<String> = api.definitions.keys().cloned().collect();
    let number: BTreeMap<&str, usize> = names.iter().enumerate().map(|(at, name)| (name.as_str(), at)).collect();
    let held: Vec<Vec<(usize, bool)>> = api
        .definitions
        .values()
        .map(|definition| {
            let mut found = Vec::new();
            if let Shape::Object(object) = &definition.shape {
                direct(object, true, &mut found);
            }
            found.into_iter().filter_map(|(name, always)| Some((*number.get(name)?, always))).collect()
        })
        .collect();
    let edges = |always: bool| -> Vec<Vec<usize>> {
        let kept =
            |held: &Vec<(usize, bool)>| held.iter().filter(|edge| edge.1 || !always).map(|edge| edge.0).collect();
        held.iter().map(kept).collect()
    };
    let always = edges(true);
    for circle in graph::components(&always) {
        if circle.len() > 1 || circle.iter().any(|node| always[*node].contains(node)) {
            problems.push(endless(api, &circle.iter().map(|node| names[*node].as_str()).collect::<Vec<_>>()));
        }
    }
    let mut circle = BTreeMap::new();
    for (at, members) in graph::components(&edges(false)).into_iter().enumerate() {
        circle.extend(members.into_iter().map(|member| (names[member].clone(), at)));
    }
    for (name, definition) in &mut api.definitions {
        if let Shape::Object(object) = &mut definition.shape {
            let here = circle.get(name);
            put_boxes(object, true, &|to| circle.get(to) == here);
        }
    }
}

/// What an object holds directly, each with whether it is always there.
fn direct<'o>(object: &'o Object, always: bool, found: &mut Vec<(&'o str, bool)>) {
    for field in &object.fields {
        let always = always && field.presence == Presence::Required;
        match &field.shape {
            Shape::Reference(reference) => found.push((&reference.name, always)),
            Shape::Object(object) => direct(object, always, found),
            _ => {}
        }
    }
}

fn put_boxes(object: &mut Object, always: bool, same_circle: &impl Fn(&str) -> bool) {
    for field in &mut object.fields {
        let always = always && field.presence == Presence::Required;
        match &mut field.shape {
            Shape::Reference(reference) => reference.boxed = !always && same_circle(&reference.name),
            Shape::Object(object) => put_boxes(object, always, same_circle),
            _ => {}
        }
    }
}

fn endless(api: &Api, names: &[&str]) -> Problem {
    let message = match names {
        [one] => format!("{one} always holds itself, so no value of it has an end"),
        several => format!("{} always hold each other, so no value of them has an end", several.join(", ")),
    };
    let mut places = names.iter().filter_map(|name| Some((name, &api.definitions.get(*name)?.place)));
    let mut problem = Problem::error(message);
    if let Some((_, place)) = places.next() {
        problem = problem.at(place.clone());
    }
    for (name, place) in places {
        problem = problem.related(place.clone(), format!("{name} is here"));
    }
    problem.hint("one of the references must not be required, or be in a list or a map")
}
