//! Hard inputs by their numbers, where the text of the output or the problems tell. That outputs compile and keep objects
//! as they are is shown by `tests/outputs`.

mod specs;

use std::fs;
use std::path::{Path, PathBuf};

use informer_gen::{Generated, Input, Problems, Request, generate, report};
use proc_macro2::{TokenStream, TokenTree};
use specs::specs;

const WIDGET: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.shop.example.test}
spec:
  group: shop.example.test
  names: {kind: Widget, plural: widgets}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: string}}}}}}
";

fn zone() -> String {
    WIDGET.replace("widgets", "zones").replace("Widget", "Zone")
}

fn run(texts: &[&str]) -> Result<Generated, Problems> {
    let request = Request::new("shop-informers", "out").command("make it");
    let request = texts.iter().enumerate().fold(request, |request, (at, text)| {
        request.input(Input::Text { name: format!("{at}.yaml"), text: (*text).to_owned() })
    });
    generate(&request)
}

#[track_caller]
fn refused(text: &str, wanted: &[&str]) {
    let problems = run(&[text]).expect_err("refused");
    let told = problems.to_string();
    for wanted in wanted {
        assert!(told.contains(wanted), "{wanted} in:\n{told}");
    }
    for problem in problems.iter() {
        assert!(problems.location(problem).is_some_and(|place| place.starts_with("0.yaml:")), "{problem:?}");
    }
}

/// The committed files of every golden output.
fn goldens() -> Vec<(PathBuf, String)> {
    let mut open = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data")];
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                found.push((path, text));
            }
        }
    }
    assert!(found.len() > 100);
    found
}

/// What the path begins with that has a segment here: `::` or its first segment; nothing if it is this one.
fn first_of_path(tokens: &[TokenTree], mut at: usize) -> Option<String> {
    let is_colon = |at: usize| matches!(&tokens[at], TokenTree::Punct(punct) if punct.as_char() == ':');
    let mut first = None;
    while at >= 2 && is_colon(at - 1) && is_colon(at - 2) {
        let before = at.checked_sub(3).map(|at| tokens[at].to_string());
        let segment = before.filter(|name| syn::parse_str::<syn::Ident>(name).is_ok() || name == "self");
        let Some(segment) = segment else { return Some("::".to_owned()) };
        first = Some(segment);
        at -= 3;
    }
    first
}

/// A module of ours may be called `core`, a type `Option`: nothing that is written leans on such a name.
#[test]
fn h04_h12_paths_to_other_crates_begin_at_the_root() {
    for (path, text) in goldens() {
        // One of its fields has a module `std` of its own.
        if path.ends_with("names/expected/src/shop_example_test/v1/widget.rs") {
            continue;
        }
        let mut open: Vec<TokenStream> = vec![text.parse().unwrap()];
        while let Some(tokens) = open.pop() {
            let tokens: Vec<TokenTree> = tokens.into_iter().collect();
            for (at, token) in tokens.iter().enumerate() {
                if let TokenTree::Group(group) = token {
                    open.push(group.stream());
                }
                let is = |at: usize, wanted: &str| tokens.get(at).is_some_and(|token| token.to_string() == wanted);
                let name = token.to_string();
                let is_path = is(at + 1, ":") && is(at + 2, ":");
                if is_path && ["core", "std", "alloc", "informer_runtime", "serde", "kube"].contains(&name.as_str()) {
                    let first = first_of_path(&tokens, at);
                    assert!(
                        matches!(first.as_deref(), Some("::" | "codegen" | "self" | "k8s_openapi")),
                        "{name} in a path from {first:?} in {}",
                        path.display()
                    );
                }
            }
        }
    }
    let tree = run(&[&WIDGET.replace("shop.example.test", "core.example.test")]).unwrap().tree;
    assert!(tree.get("src/lib.rs").unwrap().contains("pub mod core_example_test;"));
}

#[test]
fn h05_h01_a_third_group_renames_nothing() {
    let texts = ["net.example.test", "net.other.test", "a-net.example.test"]
        .map(|group| WIDGET.replace("shop.example.test", group));
    let two = run(&[&texts[0], &texts[1]]).unwrap().tree;
    let three = run(&[&texts[2], &texts[1], &texts[0]]).unwrap().tree;
    let body = |text: &str| text.split_once("\n\n").unwrap().1.to_owned();
    for (path, text) in two.iter().filter(|(path, _)| path.starts_with("src/net_")) {
        assert_eq!(three.get(path).map(body), Some(body(text)), "{path}");
    }
    assert!(three.get("src/a_net_example_test/v1/widget.rs").is_some());
}

