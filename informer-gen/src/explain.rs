//! What the generator makes of CRDs, for people: `informer-gen explain`.

use std::fmt::Write as _;

use crate::k8s_types;
use crate::model::{Api, Enum, Kind, Object, Objects, Presence, RustPath, Shape};
use crate::names::{GroupNames, KindNames, Names, VersionNames};
use crate::problem::Problems;
use crate::render::Inside;
use crate::source::Sources;
use crate::wording::{self, Sentence};

/// Lines that the tree of one kind may have.
const MAX_LINES: usize = 2_000;

/// The text for all kinds, and at its end what was made looser and why.
pub(crate) fn text(api: &Api, names: &Names, problems: &Problems, sources: &Sources) -> String {
    let mut text = String::new();
    let all_names = names;
    for (group, group_names) in api.groups.iter().zip(&names.groups) {
        for (at, (version, version_names)) in group.versions.iter().zip(&group_names.versions).enumerate() {
            for (kind, names) in version.kinds.iter().zip(&version_names.kinds) {
                let rank = if at == 0 { "the group's preferred version" } else { "not the preferred version" };
                about(kind, rank, sources, &mut text);
                rust(group_names, version_names, names, &mut text);
                let module = format!("{}::{}::{}", group_names.module, version_names.module, names.module);
                tree(api, all_names, kind, names, &module, &mut text);
                text.push('\n');
            }
        }
    }
    for ((name, definition), names) in api.definitions.iter().zip(names.definitions.values()) {
        let _ = writeln!(text, "definition {name}");
        if let Some(place) = sources.place(definition.place.span) {
            let _ = writeln!(text, "  {:<10}{place}", "declared");
        }
        let _ = writeln!(text, "  {:<10}{}", "type", names.path().join("::"));
        match &definition.shape {
            Shape::Object(object) => tree_of(object, Inside::definition(object, &names.inner_path()), &mut text),
            Shape::Enum(of) => values(of, "  ", &mut text),
            _ => {}
        }
        text.push('\n');
    }
    let mut decided = String::new();
    for problem in problems.iter() {
        let place = problem.place.as_ref().and_then(|place| sources.place(place.span)).unwrap_or_default();
        let _ = writeln!(decided, "  {place}: {}", problem.message());
        if let Some(pointer) = problem.json_pointer() {
            let _ = writeln!(decided, "    at {pointer}");
        }
        if let Some(hint) = problem.hint_text() {
            let _ = writeln!(decided, "    {hint}");
        }
    }
    if !decided.is_empty() {
        let _ = writeln!(text, "Left out or made looser:\n{decided}");
    }
    text.truncate(text.trim_end().len());
    text
}

fn about(kind: &Kind, rank: &str, sources: &Sources, text: &mut String) {
    let Kind { group, version, plural, .. } = kind;
    let _ = writeln!(text, "{} in {group}/{version}", kind.kind);
    let mut line = |name: &str, value: &str| {
        let _ = writeln!(text, "  {name:<10}{value}");
    };
    if let Some(place) = sources.place(kind.place.span) {
        line("declared", &place);
    }
    line("version", rank);
    if let Some(deprecation) = &kind.deprecated {
        line("", &format!("deprecated{}", deprecation.warning.as_ref().map_or(String::new(), |w| format!(": {w}"))));
    }
    line("names", &format!("{plural}, one: {}, a list: {}", kind.singular, kind.list_kind));
    line("scope", if kind.namespaced { "namespaced" } else { "cluster" });
    let root = if group.is_empty() { format!("/api/{version}") } else { format!("/apis/{group}/{version}") };
    line("paths", &format!("{root}/{plural}"));
    if kind.namespaced {
        line("", &format!("{root}/namespaces/NAMESPACE/{plural}"));
    }
}

fn rust(group: &GroupNames, version: &VersionNames, names: &KindNames, text: &mut String) {
    let module = format!("{}::{}", group.module, version.module);
    let _ = writeln!(text, "  {:<10}{module}::{}, {module}::{}Informer", "types", names.type_name, names.type_name);
    let accessors = format!("factory.{}().{}().{}()", group.module, version.module, names.accessor);
    let _ = writeln!(text, "  {:<10}{accessors}", "informer");
}

