//! How deep definitions may lie within each other: types nested deeper run into limits of rustc.

use std::collections::BTreeMap;

use super::graph;
use super::schema::OBJECT_LEVELS;
use crate::model::{Api, Object, Shape};
use crate::problem::{Problem, Problems};

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
        leveled(object, 1, &mut found);
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
    // Levels above each circle, the longest way from a kind.
    let mut above = vec![0u32; components.len()];
    for (to, level) in api.roots().flat_map(nested) {
        above[circle[to]] = above[circle[to]].max(level);
    }
    let mut deep = BTreeMap::new();
    for (at, members) in components.iter().enumerate().rev() {
        let levels: u32 = members.iter().map(|member| levels(&api.definitions[names[*member]].shape)).sum();
        if above[at] + levels > OBJECT_LEVELS {
            deep.extend(members.iter().map(|member| (names[*member].clone(), at)));
            continue;
        }
        for (to, level) in members.iter().flat_map(|member| &references[*member]) {
            let within = if members.len() > 1 { levels } else { *level };
            above[circle[*to]] = above[circle[*to]].max(above[at] + within);
        }
    }
    deep
}

/// Levels of objects in a shape.
fn levels(shape: &Shape) -> u32 {
    match shape {
        Shape::List(slot) | Shape::Map(slot) => levels(&slot.shape),
        Shape::Object(object) => 1 + object.fields.iter().map(|field| levels(&field.shape)).max().unwrap_or(0),
        _ => 0,
    }
}

/// What an object refers to, each with the level of the object that does.
fn leveled<'o>(object: &'o Object, level: u32, found: &mut Vec<(&'o str, u32)>) {
    for field in &object.fields {
        let mut shape = &field.shape;
        while let Shape::List(slot) | Shape::Map(slot) = shape {
            shape = &slot.shape;
        }
        match shape {
            Shape::Reference(reference) => found.push((&reference.name, level)),
            Shape::Object(object) => leveled(object, level + 1, found),
            _ => {}
        }
    }
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