#[test]
fn h15_h16_every_root_gets_an_informer() {
    let schema = "{type: object, properties: {spec: {type: object, properties: {size: {type: string}}}}}";
    for root in [
        "{type: object}",
        "{type: object, x-kubernetes-preserve-unknown-fields: true}",
        "{type: object, properties: {data: {type: object, additionalProperties: {type: string}}}}",
        "{type: object, properties: {spec: {type: array, items: {type: string}}}}",
        "{type: object, properties: {spec: {type: string}}}",
        "{type: object, properties: {spec: {x-kubernetes-preserve-unknown-fields: true}, status: {type: integer}}}",
        "{type: object, properties: {operation: {type: object}, specs: {type: array, items: {type: object}}}}",
    ] {
        let text = WIDGET.replace(schema, root);
        assert!(text.contains(root));
        let generated = run(&[&text]).unwrap();
        assert_eq!(generated.report.informers(), 1, "{root}");
        assert!(generated.tree.get("src/shop_example_test/v1/widget_informer.rs").is_some(), "{root}");
    }
}

#[test]
fn h17_b49_versions_that_are_not_served() {
    let unserved = WIDGET.replace("served: true", "served: false");
    refused(&unserved, &["no version of Widget is served, so there is nothing to watch", "0.yaml:9:5"]);
    let both = WIDGET.to_owned()
        + &WIDGET[WIDGET.find("  - name").unwrap()..]
            .replace("v1\n", "v1alpha1\n")
            .replace("served: true", "served: false")
            .replace("storage: true", "storage: false");
    let generated = run(&[&both]).unwrap();
    assert_eq!(generated.report.informers(), 1);
    let told = generated.warnings.to_string();
    assert!(told.contains("version v1alpha1 of Widget is not served, so it gets no informer"), "{told}");
    // A file of apiextensions v1beta1, with its one version and schema at the top.
    let old = "apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\nmetadata: {name: widgets.shop.example.test}\n\
        spec:\n  group: shop.example.test\n  version: v1\n  names: {kind: Widget, plural: widgets}\n  validation: {openAPIV3Schema: {}}\n";
    refused(old, &["no longer serves", "0.yaml:1:13", "apiextensions.k8s.io/v1 form"]);
}

#[test]
fn b49_h33_ten_runs_over_shuffled_input_give_the_same_bytes() {
    let versions = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/versions/input.yaml");
    let versions = fs::read_to_string(versions).unwrap();
    // A file with two documents and one with a list.
    let list = |texts: &[String]| {
        let items = texts.iter().map(|text| format!("- {}", text.trim_end().replace('\n', "\n  ")));
        format!("apiVersion: v1\nkind: List\nitems:\n{}\n", items.collect::<Vec<_>>().join("\n"))
    };
    let (head, listed) = versions.split_once("  versions:\n").unwrap();
    let parts: Vec<String> = listed.split("  - name: ").skip(1).map(|part| format!("  - name: {part}")).collect();
    assert!(parts.len() > 5);
    let mut first = None;
    for round in 0..10 {
        let mut parts = parts.clone();
        parts.rotate_left(round % 7);
        if round % 2 == 1 {
            parts.reverse();
        }
        let widget = format!("{head}  versions:\n{}", parts.concat());
        let others = [zone(), WIDGET.replace("shop.example.test", "a.example.test")];
        let (two, three) = match round % 3 {
            0 => (format!("{widget}---\n{}", others[0]), list(&others[1..])),
            1 => (list(&others), widget),
            _ => (list(&[others[1].clone(), widget]), others[0].clone()),
        };
        let tree = run(&[&two, &three]).unwrap().tree;
        let first = first.get_or_insert_with(|| tree.clone());
        for (path, text) in tree.iter() {
            assert_eq!(first.get(path), Some(text), "{path} of round {round}");
        }
        assert_eq!(first.len(), tree.len());
    }
    let group = first.unwrap();
    let group = group.get("src/shop_example_test/mod.rs").unwrap();
    let order: Vec<&str> = group.lines().filter_map(|line| line.strip_prefix("pub mod ")).collect();
    assert_eq!(order, ["v10;", "v9;", "v2;", "v1;", "v1beta1;", "foo2bar;"]);
}

#[test]
fn b49_b51_deprecated_versions_are_marked() {
    let text =
        WIDGET.replace("storage: true", "storage: true\n    deprecated: true\n    deprecationWarning: \"use */ v2\"");
    let tree = run(&[&text]).unwrap().tree;
    let types = tree.get("src/shop_example_test/v1/widget.rs").unwrap();
    assert!(types.contains("\n/// **Deprecated**: use \\*/ v2\n"), "{types}");
    let accessors = tree.get("src/shop_example_test/v1/mod.rs").unwrap();
    assert!(accessors.contains("\n    #[deprecated(note = \"use \\\\*/ v2\")]\n"), "{accessors}");
}

