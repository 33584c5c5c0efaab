//! The same bytes, whatever is around: order and form of the inputs, folder, locale, time zone, line ends, other runs.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Stdio;

use crate::case::{Case, WIDGET, said, zone};

type Files = BTreeMap<String, String>;

/// A case with two CRDs, one of them with text that case and sorting rules of a locale would change.
fn case() -> Case {
    let widget = WIDGET.replace("How large it is.", "ıI İi ß ẞ, größer als Å.");
    Case::new(&[("crds/a.yaml", &widget), ("crds/b.yaml", &zone())])
}

#[track_caller]
fn made(case: &Case, args: &str) -> Files {
    let (code, _, stderr) = case.run(args);
    assert_eq!((code, stderr.as_str()), (0, ""), "{args}");
    case.out()
}

/// Without the lines that name the inputs.
fn bodies(files: Files) -> Files {
    let body = |text: &str| text.split_once("\n\n").map(|(_, body)| body.to_owned());
    let files = files.into_iter().filter(|(path, _)| path.ends_with(".rs"));
    files.map(|(path, text)| (path, body(&text).unwrap_or_default())).collect()
}

#[test]
fn h33_the_order_of_the_inputs() {
    let case = case();
    let first = made(&case, "--crd crds/a.yaml --crd crds/b.yaml --crate shop-informers --out out");
    for inputs in
        ["--crd crds/b.yaml --crd ./crds/a.yaml", "--crd crds/../crds/b.yaml --crd crds/a.yaml --crd crds/a.yaml"]
    {
        fs::remove_dir_all(case.folder.path().join("out")).unwrap();
        let files = made(&case, &format!("{inputs} --crate shop-informers --out out"));
        assert_eq!(bodies(files), bodies(first.clone()), "{inputs}");
    }
    let files = made(&case, "--crd crds --crate shop-informers --out out");
    assert_eq!(bodies(files), bodies(first));
}

#[test]
fn h33_the_folder_in_which_the_command_runs() {
    let case = case();
    let first = made(&case, "--crd crds --crate shop-informers --out out");
    let root = case.folder.path();
    fs::create_dir_all(root.join("some/where")).unwrap();
    let absolute = format!("--crd {0}/crds --crate shop-informers --out {0}/out", root.display());
    for (folder, args) in [
        ("some/where", "--crd ../../crds --crate shop-informers --out ../../out"),
        ("crds", "--crd . --crate shop-informers --out ../out"),
        ("out", "--crd ../crds --crate shop-informers --out ."),
        ("", absolute.as_str()),
    ] {
        let output = case.command(args).current_dir(root.join(folder)).output().unwrap();
        let (code, stdout, stderr) = said(output);
        assert_eq!((code, stderr.as_str()), (0, ""), "{args}");
        assert!(!stdout.contains("created") && !stdout.contains("replaced"), "{args}: {stdout}");
        assert_eq!(case.out(), first, "{args}");
    }
}

#[test]
fn h33_locale_and_time_zone() {
    let case = case();
    let first = made(&case, "--crd crds --crate shop-informers --out out");
    for environment in [
        [("LC_ALL", "tr_TR.UTF-8"), ("TZ", "Pacific/Kiritimati")],
        [("LANG", "C"), ("LC_ALL", "C")],
        [("LC_ALL", "de_DE.ISO-8859-1"), ("SOURCE_DATE_EPOCH", "4102444800")],
    ] {
        fs::remove_dir_all(case.folder.path().join("out")).unwrap();
        let mut command = case.command("--crd crds --crate shop-informers --out out");
        let (code, _, stderr) = said(command.envs(environment).output().unwrap());
        assert_eq!((code, stderr.as_str()), (0, ""));
        assert_eq!(case.out(), first, "{environment:?}");
    }
}

/// The clock of a machine can't be turned for a test. What is shown: this year is in no file that has words (checksums
/// may have any digits), and nothing in the generator asks for the time.
#[test]
fn h33_the_year() {
    let seconds = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    let year = (1970 + seconds / 31_556_952).to_string();
    let files = made(&case(), "--crd crds --crate shop-informers --out out");
    let words = |text: &str| text.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| word.starts_with(&year));
    for (path, text) in files.iter().filter(|(path, _)| !path.ends_with(".manifest")) {
        assert!(!words(text), "{year} in {path}");
    }
    let mut open = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    let mut count = 0;
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        for clock in ["SystemTime", "Instant", "modified()", "created()"] {
            assert!(!text.contains(clock), "{clock} in {}", path.display());
        }
        count += 1;
    }
    assert!(count > 50, "{count}");
}

#[test]
fn h33_line_ends_and_paths_of_windows() {
    let case = case();
    let first = made(&case, "--crd crds --crate shop-informers --out out");
    for name in ["a", "b"] {
        let path = format!("crds/{name}.yaml");
        let text = fs::read_to_string(case.folder.path().join(&path)).unwrap();
        case.put(&path, text.replace('\n', "\r\n"));
    }
    assert_eq!(made(&case, "--crd crds --crate shop-informers --out out"), first);
    // Paths in the output have `/` on every system.
    for (path, text) in &first {
        let head: Vec<&str> = text.lines().take(3).collect();
        assert!(!path.contains('\\') && !head.iter().any(|line| line.contains('\\')), "{head:?}");
    }
}

#[test]
fn h33_runs_side_by_side() {
    let case = case();
    let first = made(&case, "--crd crds --crate shop-informers --out out");
    fs::remove_dir_all(case.folder.path().join("out")).unwrap();
    // Several folders at once, and one folder twice.
    let outs = ["out", "out", "out-b", "out-c"];
    let children: Vec<_> = outs
        .iter()
        .map(|out| {
            let mut command = case.command(&format!("--crd crds --crate shop-informers --out {out} --quiet"));
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
        })
        .collect();
    for child in children {
        let (code, stdout, stderr) = said(child.wait_with_output().unwrap());
        // Of two that write one folder, one may see that it is not alone; none leaves something else there.
        assert!(code == 0 || (code == 1 && stderr.contains("out")), "{stdout}{stderr}");
    }
    assert_eq!(made(&case, "--crd crds --crate shop-informers --out out"), first);
    for out in ["out-b", "out-c"] {
        let (code, stdout, _) = case.run(&format!("--crd crds --crate shop-informers --out {out} --check"));
        assert_eq!(code, 0, "{stdout}");
    }
}
