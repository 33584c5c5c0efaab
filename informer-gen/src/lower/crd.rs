//! One CustomResourceDefinition to its kinds: one for each served version.

use std::collections::BTreeSet;

use super::pointer::Pointer;
use super::type_map::TypeMap;
use super::{dns, rules, schema};
use crate::document::node::Node;
use crate::model::{Deprecation, Kind, Objects};
use crate::problem::{Place, Problem, Problems};

/// The kinds of a CRD. What is wrong becomes a problem; then the affected versions are missing.
pub(crate) fn kinds(root: Node<'_>, types: &TypeMap, problems: &mut Problems) -> Vec<Kind> {
    let name = root.get("metadata").and_then(|metadata| metadata.get("name")).and_then(Node::as_str);
    let mut reader = Reader { crd: name.map(str::to_owned), types, problems };
    // The versions are looked at even if no kind can be made of them: all that is wrong is told in one run.
    let declared = reader.declared(root, name);
    rules::declaration(root, name, reader.problems);
    reader.versions(root, declared.as_ref())
}

/// What all versions share.
struct Declared<'a> {
    group: &'a str,
    kind: &'a str,
    plural: &'a str,
    singular: String,
    list_kind: String,
    namespaced: bool,
    place: Place,
}

struct Reader<'p> {
    crd: Option<String>,
    types: &'p TypeMap,
    problems: &'p mut Problems,
}

