//! Where in the types of a kind a renderer is, and what is added there.

use super::target::{Path, Target};
use super::{Addition, Extras, Rule, derivable};
use crate::code::{Code, Typed, quote};
use crate::model::{Api, Kind, Object, Objects, Shape};

/// A place in a kind: the object itself, or a field at some depth.
#[derive(Clone, Debug)]
pub(crate) struct Spot<'a> {
    extras: &'a Extras,
    api: &'a Api,
    /// What may be meant here or below.
    alive: Vec<Alive<'a>>,
    /// Names from the root, with dots between them.
    path: String,
    root: bool,
}

/// What structs have by themselves.
const OF_STRUCTS: &[&str] = &["Clone", "Debug", "Default", "PartialEq"];

/// What enums have by themselves.
const OF_ENUMS: &[&str] = &["Clone", "Debug", "Default", "Display", "Eq", "Hash", "PartialEq"];

/// Whether the struct of a place gets a derive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Given {
    /// It is asked for there, or there anyway.
    Always,
    /// It is asked for in general.
    WhereItHolds,
    Never,
}

/// A rule that led here.
#[derive(Clone, Copy, Debug)]
struct Alive<'a> {
    rule: &'a Rule,
    path: &'a Path,
    /// How many steps of its path are gone.
    gone: usize,
    /// Whether this is below the end of its path.
    beyond: bool,
}

impl Alive<'_> {
    /// Whether it means this place.
    fn is_here(&self) -> bool {
        self.gone == self.path.steps.len() && self.path.below == self.beyond
    }
}

impl<'a> Spot<'a> {
    /// The objects of a kind.
    pub(crate) fn kind(extras: &'a Extras, api: &'a Api, kind: &Kind) -> Self {
        Spot::root(extras, api, |path| path.is_in(kind))
    }

    /// The objects of the kinds that are one definition.
    pub(crate) fn served(extras: &'a Extras, api: &'a Api, definition: &str) -> Self {
        let of = |kind: &&Kind| matches!(&kind.objects, Objects::Served(name) if name == definition);
        let kinds: Vec<&Kind> = api.kinds().filter(of).collect();
        Spot::root(extras, api, |path| kinds.iter().any(|kind| path.is_in(kind)))
    }

    /// The values of a definition, wherever it is referred to.
    pub(crate) fn definition(extras: &'a Extras, api: &'a Api, name: &str) -> Self {
        let alive = alive(extras, |path| path.is_in_definition(name));
        Spot { extras, api, alive, path: name.to_owned(), root: false }
    }

    fn root(extras: &'a Extras, api: &'a Api, is_in: impl Fn(&Path) -> bool) -> Self {
        Spot { extras, api, alive: alive(extras, is_in), path: String::new(), root: true }
    }

    /// A field of the object, or of the objects in the list or map, at this place.
    pub(crate) fn field(&self, name: &str) -> Self {
        let path = if self.root { name.to_owned() } else { format!("{}.{name}", self.path) };
        let alive = self.alive.iter().filter_map(|alive| match alive.path.steps.get(alive.gone) {
            Some(step) if step == name => Some(Alive { gone: alive.gone + 1, ..*alive }),
            None if alive.path.below => Some(Alive { beyond: true, ..*alive }),
            _ => None,
        });
        Spot { extras: self.extras, api: self.api, alive: alive.collect(), path, root: false }
    }

    /// Names from the root, with dots between them; empty there.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// Whether it is the object of a kind.
    pub(super) fn is_root(&self) -> bool {
        self.root
    }

    /// A definition that something here refers to: its values and their place.
    pub(super) fn of_definition(&self, name: &str) -> Option<(&'a Shape, Self)> {
        let definition = self.api.definitions.get(name)?;
        Some((&definition.shape, Spot::definition(self.extras, self.api, name)))
    }

    /// Whether the struct of this place gets a derive, named without its path.
    pub(super) fn struct_gets(&self, derive: &str) -> Given {
        if OF_STRUCTS.contains(&derive) {
            return Given::Always;
        }
        let mut given = Given::Never;
        for (_, exact) in self.rules(&Target::Structs).filter(|(rule, _)| asks_for(rule, derive)) {
            if exact {
                return Given::Always;
            }
            given = Given::WhereItHolds;
        }
        given
    }

