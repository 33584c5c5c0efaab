//! Finds the CRDs among the documents: lists are unwrapped, other objects counted, old versions refused.

use std::collections::BTreeMap;

use super::node::{Node, Value};
use crate::problem::{Place, Problem, Problems};

/// What the documents hold.
#[derive(Debug, Default)]
pub(crate) struct Found<'a> {
    /// One for each name, sorted by name; those without a name (an error that is told later) come first.
    pub(crate) crds: Vec<Node<'a>>,
    /// Objects of other kinds, by kind.
    pub(crate) others: BTreeMap<String, usize>,
    /// CRDs that are there more than once with the same contents: how many were left out.
    pub(crate) repeated: usize,
    /// CRDs that were refused; a problem tells why.
    pub(crate) refused: usize,
}

impl Found<'_> {
    /// What was passed over, one line each.
    pub(crate) fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let others: usize = self.others.values().sum();
        if others > 0 {
            let kinds = self.others.iter().take(8).map(|(kind, count)| format!("{count} {kind}"));
            let more = if self.others.len() > 8 { ", …" } else { "" };
            let kinds = kinds.collect::<Vec<_>>().join(", ");
            notes.push(format!("passed over {others} objects that are no CRDs: {kinds}{more}"));
        }
        if self.repeated > 0 {
            notes.push(format!("passed over {} CRDs that are there twice with equal contents", self.repeated));
        }
        notes
    }
}

/// Lists within lists that are unwrapped.
const MAX_LISTS: usize = 4;

/// Looks through the documents.
pub(crate) fn crds<'a>(roots: impl IntoIterator<Item = Node<'a>>, problems: &mut Problems) -> Found<'a> {
    let mut found = Found::default();
    let mut by_name: BTreeMap<&str, Node<'a>> = BTreeMap::new();
    let mut open: Vec<(Node<'a>, usize)> = roots.into_iter().map(|root| (root, 0)).collect();
    open.reverse();
    while let Some((node, lists)) = open.pop() {
        let text = |key| node.get(key).and_then(Node::as_str);
        let kind = text("kind").unwrap_or_default();
        if let Some(items) = list_items(node, kind)
            && lists < MAX_LISTS
        {
            open.extend(items.items().map(|item| (item, lists + 1)).rev());
            continue;
        }
        if kind != "CustomResourceDefinition" {
            let kind = if kind.is_empty() { "(without a kind)" } else { kind };
            *found.others.entry(kind.to_owned()).or_default() += 1;
            continue;
        }
        if let Err(problem) = check(node) {
            problems.push(problem);
            found.refused += 1;
            continue;
        }
        let Some(name) = name(node) else {
            found.crds.push(node);
            continue;
        };
        match by_name.get(name) {
            None => drop(by_name.insert(name, node)),
            Some(first) if first.same_json(node) => found.repeated += 1,
            Some(first) => {
                let message = format!("the CRD {name} is there twice, and the two differ");
                let place = Place::new(name_span(node)).crd(name).pointer("/metadata/name");
                let problem = Problem::error(message).at(place).related(name_span(*first), "the other one");
                problems.push(problem.hint("keep one of them"));
            }
        }
    }
    found.crds.extend(by_name.into_values());
    found
}

/// The items of a `List` or of a typed list of CRDs.
fn list_items<'a>(node: Node<'a>, kind: &str) -> Option<Node<'a>> {
    matches!(kind, "List" | "CustomResourceDefinitionList").then(|| node.get("items"))?.filter(|items| items.is_array())
}

fn name(crd: Node<'_>) -> Option<&str> {
    crd.get("metadata")?.get("name")?.as_str()
}

fn name_span(crd: Node<'_>) -> crate::source::Span {
    crd.get("metadata").and_then(|metadata| metadata.get("name")).unwrap_or(crd).span()
}

/// Whether this is a CRD of the one version that is read, and no template.
fn check(crd: Node<'_>) -> Result<(), Problem> {
    let place = |node: Node<'_>, pointer: &str| {
        let place = Place::new(node.span()).pointer(pointer);
        match name(crd) {
            Some(name) => place.crd(name),
            None => place,
        }
    };
    let version = crd.get("apiVersion");
    match version.and_then(Node::as_str) {
        Some("apiextensions.k8s.io/v1") => {}
        Some("apiextensions.k8s.io/v1beta1") => {
            let message = "this CRD is written in apiextensions.k8s.io/v1beta1, which Kubernetes no longer serves";
            return Err(Problem::error(message).at(place(version.unwrap_or(crd), "/apiVersion")).hint(
                "take the apiextensions.k8s.io/v1 form: newer releases of the project have it, and a cluster that \
                 runs it shows it with `kubectl get crd NAME -o yaml`",
            ));
        }
        Some(other) => {
            let message = format!("{other:?} is no known version of CRDs");
            let problem = Problem::error(message).at(place(version.unwrap_or(crd), "/apiVersion"));
            return Err(problem.hint("apiextensions.k8s.io/v1 is read"));
        }
        None => {
            let problem = Problem::error("this CRD has no apiVersion").at(place(version.unwrap_or(crd), "/apiVersion"));
            return Err(problem.hint("write `apiVersion: apiextensions.k8s.io/v1`"));
        }
    }
    for path in
        [&["metadata", "name"][..], &["spec", "group"], &["spec", "names", "kind"], &["spec", "names", "plural"]]
    {
        let node = path.iter().try_fold(crd, |node, key| node.get(key));
        if let Some(node) = node
            && matches!(node.value(), Value::String(text) if text.contains("{{"))
        {
            return Err(template(place(node, &format!("/{}", path.join("/")))));
        }
    }
    Ok(())
}

/// The problem of a template that nobody has rendered.
pub(crate) fn template(place: impl Into<Place>) -> Problem {
    let problem = Problem::error("this is a template (`{{ … }}`), not YAML").at(place);
    problem.hint("render it first, for instance with `helm template`, and give the result")
}

/// The byte offset of the first `{{` that stands where YAML has a value or a line of its own.
pub(crate) fn template_mark(text: &str) -> Option<usize> {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if let Some(at) = line.find("{{") {
            let before = line[..at].trim();
            if before.is_empty() || before.ends_with([':', '-']) {
                return Some(start + at);
            }
        }
        start += line.len();
    }
    None
}
