//! What a version says beside its schema: columns for tables, subresources, fields to select by.

use std::collections::BTreeSet;

use super::field_path::{Found, follow};
use super::keyword::{Wanted, check as check_types, flag, key_span, present, text};
use super::trail::{At, Step, Teller};
use crate::document::node::Node;

const FIELDS: &[(&str, Wanted)] = &[
    ("served", Wanted::Flag),
    ("storage", Wanted::Flag),
    ("deprecated", Wanted::Flag),
    ("deprecationWarning", Wanted::Text),
    ("schema", Wanted::Object),
    ("subresources", Wanted::Object),
    ("additionalPrinterColumns", Wanted::List),
    ("selectableFields", Wanted::List),
];

const SUBRESOURCES: &[(&str, Wanted)] = &[("status", Wanted::Object), ("scale", Wanted::Object)];

const FIELD: &[(&str, Wanted)] = &[("jsonPath", Wanted::Text)];

const COLUMN: &[(&str, Wanted)] = &[
    ("name", Wanted::Text),
    ("type", Wanted::Text),
    ("format", Wanted::Text),
    ("description", Wanted::Text),
    ("priority", Wanted::Short),
    ("jsonPath", Wanted::Text),
];

const SCALE: &[(&str, Wanted)] =
    &[("specReplicasPath", Wanted::Text), ("statusReplicasPath", Wanted::Text), ("labelSelectorPath", Wanted::Text)];

const COLUMN_TYPES: [&str; 5] = ["boolean", "date", "integer", "number", "string"];
const COLUMN_FORMATS: [&str; 8] = ["byte", "date", "date-time", "double", "float", "int32", "int64", "password"];

/// Fields that a version may name to select by.
const MAX_SELECTABLE: usize = 8;

/// Bytes that a warning may have.
const MAX_WARNING: usize = 256;

/// Checks a version but for its name and schema.
pub(super) fn check<'a>(version: Node<'a>, teller: &mut Teller<'_, 'a>) {
    let at = teller.root();
    if !version.is_object() || !check_types(FIELDS, version, at, teller) {
        return;
    }
    warning(version, at, teller);
    columns(version, at, teller);
    scale(version, at, teller);
    selectable(version, at, teller);
}

fn warning<'a>(version: Node<'a>, at: At, teller: &mut Teller<'_, 'a>) {
    let Some(node) = present(version, "deprecationWarning") else { return };
    let text = node.as_str().unwrap_or_default();
    let wrong = match () {
        () if !flag(version, "deprecated") => "`deprecationWarning` needs `deprecated: true`",
        () if text.is_empty() => "a warning must say something",
        () if text.len() > MAX_WARNING => "a warning can have 256 bytes",
        () if text.chars().any(is_invisible) => "a warning can't have control characters and the like",
        () => return,
    };
    let at = teller.key(at, "deprecationWarning");
    teller.error(node.span(), at, wrong, "");
}

/// Whether a character is none that can be printed, spaces aside.
fn is_invisible(c: char) -> bool {
    let formats = matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    let private = matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..);
    c != ' ' && (c.is_control() || c.is_whitespace() || formats || private)
}

fn columns<'a>(version: Node<'a>, at: At, teller: &mut Teller<'_, 'a>) {
    let Some(columns) = present(version, "additionalPrinterColumns") else { return };
    let at = teller.key(at, "additionalPrinterColumns");
    for (number, column) in columns.items().enumerate() {
        let at = teller.down(at, Step::Item(number));
        if !column.is_object() {
            let message = format!("a column must be an object, but is a {}", column.kind_name());
            teller.error(column.span(), at, message, "");
            continue;
        }
        if !check_types(COLUMN, column, at, teller) {
            continue;
        }
        needed(column, "name", at, teller);
        for (key, known) in [("type", &COLUMN_TYPES[..]), ("format", &COLUMN_FORMATS)] {
            if key == "type" && !needed(column, key, at, teller) {
                continue;
            }
            let Some(node) = present(column, key) else { continue };
            let value = node.as_str().unwrap_or_default();
            if !value.is_empty() && !known.contains(&value) {
                let at = teller.key(at, key);
                let message = format!("the {key} of this column, {value:?}, is none of {}", known.join(", "));
                teller.error(node.span(), at, message, "");
            }
        }
        if needed(column, "jsonPath", at, teller) {
            path(column, "jsonPath", &["."], at, teller);
        }
    }
}

