//! How deep definitions may lie within each other: types nested deeper run into limits of rustc.

use std::collections::{BTreeMap, BTreeSet};

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

/// Makes JSON values of references to definitions that hold too much for where they are referred to. It is decided from
/// below, by what a definition holds and never by what leads to it: no type changes since something is added that leads
/// there by a longer way.
pub(crate) fn limit(api: &mut Api, problems: &mut Problems) {
    let heights = Heights::of(api);
    let mut cut: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for object in api.roots_mut() {
        let mut note = |name: &str| note(&mut cut, name, "a kind");
        loosen(object, LEVEL, &|name, around| heights.fit(None, name, around), &mut note);
    }
    for (from, definition) in &mut api.definitions {
        let Shape::Object(object) = &mut definition.shape else { continue };
        let mut note = |name: &str| note(&mut cut, name, from);
        loosen(object, LEVEL, &|name, around| heights.fit(Some(from), name, around), &mut note);
    }
    for (name, holders) in &cut {
        let Some(definition) = api.definitions.get(name) else { continue };
        let Some(first) = holders.first() else { continue };
        let more = if holders.len() > 1 { format!(" and {} more", holders.len() - 1) } else { String::new() };
        let message = format!(
            "{name} is nested too deep for a type of its own in {first}{more}: there it is a JSON value in Rust"
        );
        let hint = format!("{OBJECT_LEVELS} levels of objects get types, counted from the innermost");
        problems.push(Problem::warning(message).at(definition.place.clone()).hint(hint));
    }
}

fn note(cut: &mut BTreeMap<String, BTreeSet<String>>, name: &str, holder: &str) {
    cut.entry(name.to_owned()).or_default().insert(holder.to_owned());
}

/// What definitions cost with all that stays in them.
struct Heights {
    /// The circle of each definition: those that lead to each other, mostly one.
    circles: BTreeMap<String, usize>,
    /// What all members of a circle of several cost together: a way may go through all of them.
    through: Vec<Option<u32>>,
    /// The longest way from the top of each circle to the innermost level that stays.
    heights: Vec<u32>,
}

impl Heights {
    fn of(api: &Api) -> Self {
        let names: Vec<&String> = api.definitions.keys().collect();
        let number = |name: &str| names.binary_search_by(|known| known.as_str().cmp(name)).ok();
        let nested = |shape: &Shape| {
            let mut found = Vec::new();
            if let Shape::Object(object) = shape {
                leveled(object, LEVEL, &mut found);
            }
            found.into_iter().filter_map(|(name, around)| Some((number(name)?, around))).collect::<Vec<_>>()
        };
        let references: Vec<Vec<(usize, u32)>> =
            api.definitions.values().map(|definition| nested(&definition.shape)).collect();
        let edges: Vec<Vec<usize>> = references.iter().map(|to| to.iter().map(|(to, _)| *to).collect()).collect();
        let components = graph::components(&edges);
        let mut circle = vec![0; names.len()];
        for (at, members) in components.iter().enumerate() {
            members.iter().for_each(|member| circle[*member] = at);
        }
        let circles = names.iter().zip(&circle).map(|(name, at)| ((*name).clone(), *at)).collect();
        let mut all = Heights { circles, through: Vec::new(), heights: Vec::new() };
        // What a circle leads to comes before it.
        for (at, members) in components.iter().enumerate() {
            let whole = members.iter().map(|member| cost(&api.definitions[names[*member]].shape));
            let whole = whole.fold(0, u32::saturating_add);
            all.through.push((members.len() > 1).then_some(whole));
            let below = members.iter().flat_map(|member| &references[*member]).filter(|(to, _)| circle[*to] != at);
            let ways =
                below.map(|(to, around)| all.through[at].unwrap_or(*around).saturating_add(all.heights[circle[*to]]));
            let height = ways.filter(|way| *way <= LIMIT).fold(whole, u32::max);
            all.heights.push(height);
        }
        all
    }

    /// Whether a definition fits below what is around it, in a kind or a definition.
    fn fit(&self, from: Option<&String>, name: &str, around: u32) -> bool {
        let from = from.and_then(|from| self.circles.get(from));
        match self.circles.get(name) {
            // Those of one circle go together.
            Some(to) if Some(to) != from => {
                let around = from.and_then(|from| self.through[*from]).unwrap_or(around);
                around.saturating_add(self.heights[*to]) <= LIMIT
            }
            _ => true,
        }
    }
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

/// Makes JSON values of what does not fit, each with all that is around it, as [`leveled`] counts.
fn loosen(object: &mut Object, around: u32, fits: &impl Fn(&str, u32) -> bool, note: &mut impl FnMut(&str)) {
    for field in &mut object.fields {
        let (_, lists) = inside(&field.shape);
        let around = around + further(lists);
        let mut shape = &mut field.shape;
        while let Shape::List(slot) | Shape::Map(slot) = shape {
            shape = &mut slot.shape;
        }
        match shape {
            Shape::Reference(reference) if !fits(&reference.name, around) => {
                note(&reference.name);
                *shape = Shape::Any;
            }
            Shape::Object(object) => loosen(object, around + LEVEL, fits, note),
            _ => {}
        }
    }
}
