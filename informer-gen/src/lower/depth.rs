//! How deep definitions may lie within each other: types nested deeper run into limits of rustc.

use std::collections::BTreeMap;

use super::graph;
use super::schema::OBJECT_LEVELS;
use crate::model::{Api, Object, Shape};
use crate::problem::{Problem, Problems};

/// What a level costs of rustc's limit, a list or map around it included (measured; it gives up at 128).
const LEVEL: u32 = 6;

/// What each further list or map around it costs.
const NESTED: u32 = 4;

/// What all levels may cost.
const LIMIT: u32 = OBJECT_LEVELS * LEVEL;

/// Makes JSON values of references to definitions that lie too deep, seen from the kinds.
pub(crate) fn limit(api: &mut Api, problems: &mut Problems) {
    let deep = too_deep(api);
    if deep.is_empty() {
        return;
    }
    for name in deep.keys() {
        let Some(definition) = api.definitions.get(name) else { continue };
        let message = format!("{name} is nested too deep for a type of its own: it is a JSON value in Rust");
        let hint = format!("{OBJECT_LEVELS} levels of objects get types");
        problems.push(Problem::warning(message).at(definition.place.clone()).hint(hint));
    }
    for object in api.roots_mut() {
        loosen(object, &|name| deep.contains_key(name));
    }
    for (from, definition) in &mut api.definitions {
        let Shape::Object(object) = &mut definition.shape else { continue };
        // Those of one circle go together.
        let circle = deep.get(from).copied();
        loosen(object, &|name| deep.get(name).is_some_and(|other| Some(*other) != circle));
    }
}

/// The definitions that lie too deep, each with the number of its circle.
fn too_deep(api: &Api) -> BTreeMap<String, usize> {
    let names: Vec<&String> = api.definitions.keys().collect();
    let number = |name: &str| names.binary_search_by(|known| known.as_str().cmp(name)).ok();
    let nested = |object: &Object| {
        let mut found = Vec::new();
        leveled(object, LEVEL, &mut found);
        found.into_iter().filter_map(|(name, level)| Some((number(name)?, level))).collect::<Vec<_>>()
    };
    let references: Vec<Vec<(usize, u32)>> = api
        .definitions
        .values()
        .map(|definition| match &definition.shape {
            Shape::Object(object) => nested(object),
            _ => Vec::new(),
        })
        .collect();
    let edges: Vec<Vec<usize>> = references.iter().map(|to| to.iter().map(|(to, _)| *to).collect()).collect();
    let components = graph::components(&edges);
    let mut circle = vec![0; names.len()];
    for (at, members) in components.iter().enumerate() {
        members.iter().for_each(|member| circle[*member] = at);
    }
    // The cost above each circle, the longest way from a kind.
    let mut above = vec![0u32; components.len()];
    for (to, cost) in api.roots().flat_map(nested) {
        above[circle[to]] = above[circle[to]].max(cost);
    }
    let mut deep = BTreeMap::new();
    for (at, members) in components.iter().enumerate().rev() {
        let whole = members.iter().map(|member| cost(&api.definitions[names[*member]].shape));
        let whole = whole.fold(0, u32::saturating_add);
        if above[at].saturating_add(whole) > LIMIT {
            deep.extend(members.iter().map(|member| (names[*member].clone(), at)));
            continue;
        }
        for (to, cost) in members.iter().flat_map(|member| &references[*member]) {
            let within = if members.len() > 1 { whole } else { *cost };
            above[circle[*to]] = above[circle[*to]].max(above[at] + within);
        }
    }
    deep
}

/// What a shape costs, without the definitions that it refers to.
fn cost(shape: &Shape) -> u32 {
    let (within, lists) = inside(shape);
    let own = match within {
        Shape::Object(object) => LEVEL + object.fields.iter().map(|field| cost(&field.shape)).max().unwrap_or(0),
        _ => 0,
    };
    own + further(lists)
}

/// What an object refers to, each with the cost of all that is around it.
fn leveled<'o>(object: &'o Object, around: u32, found: &mut Vec<(&'o str, u32)>) {
    for field in &object.fields {
        let (within, lists) = inside(&field.shape);
        match within {
            Shape::Reference(reference) => found.push((&reference.name, around + further(lists))),
            Shape::Object(object) => leveled(object, around + further(lists) + LEVEL, found),
            _ => {}
        }
    }
}

/// What is in lists and maps, and how many of them there are around it.
fn inside(mut shape: &Shape) -> (&Shape, u32) {
    let mut lists = 0;
    while let Shape::List(slot) | Shape::Map(slot) = shape {
        shape = &slot.shape;
        lists += 1;
    }
    (shape, lists)
}

fn further(lists: u32) -> u32 {
    NESTED * lists.saturating_sub(1)
}

fn loosen(object: &mut Object, deep: &impl Fn(&str) -> bool) {
    for field in &mut object.fields {
        let mut shape = &mut field.shape;
        while let Shape::List(slot) | Shape::Map(slot) = shape {
            shape = &mut slot.shape;
        }
        match shape {
            Shape::Reference(reference) if deep(&reference.name) => *shape = Shape::Any,
            Shape::Object(object) => loosen(object, deep),
            _ => {}
        }
    }
}