#[test]
fn h25_much_else_in_one_file() {
    let config = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: '{{ no template }}'}\n";
    let json = r#"{"apiVersion": "v1", "kind": "Secret"}"#;
    let list = format!("apiVersion: v1\nkind: List\nitems:\n- {}", zone().trim_end().replace('\n', "\n  "));
    let text =
        format!("\u{feff}# first\n---\n---\n{config}---\n{WIDGET}---\n# nothing\n---\n{list}\n---\n{json}\n...\n");
    for text in [text.clone(), text.replace('\n', "\r\n")] {
        let generated = run(&[text.trim_start_matches('\u{feff}')]).unwrap();
        assert_eq!(generated.report.informers(), 2);
        assert_eq!(generated.notes, ["passed over 2 objects that are no CRDs: 1 ConfigMap, 1 Secret"]);
        // With its mark, as a file has it.
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("all.yaml"), &text).unwrap();
        let found = report(&Request::new("x", "x").input(Input::Path(folder.path().join("all.yaml")))).unwrap();
        assert_eq!(found.informers(), 2);
    }
    refused(
        &WIDGET.replace("name: widgets.shop.example.test", "name: '{{ .Values.name }}'"),
        &["template", "helm template"],
    );
}

#[test]
fn h26_what_no_server_takes() {
    refused(&WIDGET.replace("name: widgets", "name: gadgets"), &["0.yaml:3:18", "metadata.name is"]);
    refused(
        &WIDGET.replace("  scope:", "  group: b.test\n  scope:"),
        &["the key \"group\" is there twice", "first here"],
    );
    let versions = WIDGET.find("  - name").unwrap();
    refused(&format!("{}  []\n", WIDGET[..versions].trim_end()), &["at least one version"]);
    let schema = WIDGET.find("    schema").unwrap();
    refused(&WIDGET[..schema], &["version v1 has no schema.openAPIV3Schema"]);
    let twice = WIDGET.to_owned() + &WIDGET[versions..].replace("v1\n", "v2\n");
    refused(&twice, &["more than one version is marked `storage: true`"]);
    let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..12 {
        let below = format!("*a{}, ", level - 1).repeat(10);
        bomb += &format!("a{level}: &a{level} [{}]\n", below.trim_end_matches(", "));
    }
    refused(&(bomb + WIDGET), &["too large with its aliases written out"]);
    // Anchors as people use them.
    let spec = "{spec: &spec {type: object, properties: {size: {type: string}}}, status: *spec}";
    let anchored = WIDGET.replace("{spec: {type: object, properties: {size: {type: string}}}}", spec);
    let tree = run(&[&anchored]).unwrap().tree;
    assert!(tree.get("src/shop_example_test/v1/widget.rs").unwrap().contains("pub struct WidgetStatus"));
}

#[test]
fn h28_names_that_would_be_code_are_refused() {
    let code = "a\\\")] pub const X: u8=1; //";
    for (from, to) in [
        ("group: shop.example.test", format!("group: \"{code}\"")),
        ("kind: Widget", format!("kind: \"{code}\"")),
        ("plural: widgets", format!("plural: \"{code}\"")),
        ("name: v1\n", format!("name: \"{code}\"\n")),
    ] {
        let text = WIDGET.replace(from, &to);
        let problems = run(&[&text]).expect_err(from);
        assert!(problems.has_errors() && !problems.is_internal(), "{from}: {problems}");
    }
    // The list kind and the short names are in texts only.
    let text = WIDGET.replace("plural: widgets", &format!("plural: widgets, listKind: \"{code}\""));
    assert!(run(&[&text]).is_err());
    // Where any text may stand it is a literal.
    let text = WIDGET.replace(
        "{size: {type: string}}",
        &format!("{{\"{code}\": {{type: string, description: \"{code}\", enum: [\"{code}\"]}}}}"),
    );
    let tree = run(&[&text]).unwrap().tree;
    for (path, text) in tree.iter().filter(|(path, _)| path.ends_with(".rs")) {
        let file: syn::File = syn::parse_str(text).unwrap_or_else(|error| panic!("{path}: {error}"));
        assert!(!file.items.iter().any(|item| matches!(item, syn::Item::Const(item) if item.ident == "X")), "{path}");
    }
}

