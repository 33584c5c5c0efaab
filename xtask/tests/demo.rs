//! `cargo xtask demo --crd`: what is wrong with the CRDs is told as by informer-gen, before anything else is done.

use informer_gen::{Input, Request, generate};
use std::process::Command;

/// Exit code and standard error.
fn demo(args: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    let out = command.arg("demo").args(args).output().expect("xtask runs");
    (out.status.code(), String::from_utf8(out.stderr).expect("text"))
}

#[test]
fn a_wrong_crd_is_told_as_by_informer_gen() {
    let crd = concat!(env!("CARGO_MANIFEST_DIR"), "/../informer-gen/tests/data/refused/items-list.yaml");
    let request = Request::new("your-informers", "your-informers").input(Input::Path(crd.into()));
    let problems = generate(&request).expect_err("it is wrong");
    let expected = format!("{}\nxtask: 1 problem; nothing was written\n", problems.render(false));
    assert_eq!(demo(&["--crd", crd]), (Some(1), expected));
}

#[test]
fn a_kind_that_is_not_there_is_told_with_those_that_are() {
    let crds = concat!(env!("CARGO_MANIFEST_DIR"), "/../generated/example/crds");
    let expected = "xtask: no kind \"gadget\" in the CRDs; there are widgets.v1.shop.example.test, \
                    zones.v1.shop.example.test, widgets.v1beta1.shop.example.test, zones.v1beta1.shop.example.test\n";
    assert_eq!(demo(&["--crd", crds, "--kind", "gadget"]), (Some(1), expected.to_owned()));
    let (code, stderr) = demo(&["--kind", "widget"]);
    assert_eq!(code, Some(2));
    assert!(stderr.contains("--crd"), "{stderr}");
}
