//! The built-in kinds of every release, from the committed documents.

mod specs;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use informer_gen::{Input, Release, Request, generate, report, write};
use serde_json::Value;
use specs::specs;

/// What k8s-openapi calls listable and has no informer, for every release, and the beginning of the reason.
const DIFFERENCES: [(&str, &str); 1] = [("api::core::v1::ComponentStatus", "can be listed, but not watched")];

/// The types that k8s-openapi calls listable for a release, as `cargo xtask k8s-types` found them in its sources.
fn listable(release: Release) -> BTreeSet<String> {
    let lines = include_str!("../data/k8s-openapi/listable.tsv").lines().filter_map(|line| line.split_once('\t'));
    let of_release = lines.filter(|(_, releases)| {
        releases.split(',').any(|stretch| {
            let (first, last) = stretch.split_once('-').unwrap_or((stretch, stretch));
            (first.parse().unwrap()..=last.parse().unwrap()).contains(&release.minor())
        })
    });
    of_release.map(|(path, _)| path.to_owned()).collect()
}

#[test]
fn b48_informers_are_the_listable_types_of_k8s_openapi_and_every_difference_is_explained() {
    for (release, path) in specs() {
        let request = Request::new("x", "x").release(release, Input::Path(path));
        let report: Value = serde_json::from_str(&report(&request).unwrap().json()).unwrap();
        let rows = report["informers"].as_array().unwrap();
        let informers: BTreeSet<String> = rows
            .iter()
            .map(|row| row["type"].as_str().unwrap().strip_prefix("k8s_openapi::").unwrap().to_owned())
            .collect();
        assert_eq!(informers.len(), rows.len(), "{release}: a type for each");
        let listable = listable(release);
        assert!(listable.len() > 80, "{release}");
        assert_eq!(informers.difference(&listable).collect::<Vec<_>>(), [""; 0], "{release}");
        let without: Vec<&String> = listable.difference(&informers).collect();
        assert_eq!(without, DIFFERENCES.map(|(path, _)| path), "{release}");
        for (path, reason) in DIFFERENCES {
            let kind = path.rsplit("::").next().unwrap();
            let row = report["skipped"].as_array().unwrap().iter().find(|row| row["kind"] == kind).unwrap();
            assert!(row["reason"].as_str().unwrap().starts_with(reason), "{release}: {row}");
        }
    }
}

/// Writes the crate of some releases into a folder, over whatever is there; gives all files that are there then.
fn written(specs: &[(Release, PathBuf)], out: &Path) -> BTreeMap<String, String> {
    let mut request = specs.iter().fold(Request::new("x", out).command("make it"), |request, (release, path)| {
        let text = fs::read_to_string(path).unwrap();
        request.release(*release, Input::Text { name: format!("{release}.json"), text })
    });
    request.group_features = true;
    let generated = generate(&request).unwrap_or_else(|problems| panic!("{problems}"));
    write(&generated.tree, out).unwrap_or_else(|problems| panic!("{problems}"));
    let (mut files, mut folders) = (BTreeMap::new(), vec![out.to_owned()]);
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(out).unwrap().to_str().unwrap().to_owned();
                files.insert(name, fs::read_to_string(path).unwrap());
            }
        }
    }
    files
}

#[test]
fn a_release_that_comes_and_goes_leaves_no_trace() {
    let fresh = |specs: &[_]| written(specs, &tempfile::tempdir().unwrap().path().join("out"));
    let all = specs();
    let without_latest = &all[..all.len() - 1];
    let without_first = &all[1..];
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let before = written(without_latest, &out);
    let after = written(&all, &out);
    assert!(after == fresh(&all), "the latest comes");
    assert!(after.keys().any(|path| !before.contains_key(path)) && after.contains_key(".informer-gen.manifest"));
    assert!(written(without_latest, &out) == before && before == fresh(without_latest), "the latest goes");
    // The first one has kinds that are nowhere else: their files go.
    written(&all, &out);
    let later = written(without_first, &out);
    assert!(later == fresh(without_first), "the first goes");
    assert!(after.keys().any(|path| !later.contains_key(path)));
}
