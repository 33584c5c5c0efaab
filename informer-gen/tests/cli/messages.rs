//! `--message-format json`: all that is told is a JSON object a line, for programs.

use std::fs;

use serde_json::Value;

use crate::case::{Case, WIDGET, zone};

/// Every line of a text is an object.
#[track_caller]
fn objects(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

#[test]
fn messages_for_programs() {
    let broken = WIDGET.replace("type: string", "type: text").replace("scope: Namespaced", "scope: Here");
    let case = Case::new(&[("crds/widget.yaml", &broken)]);
    let (code, stdout, stderr) = case.generate("--message-format json");
    assert_eq!((code, stdout.as_str()), (1, ""));
    let lines: Vec<serde_json::Value> = stderr.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 2, "{stderr}");
    let scope = &lines[0];
    assert_eq!((&scope["severity"], &scope["file"]), (&"error".into(), &"crds/widget.yaml".into()));
    assert_eq!((&scope["line"], &scope["column"]), (&8.into(), &10.into()));
    let (start, end) = (scope["start"].as_u64().unwrap() as usize, scope["end"].as_u64().unwrap() as usize);
    assert_eq!(&broken[start..end], "Here");
    assert_eq!((&scope["crd"], &scope["pointer"]), (&"widgets.shop.example.test".into(), &"/spec/scope".into()));
    assert!(scope["hint"].as_str().unwrap().contains("Cluster"));
}

#[test]
fn the_document_in_a_file_of_several_is_told() {
    let broken = zone().replace("scope: Cluster", "scope: Here");
    let case = Case::new(&[("crds/all.yaml", &format!("{WIDGET}---\n---\n{broken}"))]);
    let (_, _, stderr) = case.generate("--message-format json");
    let told = &objects(&stderr)[0];
    assert_eq!((&told["document"], &told["line"]), (&3.into(), &30.into()), "{told}");
    let (_, _, stderr) = case.generate("");
    assert!(stderr.contains("in document 3 of 3, the CRD zones.shop.example.test at /spec/scope"), "{stderr}");
}

#[test]
fn a_wrong_command_line_is_an_object_too() {
    let case = Case::new(&[("crds/widget.yaml", WIDGET), ("other.toml", "crates = 'a'\n")]);
    for (args, message, hint) in [
        ("--crd crds --what --crate a --out out", "unexpected argument '--what' found", "Usage: informer-gen"),
        ("--crd crds --crat a --out out", "unexpected argument '--crat' found", "'--crate'"),
        ("--crd crds --out out", "--crate NAME is missing", ""),
        ("--config other.toml", "unknown field `crates`", ""),
        ("", "no inputs are named", ""),
        ("--release 1.x=a --crate a --out out", "1.x", ""),
        ("--crd crds --crate a --out out --check --dry-run", "cannot be used with", ""),
    ] {
        for format in ["--message-format json", "--message-format=json"] {
            let (code, stdout, stderr) = case.run(&format!("{args} {format}"));
            assert_eq!((code, stdout.as_str()), (1, ""), "{args}");
            let objects = objects(&stderr);
            assert_eq!(objects.len(), 1, "{stderr}");
            let told = &objects[0];
            assert_eq!((&told["severity"], &told["reason"]), (&"error".into(), &"usage".into()));
            assert!(told["message"].as_str().unwrap().contains(message), "{told}");
            assert!(hint.is_empty() || told["hint"].as_str().unwrap().contains(hint), "{told}");
        }
    }
    let (code, stdout, stderr) = case.run("--help --message-format json");
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert!(stdout.contains("Exit codes:"));
}

#[test]
fn what_is_stale_or_would_be_written_is_told_as_objects() {
    let case = Case::new(&[("crds/widget.yaml", WIDGET)]);
    assert_eq!(case.generate("").0, 0);
    fs::remove_file(case.folder.path().join("out/Cargo.toml")).unwrap();
    case.put("out/src/lib.rs", case.out()["src/lib.rs"].clone() + "// mine\n");
    let (code, stdout, stderr) = case.generate("--check --message-format json");
    assert_eq!((code, stdout.as_str()), (2, ""));
    let told = objects(&stderr);
    let files: Vec<_> =
        told.iter().map(|object| (&object["file"], &object["difference"], &object["removed"])).collect();
    let (cargo, library) = (Value::from("out/Cargo.toml"), Value::from("out/src/lib.rs"));
    assert_eq!(files[0], (&cargo, &"missing".into(), &0.into()));
    assert_eq!(files[1], (&library, &"edited".into(), &1.into()));
    assert!(told.iter().all(|object| object["reason"] == "stale" && object["severity"] == "error"), "{stderr}");
    let last = told.last().unwrap();
    assert_eq!(last["command"], "informer-gen --crd crds --crate shop-informers --out out");
    assert!(last["hint"].as_str().unwrap().ends_with(last["command"].as_str().unwrap()));

    let (code, stdout, stderr) = case.generate("--dry-run --message-format json");
    assert_eq!((code, stderr.as_str()), (0, ""));
    let told = objects(&stdout);
    assert_eq!((&told[0]["reason"], &told[0]["file"]), (&"create".into(), &cargo));
    assert_eq!((&told[1]["reason"], &told[1]["file"]), (&"replace".into(), &library));
    assert_eq!(told.len(), 2);
    assert!(told[0]["added"].as_u64().unwrap() > 10);
    assert_eq!(case.generate("").0, 0);
    assert_eq!(case.generate("--dry-run --message-format json"), (0, String::new(), String::new()));
}

#[test]
fn what_was_left_out_is_an_object() {
    let case = Case::new(&[("crds/widget.yaml", WIDGET), ("crds/z.yaml", &zone().replace("Cluster", "Here"))]);
    let (code, _, stderr) = case.generate("--keep-going --message-format json");
    assert_eq!(code, 0);
    let told = objects(&stderr);
    assert_eq!((&told[0]["severity"], &told[0]["left_out"]), (&"error".into(), &true.into()));
    assert_eq!((&told[1]["reason"], &told[1]["inputs"]), (&"left-out".into(), &0.into()));
    assert_eq!(told[1]["crds"], serde_json::json!(["zones.shop.example.test"]));
}
