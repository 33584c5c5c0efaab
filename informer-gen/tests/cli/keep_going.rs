//! One bad CRD among good ones, and everything else that lies in such a folder: strict, and with `--keep-going`.

use std::collections::BTreeMap;
use std::fs;
use std::process::Stdio;

use crate::case::{Case, WIDGET, said, zone};

/// The CRD of another kind.
fn kind(kind: &str) -> String {
    WIDGET.replace("Widget", kind).replace("widget", &kind.to_lowercase())
}

/// What can be generated: ten plain CRDs, enums of numbers and of anything, and one of 2 MB.
fn good(case: &Case) {
    for name in ["Anvil", "Bolt", "Clamp", "Drill", "Easel", "File", "Gauge", "Hammer", "Iron"] {
        case.put(&format!("crds/{}.yaml", name.to_lowercase()), kind(name));
    }
    case.put("crds/zone.yaml", zone());
    let size = "type: string, description: How large it is.";
    case.put("crds/numbers.yaml", kind("Number").replace(size, "type: integer, enum: [1, 2, 3]"));
    let mixed = "x-kubernetes-preserve-unknown-fields: true, enum: [1, a, true, null]";
    case.put("crds/mixed.yaml", kind("Mixed").replace(size, mixed));
    let long = "word ".repeat(1000);
    let fields: String =
        (0..400).map(|at| format!("                f{at}: {{type: string, description: {long}}}\n")).collect();
    let large = kind("Large") + &fields;
    assert!(large.len() > 2_000_000);
    case.put("crds/large.yaml", large);
    // No CRDs, and nothing wrong with that.
    case.put("crds/deployment.yaml", "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\n");
    case.put("crds/empty.yaml", "---\n---\n# nothing\n");
}

/// What can't.
fn bad(case: &Case) {
    case.put("crds/template.yaml", "{{ if .Values.crds }}\na: 1\n{{ end }}\n");
    case.put("crds/broken.yaml", "a: 1\nb: 2\nc: 3\nd: 4\ne: 5\nf: 6\ng: ]\n");
    let none = kind("Nothing");
    case.put("crds/none.yaml", format!("{}---\n{}", kind("Jig"), &none[..none.find("      schema:").unwrap()]));
    case.put("crds/twice.yaml", kind("Twice").replace("scope: Namespaced", "scope: Namespaced\n  scope: Cluster"));
    #[cfg(unix)]
    std::os::unix::fs::symlink("nowhere", case.folder.path().join("crds/unreadable.yaml")).unwrap();
}

/// Files without what says how they were made.
fn contents(out: BTreeMap<String, String>) -> BTreeMap<String, String> {
    let contents = out.into_iter().filter(|(path, _)| !path.ends_with(".manifest"));
    contents.map(|(path, text)| (path, text.replace(" --keep-going", ""))).collect()
}

const TOLD: [&str; 8] = [
    "template.yaml:1:1",
    "broken.yaml:7:4",
    "none.yaml:31:7",
    "in document 2 of 2, the CRD nothings.shop.example.test at /spec/versions/0",
    "twice.yaml:9:3",
    "the key \"scope\" is there twice",
    #[cfg(unix)]
    "crds/unreadable.yaml can't be read",
    #[cfg(not(unix))]
    "",
    "error: ",
];

#[test]
fn b52_strict_every_problem_of_a_folder_is_told_and_nothing_is_written() {
    let case = Case::new(&[]);
    good(&case);
    let (code, stdout, stderr) = case.generate("");
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert!(stdout.contains("passed over 1 objects that are no CRDs: 1 Deployment"), "{stdout}");
    let before = case.out();
    assert!(before["src/shop_example_test/v1/number.rs"].contains("pub size: Option<i64>"));
    assert!(before.contains_key("src/shop_example_test/v1/mixed.rs"));
    bad(&case);
    let (code, stdout, stderr) = case.generate("");
    assert_eq!((code, stdout.as_str()), (1, ""));
    for told in TOLD {
        assert!(stderr.contains(told), "{told} in:\n{stderr}");
    }
    let count = if cfg!(unix) { 5 } else { 4 };
    assert!(stderr.ends_with(&format!("informer-gen: {count} problems; nothing was written\n")), "{stderr}");
    assert_eq!(case.out(), before);
}

