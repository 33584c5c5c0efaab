//! `cargo xtask generate --check`: notices what was edited, deleted and added in the folder of generated crates, names
//! each file and the command that mends it.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Exit code and standard error.
fn generate(root: &Path, args: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    let out = command.arg("generate").arg("--root").arg(root).args(args).output().expect("xtask runs");
    (out.status.code(), String::from_utf8(out.stderr).expect("text"))
}

fn copy(from: &Path, to: &Path) {
    if from.is_dir() {
        fs::create_dir_all(to).expect("a folder");
        for entry in fs::read_dir(from).expect("readable").map(|entry| entry.expect("readable")) {
            copy(&entry.path(), &to.join(entry.file_name()));
        }
    } else {
        fs::copy(from, to).expect("copied");
    }
}

/// A copy of what the chore looks at.
fn workspace() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("docs")).expect("a folder");
    for path in ["Cargo.toml", "docs/built-in-kinds.md", "generated"] {
        copy(&Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join(path), &folder.path().join(path));
    }
    folder
}

#[test]
fn what_was_edited_deleted_and_added_is_named_with_what_mends_it() {
    let folder = workspace();
    let root = folder.path();
    assert_eq!(generate(root, &["--check"]), (Some(0), String::new()));

    let edited = root.join("generated/kubernetes/src/core/v1/pod.rs");
    let text = fs::read_to_string(&edited).expect("readable");
    fs::write(&edited, format!("{text}// mine\n")).expect("written");
    fs::remove_file(root.join("generated/example-parts/src/lib.rs")).expect("removed");
    fs::write(root.join("docs/built-in-kinds.md"), "").expect("written");
    // below the sources, beside them, among the inputs, in a folder of no output
    let added = [
        "example/src/x.rs",
        "gateway-api/x",
        "kubernetes/tests/x.rs",
        "other/x.rs",
        "specs/1.37.yaml",
        "specs/new.json",
    ];
    for path in added {
        let path = root.join("generated").join(path);
        fs::create_dir_all(path.parent().expect("it has one")).expect("a folder");
        fs::write(path, "x").expect("written");
    }
    let (code, told) = generate(root, &["--check"]);
    let places: String =
        added.iter().map(|path| format!("generated/{path}: neither made by informer-gen nor read by it\n")).collect();
    let all = added.map(|path| format!("generated/{path}")).join(" ");
    let left = format!("without a place: `rm {all}` mends it\n");
    let missing = told.lines().next().expect("a line");
    assert!(missing.starts_with("generated/example-parts/src/lib.rs: missing (+"), "{told}");
    let expected = format!(
        "{missing}\n\
         generated/kubernetes/src/core/v1/pod.rs: edited by hand (+0 -1 lines)\n\
         docs/built-in-kinds.md: changed\n\
         {places}\
         xtask: stale: generated/example-parts, generated/kubernetes, docs/built-in-kinds.md; `cargo xtask generate` \
         mends it\n       {left}"
    );
    assert_eq!((code, told), (Some(2), expected));

    // Each command mends what it is named for, and no more is left.
    let (code, told) = generate(root, &[]);
    assert_eq!(code, Some(0));
    assert!(told.ends_with(&format!("{places}{left}")), "{told}");
    assert_eq!(generate(root, &["--check"]), (Some(2), format!("{places}xtask: {left}")));
    for path in added {
        fs::remove_file(root.join("generated").join(path)).expect("removed");
    }
    assert_eq!(generate(root, &["--check"]), (Some(0), String::new()));
    assert_eq!(fs::read_to_string(&edited).expect("readable"), text);
}

#[test]
fn what_an_input_no_longer_makes_is_named_once() {
    let folder = workspace();
    let root = folder.path();
    fs::remove_file(root.join("generated/example/crds/zones.yaml")).expect("removed");
    let (code, told) = generate(root, &["--check"]);
    assert_eq!(code, Some(2));
    let zone = "generated/example/src/shop_example_test/v1/zone.rs: no longer wanted";
    assert_eq!(told.lines().filter(|line| line.contains("/v1/zone.rs")).count(), 1, "{told}");
    assert!(told.contains(zone), "{told}");
    assert!(told.ends_with("\nxtask: stale: generated/example; `cargo xtask generate` mends it\n"), "{told}");
}