    /// Whether the enum of this place gets a derive, named without its path.
    pub(super) fn enum_gets(&self, derive: &str) -> bool {
        OF_ENUMS.contains(&derive) || self.rules(&Target::Enums).any(|(rule, _)| asks_for(rule, derive))
    }

    /// The derives of the struct of this place, after those that it has anyway.
    pub(crate) fn struct_derives(&self, object: &Object) -> Code {
        self.derives(&Target::Structs, OF_STRUCTS, |derive| derivable::by_struct(derive, object, self))
    }

    /// The derives of the enum of this place, after those that it has anyway.
    pub(crate) fn enum_derives(&self) -> Code {
        self.derives(&Target::Enums, OF_ENUMS, |_| true)
    }

    fn derives(&self, sort: &Target, there: &[&str], holds: impl Fn(&str) -> bool) -> Code {
        let mut given: Vec<&str> = Vec::new();
        for (rule, exact) in self.rules(sort) {
            let Addition::Derives(derives) = &rule.addition else { continue };
            for derive in derives {
                let name = short(derive);
                let is_there = there.contains(&name) || is_of_serde(derive) || given.contains(&derive.as_str());
                if !is_there && (exact || holds(name)) {
                    given.push(derive);
                }
            }
        }
        given.into_iter().map(Typed).map(|path| quote!(, #path)).collect()
    }

    /// The attributes of the struct of this place.
    pub(crate) fn struct_attributes(&self) -> Code {
        self.attributes(self.rules(&Target::Structs).filter(|(rule, _)| is_of_type(rule)))
    }

    /// The attributes of the enum of this place.
    pub(crate) fn enum_attributes(&self) -> Code {
        self.attributes(self.rules(&Target::Enums).filter(|(rule, _)| is_of_type(rule)))
    }

    /// The attributes of the field at this place.
    pub(crate) fn field_attributes(&self) -> Code {
        self.attributes(self.here().filter(|(rule, _)| !is_of_type(rule)))
    }

    fn attributes<'r>(&self, rules: impl Iterator<Item = (&'r Rule, bool)>) -> Code {
        let attributes = rules.filter_map(|(rule, _)| match &rule.addition {
            Addition::Attribute(text) => Some(Typed(text)),
            Addition::Derives(_) => None,
        });
        attributes.map(|attribute| quote!(#[#attribute])).collect()
    }

    /// What is meant for the type of this place, in the order in which it was asked for, each with whether it means
    /// this type alone.
    fn rules(&self, sort: &Target) -> impl Iterator<Item = (&'a Rule, bool)> {
        self.extras.rules.iter().filter_map(move |rule| match &rule.target {
            Target::At(_) => self.here().find(|(here, _)| std::ptr::eq(*here, rule)),
            target if *target == Target::All || target == sort => Some((rule, false)),
            _ => None,
        })
    }

    fn here(&self) -> impl Iterator<Item = (&'a Rule, bool)> {
        self.alive.iter().filter(|alive| alive.is_here()).map(|alive| (alive.rule, !alive.path.below))
    }
}

/// The rules that are about a kind or definition.
fn alive<'a>(extras: &'a Extras, is_in: impl Fn(&Path) -> bool) -> Vec<Alive<'a>> {
    let alive = extras.rules.iter().filter_map(|rule| match &rule.target {
        Target::At(path) if is_in(path) => Some(Alive { rule, path, gone: 0, beyond: false }),
        _ => None,
    });
    alive.collect()
}

/// Whether a rule is about a derive, named without its path.
fn asks_for(rule: &Rule, derive: &str) -> bool {
    match &rule.addition {
        Addition::Derives(derives) => derives.iter().any(|path| short(path) == derive),
        Addition::Attribute(_) => false,
    }
}

fn is_of_type(rule: &Rule) -> bool {
    match &rule.target {
        Target::At(path) => path.is_of_type(),
        _ => true,
    }
}

/// Whether it is one of the traits that the runtime's macros implement. Other crates have derives of these names, too.
fn is_of_serde(derive: &str) -> bool {
    let path = derive.trim_start_matches("::");
    matches!(path.strip_prefix("serde::").unwrap_or(path), "Deserialize" | "Serialize")
}

/// A derive without the path to it.
fn short(derive: &str) -> &str {
    derive.rsplit("::").next().unwrap_or(derive)
}
