//! The metadata of a CRD: labels, annotations and what else a server reads of it.

use super::format;
use super::keyword::{Wanted, check as check_types, key_span, present, text};
use super::trail::{At, Step, Teller};
use crate::document::node::Node;
use crate::lower::dns;

const FIELDS: &[(&str, Wanted)] = &[
    ("name", Wanted::Text),
    ("generateName", Wanted::Text),
    ("namespace", Wanted::Text),
    ("selfLink", Wanted::Text),
    ("uid", Wanted::Text),
    ("resourceVersion", Wanted::Text),
    ("generation", Wanted::Whole),
    ("creationTimestamp", Wanted::Text),
    ("deletionTimestamp", Wanted::Text),
    ("deletionGracePeriodSeconds", Wanted::Whole),
    ("labels", Wanted::TextMap),
    ("annotations", Wanted::TextMap),
    ("ownerReferences", Wanted::List),
    ("finalizers", Wanted::Texts),
    ("managedFields", Wanted::List),
];

const OWNER: &[(&str, Wanted)] = &[
    ("apiVersion", Wanted::Text),
    ("kind", Wanted::Text),
    ("name", Wanted::Text),
    ("uid", Wanted::Text),
    ("controller", Wanted::Flag),
    ("blockOwnerDeletion", Wanted::Flag),
];

/// Bytes that a name or the value of a label may have.
const MAX_NAME: usize = 63;

/// Checks the metadata of an object.
pub(super) fn check<'a>(metadata: Node<'a>, at: At, teller: &mut Teller<'_, 'a>) {
    if !check_types(FIELDS, metadata, at, teller) {
        return;
    }
    for key in ["creationTimestamp", "deletionTimestamp"] {
        let Some(node) = present(metadata, key) else { continue };
        if node.as_str().and_then(|time| format::fits("date-time", time)) == Some(false) {
            let at = teller.key(at, key);
            teller.error(node.span(), at, format!("`{key}` is no time"), "the server sets it: leave it out");
        }
    }
    for (key, what) in [("labels", "label"), ("annotations", "annotation")] {
        let at = teller.key(at, key);
        for (name, value) in metadata.get(key).into_iter().flat_map(Node::entries) {
            let at = teller.key(at, name.name);
            // Of annotations, capitals are lowered first.
            let lowered = if key == "annotations" { name.name.to_lowercase() } else { name.name.to_owned() };
            if !is_qualified(&lowered) {
                let message = format!("the {what} {:?} has a name that no {what} can have", name.name);
                teller.error(name.span, at, message, NAMES);
            }
            let value_text = value.as_str().unwrap_or_default();
            if key == "labels" && !value_text.is_empty() && !is_name(value_text) {
                let message =
                    format!("the label {:?} has the value {value_text:?}, which no label can have", name.name);
                let hint =
                    "63 letters, digits, `-`, `_` and `.`, a letter or digit first and last; annotations take any text";
                teller.error(value.span(), at, message, hint);
            }
        }
    }
    let at_finalizers = teller.key(at, "finalizers");
    for (number, item) in metadata.get("finalizers").into_iter().flat_map(Node::items).enumerate() {
        let name = item.as_str().unwrap_or_default();
        if !is_qualified(name) {
            let at = teller.down(at_finalizers, Step::Item(number));
            teller.error(item.span(), at, format!("{name:?} can't be a finalizer"), NAMES);
        }
    }
    owners(metadata, at, teller);
}

const NAMES: &str =
    "63 letters, digits, `-`, `_` and `.`, a letter or digit first and last; a DNS name and `/` may stand before";

fn owners<'a>(metadata: Node<'a>, at: At, teller: &mut Teller<'_, 'a>) {
    let at = teller.key(at, "ownerReferences");
    for (number, owner) in metadata.get("ownerReferences").into_iter().flat_map(Node::items).enumerate() {
        let at = teller.down(at, Step::Item(number));
        if !owner.is_object() && !owner.is_null() {
            let message = format!("an owner must be an object, but is a {}", owner.kind_name());
            teller.error(owner.span(), at, message, "");
        } else if check_types(OWNER, owner, at, teller) {
            for key in ["apiVersion", "kind", "name", "uid"].into_iter().filter(|key| text(owner, key).is_none()) {
                let at = teller.key(at, key);
                teller.error(owner.span().start(), at, format!("this owner has no `{key}`"), "");
            }
        }
    }
}

/// A CRD has a name of its own, so that none can be made for it.
pub(super) fn generated_name<'a>(metadata: Node<'a>, name: &str, at: At, teller: &mut Teller<'_, 'a>) {
    if text(metadata, "generateName").is_some_and(|prefix| prefix != name) {
        let at = teller.key(at, "generateName");
        let place = present(metadata, "generateName").map_or(key_span(metadata, "generateName"), Node::span);
        teller.error(place, at, "the name of a CRD can't be generated", "leave `generateName` out");
    }
}

/// A name with a DNS name before it, or without.
fn is_qualified(text: &str) -> bool {
    match text.split_once('/') {
        None => is_name(text),
        Some((prefix, name)) => dns::is_subdomain(prefix) && is_name(name),
    }
}

fn is_name(text: &str) -> bool {
    let end = |c: char| c.is_ascii_alphanumeric();
    let inner = |c: char| end(c) || matches!(c, '-' | '_' | '.');
    !text.is_empty()
        && text.len() <= MAX_NAME
        && text.starts_with(end)
        && text.ends_with(end)
        && text.chars().all(inner)
}