/// The fields of the kind's objects, each with its type; `module` is that of the types.
fn tree(api: &Api, all_names: &Names, kind: &Kind, names: &KindNames, module: &str, text: &mut String) {
    let (object, fields) = match &kind.objects {
        Objects::Known(path) => {
            let _ = writeln!(text, "  {:<10}the type exists: {path}{}", "objects", only(path));
            return;
        }
        Objects::Generated(object) => (object, Inside::root(object, &names.type_name, module)),
        Objects::Served(name) => {
            let _ = writeln!(text, "  {:<10}definition {name}, which other kinds have too: one type", "objects");
            let (Some(served), Some(names)) = (api.served.get(name), all_names.served.get(name)) else { return };
            (&served.object, Inside::served(&served.object, &names.type_name, module))
        }
    };
    let _ = writeln!(text, "  {:<10}beside apiVersion, kind and metadata:", "objects");
    demanded(&wording::sentences(&object.facts), "  ", text);
    tree_of(object, fields, text);
}

/// The fields of an object, and of the objects inside.
fn tree_of(object: &Object, root: Vec<Inside<'_>>, text: &mut String) {
    let mut lines = 0;
    let mut open: Vec<(Inside<'_>, usize)> = root.into_iter().rev().map(|field| (field, 2)).collect();
    if object.open {
        let _ = writeln!(text, "    … any other key: the schema keeps unknown ones (`extra`)");
    }
    while let Some((inside, level)) = open.pop() {
        let field = inside.field;
        lines += 1;
        if lines > MAX_LINES {
            let _ = writeln!(text, "    … and more");
            return;
        }
        let indent = "  ".repeat(level);
        let why = match field.presence {
            Presence::Required => "required",
            Presence::RequiredNullable => "required, may be null: an Option that writes null",
            Presence::Optional => "optional",
            Presence::ThreeStates => "optional, may be null, has a default: absent and null differ, so two Options",
        };
        let ident = if inside.ident == field.name { String::new() } else { format!(" (`{}`)", inside.ident) };
        let path = inside.path.as_ref().map_or(String::new(), |path| format!(" = {path}"));
        let name = wording::printable(&field.name);
        let _ = writeln!(text, "{indent}{name}{ident}: {} ({why}){path}", words(&field.shape));
        demanded(&wording::of_field(field), &indent, text);
        match field.shape.named() {
            Some(Shape::Object(object)) => {
                demanded(&wording::sentences(&object.facts), &indent, text);
                if object.open {
                    let _ = writeln!(text, "{indent}  … any other key: the schema keeps unknown ones (`extra`)");
                }
                open.extend(inside.fields().into_iter().rev().map(|field| (field, level + 1)));
            }
            Some(Shape::Enum(of)) => values(of, &format!("{indent}  "), text),
            _ => {}
        }
    }
}

fn values(of: &Enum, indent: &str, text: &mut String) {
    let shown: Vec<String> = of.values.iter().take(12).map(|value| format!("{value:?}")).collect();
    let more = if of.values.len() > 12 { ", …" } else { "" };
    let _ = writeln!(text, "{indent}{}{more}, or what a later server adds", shown.join(", "));
}

/// Which releases have a type, if not all.
fn only(path: &RustPath) -> String {
    let only = k8s_types::partly(path);
    only.map(|releases| format!(" (for Kubernetes {})", k8s_types::words(releases))).unwrap_or_default()
}

fn demanded(sentences: &[Sentence], indent: &str, text: &mut String) {
    for sentence in sentences {
        let _ = writeln!(text, "{indent}  {}", sentence.plain());
    }
}

/// A shape in words. Recursion follows the depth of a shape, which `lower` bounds.
fn words(shape: &Shape) -> String {
    let slot = |slot: &crate::model::Slot| {
        let null = if slot.nullable { " or null" } else { "" };
        format!("{}{null}", words(&slot.shape))
    };
    match shape {
        Shape::Any => "any JSON value (the schema names no type)".to_owned(),
        Shape::AnyObject => "any JSON object (the schema names no keys)".to_owned(),
        Shape::Boolean => "boolean".to_owned(),
        Shape::Integer => "integer (i64: no server stores a larger one)".to_owned(),
        Shape::Number => "number (as it is written)".to_owned(),
        Shape::Text => "string".to_owned(),
        Shape::IntOrString => "integer or string".to_owned(),
        Shape::Enum(_) => "one of some strings".to_owned(),
        Shape::List(items) => format!("list of {}", slot(items)),
        Shape::Map(values) => format!("map of {}", slot(values)),
        Shape::Object(_) => "object".to_owned(),
        Shape::Reference(to) if to.boxed => format!("definition {}, in a box since it can hold itself", to.name),
        Shape::Reference(to) => format!("definition {}", to.name),
        Shape::Known(path) => format!("{path}, which exists{}", only(path)),
    }
}