#[cfg(unix)]
#[test]
fn b52_lenient_the_good_ones_are_generated_and_the_rest_is_counted() {
    let case = Case::new(&[]);
    good(&case);
    case.put("crds/jig.yaml", kind("Jig"));
    assert_eq!(case.generate("").0, 0);
    let wanted = contents(case.out());
    fs::remove_file(case.folder.path().join("crds/jig.yaml")).unwrap();
    fs::remove_dir_all(case.folder.path().join("out")).unwrap();
    bad(&case);
    let (code, stdout, stderr) = case.generate("--keep-going");
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains(" created"), "{stdout}");
    for told in TOLD {
        assert!(stderr.contains(told), "{told} in:\n{stderr}");
    }
    // The duplicate key belongs to no CRD that is known: its document counts as one that can't be understood.
    let last = "informer-gen: 5 problems; 1 CRD and 4 whole inputs left out\n";
    assert!(stderr.ends_with(last), "{stderr}");
    assert_eq!(contents(case.out()), wanted);
    // The same again by what the output says of itself, and by a file; and it is up to date.
    assert!(case.out()["src/lib.rs"].contains("--out . --keep-going\n"));
    let (code, stdout, stderr) = case.generate("--keep-going --check --quiet");
    assert_eq!((code, stdout.as_str()), (0, ""));
    assert!(stderr.ends_with(last), "{stderr}");
    case.put("informer-gen.toml", "crd = 'crds'\ncrate = 'shop-informers'\nout = 'out'\nkeep-going = true\n");
    assert_eq!(case.run("--check").0, 0);
    // Without the flag it is as strict as ever.
    assert_eq!(case.generate("--check").0, 1);
}

#[test]
fn b52_lenient_of_two_that_clash_none_is_made() {
    let twice = kind("Bolt").replace("scope: Namespaced", "scope: Cluster");
    let case = Case::new(&[("crds/a.yaml", WIDGET), ("crds/b.yaml", &kind("Bolt")), ("crds/c.yaml", &twice)]);
    // One more than the names allow: the lister of the one has the name of the other.
    case.put("crds/d.yaml", kind("Nut"));
    case.put("crds/e.yaml", kind("NutLister"));
    let (code, _, stderr) = case.generate("--keep-going");
    assert_eq!(code, 0, "{stderr}");
    assert!(stderr.ends_with("informer-gen: 2 problems; 3 CRDs left out\n"), "{stderr}");
    // A name that was asked for what is left out is told, and no reason to make nothing.
    for asked in ["--rename kind:shop.example.test/v1/Bolt=Screw", "--derive Bolt.spec=Hash"] {
        let (code, _, stderr) = case.generate(&format!("--keep-going {asked}"));
        assert_eq!(code, 0, "{stderr}");
        assert!(stderr.contains("v1/Bolt in the input") || stderr.contains("Bolt.spec=Hash"), "{stderr}");
    }
    let kinds: Vec<String> = case.out().into_keys().filter(|path| path.ends_with("_informer.rs")).collect();
    assert_eq!(kinds, ["src/shop_example_test/v1/widget_informer.rs"]);
}

#[test]
fn b52_lenient_with_nothing_left_writes_nothing() {
    let case = Case::new(&[("crds/a.yaml", &WIDGET.replace("scope: Namespaced", "scope: Here"))]);
    let (code, stdout, stderr) = case.generate("--keep-going");
    assert_eq!((code, stdout.as_str()), (1, ""));
    assert!(stderr.contains("nothing is left to generate") && stderr.contains("a.yaml:8:10"), "{stderr}");
    assert!(stderr.ends_with("2 problems; nothing was written\n"), "{stderr}");
    // What is wrong with the request is not forgiven.
    assert_eq!(case.run("--crd crds --crate 2a --out out --keep-going").0, 1);
    case.put("crds/b.yaml", zone());
    case.put("api.json", "{}");
    let (code, _, stderr) = case.generate("--keep-going --openapi api.json");
    assert_eq!(code, 1);
    assert!(stderr.contains("this is no OpenAPI document"), "{stderr}");
    assert!(!case.folder.path().join("out").exists());
}

