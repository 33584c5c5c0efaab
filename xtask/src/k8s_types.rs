//! `cargo xtask k8s-types [--check]`: facts on k8s-openapi that the generator needs, from the sources of the version in
//! use: which types it has for which Kubernetes releases (`types.tsv`), which of them servers have lists of
//! (`listable.tsv`), and of what form those are that the types of CRDs can share (`shared.tsv`).
//!
//! The sources are written by a program, each type in a file of its own, so they are read by their lines.

mod compared;
mod shared;
mod source;

use crate::failure::{Failure, Result};
use crate::{flags, process, root};
pub(crate) use compared::compared;
use source::{Type, sources};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Where the facts lie, below the root.
const FOLDER: &str = "informer-gen/data/k8s-openapi";

/// The types that servers have lists of, and for which releases.
const LISTABLE: &str = "listable.tsv";

/// Every type by its path below the crate, by release.
type Types = BTreeMap<String, BTreeMap<u16, Type>>;

/// Writes the facts, or says whether they are as they would be written.
///
/// # Errors
/// When the sources are not there or not as expected, or with `--check` the facts are stale.
pub(crate) async fn run(flags: &flags::K8sTypes) -> Result {
    let types = read().await?;
    let mut stale = Vec::new();
    let tables = [
        ("types.tsv", releases(&types, "types, and the Kubernetes releases 1.N that have each", |_| true)),
        (LISTABLE, releases(&types, "listable types, and the Kubernetes releases 1.N of each", |found| found.listable)),
        ("shared.tsv", shared::table(&types)),
    ];
    for (name, text) in tables {
        let path = root::root().join(FOLDER).join(name);
        let fresh = std::fs::read_to_string(&path).is_ok_and(|there| there.replace("\r\n", "\n") == text);
        if fresh {
            continue;
        }
        if flags.check {
            stale.push(format!("{FOLDER}/{name}"));
            continue;
        }
        std::fs::create_dir_all(root::root().join(FOLDER)).map_err(|error| Failure::io("make", &path, &error))?;
        std::fs::write(&path, text).map_err(|error| Failure::io("write", &path, &error))?;
        eprintln!("{FOLDER}/{name}: changed");
    }
    match stale.as_slice() {
        [] => Ok(()),
        stale => Err(Failure::stale(format!("stale: {}; `cargo xtask k8s-types` mends it", stale.join(", ")))),
    }
}

/// Reads the sources of the k8s-openapi that this workspace uses.
async fn read() -> Result<Types> {
    let output = process::cargo(root::root(), ["metadata", "--format-version", "1", "--locked"]).output().await;
    let output = output.map_err(|error| Failure::new(format!("cannot run `cargo metadata`: {error}")))?;
    if !output.status.success() {
        return Err(Failure::new(format!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr).trim())));
    }
    let missing = || Failure::new("cargo metadata does not say where k8s-openapi is");
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).map_err(|_| missing())?;
    let packages = metadata["packages"].as_array().ok_or_else(missing)?;
    let package = packages.iter().find(|package| package["name"] == "k8s-openapi").ok_or_else(missing)?;
    let manifest = std::path::Path::new(package["manifest_path"].as_str().ok_or_else(missing)?);
    let mut types = Types::new();
    for (release, path, found) in sources(&manifest.with_file_name("src"))? {
        types.entry(path).or_default().insert(release, found);
    }
    match types.len() {
        0 => Err(Failure::new("k8s-openapi has no types where they used to be")),
        _ => Ok(types),
    }
}

/// The types that are wanted, a line for each: its path, and for which releases it is.
fn releases(types: &Types, what: &str, wanted: impl Fn(&Type) -> bool) -> String {
    let mut text = format!("# k8s-openapi's {what}; made by `cargo xtask k8s-types`\n");
    for (path, by_release) in types {
        let releases: BTreeSet<u16> =
            by_release.iter().filter(|(_, found)| wanted(found)).map(|(release, _)| *release).collect();
        if !releases.is_empty() {
            // Writing to a text can't fail.
            let _ = writeln!(text, "{path}\t{}", ranges(&releases));
        }
    }
    text
}

/// Numbers in order, stretches of them as `33-35`.
fn ranges(numbers: &BTreeSet<u16>) -> String {
    let mut stretches: Vec<(u16, u16)> = Vec::new();
    for number in numbers {
        match stretches.last_mut() {
            Some((_, last)) if *last + 1 == *number => *last = *number,
            _ => stretches.push((*number, *number)),
        }
    }
    let texts = stretches.iter().map(|(first, last)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    });
    texts.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_of_releases() {
        for (numbers, text) in [(&[33, 34, 35][..], "33-35"), (&[33, 35, 36], "33,35-36"), (&[37], "37"), (&[], "")] {
            assert_eq!(ranges(&numbers.iter().copied().collect()), text);
        }
    }

    #[tokio::test]
    async fn the_facts_are_those_of_the_sources() {
        if let Err(failure) = run(&flags::K8sTypes { check: true }).await {
            panic!("{failure}");
        }
    }
}
