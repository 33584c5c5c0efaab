//! The kinds that have an informer beside the types that k8s-openapi calls listable: a table for people.

use super::{FOLDER, LISTABLE};
use crate::failure::{Failure, Result};
use crate::root;
use informer_gen::{Release, Report};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Type names by release.
type ByRelease = BTreeMap<Release, BTreeSet<String>>;

/// The table in Markdown: a row for each release, with every difference by name.
///
/// # Errors
/// When the facts are not there, or a difference has no reason.
pub(crate) fn compared(report: &Report, releases: &BTreeSet<Release>) -> Result<String> {
    let path = root::root().join(FOLDER).join(LISTABLE);
    let facts = std::fs::read_to_string(&path).map_err(|error| Failure::io("read", &path, &error))?;
    let report = serde_json::from_str(&report.json()).map_err(|error| Failure::new(format!("the report: {error}")))?;
    table(&listable(&facts), &report, releases)
}

fn table(listable: &ByRelease, report: &Value, releases: &BTreeSet<Release>) -> Result<String> {
    let reasons: BTreeMap<&str, &str> =
        rows(report, "skipped").filter_map(|row| Some((row["kind"].as_str()?, row["reason"].as_str()?))).collect();
    let mut text = "| release | listable types | informers | difference |\n| --- | :-: | :-: | --- |\n".to_owned();
    let mut named = BTreeMap::new();
    for release in releases {
        let Some(listable) = listable.get(release) else {
            return Err(Failure::new(format!("k8s-openapi has no Kubernetes {release}: `cargo xtask k8s-types`")));
        };
        let informers: BTreeSet<String> = rows(report, "informers")
            .filter(|row| rows(row, "releases").any(|there| there.as_str() == Some(&release.to_string())))
            .filter_map(|row| row["type"].as_str()?.strip_prefix("k8s_openapi::").map(str::to_owned))
            .collect();
        if let Some(path) = informers.difference(listable).next() {
            return Err(Failure::new(format!(
                "{path} has an informer, and k8s-openapi has no lists of it in {release}"
            )));
        }
        let mut only = Vec::new();
        for path in listable.difference(&informers) {
            let kind = path.rsplit("::").next().unwrap_or(path);
            let Some(reason) = reasons.get(kind) else {
                return Err(Failure::new(format!("{path} of {release} has no informer, and nobody knows why")));
            };
            named.insert(kind.to_owned(), *reason);
            only.push(kind);
        }
        text += &format!("| {release} | {} | {} | {} |\n", listable.len(), informers.len(), only.join(", "));
    }
    for (kind, reason) in named {
        text += &format!("\n{kind} has no informer, since it {reason}.\n");
    }
    Ok(text)
}

fn rows<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    value[key].as_array().into_iter().flatten()
}

/// The facts, by release.
fn listable(facts: &str) -> ByRelease {
    let mut by_release = ByRelease::new();
    for (path, releases) in facts.lines().filter_map(|line| line.split_once('\t')) {
        for stretch in releases.split(',') {
            let (first, last) = stretch.split_once('-').unwrap_or((stretch, stretch));
            let (Ok(first), Ok(last)) = (first.parse::<u16>(), last.parse::<u16>()) else { continue };
            for minor in first..=last {
                by_release.entry(Release::new(minor)).or_default().insert(path.to_owned());
            }
        }
    }
    by_release
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn of(facts: &str) -> Result<String> {
        let report = json!({
            "informers": [
                {"type": "k8s_openapi::api::shop::v1::Widget", "releases": ["1.33", "1.34"]},
                {"type": "k8s_openapi::api::shop::v1::Zone", "releases": ["1.34"]},
            ],
            "skipped": [{"kind": "Gadget", "reason": "can only be created"}],
        });
        table(&listable(facts), &report, &[33, 34].map(Release::new).into())
    }

    #[test]
    fn differences_are_named_with_their_reason() {
        let text =
            of("# facts\napi::shop::v1::Gadget\t33-34\napi::shop::v1::Widget\t33-34\napi::shop::v1::Zone\t34,36\n");
        let rows = "| 1.33 | 2 | 1 | Gadget |\n| 1.34 | 3 | 2 | Gadget |\n\nGadget has no informer, since it can only";
        let text = text.expect("a table");
        assert!(text.contains(rows), "{text}");
    }

    #[test]
    fn what_nobody_can_explain_is_an_error() {
        for (facts, message) in [
            ("api::shop::v1::Widget\t33-34\n", "api::shop::v1::Zone has an informer, and k8s-openapi has no lists"),
            ("api::shop::v1::Widget\t33-34\napi::shop::v1::Part\t33\n", "api::shop::v1::Part of 1.33 has no informer"),
            ("api::shop::v1::Widget\t33\n", "k8s-openapi has no Kubernetes 1.34"),
        ] {
            let failure = of(facts).expect_err("a failure");
            assert!(failure.to_string().contains(message), "{failure}");
        }
    }
}
