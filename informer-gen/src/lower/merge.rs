//! One resource from several inputs: equal ones are one, others are a problem.

use std::collections::BTreeMap;

use crate::model::{Kind, Objects};
use crate::problem::{Problem, Problems};

/// The kinds of several documents. What the same resource is in all of them is kept once, with the releases of all;
/// where documents disagree, a problem names both.
pub(crate) fn same(kinds: Vec<Kind>, problems: &mut Problems) -> Vec<Kind> {
    let mut merged: BTreeMap<(String, String, String), Kind> = BTreeMap::new();
    for kind in kinds {
        let name = (kind.group.clone(), kind.version.clone(), kind.plural.clone());
        let Some(known) = merged.get_mut(&name) else {
            merged.insert(name, kind);
            continue;
        };
        match difference(known, &kind) {
            Some(difference) => problems.push(conflict(known, &kind, difference)),
            None => {
                known.releases.extend(&kind.releases);
                known.definition = known.definition.take().min(kind.definition);
                // The same text whatever the order of the inputs.
                if kind.place.span < known.place.span {
                    known.place = kind.place;
                    known.objects = kind.objects;
                }
            }
        }
    }
    merged.into_values().collect()
}

/// CRDs and OpenAPI documents in one run: a CRD tells more of its types, so it is taken where both tell the same.
pub(crate) fn crds_first(crds: Vec<Kind>, mut others: Vec<Kind>, problems: &mut Problems) -> Vec<Kind> {
    for crd in &crds {
        others.retain(|other| {
            let same = (&crd.group, &crd.version, &crd.plural) == (&other.group, &other.version, &other.plural);
            if let (true, Some(difference)) = (same, declared_difference(crd, other)) {
                problems.push(conflict(crd, other, difference));
            }
            !same
        });
    }
    crds.into_iter().chain(others).collect()
}

fn difference(a: &Kind, b: &Kind) -> Option<&'static str> {
    declared_difference(a, b).or(match (&a.objects, &b.objects) {
        (Objects::Known(a), Objects::Known(b)) if a != b => Some("type"),
        (Objects::Generated(a), Objects::Generated(b)) if a != b => {
            // What is only told makes no other types.
            (a.clone().without_told() != b.clone().without_told()).then_some("schema")
        }
        (Objects::Known(_), Objects::Generated(_)) | (Objects::Generated(_), Objects::Known(_)) => Some("type"),
        _ => None,
    })
}

fn declared_difference(a: &Kind, b: &Kind) -> Option<&'static str> {
    if a.kind != b.kind {
        return Some("kind");
    }
    (a.namespaced != b.namespaced).then_some("scope")
}

fn conflict(first: &Kind, second: &Kind, difference: &str) -> Problem {
    let Kind { group, version, plural, .. } = first;
    let slash = if group.is_empty() { "" } else { "/" };
    Problem::error(format!(
        "{plural} of {group}{slash}{version} is there twice, and the two differ in their {difference}"
    ))
    .at(second.place.clone())
    .related(first.place.clone(), "the other one")
    .hint("give one of them, or make two crates")
}
