//! Whether everything that is asked for is about something in the input.

use super::target::{Of, Path, Target, joined};
use super::{Addition, Extras, Rule};
use crate::model::{Api, Kind, Object, Objects, Shape};
use crate::near;
use crate::problem::{Problem, Problems};

/// A problem for everything that is about nothing.
pub(crate) fn check(extras: &Extras, api: &Api) -> Problems {
    let mut problems = Problems::new();
    for rule in &extras.rules {
        if let Target::At(path) = &rule.target
            && let Some((message, hint)) = refusal(rule, path, api)
        {
            problems.push(Problem::error(format!("{}: {message}", rule.asked)).hint(hint));
        }
    }
    problems
}

/// What is wrong with a rule, and a hint.
fn refusal(rule: &Rule, path: &Path, api: &Api) -> Option<(String, String)> {
    let kinds: Vec<&Kind> = match &path.of {
        Of::Kind { .. } => api.kinds().filter(|kind| path.is_in(kind)).collect(),
        Of::Definition(name) => {
            let Some(definition) = api.definitions.get(name) else {
                let hint = near::hint(name, api.definitions.keys().map(String::as_str));
                return Some((format!("no definition {name} gets a type of its own here"), hint));
            };
            return walk(rule, path, Inside::of(&definition.shape));
        }
    };
    let name = path.of.name();
    if kinds.is_empty() {
        let names: Vec<String> = api
            .kinds()
            .flat_map(|kind| [kind.kind.clone(), format!("{}/{}/{}", kind.group, kind.version, kind.kind)])
            .collect();
        let hint = near::hint(name, names.iter().map(String::as_str));
        return Some((format!("there is no such kind as {name} in the input"), hint));
    }
    // It is enough that one version has it.
    let mut first = None;
    for kind in kinds {
        let root = match &kind.objects {
            Objects::Generated(root) => Some(root),
            Objects::Served(name) => api.served.get(name).map(|served| &served.object),
            Objects::Known(_) => None,
        };
        let refusal = match root {
            Some(root) => walk(rule, path, Inside::Object(root)),
            None => {
                let hint = "what is generated can be changed only".to_owned();
                Some((format!("the type of {name} exists already"), hint))
            }
        };
        match refusal {
            None => return None,
            refusal => first = first.or(refusal),
        }
    }
    first
}

/// Follows a path from what it is in.
fn walk(rule: &Rule, path: &Path, from: Inside<'_>) -> Option<(String, String)> {
    let name = path.of.name();
    let mut inside = from;
    for (at, step) in path.steps.iter().enumerate() {
        let fields = match inside {
            Inside::Object(object) => object.fields.as_slice(),
            Inside::Enum | Inside::Known | Inside::Nothing => &[],
            Inside::Definition(name) => return Some(shared(&joined(name, &path.steps[..at]), name)),
        };
        if matches!(inside, Inside::Known) {
            return Some(exists(&joined(name, &path.steps[..at])));
        }
        let Some(field) = fields.iter().find(|field| field.name == *step) else {
            let message = format!("{} has no field {step:?}", joined(name, &path.steps[..at]));
            return Some((message, near::hint(step, fields.iter().map(|field| field.name.as_str()))));
        };
        inside = Inside::of(&field.shape);
    }
    let shown = joined(name, &path.steps);
    let of_type = path.of_type || matches!(rule.addition, Addition::Derives(_));
    match inside {
        Inside::Object(_) => None,
        Inside::Definition(name) if path.below || of_type => Some(shared(&shown, name)),
        Inside::Known if path.below || of_type => Some(exists(&shown)),
        _ if path.below => Some((format!("{shown} has no fields"), "leave out the `.*`".to_owned())),
        Inside::Nothing if of_type => {
            Some((format!("{shown} has no type of its own"), "objects and enums have one".to_owned()))
        }
        _ => None,
    }
}

fn shared(shown: &str, definition: &str) -> (String, String) {
    let message = format!("{shown} is the definition {definition}, whose type all that refers to it shares");
    (message, format!("name that in place of it: definition:{definition}"))
}

/// Of a field whose type is not of this output.
fn exists(shown: &str) -> (String, String) {
    let hint = "kinds share it where schemas are the same; with --own-types every type is generated".to_owned();
    (format!("the type of {shown} exists already"), hint)
}

/// What a path has come to.
enum Inside<'a> {
    Object(&'a Object),
    Definition(&'a str),
    Enum,
    /// A type that exists.
    Known,
    Nothing,
}

impl<'a> Inside<'a> {
    fn of(shape: &'a Shape) -> Self {
        match shape.named() {
            Some(Shape::Object(object)) => Inside::Object(object),
            Some(_) => Inside::Enum,
            None if shape.is_known() => Inside::Known,
            None => shape.references().first().map_or(Inside::Nothing, |to| Inside::Definition(&to.name)),
        }
    }
}
