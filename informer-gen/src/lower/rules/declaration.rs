//! What a CRD says of itself beside its versions: more names, approval, its own metadata and status.

use super::keyword::{Wanted, check as check_types, present, text};
use super::trail::{At, Step, Teller};
use super::{metadata, versions, webhook};
use crate::document::node::Node;
use crate::lower::dns;

/// The annotation without which nobody may add kinds to groups of the Kubernetes project.
const APPROVED: &str = "api-approved.kubernetes.io";

/// Checks a whole CRD, but for what a kind is made of.
pub(super) fn check<'a>(root: Node<'a>, teller: &mut Teller<'_, 'a>) {
    let at = teller.root();
    status(root, at, teller);
    let Some(spec) = root.get("spec") else { return };
    if let Some(node) = present(root, "metadata") {
        let at = teller.key(at, "metadata");
        metadata::check(node, at, teller);
        let name = [text(spec.get("names").unwrap_or(spec), "plural"), text(spec, "group")];
        metadata::generated_name(node, &name.map(Option::unwrap_or_default).join("."), at, teller);
    }
    approval(root, spec, at, teller);
    let at = teller.key(at, "spec");
    if let Some(names) = spec.get("names") {
        let at = teller.key(at, "names");
        other_names(names, at, teller);
    }
    if let Some(list) = spec.get("versions") {
        let at = teller.key(at, "versions");
        versions::check(list, at, teller);
    }
    check_types(&[("preserveUnknownFields", Wanted::Flag)], spec, at, teller);
    if let Some(node) = spec.get("preserveUnknownFields").filter(|node| node.as_bool() == Some(true)) {
        let at = teller.key(at, "preserveUnknownFields");
        let hint = "leave it out; `x-kubernetes-preserve-unknown-fields: true` in the schema keeps unknown keys";
        teller.error(node.span(), at, "`preserveUnknownFields: true` is no longer allowed", hint);
    }
    webhook::check(spec, at, teller);
}

const NAMES: &[(&str, Wanted)] = &[
    ("plural", Wanted::Text),
    ("singular", Wanted::Text),
    ("kind", Wanted::Text),
    ("listKind", Wanted::Text),
    ("shortNames", Wanted::Texts),
    ("categories", Wanted::Texts),
];

/// The server sets the status anew, but it must be able to read the one that is given.
fn status<'a>(root: Node<'a>, at: At, teller: &mut Teller<'_, 'a>) {
    const STATUS: &[(&str, Wanted)] =
        &[("acceptedNames", Wanted::Object), ("conditions", Wanted::List), ("storedVersions", Wanted::Texts)];
    if check_types(&[("status", Wanted::Object)], root, at, teller)
        && let Some(status) = present(root, "status")
    {
        let at = teller.key(at, "status");
        if check_types(STATUS, status, at, teller)
            && let Some(names) = present(status, "acceptedNames")
        {
            let at = teller.key(at, "acceptedNames");
            check_types(NAMES, names, at, teller);
        }
    }
}

fn approval<'a>(root: Node<'a>, spec: Node<'a>, at: At, teller: &mut Teller<'_, 'a>) {
    let group = text(spec, "group").unwrap_or_default();
    let guarded = ["k8s.io", "kubernetes.io"]
        .iter()
        .any(|ours| group.strip_suffix(ours).is_some_and(|rest| rest.is_empty() || rest.ends_with('.')));
    if !guarded {
        return;
    }
    let metadata = root.get("metadata");
    let value = metadata.and_then(|metadata| metadata.get("annotations")?.get(APPROVED));
    let approved = value.and_then(Node::as_str).unwrap_or_default();
    if approved.starts_with("unapproved") || is_url(approved) {
        return;
    }
    let at = teller.key(at, "metadata");
    let at = teller.key(at, "annotations");
    let at = teller.key(at, APPROVED);
    let hint = "its value is the address of the review of the API, or a text that begins with `unapproved`; groups of \
                your own end in a domain of your own";
    let message = match value {
        Some(_) => format!("the annotation {APPROVED} is neither an address nor begins with `unapproved`"),
        None => {
            format!("the group {group} belongs to the Kubernetes project, which asks for the annotation {APPROVED}")
        }
    };
    let place = value.or(spec.get("group")).unwrap_or(root);
    teller.error(place.span(), at, message, hint);
}

/// Something with a scheme and a host.
fn is_url(text: &str) -> bool {
    text.split_once("://").is_some_and(|(scheme, rest)| {
        !scheme.is_empty() && scheme.chars().all(|c| c.is_ascii_alphanumeric()) && !rest.is_empty()
    })
}

fn other_names<'a>(names: Node<'a>, at: At, teller: &mut Teller<'_, 'a>) {
    let label = |node: Node<'_>| node.as_str().is_some_and(dns::is_label);
    let rule = "lower-case letters, digits and `-`, a letter first";
    if let Some(node) = present(names, "singular").filter(|node| node.as_str() != Some("") && !label(*node)) {
        let at = teller.key(at, "singular");
        let message = format!("spec.names.singular {:?} is not a name: {rule}", node.as_str().unwrap_or_default());
        teller.error(node.span(), at, message, "");
    }
    if let Some(node) = present(names, "listKind").filter(|node| node.as_str() != Some("")) {
        let at = teller.key(at, "listKind");
        let list_kind = node.as_str().unwrap_or_default();
        if !dns::is_kind(list_kind) {
            let message =
                format!("spec.names.listKind {list_kind:?} is not a kind: letters, digits and `-`, a letter first");
            teller.error(node.span(), at, message, "");
        } else if text(names, "kind") == Some(list_kind) {
            let message = format!("spec.names.listKind is {list_kind:?}, as kind is");
            teller.error(node.span(), at, message, "a list has a kind of its own; leave it out");
        }
    }
    for key in ["shortNames", "categories"] {
        let Some(list) = present(names, key) else { continue };
        let at = teller.key(at, key);
        if !list.is_array() {
            let message = format!("spec.names.{key} must be a list, but is a {}", list.kind_name());
            teller.error(list.span(), at, message, "");
        }
        for (number, node) in list.items().enumerate().filter(|(_, node)| !label(*node)) {
            let at = teller.down(at, Step::Item(number));
            let shown = node.as_str().map_or(node.kind_name().to_owned(), |name| format!("{name:?}"));
            teller.error(node.span(), at, format!("spec.names.{key}: {shown} is not a name: {rule}"), "");
        }
    }
}
