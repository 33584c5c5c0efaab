//! CRDs that an API server has taken, those of a folder that `INFORMER_CORPUS` names: each for itself, and all at once.
//! Without a folder there is nothing to do.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;

use informer_gen::{Generated, Input, Problems, Report, Request, generate, report};
use serde_json::Value;

/// So many rows `SERVER.tsv` has: a shorter list would show less.
const CRDS: usize = 558;

/// The files below the folder and the CRDs in each, by `SERVER.tsv`; without one it says that the test is skipped.
fn taken() -> Option<(PathBuf, BTreeMap<String, Vec<String>>)> {
    let Some(corpus) = std::env::var_os("INFORMER_CORPUS").map(PathBuf::from) else {
        println!("skipped: INFORMER_CORPUS names no folder with real CRDs");
        return None;
    };
    let rows = fs::read_to_string(corpus.join("SERVER.tsv")).unwrap();
    let mut files: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for row in rows.lines().skip(1) {
        let [file, name, code, ..] = row.split('\t').collect::<Vec<_>>()[..] else { panic!("{row}") };
        assert_eq!(code, "201", "{row}");
        files.entry(file.to_owned()).or_default().push(name.to_owned());
    }
    assert_eq!(files.values().map(Vec::len).sum::<usize>(), CRDS);
    Some((corpus, files))
}

/// What is found in each file alone.
fn alone() -> Option<&'static BTreeMap<String, Result<Report, Problems>>> {
    static FOUND: OnceLock<Option<BTreeMap<String, Result<Report, Problems>>>> = OnceLock::new();
    let found = || {
        let (corpus, files) = taken()?;
        let report = |file: &String| report(&Request::new("x", "x").input(Input::Path(corpus.join(file))));
        Some(files.keys().map(|file| (file.clone(), report(file))).collect())
    };
    FOUND.get_or_init(found).as_ref()
}

/// What has an informer: the CRD's name and the version.
fn informers(report: &Report) -> BTreeSet<(String, String)> {
    let report: Value = serde_json::from_str(&report.json()).unwrap();
    let text = |row: &Value, key: &str| row[key].as_str().unwrap().to_owned();
    let rows = report["informers"].as_array().unwrap().iter();
    rows.map(|row| (format!("{}.{}", text(row, "plural"), text(row, "group")), text(row, "version"))).collect()
}

#[test]
fn what_a_server_has_taken_is_taken() {
    let (Some((_, files)), Some(alone)) = (taken(), alone()) else { return };
    let mut refused = Vec::new();
    for (file, names) in &files {
        match &alone[file] {
            Err(problems) => refused.push(format!("{file}\n{problems}")),
            Ok(report) => {
                let found: BTreeSet<String> = informers(report).into_iter().map(|(name, _)| name).collect();
                assert_eq!(found, names.iter().cloned().collect(), "{file}");
            }
        }
    }
    assert!(refused.is_empty(), "{} of {} files refused:\n{}", refused.len(), files.len(), refused.join("\n"));
    println!("{CRDS} CRDs are taken");
}

/// Some are there more than once, as several projects have them, and no two of those are equal: they are left out, and
/// told. Everything else comes out as it does from its file alone, in whatever order the texts are read.
#[test]
fn h32_all_crds_in_one_run() {
    let (Some((corpus, files)), Some(alone)) = (taken(), alone()) else { return };
    let mut seen = BTreeSet::new();
    let twice: BTreeSet<String> = files.values().flatten().filter(|name| !seen.insert(*name)).cloned().collect();
    assert!(!twice.is_empty());
    let mut wanted = BTreeSet::new();
    for report in alone.values() {
        wanted.extend(informers(report.as_ref().unwrap()).into_iter().filter(|(name, _)| !twice.contains(name)));
    }

    // Texts are read in the order of their names.
    let run = |name: &dyn Fn(usize) -> usize| {
        let mut request = Request::new("x", "x").command("make it");
        request.keep_going = true;
        let texts = files.keys().map(|file| fs::read_to_string(corpus.join(file)).unwrap());
        let inputs = texts.enumerate().map(|(at, text)| Input::Text { name: format!("{:05}.yaml", name(at)), text });
        generate(&inputs.fold(request, Request::input)).unwrap_or_else(|problems| panic!("{problems}"))
    };
    let all = run(&|at| at);
    assert_eq!((all.left_out.inputs, &all.left_out.crds), (0, &twice));
    assert_eq!(informers(&all.report), wanted);
    let errors = all.warnings.iter().filter(|problem| problem.is_left_out());
    let told: BTreeSet<String> = errors
        .map(|problem| {
            assert!(problem.message().ends_with("is there twice, and the two differ"), "{problem:?}");
            problem.crd_name().unwrap().to_owned()
        })
        .collect();
    assert_eq!(told, twice);

    // An odd number has no factor in common with 8, so every name is there once.
    let count = files.len();
    assert!(count % 2 == 1);
    let bodies = |generated: &Generated| -> BTreeMap<String, String> {
        let body = |text: &str| text.split_once("\n\n").map_or("", |(_, body)| body).to_owned();
        let sources = generated.tree.iter().filter(|(path, _)| path.ends_with(".rs"));
        sources.map(|(path, text)| (path.to_owned(), body(text))).collect()
    };
    let first = bodies(&all);
    assert!(first.len() > wanted.len());
    let mixed = run(&|at| (count - at) * 8 % count);
    assert_eq!(mixed.left_out, all.left_out);
    assert!(bodies(&mixed) == first, "the same from another order");
    println!("{CRDS} CRDs in one run: {} informers, {} CRDs left out", wanted.len(), twice.len());
}
