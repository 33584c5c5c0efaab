//! The library as `build.rs` scripts and xtasks use it.

use std::fmt::Write;

use informer_gen::{Input, Request, Severity, check, dump_model, generate, write};

/// A CRD whose `spec` has this schema, in flow style.
fn crd(kind: &str, spec: &str) -> String {
    let plural = kind.to_lowercase() + "s";
    format!(
        "apiVersion: apiextensions.k8s.io/v1\n\
         kind: CustomResourceDefinition\n\
         metadata: {{name: {plural}.shop.example.test}}\n\
         spec:\n\
         \x20 group: shop.example.test\n\
         \x20 names: {{kind: {kind}, plural: {plural}}}\n\
         \x20 scope: Namespaced\n\
         \x20 versions:\n\
         \x20   - name: v1\n\
         \x20     served: true\n\
         \x20     storage: true\n\
         \x20     schema: {{openAPIV3Schema: {{type: object, properties: {{spec: {spec}}}}}}}\n"
    )
}

fn request(texts: &[(&str, &str)]) -> Request {
    let request = Request::new("shop-informers", "out").command("cargo xtask generate");
    texts.iter().fold(request, |request, (name, text)| {
        request.input(Input::Text { name: (*name).into(), text: (*text).into() })
    })
}

#[test]
fn a_text_becomes_a_tree_without_a_disk() {
    let generated = generate(&request(&[("widget.yaml", &crd("Widget", "{type: object}"))])).unwrap();
    assert!(generated.warnings.is_empty() && generated.notes.is_empty(), "{generated:?}");
    let library = generated.tree.get("src/lib.rs").unwrap();
    assert!(library.contains("from widget.yaml"), "{library}");
    assert!(library.contains("Made again by: cargo xtask generate\n"), "{library}");
    assert!(generated.tree.get(".informer-gen.manifest").unwrap().contains("  src/lib.rs\n"));
}

#[test]
fn what_is_written_passes_the_check() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("a/b");
    let generated = generate(&request(&[("widget.yaml", &crd("Widget", "{type: object}"))])).unwrap();
    assert!(!check(&generated.tree, &out).unwrap().is_clean());
    let written = write(&generated.tree, &out).unwrap();
    assert_eq!(written.created, generated.tree.len() - 1);
    assert!(check(&generated.tree, &out).unwrap().is_clean());
    assert_eq!(write(&generated.tree, &out).unwrap().unchanged, generated.tree.len() - 1);
    let names = std::fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().file_name());
    assert!(!names.into_iter().any(|name| name.to_string_lossy().ends_with(".tmp")));
}

#[test]
fn the_order_of_inputs_is_no_matter() {
    let (widget, gadget) = (crd("Widget", "{type: string}"), crd("Gadget", "{type: integer}"));
    let (a, b) = (("a.yaml", widget.as_str()), ("b.yaml", gadget.as_str()));
    let one = generate(&request(&[a, b])).unwrap();
    assert_eq!(one.tree, generate(&request(&[b, a])).unwrap().tree);
}

#[test]
fn problems_can_be_asked() {
    let twice = crd("Widget", "{type: string}");
    let problems = generate(&request(&[("a.yaml", &twice), ("b.yaml", &twice.replace("string", "integer"))]));
    let problems = problems.unwrap_err();
    assert!(problems.has_errors() && !problems.is_internal());
    let problem = problems.iter().next().unwrap();
    assert_eq!(problem.severity(), Severity::Error);
    assert_eq!(problem.crd_name(), Some("widgets.shop.example.test"));
    assert_eq!(problem.json_pointer(), Some("/metadata/name"));
    assert_eq!(problems.location(problem).as_deref(), Some("b.yaml:3:18"));
    assert!(problem.hint_text().is_some());
    assert!(problems.to_string().contains("b.yaml:3:18"));
}

#[test]
fn a_request_without_inputs_or_with_a_bad_name_is_refused() {
    assert!(generate(&Request::new("shop", "out")).is_err());
    assert!(dump_model(&Request::new("shop", "out")).is_err());
    let mut bad = request(&[("widget.yaml", &crd("Widget", "{type: object}"))]);
    bad.crate_name = "a\"\n[lib]".into();
    assert!(generate(&bad).is_err());
}

/// Schemas deeper than any known (300 levels, where the deepest has 19) and as deep as a document may be, on a thread
/// with a stack of 2 MiB.
#[test]
fn h32_deep_schemas_are_generated() {
    for levels in [300, 480] {
        let mut schema = String::new();
        for level in 0..levels {
            write!(schema, "{{type: object, properties: {{f{level}: ").unwrap();
        }
        schema += "{type: string}";
        schema += &"}}".repeat(levels);
        let generated = generate(&request(&[("deep.yaml", &crd("Widget", &schema))])).unwrap();
        assert!(generated.tree.len() > 4);
    }
}

#[test]
fn h26_a_schema_of_aliases_is_bounded() {
    let mut lines = String::from("x0: &x0 {type: string}\n");
    for level in 1..12 {
        let below = level - 1;
        let fields: Vec<String> = (0..9).map(|field| format!("f{field}: *x{below}")).collect();
        writeln!(lines, "x{level}: &x{level} {{type: object, properties: {{{}}}}}", fields.join(", ")).unwrap();
    }
    let text = lines + &crd("Widget", "*x11");
    let problems = generate(&request(&[("bomb.yaml", &text)])).unwrap_err();
    assert!(problems.to_string().contains("too large with its aliases written out"), "{problems}");
}

/// A file of which nothing can be read is given up after some documents, and says so.
#[test]
fn what_follows_too_many_broken_documents_is_told_to_be_left() {
    let text = "a: [\n---\n".repeat(30);
    let request = Request::new("x", "x").input(Input::Text { name: "broken.yaml".into(), text });
    let problems = informer_gen::generate(&request).unwrap_err().render(false);
    assert_eq!(problems.matches("what follows was not looked at").count(), 1, "{problems}");
}
