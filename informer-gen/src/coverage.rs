//! What of the inputs gets an informer and what not: `--report`.

use std::collections::BTreeSet;
use std::fmt::{self, Write as _};

use serde::Serialize;

use crate::k8s_types;
use crate::model::{Api, Kind, Objects, Release, Skipped};

/// Every kind of the inputs: those with an informer, and the others with the reason.
///
/// Its `Display` is a text for people, [`Report::json`] the same for programs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    informers: Vec<Informer>,
    skipped: Vec<Skipped>,
}

/// A kind with an informer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct Informer {
    group: String,
    version: String,
    kind: String,
    plural: String,
    namespaced: bool,
    /// The Rust type, or that it is generated.
    r#type: String,
    /// The releases that k8s-openapi has the type for, if not for all.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    type_releases: BTreeSet<Release>,
    /// Types that exist, inside of the generated one.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    uses: BTreeSet<String>,
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    releases: BTreeSet<Release>,
}

impl Report {
    pub(crate) fn of(api: &Api, skipped: Vec<Skipped>) -> Self {
        Report { informers: api.kinds().map(|kind| Informer::of(api, kind)).collect(), skipped }
    }

    /// How many kinds have an informer.
    pub fn informers(&self) -> usize {
        self.informers.len()
    }

    /// How many kinds have none.
    pub fn skipped(&self) -> usize {
        self.skipped.len()
    }

    /// The report as JSON: `{"informers": […], "skipped": […]}`.
    pub fn json(&self) -> String {
        // Plain data with text keys can always be written.
        serde_json::to_string_pretty(self).unwrap_or_default()
    }
}

/// For documentation: Markdown tables with a column for each release, where the input tells releases apart.
impl Report {
    /// The report as Markdown.
    pub fn markdown(&self) -> String {
        let rows = self.informers.iter().map(|row| &row.releases).chain(self.skipped.iter().map(|row| &row.releases));
        let all: BTreeSet<Release> = rows.flatten().copied().collect();
        let columns = |some: &dyn Fn(&Release) -> String| {
            all.iter().map(|release| format!(" {} |", some(release))).collect::<String>()
        };
        let rule = columns(&|_| ":-:".to_owned());
        let mark = |releases: &BTreeSet<Release>| {
            columns(&|release| if releases.contains(release) { "✓" } else { "" }.to_owned())
        };
        let names = columns(&ToString::to_string);
        let mut text =
            format!("| group and version | kind | resource | scope |{names}\n| --- | --- | --- | --- |{rule}\n");
        for row in &self.informers {
            let scope = if row.namespaced { "namespace" } else { "cluster" };
            let cells = [named_group(&row.group, &row.version), row.kind.clone(), row.plural.clone(), scope.to_owned()];
            text += &format!("| {} |{}\n", cells.join(" | "), mark(&row.releases));
        }
        let count =
            columns(&|release| self.informers.iter().filter(|row| row.releases.contains(release)).count().to_string());
        text += &format!("| **informers** | {} | | |{count}\n", self.informers.len());
        text += &format!(
            "\n| group and version | kind | about | no informer, since it |{names}\n| --- | --- | --- | --- |{rule}\n"
        );
        for row in &self.skipped {
            let cells =
                [named_group(&row.group, &row.version), row.kind.clone(), row.resources.join(", "), row.reason.clone()];
            text += &format!("| {} |{}\n", cells.join(" | "), mark(&row.releases));
        }
        text
    }
}

fn named_group(group: &str, version: &str) -> String {
    if group.is_empty() { version.to_owned() } else { format!("{group}/{version}") }
}

impl Informer {
    fn of(api: &Api, kind: &Kind) -> Self {
        Informer {
            group: kind.group.clone(),
            version: kind.version.clone(),
            kind: kind.kind.clone(),
            plural: kind.plural.clone(),
            namespaced: kind.namespaced,
            r#type: match &kind.objects {
                Objects::Generated(_) | Objects::Served(_) => "generated".to_owned(),
                Objects::Known(path) => path.to_string(),
            },
            type_releases: match &kind.objects {
                Objects::Known(path) => k8s_types::partly(path).cloned().unwrap_or_default(),
                Objects::Generated(_) | Objects::Served(_) => BTreeSet::new(),
            },
            uses: match &kind.objects {
                Objects::Generated(_) | Objects::Served(_) => {
                    api.known_types(kind).into_iter().map(ToString::to_string).collect()
                }
                Objects::Known(_) => BTreeSet::new(),
            },
            releases: kind.releases.clone(),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} kinds with an informer:", self.informers.len())?;
        for row in &self.informers {
            let scope = if row.namespaced { "namespaced" } else { "cluster" };
            let name = named(&row.group, &row.version, &row.kind);
            let only = match row.type_releases.is_empty() {
                true => String::new(),
                false => format!(" (of Kubernetes {})", k8s_types::words(&row.type_releases)),
            };
            writeln!(f, "  {name}: {} ({scope}), {}{only}{}", row.plural, row.r#type, within(&row.releases))?;
            if !row.uses.is_empty() {
                let uses: Vec<&str> = row.uses.iter().map(String::as_str).collect();
                writeln!(f, "    with {}", uses.join(", "))?;
            }
        }
        write!(f, "{} kinds without one:", self.skipped.len())?;
        for row in &self.skipped {
            let name = named(&row.group, &row.version, &row.kind);
            let few = row.resources.iter().take(3).map(String::as_str).collect::<Vec<_>>().join(", ");
            write!(f, "\n  {name}: {} ({few}){}", row.reason, within(&row.releases))?;
        }
        Ok(())
    }
}

fn named(group: &str, version: &str, kind: &str) -> String {
    format!("{} {kind}", named_group(group, version))
}

fn within(releases: &BTreeSet<Release>) -> String {
    let mut text = String::new();
    for release in releases {
        let comma = if text.is_empty() { "; in " } else { ", " };
        // Writing to a text can't fail.
        let _ = write!(text, "{comma}{release}");
    }
    text
}
