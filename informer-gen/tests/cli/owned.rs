//! Whose file is whose: the check, foreign files, edited files, files of earlier runs.

use std::fs;

use crate::case::{Case, WIDGET, zone};

#[test]
fn h35_the_check_names_every_file_that_differs_and_the_command_that_mends_it() {
    let case = Case::new(&[("crds/widget.yaml", WIDGET), ("crds/zone.yaml", &zone())]);
    let (code, _, stderr) = case.generate("--check");
    assert_eq!(code, 2);
    assert!(stderr.contains("src/lib.rs: missing"), "{stderr}");
    assert!(!case.folder.path().join("out").exists());

    assert_eq!(case.generate("").0, 0);
    let good = case.out();
    case.put("out/src/lib.rs", good["src/lib.rs"].clone() + "// mine\n");
    fs::remove_file(case.folder.path().join("out/Cargo.toml")).unwrap();
    case.put("out/notes.md", "not yours");
    let (code, stdout, stderr) = case.generate("--check");
    assert_eq!((code, stdout.as_str()), (2, ""));
    assert!(stderr.contains("src/lib.rs: edited by hand (+0 -1 lines)"), "{stderr}");
    assert!(stderr.contains("Cargo.toml: missing"), "{stderr}");
    assert!(!stderr.contains("notes.md"), "{stderr}");
    let command = "informer-gen --crd crds --crate shop-informers --out out";
    assert!(stderr.ends_with(&format!("To mend it, run:\n  {command}\n")), "{stderr}");

    assert_eq!(case.run(&command["informer-gen ".len()..]).0, 0);
    let mut mended = case.out();
    assert_eq!(mended.remove("notes.md").as_deref(), Some("not yours"));
    assert_eq!(mended, good);
}

#[test]
fn h35_a_checkout_with_other_line_ends_is_clean() {
    let case = Case::new(&[("crds/widget.yaml", WIDGET)]);
    assert_eq!(case.generate("").0, 0);
    for (path, text) in case.out() {
        case.put(&format!("out/{path}"), text.replace('\n', "\r\n"));
    }
    let crlf = case.out();
    assert_eq!(case.generate("--check").0, 0);
    assert_eq!(case.generate("").0, 0);
    assert_eq!(case.out(), crlf);
}

#[test]
fn a_foreign_file_in_the_way_is_an_error_and_stays() {
    let case = Case::new(&[("crds/widget.yaml", WIDGET), ("out/src/lib.rs", "// mine\n")]);
    let before = case.out();
    for flags in ["", "--check"] {
        let (code, _, stderr) = case.generate(flags);
        assert_eq!(code, 1, "{stderr}");
        assert!(stderr.contains("src/lib.rs: a file that informer-gen did not make is in the way"), "{stderr}");
        assert_eq!(case.out(), before);
    }
}