fn scale<'a>(version: Node<'a>, at: At, teller: &mut Teller<'_, 'a>) {
    let Some(all) = present(version, "subresources") else { return };
    let at = teller.key(at, "subresources");
    if !check_types(SUBRESOURCES, all, at, teller) {
        return;
    }
    let Some(scale) = present(all, "scale") else { return };
    let at = teller.key(at, "scale");
    if !check_types(SCALE, scale, at, teller) {
        return;
    }
    for (key, below) in [("specReplicasPath", ".spec."), ("statusReplicasPath", ".status.")] {
        if needed(scale, key, at, teller) {
            path(scale, key, &[below], at, teller);
        }
    }
    if text(scale, "labelSelectorPath").is_some() {
        path(scale, "labelSelectorPath", &[".spec.", ".status."], at, teller);
    }
}

fn needed<'a>(object: Node<'a>, key: &'a str, at: At, teller: &mut Teller<'_, 'a>) -> bool {
    if text(object, key).is_some() {
        return true;
    }
    let at = teller.key(at, key);
    teller.error(object.span().start(), at, format!("`{key}` is missing"), "");
    false
}

fn path<'a>(object: Node<'a>, key: &'a str, below: &[&str], at: At, teller: &mut Teller<'_, 'a>) {
    let Some(node) = present(object, key) else { return };
    let path = node.as_str().unwrap_or_default();
    if below.iter().any(|below| path.starts_with(below)) {
        return;
    }
    let at = teller.key(at, key);
    let message = match below {
        ["."] => format!("the path {path:?} must begin with `.`"),
        below => format!("the path {path:?} must begin with {}", below.join(" or ")),
    };
    teller.error(node.span(), at, message, "");
}

fn selectable<'a>(version: Node<'a>, at: At, teller: &mut Teller<'_, 'a>) {
    let Some(fields) = present(version, "selectableFields") else { return };
    let at = teller.key(at, "selectableFields");
    if fields.items().len() > MAX_SELECTABLE {
        let message = format!("a version can have {MAX_SELECTABLE} fields to select by");
        teller.error(key_span(version, "selectableFields"), at, message, "");
    }
    let schema = version.get("schema").and_then(|schema| present(schema, "openAPIV3Schema"));
    let mut seen = BTreeSet::new();
    for (number, field) in fields.items().enumerate() {
        let at = teller.down(at, Step::Item(number));
        if !check_types(FIELD, field, at, teller) || !needed(field, "jsonPath", at, teller) {
            continue;
        }
        let at = teller.key(at, "jsonPath");
        let Some(node) = present(field, "jsonPath") else { continue };
        let path = node.as_str().unwrap_or_default();
        let wrong = schema.and_then(|schema| not_selectable(schema, path));
        if !seen.insert(path) {
            teller.error(node.span(), at, format!("{path} is there twice"), "");
        } else if let Some(wrong) = wrong {
            let message = format!("{path} is no field to select by: {wrong}");
            teller.error(
                node.span(),
                at,
                message,
                "it must be of type string, integer or boolean, outside of metadata",
            );
        }
    }
}

fn not_selectable(schema: Node<'_>, path: &str) -> Option<String> {
    if path == ".metadata" || path.starts_with(".metadata.") {
        return Some("it is in metadata".to_owned());
    }
    let Found { schema } = match follow(path, schema, false) {
        Ok(found) => found,
        Err(wrong) => return Some(wrong),
    };
    let kind = schema.and_then(|schema| text(schema, "type"));
    match kind {
        Some("string" | "integer" | "boolean") => None,
        Some(kind) => Some(format!("it is of type {kind}")),
        None => Some("it has no type".to_owned()),
    }
}