impl Reader<'_> {
    fn place(&self, node: Node<'_>, pointer: &str) -> Place {
        let place = Place::new(node.span()).pointer(pointer);
        match &self.crd {
            Some(name) => place.crd(name),
            None => place,
        }
    }

    fn error(&mut self, node: Node<'_>, pointer: &str, message: impl Into<String>, hint: &str) {
        let problem = Problem::error(message).at(self.place(node, pointer));
        self.problems.push(if hint.is_empty() { problem } else { problem.hint(hint) });
    }

    /// The value under a path; the deepest node there is gets the blame when it is missing.
    fn required<'a>(&mut self, root: Node<'a>, path: &[&str]) -> Option<Node<'a>> {
        let mut node = root;
        for (at, step) in path.iter().enumerate() {
            match node.get(step) {
                Some(next) if !next.is_null() => node = next,
                _ => {
                    let (here, whole) = (pointer(&path[..at]), path.join("."));
                    self.error(node, &here, format!("{whole} is missing"), "");
                    return None;
                }
            }
        }
        Some(node)
    }

    fn text<'a>(&mut self, root: Node<'a>, path: &[&str]) -> Option<&'a str> {
        let node = self.required(root, path)?;
        let text = node.as_str();
        if text.is_none() {
            let message = format!("{} must be a string, but is a {}", path.join("."), node.kind_name());
            self.error(node, &pointer(path), message, "");
        }
        text
    }

    /// A text that passes a rule.
    fn checked<'a>(&mut self, root: Node<'a>, path: &[&str], rule: fn(&str) -> bool, wanted: &str) -> Option<&'a str> {
        let text = self.text(root, path)?;
        if rule(text) {
            return Some(text);
        }
        let message = format!("{} {text:?} is not {wanted}", path.join("."));
        let node = self.required(root, path)?;
        self.error(node, &pointer(path), message, "");
        None
    }

    fn optional_text<'a>(&self, root: Node<'a>, path: &[&str]) -> Option<&'a str> {
        path.iter().try_fold(root, |node, step| node.get(step)).and_then(Node::as_str).filter(|text| !text.is_empty())
    }

    fn declared<'a>(&mut self, root: Node<'a>, name: Option<&str>) -> Option<Declared<'a>> {
        let group =
            self.checked(root, &["spec", "group"], dns::is_group, "a group: a lower-case DNS name with a dot in it");
        if root.get("spec").is_none_or(Node::is_null) {
            return None; // one message is enough
        }
        let names = ["spec", "names", "kind"];
        let kind = self.checked(root, &names, dns::is_kind, "a kind: letters, digits and `-`, a letter first");
        let plural = ["spec", "names", "plural"];
        let plural = self.checked(root, &plural, dns::is_label, "a resource name: lower-case letters, digits and `-`");
        let scope = self.text(root, &["spec", "scope"]);
        let namespaced = scope.and_then(|scope| self.scope(root, scope));
        if let (Some(group), Some(plural)) = (group, plural) {
            self.check_name(root, name, &format!("{plural}.{group}"))?;
        }
        let (group, kind, plural, namespaced) = (group?, kind?, plural?, namespaced?);
        let node = self.required(root, &["spec", "names", "kind"])?;
        Some(Declared {
            group,
            kind,
            plural,
            singular: self
                .optional_text(root, &["spec", "names", "singular"])
                .map_or(kind.to_lowercase(), str::to_owned),
            list_kind: self
                .optional_text(root, &["spec", "names", "listKind"])
                .map_or(format!("{kind}List"), str::to_owned),
            namespaced,
            place: self.place(node, "/spec/names/kind"),
        })
    }

    fn scope(&mut self, root: Node<'_>, scope: &str) -> Option<bool> {
        match scope {
            "Namespaced" => Some(true),
            "Cluster" => Some(false),
            other => {
                let node = self.required(root, &["spec", "scope"])?;
                let message = format!("spec.scope is {other:?}");
                self.error(node, "/spec/scope", message, "it must be `Namespaced` or `Cluster`");
                None
            }
        }
    }

    /// The server takes a CRD under no other name.
    fn check_name(&mut self, root: Node<'_>, name: Option<&str>, expected: &str) -> Option<()> {
        let path = ["metadata", "name"];
        if name == Some(expected) && expected.len() <= dns::MAX_NAME {
            return Some(());
        }
        self.text(root, &path)?;
        let node = self.required(root, &path)?;
        if name == Some(expected) {
            let message = format!("metadata.name has {} bytes, more than {}", expected.len(), dns::MAX_NAME);
            self.error(node, "/metadata/name", message, "it is made of the plural and the group: shorten them");
            return None;
        }
        let message = format!("metadata.name is {:?}, but spec says {expected:?}", name.unwrap_or_default());
        self.error(node, "/metadata/name", message, "it must be `<spec.names.plural>.<spec.group>`");
        None
    }

    fn versions(&mut self, root: Node<'_>, declared: Option<&Declared<'_>>) -> Vec<Kind> {
        if root.get("spec").is_none_or(Node::is_null) {
            return Vec::new(); // that was told
        }
        let kind = declared.map_or("this CRD", |declared| declared.kind);
        let Some(versions) = self.required(root, &["spec", "versions"]) else { return Vec::new() };
        if !versions.is_array() || versions.items().len() == 0 {
            let message = "spec.versions must be a list with at least one version";
            self.error(versions, "/spec/versions", message, "");
            return Vec::new();
        }
        let mut kinds = Vec::new();
        let mut seen = BTreeSet::new();
        let (mut served, mut stored) = (0, 0);
        let share_status = rules::share_status(versions);
        for (at, version) in versions.items().enumerate() {
            let here = format!("/spec/versions/{at}");
            let mut path = Pointer::default();
            ["spec", "versions", &at.to_string()].iter().for_each(|step| path.push(step));
            rules::version(version, path, self.crd.as_deref(), self.problems);
            let status = share_status || rules::has_status(version);
            let flag = |name: &str| version.get(name).and_then(Node::as_bool) == Some(true);
            stored += usize::from(flag("storage"));
            if stored == 2 && flag("storage") {
                let node = version.get("storage").unwrap_or(version);
                let message = "more than one version is marked `storage: true`";
                self.error(node, &here, message, "exactly one must be");
            }
            let Some(name) = self.version_name(version, &here) else {
                served += 1; // not known, so not to be complained of
                continue;
            };
            if !seen.insert(name) {
                let node = version.get("name").unwrap_or(version);
                self.error(node, &here, format!("version {name} is declared twice"), "");
                continue;
            }
            if version.get("served").is_some_and(|served| served.as_bool().is_none() && !served.is_null()) {
                served += 1; // that was told
                self.schema(version, status, at, name);
            } else if flag("served") {
                served += 1;
                kinds.extend(self.version(version, status, at, name, declared));
            } else {
                let message = format!("version {name} of {kind} is not served, so it gets no informer");
                self.problems.push(Problem::warning(message).at(self.place(version, &here)));
                self.schema(version, status, at, name);
            }
        }
        if stored == 0 {
            let message = "no version is marked `storage: true`";
            self.error(versions, "/spec/versions", message, "the server keeps objects in one of them: mark it");
        }
        if served == 0 {
            let message = format!("no version of {kind} is served, so there is nothing to watch");
            self.error(versions, "/spec/versions", message, "leave the CRD out, or mark a version `served: true`");
        }
        kinds
    }

    fn version_name<'a>(&mut self, version: Node<'a>, here: &str) -> Option<&'a str> {
        let name = version.get("name").and_then(Node::as_str);
        if name.is_some_and(dns::is_label) {
            return name;
        }
        let message = match name {
            Some(name) => format!("version name {name:?} is not a lower-case DNS label"),
            None => "a version without a name".to_owned(),
        };
        let node = version.get("name").unwrap_or(version);
        self.error(node, here, message, "");
        None
    }

    /// The schema of a version, with its pointer, if the server would take it.
    fn schema<'a>(&mut self, version: Node<'a>, status: bool, at: usize, name: &str) -> Option<(Node<'a>, Pointer)> {
        let steps = ["spec", "versions", &at.to_string(), "schema", "openAPIV3Schema"];
        let schema = version.get("schema").and_then(|schema| schema.get("openAPIV3Schema"));
        let Some(schema) = schema.filter(|schema| !schema.is_null()) else {
            let message = format!("version {name} has no schema.openAPIV3Schema");
            let hint = "the server takes no version without one; `type: object` with \
                        `x-kubernetes-preserve-unknown-fields: true` is the loosest";
            self.error(version, &pointer(&steps[..3]), message, hint);
            return None;
        };
        let mut path = Pointer::default();
        steps.iter().for_each(|step| path.push(step));
        rules::schema(schema, status, path.clone(), self.crd.as_deref(), self.problems).then_some((schema, path))
    }

    fn version(
        &mut self,
        version: Node<'_>,
        status: bool,
        at: usize,
        name: &str,
        declared: Option<&Declared<'_>>,
    ) -> Option<Kind> {
        let (schema, path) = self.schema(version, status, at, name)?;
        let crd = self.crd.as_deref().unwrap_or_default();
        let root = schema::root(schema, path, crd, self.types, self.problems)?;
        let declared = declared?;
        let deprecated = version.get("deprecated").and_then(Node::as_bool) == Some(true);
        Some(Kind {
            group: declared.group.to_owned(),
            version: name.to_owned(),
            kind: declared.kind.to_owned(),
            plural: declared.plural.to_owned(),
            singular: declared.singular.clone(),
            list_kind: declared.list_kind.clone(),
            namespaced: declared.namespaced,
            deprecated: deprecated.then(|| Deprecation {
                warning: self.optional_text(version, &["deprecationWarning"]).map(str::to_owned),
            }),
            objects: Objects::Generated(root),
            definition: None,
            releases: Default::default(),
            place: declared.place.clone(),
        })
    }
}

fn pointer(steps: &[&str]) -> String {
    Pointer::default().join(steps)
}