#[test]
fn h34_files_that_are_no_longer_wanted_go_and_others_stay() {
    let case = Case::new(&[("crds/widget.yaml", WIDGET)]);
    assert_eq!(case.generate("").0, 0);
    let good = case.out();
    // Two CRDs more, in a group of their own; then they are gone.
    let other = |crd: &str| crd.replace("shop.example.test", "other.example.test");
    case.put("crds/other.yaml", format!("{}---\n{}", other(WIDGET), other(&zone())));
    assert_eq!(case.generate("").0, 0);
    let with_others = case.out();
    let others: Vec<&str> = with_others.keys().map(String::as_str).filter(|path| !good.contains_key(*path)).collect();
    assert!(others.len() > 4 && others.iter().all(|path| path.starts_with("src/other_example_test/")), "{others:?}");
    fs::remove_file(case.folder.path().join("crds/other.yaml")).unwrap();
    case.put("out/src/kept.rs", "// mine\n");
    let edited = "src/other_example_test/v1/zone.rs";
    let edit = with_others[edited].clone() + "// edited\n";
    case.put(&format!("out/{edited}"), &edit);

    let (code, _, stderr) = case.generate("--check");
    assert_eq!(code, 2);
    for path in others.iter().filter(|path| **path != edited) {
        assert!(stderr.contains(&format!("{path}: no longer wanted")), "{path} in {stderr}");
    }
    let (code, stdout, stderr) = case.generate("");
    assert_eq!(code, 0);
    assert!(stdout.contains(&format!("{} deleted", others.len() - 1)), "{stdout}");
    assert!(stderr.contains(&format!("{edited} is no longer wanted, but was edited by hand")), "{stderr}");
    let mut out = case.out();
    assert_eq!(out.remove("src/kept.rs").as_deref(), Some("// mine\n"));
    assert_eq!(out.remove(edited), Some(edit));
    assert_eq!(out, good);
    assert_eq!(case.generate("--check").0, 0);
    // Folders that are empty go as well.
    fs::remove_file(case.folder.path().join("out").join(edited)).unwrap();
    case.put("crds/other.yaml", other(WIDGET));
    assert_eq!(case.generate("").0, 0);
    fs::remove_file(case.folder.path().join("crds/other.yaml")).unwrap();
    assert_eq!(case.generate("").0, 0);
    assert!(!case.folder.path().join("out/src/other_example_test").exists());
}

#[test]
fn a_manifest_that_names_other_files_deletes_none_outside_of_the_folder() {
    let case = Case::new(&[("crds/widget.yaml", WIDGET)]);
    assert_eq!(case.generate("").0, 0);
    let good = case.out();
    let sum = sum_of(WIDGET);
    let manifest = &good[".informer-gen.manifest"];
    case.put("out/src/old/mod.rs", WIDGET);
    case.put(
        "out/.informer-gen.manifest",
        format!("{manifest}{sum:016x}  ../crds/widget.yaml\n{sum:016x}  src/old/mod.rs\n"),
    );
    let (code, stdout, _) = case.generate("");
    assert_eq!(code, 0);
    // The checksum is right, then: what lies in the folder went.
    assert!(stdout.contains("1 deleted"), "{stdout}");
    assert!(case.folder.path().join("crds/widget.yaml").exists());
    assert_eq!(case.out(), good);
}

/// The manifest's checksum, written down once more.
fn sum_of(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |sum: u64, byte| (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

#[cfg(unix)]
#[test]
fn h35_a_folder_that_can_not_be_written_is_left_as_it_was_and_can_be_checked() {
    use std::os::unix::fs::PermissionsExt;
    let case = Case::new(&[("crds/widget.yaml", WIDGET)]);
    assert_eq!(case.generate("").0, 0);
    let before = case.out();
    let out = case.folder.path().join("out");
    let mode = |mode| fs::set_permissions(&out, fs::Permissions::from_mode(mode)).unwrap();
    mode(0o555);
    assert_eq!(case.generate("--check").0, 0);
    // The superuser may write anyway.
    let superuser = fs::write(out.join("probe"), "").is_ok();
    case.put("crds/zone.yaml", zone());
    let code = case.run("--crd crds/zone.yaml --crate other-informers --out out").0;
    mode(0o755);
    if superuser {
        fs::remove_file(out.join("probe")).unwrap();
    } else {
        assert_eq!((code, case.out()), (1, before));
    }
}

#[cfg(unix)]
#[test]
fn links_are_not_followed_out_of_the_output_folder() {
    let case = Case::new(&[("crds/widget.yaml", WIDGET), ("elsewhere/lib.rs", "// mine\n")]);
    fs::create_dir(case.folder.path().join("out")).unwrap();
    std::os::unix::fs::symlink(case.folder.path().join("elsewhere"), case.folder.path().join("out/src")).unwrap();
    let (code, _, stderr) = case.generate("");
    assert_eq!(code, 1);
    assert!(stderr.contains("no plain file in a plain folder"), "{stderr}");
    assert_eq!(fs::read_dir(case.folder.path().join("elsewhere")).unwrap().count(), 1);
}
