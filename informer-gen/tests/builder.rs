//! Row 37: what a build script does, twice.

use std::fs;
use std::path::Path;

use informer_gen::Builder;

const ZONE: &str = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: zones.shop.example.test}\n\
    spec:\n  group: shop.example.test\n  names: {kind: Zone, plural: zones}\n  scope: Cluster\n  versions:\n  \
    - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}\n";

fn times(folder: &Path) -> Vec<(String, std::time::SystemTime)> {
    let (mut times, mut open) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.is_dir() {
                open.push(entry);
            } else {
                times.push((entry.display().to_string(), fs::metadata(&entry).unwrap().modified().unwrap()));
            }
        }
    }
    times.sort();
    times
}

#[test]
fn h37_a_second_build_touches_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (crds, out) = (folder.path().join("crds"), folder.path().join("out"));
    fs::create_dir_all(&crds).unwrap();
    fs::create_dir_all(&out).unwrap();
    fs::write(crds.join("zone.yaml"), ZONE).unwrap();
    let run = || {
        let mut told = String::new();
        let done = Builder::new("shop").crd(&crds).generate_into(&out, &mut told);
        (done.map_err(|problems| problems.to_string()), told)
    };
    let (done, told) = run();
    assert_eq!(done, Ok(()));
    let changes: Vec<&str> = told.lines().filter_map(|line| line.strip_prefix("cargo::rerun-if-changed=")).collect();
    assert_eq!(changes, [crds.display().to_string(), crds.join("zone.yaml").display().to_string()]);
    let first = times(&out);
    assert!(first.iter().any(|(path, _)| path.ends_with("shop.rs")));
    assert!(first.iter().all(|(path, _)| !path.ends_with("Cargo.toml")), "{first:?}");
    assert_eq!(run(), (Ok(()), told.clone()));
    assert_eq!(times(&out), first);

    // What is wrong is told, cargo still learns what to look at, and nothing is written.
    fs::write(crds.join("zone.yaml"), "kind: [").unwrap();
    let (done, told_again) = run();
    assert!(done.unwrap_err().contains("zone.yaml:1:"));
    assert_eq!(told_again, told);
    assert_eq!(times(&out), first);
}

#[test]
fn b52_h37_a_build_script_keeps_going_if_it_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let (crds, out) = (folder.path().join("crds"), folder.path().join("out"));
    fs::create_dir_all(&crds).unwrap();
    fs::create_dir_all(&out).unwrap();
    fs::write(crds.join("zone.yaml"), ZONE).unwrap();
    fs::write(crds.join("bad.yaml"), ZONE.replace("zones", "bads").replace("Cluster", "Here")).unwrap();
    let run = |builder: Builder| {
        let mut told = String::new();
        let done = builder.generate_into(&out, &mut told);
        (done.map_err(|problems| problems.to_string()), told)
    };
    let (done, _) = run(Builder::new("shop").crd(&crds));
    let refused = done.unwrap_err();
    assert!(refused.contains("bad.yaml:7:10"), "{refused}");
    assert_eq!(fs::read_dir(&out).unwrap().count(), 0);
    let (done, told) = run(Builder::new("shop").crd(&crds).keep_going());
    assert_eq!(done, Ok(()));
    let warnings: Vec<&str> = told.lines().filter_map(|line| line.strip_prefix("cargo::warning=")).collect();
    let place = format!("{}:7:10: spec.scope is \"Here\"", crds.join("bad.yaml").display());
    assert_eq!(warnings, [place.as_str(), "1 CRD left out"]);
    assert!(out.join("shop/src/shop_example_test/v1/zone.rs").exists());
}
