//! CRDs that an API server refuses, each for one reason: `tests/data/refused/NAME.yaml`. Beside them what a server of
//! Kubernetes 1.37 said (`SERVER.tsv`: status, field, reason) and what is told here (`expected.tsv`: place, pointer,
//! message). What a server takes is in `taken.rs`.
//!
//! `INFORMER_GEN_BLESS=1 cargo test -p informer-gen --test refused` writes `expected.tsv`; look at the diff before it is
//! committed.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use informer_gen::{Input, Problems, Request, Severity, report};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/refused")
}

/// The names of the cases with their texts.
fn cases() -> BTreeMap<String, String> {
    let entries = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let cases = entries.filter(|path| path.extension().is_some_and(|extension| extension == "yaml"));
    cases
        .map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read_to_string(&path).unwrap()))
        .collect()
}

fn problems(name: &str, text: &str) -> Option<Problems> {
    let input = Input::Text { name: name.to_owned(), text: text.to_owned() };
    report(&Request::new("x", "x").input(input)).err()
}

/// Pointers of errors that are in the way a server writes fields: `spec.versions[0].schema`.
fn fields(problems: &Problems) -> Vec<String> {
    let errors = problems.iter().filter(|problem| problem.severity() == Severity::Error);
    errors.filter_map(|problem| problem.json_pointer()).map(field).collect()
}

fn field(pointer: &str) -> String {
    let mut field = String::new();
    let mut before = "";
    for step in pointer.split('/').skip(1) {
        if matches!(before, "properties" | "annotations") || step.parse::<usize>().is_ok() {
            write!(field, "[{}]", step.replace("~1", "/")).unwrap();
            before = "";
        } else {
            write!(field, "{}{step}", if field.is_empty() { "" } else { "." }).unwrap();
            before = step;
        }
    }
    field
}

/// A server's field in the form of the document that it was given: with one version, it speaks of what older documents
/// had at the top.
fn of_document(field: &str) -> String {
    let version = "spec.versions[0]";
    for (old, new) in [
        ("spec.validation.", "schema."),
        ("spec.additionalPrinterColumns", "additionalPrinterColumns"),
        ("spec.subresources", "subresources"),
        ("spec.selectableFields", "selectableFields"),
    ] {
        if let Some(rest) = field.strip_prefix(old) {
            return format!("{version}.{new}{rest}").replace("JSONPath", "jsonPath");
        }
    }
    let webhook = field.replace("conversion.webhookClientConfig", "conversion.webhook.clientConfig");
    webhook.replace("conversion.conversionReviewVersions", "conversion.webhook.conversionReviewVersions")
}

#[test]
fn h26_what_a_server_refuses_is_refused_at_the_same_place() {
    let server = fs::read_to_string(folder().join("SERVER.tsv")).unwrap();
    let cases = cases();
    assert!(cases.len() >= 240, "{}", cases.len());
    let mut wrong = Vec::new();
    let mut seen: BTreeMap<&str, bool> = BTreeMap::new();
    for row in server.lines().skip(1) {
        let columns: Vec<&str> = row.split('\t').collect();
        let [file, code, field, _] = columns[..] else { panic!("{row}") };
        assert!(matches!(code, "400" | "422"), "{row}");
        let Some(problems) = cases.get(file).and_then(|text| problems(file, text)) else {
            wrong.push(format!("{file} is taken"));
            continue;
        };
        let (ours, theirs) = (fields(&problems), of_document(field));
        // What can't be read at all has no field; what is missing may be told of what lacks it.
        let near = |ours: &String| {
            theirs == *ours
                || theirs.starts_with(&format!("{ours}."))
                || ours.starts_with(&format!("{theirs}."))
                || ours.starts_with(&format!("{theirs}["))
        };
        *seen.entry(file).or_default() |= field.is_empty() || ours.iter().any(near);
    }
    wrong.extend(seen.iter().filter(|(_, near)| !**near).map(|(file, _)| {
        let ours = problems(file, &cases[*file]).map(|problems| fields(&problems));
        format!("{file} is refused elsewhere: {ours:?}")
    }));
    wrong
        .extend(cases.keys().filter(|file| !seen.contains_key(file.as_str())).map(|file| format!("{file}: no answer")));
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn messages_are_as_committed() {
    let mut told = "place\tpointer\tmessage\n".to_owned();
    for (name, text) in cases() {
        let Some(problems) = problems(&name, &text) else { continue };
        for problem in problems.iter().filter(|problem| problem.severity() == Severity::Error) {
            let place = problems.location(problem).unwrap_or_else(|| panic!("{name}: no place: {problem:?}"));
            let pointer = problem.json_pointer().unwrap_or_else(|| panic!("{name}: no pointer: {problem:?}"));
            writeln!(told, "{place}\t{pointer}\t{}", problem.message()).unwrap();
        }
    }
    let path = folder().join("expected.tsv");
    if std::env::var_os("INFORMER_GEN_BLESS").is_some() {
        fs::write(&path, &told).unwrap();
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(lines(&told), lines(&committed), "see the top of this file");
}