/// Neither the order of properties and values nor what is added changes the name of one.
#[test]
fn h29_h30_names_depend_on_nothing_else() {
    let input = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/fields/input.yaml");
    let input = fs::read_to_string(input).unwrap();
    let types = |text: &str| run(&[text]).unwrap().tree.get("src/shop_example_test/v1/widget.rs").unwrap().to_owned();
    // The properties of the spec have a line each.
    let mark = "              ";
    let (mut head, mut properties, mut tail) = (Vec::new(), Vec::new(), Vec::new());
    for line in input.lines() {
        match line.strip_prefix(mark) {
            Some(property) if !property.starts_with(' ') => properties.push(line),
            _ if properties.is_empty() => head.push(line),
            _ => tail.push(line),
        }
    }
    assert!(properties.len() > 30);
    let whole = |properties: &[&str]| [&head[..], properties, &tail].concat().join("\n") + "\n";
    let first = types(&whole(&properties));
    for turn in [1, 7, 20] {
        let mut turned = properties.clone();
        turned.rotate_left(turn);
        turned.reverse();
        assert_eq!(types(&whole(&turned)), first);
    }
    // Twins of what is there, before and behind it.
    let twins = [r"              FooBar: {type: string}", "              zoo: {type: string}"];
    let more = types(&whole(&[&twins[..], &properties].concat()));
    let fields = |text: &str| {
        let lines = text.lines().map(str::trim).filter(|line| line.starts_with("pub ") && line.ends_with(','));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let more_fields = fields(&more);
    assert!(more_fields.len() == fields(&first).len() + twins.len(), "{more_fields:?}");
    for field in fields(&first) {
        assert!(more_fields.contains(&field), "{field}");
    }
}

/// A whole API server, in the small form that is committed.
#[test]
fn b48_h20_what_of_a_whole_server_has_no_informer() {
    for (release, path) in specs() {
        let request = Request::new("x", "x").openapi(Input::Path(path));
        let report: serde_json::Value = serde_json::from_str(&report(&request).unwrap().json()).unwrap();
        let rows = |key: &str| report[key].as_array().unwrap().clone();
        let skipped = rows("skipped");
        let reason =
            |kind: &str| skipped.iter().find(|row| row["kind"] == kind).map(|row| row["reason"].as_str().unwrap());
        for (kind, wanted) in [
            ("TokenReview", "can only be created"),
            ("SubjectAccessReview", "can only be created"),
            ("LocalSubjectAccessReview", "can only be created"),
            ("Binding", "can only be created"),
            ("Eviction", "is only a subresource of other objects"),
            ("Scale", "is only a subresource of other objects"),
            ("TokenRequest", "is only a subresource of other objects"),
            ("ComponentStatus", "can be listed, but not watched"),
        ] {
            assert!(reason(kind).is_some_and(|reason| reason.contains(wanted)), "{release} {kind}: {:?}", reason(kind));
        }
        // Options and events of watches are no resources at all, and so are paths that lead to a pod's own server.
        for kind in ["DeleteOptions", "WatchEvent", "Status", "APIResourceList"] {
            assert!(!rows("informers").iter().any(|row| row["kind"] == kind), "{kind}");
        }
    }
}

/// Doc comments hold no code that rustdoc would run, no raw control characters, and no endless lines.
#[test]
fn h27_b51_descriptions_are_text() {
    let docs = goldens().into_iter().filter(|(path, _)| path.components().any(|part| part.as_os_str() == "docs"));
    let mut fences = 0;
    for (path, text) in docs {
        assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{}", path.display());
        assert!(!text.contains(['\u{202e}', '\u{202c}', '\u{2028}', '\u{2029}']), "{}", path.display());
        assert!(
            !text.contains("/*")
                || text.lines().all(|line| !line.contains("/*") || line.trim_start().starts_with("//"))
        );
        let mut open = false;
        for line in text.lines() {
            let line = line.trim_start();
            let Some(doc) = line.strip_prefix("///").or(line.strip_prefix("//!")) else {
                assert!(!open, "a fence goes on to the end of its comment: {line}");
                continue;
            };
            let doc = doc.strip_prefix(' ').unwrap_or(doc);
            if let Some(language) = doc.trim_start().trim_start_matches(['>', ' ']).strip_prefix("```") {
                assert!(open || language == "text", "{doc}");
                open = !open;
                fences += 1;
            } else if !open {
                assert!(!doc.starts_with("    ") && !doc.starts_with("~~~"), "{doc}");
            }
            assert!(open || doc.chars().count() <= 120 || !doc.contains(' '), "{doc}");
        }
    }
    assert!(fences >= 4, "{fences}");
}