/// JSON values in a row, of which each is good, broken from its first byte or later, or wrong as a CRD; the last one may
/// be cut off. Just the good ones are made, and all others are told and counted.
#[test]
fn b52_lenient_json_in_a_row_loses_just_what_is_wrong() {
    let json = |name: &str, more: &str| {
        let plural = name.to_lowercase() + "s";
        format!(
            r#"{{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {{"name":
            "{plural}.shop.example.test"}}, "spec": {{"group": "shop.example.test", "scope": "Namespaced"{more}, "names":
            {{"kind": "{name}", "plural": "{plural}"}}, "versions": [{{"name": "v1", "served": true, "storage": true,
            "schema": {{"openAPIV3Schema": {{"type": "object"}}}}}}]}}}}"#
        )
    };
    let good = ["Anvil", "Bolt", "Clamp"].map(|name| json(name, ""));
    let late = good[0].replace("true, \"storage\"", "\"a\" \"b\", \"storage\"");
    let twice = json("Easel", r#", "group": "shop.example.test""#);
    let cut = good[1][..good[1].len() / 2].to_owned();
    let wrong = ["{,}", r#"{"a" "b"}"#, &late[..], &twice];
    for bits in 0..(1_u32 << 3) {
        for (at, wrong) in wrong.iter().enumerate() {
            for last in ["", &cut] {
                let is_good = |place: usize| bits & (1 << place) != 0;
                let parts = (0..3).map(|place| if is_good(place) { good[place].as_str() } else { wrong });
                let case = Case::new(&[("crds/all.json", &(parts.collect::<Vec<_>>().join("\n") + "\n" + last))]);
                let mut left = (3 - bits.count_ones()) as usize + usize::from(!last.is_empty());
                let (code, _, stderr) = case.generate("--keep-going");
                let told = format!("{bits:03b}, {at}, {last:?}: {stderr}");
                let number = 3 + usize::from(!last.is_empty());
                for place in (0..3).filter(|place| !is_good(*place)) {
                    // A file with many that are wrong is told in full.
                    assert!(stderr.contains(&format!("in document {} of {number}", place + 1)), "{told}");
                }
                if bits == 0 {
                    assert!(code == 1 && stderr.contains("nothing is left"), "{told}");
                    continue;
                }
                left *= usize::from(code == 0);
                let inputs =
                    if left == 1 { "1 whole input left out" } else { &format!("{left} whole inputs left out") };
                assert!(left == 0 && stderr.is_empty() || stderr.trim_end().ends_with(inputs), "{told}");
                let kinds = case.out().into_keys().filter(|path| path.ends_with("_informer.rs")).count();
                assert_eq!((code, kinds), (0, bits.count_ones() as usize), "{told}");
            }
        }
    }
}

/// Whatever is wrong with it, and at whatever stage: it can't be read, it is no OpenAPI, it contradicts itself.
#[test]
fn b52_lenient_an_openapi_document_that_is_wrong_ends_the_run() {
    let twice = r#"{"swagger": "2.0", "swagger": "2.0", "info": {"title": "Kubernetes"}, "paths": {"/apis": {}}}"#;
    let case = Case::new(&[
        ("crds/a.yaml", WIDGET),
        ("crds/bad.yaml", "a: [\n"),
        ("cut-off.json", r#"{"swagger": "2.0", "paths": {"#),
        ("broken.yaml", "swagger: \"2.0\"\npaths: {a: [}\n"),
        ("twice.json", twice),
        ("index.json", r#"{"paths": {"apis/a/v1": {"serverRelativeURL": "/openapi/v3/apis/a/v1?hash=1"}}}"#),
        ("none.json", "[]"),
        ("none/a.txt", ""),
    ]);
    case.put("binary.json", b"\xff\xff");
    case.put("cut-off.json.gz", b"\x1f\x8b\x08\x00");
    for (name, told) in [
        ("cut-off.json", "was it cut off?"),
        ("broken.yaml", "this is no valid YAML"),
        ("twice.json", "the key \"swagger\" is there twice"),
        ("index.json", "index.json:1:1"),
        ("none.json", "this is no OpenAPI document"),
        ("none", "none has no *.yaml"),
        ("binary.json", "this is no UTF-8 text"),
        ("cut-off.json.gz", "broken gzip data"),
        ("nowhere.yaml", "nowhere.yaml can't be read"),
        ("nowhere/*.yaml", "no file is like"),
    ] {
        for flag in ["--openapi ", "--release 1.36="] {
            let (code, stdout, stderr) = case.generate(&format!("--keep-going {flag}{name}"));
            assert_eq!((code, stdout.as_str()), (1, ""), "{flag}{name}: {stderr}");
            assert!(stderr.contains(told), "{flag}{name}: {stderr}");
            assert!(
                stderr.contains("bad.yaml") && stderr.ends_with("; nothing was written\n"),
                "{flag}{name}: {stderr}"
            );
            assert!(!case.folder.path().join("out").exists(), "{flag}{name}");
        }
    }
    assert_eq!(case.generate("--keep-going").0, 0);
}

#[test]
fn b52_a_closed_pipe_ends_it_quietly() {
    let case = Case::new(&[("crds/widget.yaml", WIDGET), ("bad/a.yaml", "a: [\n")]);
    for (args, wanted) in [
        ("--crd crds --crate shop-informers --out out --dump-model", 0),
        ("--crd crds --crate shop-informers --out out --report", 0),
        ("--crd crds --crate shop-informers --out out --dry-run", 0),
        ("--crd crds --crate shop-informers --out out", 0),
        ("explain crds/widget.yaml", 0),
        ("--crd bad --crate shop-informers --out bad-out", 1),
        ("--help", 0),
    ] {
        for close_stderr in [false, true] {
            let mut child = case.command(args);
            let mut child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
            drop(child.stdout.take());
            if close_stderr {
                drop(child.stderr.take());
            }
            let (code, _, stderr) = said(child.wait_with_output().unwrap());
            assert_eq!(code, wanted, "{args}");
            assert!(wanted == 1 || stderr.is_empty(), "{args}: {stderr}");
            assert!(!stderr.contains("panicked"), "{args}: {stderr}");
        }
    }
}
