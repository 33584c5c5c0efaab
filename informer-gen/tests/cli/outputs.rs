//! Several outputs in one `informer-gen.toml`.

use std::fs;

use crate::case::{Case, WIDGET, zone};

const TWO: &str = "\
[[output]]
crd = 'crds/widget.yaml'
crate = 'widget-informers'
out = 'out/widgets'

[[output]]
crd = 'crds/zone.yaml'
out = 'out/zones'
module = true
no-docs = true
";

fn case(file: &str) -> Case {
    Case::new(&[("crds/widget.yaml", WIDGET), ("crds/zone.yaml", &zone()), ("informer-gen.toml", file)])
}

#[test]
fn each_output_is_what_its_own_command_makes() {
    let case = case(TWO);
    let (code, stdout, stderr) = case.run("");
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert!(stdout.contains("out/widgets: ") && stdout.contains("out/zones: "), "{stdout}");
    let by_file = case.out();
    assert!(by_file.contains_key("widgets/Cargo.toml") && by_file.contains_key("zones/mod.rs"));
    fs::remove_dir_all(case.folder.path().join("out")).unwrap();
    assert_eq!(case.run("--crd crds/widget.yaml --crate widget-informers --out out/widgets").0, 0);
    assert_eq!(case.run("--crd crds/zone.yaml --module --no-docs --out out/zones").0, 0);
    assert_eq!(case.out(), by_file);
}

#[test]
fn all_of_them_are_checked() {
    let case = case(TWO);
    assert_eq!(case.run("-q"), (0, String::new(), String::new()));
    let (code, stdout, _) = case.run("--check");
    assert_eq!((code, stdout.as_str()), (0, "out/widgets is up to date\nout/zones is up to date\n"));
    fs::remove_file(case.folder.path().join("out/widgets/src/lib.rs")).unwrap();
    let (code, stdout, stderr) = case.run("--check");
    assert_eq!((code, stdout.as_str()), (2, "out/zones is up to date\n"));
    assert!(stderr.starts_with("out/widgets is not up to date:\n"), "{stderr}");
    fs::remove_file(case.folder.path().join("out/zones/mod.rs")).unwrap();
    let (code, _, stderr) = case.run("--check");
    assert_eq!(code, 2);
    assert!(stderr.contains("out/widgets is not") && stderr.contains("out/zones is not"), "{stderr}");
    let (code, stdout, _) = case.run("--dry-run");
    assert_eq!(code, 0);
    assert!(stdout.contains("would create src/lib.rs") && stdout.contains("would create mod.rs"), "{stdout}");
}

#[test]
fn problems_of_all_are_told_and_nothing_is_written() {
    let case = case(TWO);
    for name in ["widget", "zone"] {
        let path = format!("crds/{name}.yaml");
        let text = fs::read_to_string(case.folder.path().join(&path)).unwrap();
        case.put(&path, text.replace("scope: ", "scope: No"));
    }
    let (code, _, stderr) = case.run("");
    assert_eq!(code, 1);
    assert!(stderr.contains("--> crds/widget.yaml:8") && stderr.contains("--> crds/zone.yaml:8"), "{stderr}");
    assert!(stderr.ends_with("informer-gen: 2 problems; nothing was written\n"), "{stderr}");
    case.put("crds/zone.yaml", zone());
    assert_eq!(case.run("").0, 1);
    assert!(case.out().is_empty(), "not the good one either");
}

#[test]
fn one_that_cannot_be_written_does_not_hold_up_the_other() {
    let case = case(TWO);
    case.put("out/widgets", "in the way");
    let (code, _, stderr) = case.run("");
    assert_eq!(code, 1);
    assert!(stderr.ends_with("informer-gen: 1 problem; one other output was written\n"), "{stderr}");
    assert!(case.folder.path().join("out/zones/mod.rs").exists());
}

#[test]
fn what_several_outputs_may_not_say() {
    let case = case(TWO);
    let said = |flags: &str| {
        let (code, _, stderr) = case.run(flags);
        assert_eq!(code, 1, "{stderr}");
        stderr
    };
    for flags in ["--config informer-gen.toml --out other", "--config informer-gen.toml --crd crds", "--module"] {
        assert!(said(flags).contains("the file has several outputs"), "{flags}");
    }
    for (text, message) in [
        (
            TWO.replace("out/zones", "./out/widgets"),
            "[[output]] 2: ./out/widgets is the folder of [[output]] 1 already",
        ),
        (TWO.replace("crate = 'widget-informers'\n", ""), "[[output]] 1: --crate NAME is missing"),
        (TWO.replace("crds/widget.yaml", "-").replace("crds/zone.yaml", "-"), "standard input can be read once only"),
        (format!("no-docs = true\n{TWO}"), "beside [[output]] no other key may stand"),
        (format!("{TWO}[[output.output]]\nout = 'a'\n"), "can't have outputs of its own"),
    ] {
        case.put("informer-gen.toml", text);
        assert!(said("").contains(message), "{message}");
        assert!(case.out().is_empty());
    }
}
