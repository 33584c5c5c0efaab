//! Outputs compared with what is committed beside their inputs: `tests/data/<case>/input.yaml` (CRDs) or `openapi.yaml`,
//! and `expected/`.
//!
//! `INFORMER_GEN_BLESS=1 cargo test -p informer-gen --test golden` writes what differs; look at the diff before it is
//! committed. That the outputs compile and keep objects as they are is shown by `tests/outputs`.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use informer_gen::{Generated, Input, Request, Tree, generate};

/// What inputs are called: CRDs, an OpenAPI document.
const INPUTS: [&str; 2] = ["input.yaml", "openapi.yaml"];

/// Every folder with an input.
fn cases() -> Vec<String> {
    let folders = fs::read_dir(folder("")).unwrap().map(|entry| entry.unwrap().path());
    let mut cases: Vec<String> = folders
        .filter(|folder| INPUTS.iter().any(|name| folder.join(name).exists()))
        .map(|folder| folder.file_name().unwrap().to_string_lossy().into_owned())
        .collect();
    cases.sort();
    cases
}

fn folder(case: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(case)
}

fn input(case: &str) -> String {
    let path = INPUTS.iter().map(|name| folder(case).join(name)).find(|path| path.exists());
    fs::read_to_string(path.unwrap()).unwrap()
}

/// What a case asks for beside its input.
fn asked(case: &str, mut request: Request) -> Request {
    let pairs = |pairs: &[(&str, &str)]| pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
    if case == "renames" {
        request.renames = pairs(&[
            ("group:a-b.test", "ab"),
            ("group:shop.example.test", "shop"),
            ("kind:shop.example.test/v1/HttpRoute", "ClusterRoute"),
            ("kind:shop.example.test/v1/WidgetInformer", "InformerWidget"),
            ("kind:shop.example.test/v1/WidgetLister", "WidgetListerKind"),
            ("plural:shop.example.test/v1/httproutes2", "cluster_routes"),
        ]);
    }
    if case == "reserved" {
        request.renames = pairs(&[("definition:shop.Part", "Codegen")]);
    }
    if case == "mapped" {
        // The types of two crates, the longest beginning first in line; what is the document's own has none.
        request.crate_name = "depot-informers".to_owned();
        request.types = pairs(&[
            ("test.example", "shop_informers::shop_example_test"),
            ("test.example.parts", "parts_informers::parts_example_test"),
            ("test.example.depot", ""),
        ]);
        request.dependencies = vec!["parts-informers = \"0.1\"".to_owned(), "shop-informers = \"0.1\"".to_owned()];
    }
    if case == "extras" {
        let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        request.derives = texts(&[
            "Clone, Debug, Eq, serde::Serialize, Deserialize",
            "@enum=PartialOrd, Ord",
            "Widget.spec.ports=Hash",
            r#"Widget.spec."example.test/parts"=::std::hash::Hash"#,
        ]);
        request.attributes = texts(&[
            "Widget=doc(alias = \"gadget\")",
            "Widget.spec.size=#[deprecated(note = \"class says it\")]",
            "type:shop.example.test/v1/Widget.spec=must_use",
            "Widget.spec.*=doc(alias = \"part of a widget\")",
            "@enum=non_exhaustive",
        ]);
    }
    request
}

fn run(texts: &[&str]) -> Generated {
    run_as("", texts)
}

fn run_as(case: &str, texts: &[&str]) -> Generated {
    let request =
        Request::new("shop-informers", "out").command("INFORMER_GEN_BLESS=1 cargo test -p informer-gen --test golden");
    let inputs = texts.iter().enumerate();
    let request = inputs.fold(asked(case, request), |request, (at, text)| {
        let text = (*text).to_owned();
        if text.contains("\nswagger: ") {
            return request.openapi(Input::Text { name: "openapi.yaml".to_owned(), text });
        }
        let name = if texts.len() == 1 { "input.yaml".to_owned() } else { format!("{at:03}.yaml") };
        request.input(Input::Text { name, text })
    });
    generate(&request).unwrap_or_else(|problems| panic!("{problems}"))
}

/// The files of a tree as they are committed: the manifest of owned files is of no interest here.
fn files(tree: &Tree) -> Vec<(&str, &str)> {
    tree.iter().filter(|(path, _)| !path.starts_with(".informer-gen")).collect()
}

fn warnings(generated: &Generated) -> String {
    let mut text = String::new();
    for problem in generated.warnings.iter() {
        let place = generated.warnings.location(problem).unwrap_or_default();
        writeln!(text, "{place}: {}", problem.message()).unwrap();
    }
    text
}

fn committed(folder: &Path, under: &Path, found: &mut Vec<String>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() {
            committed(&path, under, found);
        } else {
            let parts = path.strip_prefix(under).unwrap().components();
            let parts: Vec<_> = parts.map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
            found.push(parts.join("/"));
        }
    }
}

#[test]
fn outputs_are_as_committed() {
    let bless = std::env::var_os("INFORMER_GEN_BLESS").is_some();
    let mut differing = Vec::new();
    for case in &cases() {
        let generated = run_as(case, &[&input(case)]);
        let expected = folder(case).join("expected");
        let mut wanted: Vec<(String, String)> =
            files(&generated.tree).into_iter().map(|(path, text)| (path.to_owned(), text.to_owned())).collect();
        wanted.push(("warnings.txt".to_owned(), warnings(&generated)));
        let mut old = Vec::new();
        committed(&expected, &expected, &mut old);
        old.retain(|path| !wanted.iter().any(|(wanted, _)| wanted == path));
        for path in old {
            differing.push(format!("{case}/expected/{path} is no longer made"));
            if bless {
                fs::remove_file(expected.join(path)).unwrap();
            }
        }
        for (path, text) in wanted {
            let file = expected.join(&path);
            if fs::read_to_string(&file).ok().as_deref() == Some(text.as_str()) {
                continue;
            }
            differing.push(format!("{case}/expected/{path}"));
            if bless {
                fs::create_dir_all(file.parent().unwrap()).unwrap();
                fs::write(&file, text).unwrap();
            }
        }
    }
    assert!(bless || differing.is_empty(), "not as committed (see the top of this file): {differing:#?}");
}

/// The documents of an input by themselves, so that their order can be changed.
fn documents(case: &str) -> Vec<String> {
    input(case).split("---\n").map(str::to_owned).collect()
}

#[test]
fn the_order_of_inputs_changes_nothing() {
    for case in ["groups", "int-or-string", "names"] {
        let documents = documents(case);
        let mut order: Vec<&str> = documents.iter().map(String::as_str).collect();
        let first = run(&order);
        order.reverse();
        let second = run(&order);
        // The names of the inputs are in the header, and they are told in order.
        assert!(files(&first.tree) == files(&second.tree), "{case}");
    }
}

#[test]
fn names_do_not_depend_on_what_else_is_there() {
    let documents = documents("groups");
    let whole = run(&documents.iter().map(String::as_str).collect::<Vec<_>>());
    let body = |text: &str| text.split_once("\n\n").unwrap().1.to_owned();
    for document in &documents {
        let alone = run(&[document]);
        for (path, text) in files(&alone.tree).into_iter().filter(|(path, _)| path.matches('/').count() == 3) {
            // A version's own list of kinds is the one thing that grows.
            if !path.ends_with("/mod.rs") {
                assert_eq!(whole.tree.get(path).map(body), Some(body(text)), "{path}");
            }
        }
    }
}
