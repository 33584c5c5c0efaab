//! Texts in, values and problems out.

use super::*;
use crate::document::node::{MAX_DEPTH, Node, Value};
use crate::request::Input;
use proptest::prelude::*;

/// What one text holds: each document's JSON, and the messages.
fn read(text: &str) -> (Vec<serde_json::Value>, Vec<String>) {
    let (documents, problems) = open(text);
    let json = documents.roots.iter().map(|root| json(documents.arena.node(*root))).collect();
    (json, problems.iter().map(|problem| told(&problems, problem)).collect())
}

/// The value with its aliases written out; for small ones.
fn json(node: Node<'_>) -> serde_json::Value {
    match node.value() {
        Value::Null => serde_json::Value::Null,
        Value::Bool(value) => (*value).into(),
        Value::Number(number) => number.clone().into(),
        Value::String(text) => text.clone().into(),
        Value::Array(_) => node.items().map(json).collect(),
        Value::Object(_) => node.entries().map(|(key, value)| (key.name.to_owned(), json(value))).collect(),
    }
}

fn open(text: &str) -> (Documents, Problems) {
    open_all(&[("crd.yaml", text)])
}

fn open_all(texts: &[(&str, &str)]) -> (Documents, Problems) {
    let text = |(name, text): &(&str, &str)| Input::Text { name: (*name).into(), text: (*text).into() };
    let request = texts.iter().map(text).fold(Request::new("x", "x"), Request::input);
    let mut problems = Problems::new();
    let mut documents = Documents::default();
    documents.read_crds(&request, &mut std::io::empty(), &mut problems);
    let problems = problems.located_in(documents.sources());
    (documents, problems)
}

/// The CRDs' names, and the messages.
fn crds(texts: &[(&str, &str)]) -> (Vec<String>, Vec<String>) {
    let (documents, mut problems) = open_all(texts);
    let found = documents.crds(&mut problems);
    let problems = problems.located_in(documents.sources());
    let metadata = found.crds.iter().map(|crd| crd.get("metadata").unwrap());
    let names = metadata.map(|node| node.get("name").and_then(Node::as_str).unwrap_or("?").to_owned()).collect();
    (names, problems.iter().map(|problem| told(&problems, problem)).collect())
}

fn told(problems: &Problems, problem: &Problem) -> String {
    let place = problems.location(problem).map(|place| place + " ").unwrap_or_default();
    place + problem.message()
}

fn widget(group: &str) -> String {
    format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: widgets.{group}}}\n\
         spec: {{group: {group}}}\n"
    )
}

#[test]
fn scalars_mean_what_they_mean_to_the_server() {
    let mut rows = 0;
    for line in include_str!("../../tests/data/yaml-scalars.tsv").lines().filter(|line| !line.starts_with('#')) {
        let [value, key, spellings] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line:?}") };
        for spelling in spellings.split("  ") {
            rows += 1;
            let (documents, messages) = read(&format!("v: {spelling}\n"));
            match value {
                "-" => assert!(documents.is_empty() && messages.len() == 1, "value {spelling}: {documents:?}"),
                json => {
                    let json: serde_json::Value = serde_json::from_str(json).unwrap();
                    let got = &documents[0];
                    assert_eq!(got["v"], json, "value {spelling}, {messages:?}");
                }
            }
            let (documents, messages) = read(&format!("{spelling}: v\n"));
            match key {
                "-" => assert!(documents.is_empty() && messages.len() == 1, "key {spelling}: {documents:?}"),
                key => assert_eq!(documents[0], serde_json::json!({ key: "v" }), "key {spelling}, {messages:?}"),
            }
        }
    }
    assert!(rows > 80, "{rows}");
}

#[test]
fn documents_mean_what_they_mean_to_the_server() {
    for (text, json) in [
        ("v:\n", r#"{"v":null}"#),
        ("v: <<\n", r#"{"v":"<<"}"#),
        ("-: v\n", r#"{"-":"v"}"#),
        ("'': v\n", r#"{"":"v"}"#),
        ("k: 1\t\n\t\nm: 2 \t# more\n", r#"{"k":1,"m":2}"#),
        ("b: &x {k: 1}\nc: *x\n", r#"{"b":{"k":1},"c":{"k":1}}"#),
        ("b: &x {k: 1}\nc:\n  <<: *x\n  m: 2\n", r#"{"b":{"k":1},"c":{"k":1,"m":2}}"#),
        ("b: &x {k: 1}\nc:\n  <<: *x\n  k: 2\n", r#"{"b":{"k":1},"c":{"k":2}}"#),
        ("b: &x {k: 1}\nc: {<<: [{k: 3}, *x]}\n", r#"{"b":{"k":1},"c":{"k":3}}"#),
        ("k: &x name\n*x : v\n", r#"{"k":"name","name":"v"}"#),
        ("1.5: v\n", r#"{"1.5":"v"}"#),
        ("{a: 1, b: }\n", r#"{"a":1,"b":null}"#),
        ("- a\n- b\n", r#"["a","b"]"#),
        ("a\n", r#""a""#),
        ("a: |\n  x\n  y\n", r#"{"a":"x\ny\n"}"#),
        ("a: >-\n  x\n  y\n", r#"{"a":"x y"}"#),
        ("a: 'it''s'\n", r#"{"a":"it's"}"#),
        ("a: \"\\u00e9\\x41\\t\"\n", r#"{"a":"éA\t"}"#),
        ("a:\tb\n", r#"{"a":"b"}"#),
        ("\u{feff}a: 1\r\nb: 2\r\n", r#"{"a":1,"b":2}"#),
        ("%YAML 1.1\n---\na: 1\n", r#"{"a":1}"#),
        ("a: !!set {x, y}\n", r#"{"a":{"true":null,"x":null}}"#),
        ("a: !!omap [x: 1]\n", r#"{"a":[{"x":1}]}"#),
        ("a: !!timestamp 2001-01-01\n", r#"{"a":"2001-01-01"}"#),
        ("{\n\t\"a\": \"\\ud83d\\ude00\\/\",\n\t\"b\": [1e2, -0.5]\n}\n", r#"{"a":"😀/","b":[100,-0.5]}"#),
    ] {
        let (documents, messages) = read(text);
        assert_eq!(messages, [""; 0], "{text:?}");
        assert_eq!(documents, [serde_json::from_str::<serde_json::Value>(json).unwrap()], "{text:?}");
    }
    for text in ["", "# only\n", "---\n", "---\n---\nnull\n"] {
        assert_eq!(read(text), (vec![], vec![]), "{text:?}");
    }
    for text in ["a: 1\n...\nb: 2\n", "a: 1\n---\nb: 2\n"] {
        assert_eq!(read(text).0, [serde_json::json!({"a": 1}), serde_json::json!({"b": 2})]);
    }
    // Beside the second document after `...`, all that is read though the server refuses it (see `yaml.rs`).
    for text in ["\tk: 1\n", "# first\n\tk: 1\n"] {
        assert_eq!(read(text), (vec![serde_json::json!({"k": 1})], vec![]), "{text:?}");
    }
}

#[test]
fn what_the_server_refuses_is_refused_with_its_place() {
    for (text, message) in [
        ("a: 1\n%YAML 1.2\n---\n", ""),
        ("%YAML 1.2\n---\na: on\n", "crd.yaml:2:1 YAML 1.2 is declared; Kubernetes reads YAML 1.1"),
        ("a: 1\nb: 2\na: 3\n", "crd.yaml:3:1 the key \"a\" is there twice in one object"),
        ("? [1,2]\n: v\n", "crd.yaml:1:3 a list or object can't be a key"),
        ("<<: v\n", "crd.yaml:1:1 `<<` takes an object or a list of objects, not a string"),
        ("null: v\ntrue: w\n", "crd.yaml:1:1 `null` can't be a key; write it in quotes"),
        ("a: &x [*x]\n", "crd.yaml:1:8 this alias stands inside the value that it stands for"),
        ("a: b: c\n", ""),
        ("a: [1, 2\n", ""),
        ("a: *nope\n", ""),
        ("v: % a\n", ""),
        ("v: -\n", ""),
        ("% a: v\n", ""),
        // What indents is spaces, not tabs: before a nested key, an item, a second key.
        ("k:\n\tm: 1\n", "crd.yaml:2:"),
        ("k:\n\t- 1\n", "crd.yaml:2:"),
        ("k: 1\n\tm: 2\n", "found a tab"),
        // A key that is not there is null, and null can't be a key.
        (": v\n", "crd.yaml:1:"),
        ("k: 1\n: v\n", "crd.yaml:2:"),
        ("{: v}\n", "crd.yaml:1:"),
        ("? \n: v\n", "crd.yaml:2:1 `null` can't be a key"),
        ("'': 1\n\"\": 2\n", "crd.yaml:2:1 the key \"\" is there twice in one object"),
    ] {
        let (_, messages) = read(text);
        assert_eq!(messages.len(), 1, "{text:?}: {messages:?}");
        assert!(messages[0].starts_with("crd.yaml:") && messages[0].contains(message), "{text:?}: {messages:?}");
    }
}

#[test]
fn one_broken_document_hides_no_other() {
    let (documents, messages) = read("a: [1\n---\nb: 2\n---\nc: : d\n---\ne: 5\n");
    assert_eq!(documents, [serde_json::json!({"b": 2}), serde_json::json!({"e": 5})]);
    assert_eq!(messages.len(), 2, "{messages:?}");
}

#[test]
fn an_alias_bomb_is_refused_while_it_is_small() {
    let mut text = String::from("a0: &a0 x\n");
    for level in 1..30 {
        let below = vec![format!("*a{}", level - 1); 9].join(", ");
        text += &format!("a{level}: &a{level} [{below}]\n");
    }
    let (documents, problems) = open(&text);
    assert!(documents.arena.len() < 100, "{}", documents.arena.len());
    assert!(
        problems.iter().next().unwrap().message().contains("too large with its aliases written out"),
        "{problems:?}"
    );
}

#[test]
fn merging_can_not_be_used_to_grow_without_bound() {
    let mut text = String::from("a0: &a0 {k: v}\n");
    for level in 1..40 {
        let below = level - 1;
        text += &format!("a{level}: &a{level} {{<<: [*a{below}, *a{below}], k{level}: v}}\n");
    }
    let (documents, problems) = open(&text);
    assert!(problems.is_empty(), "{problems:?}");
    assert!(documents.arena.len() < 200);
}

#[test]
fn deep_nesting_is_an_error_and_no_overflow() {
    for (text, what) in [
        ("[".repeat(5_000) + &"]".repeat(5_000), "flow"),
        ("[".repeat(1_000_000), "unclosed"),
        ("{a: ".repeat(5_000) + &"}".repeat(5_000), "objects"),
        ((0..5_000).map(|n| " ".repeat(n) + "a:\n").collect(), "block"),
        ("- ".repeat(5_000) + "x", "compact"),
    ] {
        let (documents, problems) = open(&text);
        assert!(documents.roots.is_empty(), "{what}");
        assert!(problems.iter().next().unwrap().message().contains("levels deep"), "{what}: {problems:?}");
    }
    let levels = MAX_DEPTH as usize - 1;
    let (documents, problems) = open(&("{a: ".repeat(levels) + "x" + &"}".repeat(levels)));
    assert!(problems.is_empty(), "{problems:?}");
    assert_eq!(documents.arena.node(documents.roots[0]).depth(), MAX_DEPTH);
}

#[test]
fn crds_are_found_in_documents_lists_and_json() {
    let in_list = |group: &str| "- ".to_owned() + &widget(group).replace('\n', "\n  ");
    let list = format!("apiVersion: v1\nkind: List\nitems:\n{}\n", in_list("two.example.test"));
    let json = r#"{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "gadgets.shop.example.test"}}"#;
    let config_map = "# none\n---\napiVersion: v1\nkind: ConfigMap\n---\n";
    let yaml = format!("{}---\n{config_map}{list}", widget("one.example.test"));
    let both = [("b.json", json), ("a.yaml", &yaml)];
    let names = ["gadgets.shop.example.test", "widgets.one.example.test", "widgets.two.example.test"];
    assert_eq!(crds(&both), (names.map(str::to_owned).to_vec(), vec![]));
    let (documents, mut problems) = open_all(&both);
    assert_eq!(documents.crds(&mut problems).others, [("ConfigMap".to_owned(), 1)].into());
}

#[test]
fn the_same_crd_twice_is_one_and_two_of_a_name_are_none() {
    let one = widget("shop.example.test");
    let reordered = "spec: {group: shop.example.test}\nmetadata: {name: widgets.shop.example.test}\n\
        kind: CustomResourceDefinition\napiVersion: apiextensions.k8s.io/v1\n";
    let same = crds(&[("a.yaml", &one), ("b.yaml", reordered)]);
    assert_eq!(same, (vec!["widgets.shop.example.test".to_owned()], vec![]));
    let other = one.replace("group: shop", "group: store");
    let (_, messages) = crds(&[("a.yaml", &one), ("b.yaml", &other)]);
    assert_eq!(messages, ["b.yaml:3:18 the CRD widgets.shop.example.test is there twice, and the two differ"]);
}

#[test]
fn old_crds_and_templates_are_refused_with_a_hint() {
    let old = widget("shop.example.test").replace("io/v1", "io/v1beta1");
    let (_, messages) = crds(&[("a.yaml", &old)]);
    assert_eq!(messages.len(), 1);
    assert!(messages[0].starts_with("a.yaml:1:13 this CRD is written in apiextensions.k8s.io/v1beta1"), "{messages:?}");
    for (template, place) in [
        ("{{- if .Values.crds }}\na: 1\n{{- end }}\n", "a.yaml:1:1"),
        ("a: 1\nb:\n  name: {{ .Values.name }}\n", "a.yaml:3:9"),
    ] {
        let (_, messages) = crds(&[("a.yaml", template)]);
        assert_eq!(messages, [format!("{place} this is a template (`{{{{ … }}}}`), not YAML")]);
    }
    let quoted = widget("shop.example.test")
        .replace("{name: widgets", "{name: \"{{ .Values.prefix }}widgets")
        .replace("shop.example.test}\nspec", "shop.example.test\"}\nspec");
    let (names, messages) = crds(&[("a.yaml", &quoted)]);
    assert_eq!((names.len(), messages.len()), (0, 1), "{messages:?}");
    let described = widget("shop.example.test") + "description: |\n  {{ .Values.fine }}\n";
    assert_eq!(crds(&[("a.yaml", &described)]).1, [""; 0]);
}

#[test]
fn inputs_without_a_crd_are_a_problem() {
    let (_, messages) = crds(&[("a.yaml", "kind: ConfigMap\n")]);
    assert_eq!(messages, ["the inputs hold no CustomResourceDefinition"]);
}

/// Any JSON value whose numbers a float holds.
fn any_json() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(serde_json::Value::from),
        any::<i64>().prop_map(serde_json::Value::from),
        any::<u64>().prop_map(serde_json::Value::from),
        "\\PC*".prop_map(serde_json::Value::from),
        any::<String>().prop_map(serde_json::Value::from),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(serde_json::Value::from),
            prop::collection::hash_map(any::<String>(), inner, 0..6)
                .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
        ]
    })
}

#[test]
fn json_values_one_after_the_other_are_documents() {
    let (values, messages) = read("{\"a\": 1}{\"b\": \"}{\"}\n\n{\"a\": [2]}\n");
    assert_eq!(messages, [""; 0]);
    assert_eq!(values, [serde_json::json!({"a": 1}), serde_json::json!({"b": "}{"}), serde_json::json!({"a": [2]})]);
    // Each is read by itself, with places in the whole.
    let (values, messages) = read("{\"a\": 1}\n{\"b\": \"c\" \"d\"}\n");
    assert_eq!((values.len(), messages.len()), (1, 1), "{messages:?}");
    let (values, messages) = read("{\"a\": 1}\n{\"b\": nul, \"b\": 2}\n{\"c\": 3}");
    assert_eq!(
        (values.len(), messages),
        (3, vec!["crd.yaml:2:12 the key \"b\" is there twice in one object".to_owned()])
    );
    let (_, messages) = read("{\"a\": 1}\n{\"b\": [");
    assert_eq!(messages, ["crd.yaml:2:8 this JSON ends in the middle: was it cut off?"]);
    let (documents, problems) = open("{\"a\": 1}\n{\"b\": 1, \"b\": 2}\n{}");
    let place = problems.iter().next().and_then(|problem| problem.place.as_ref()).unwrap();
    assert_eq!(documents.sources().document(place.span).1, 2);
}

proptest! {
    #[test]
    fn json_is_read_as_json(value in any_json(), pretty in any::<bool>()) {
        let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) };
        let (documents, messages) = read(&text.unwrap());
        prop_assert_eq!(messages, [""; 0]);
        let expected = if value.is_null() { vec![] } else { vec![value] };
        prop_assert_eq!(documents, expected);
    }

    #[test]
    fn no_text_makes_it_panic(text in "([ \\n\\t{}\\[\\],:&*!|>'\"%@#?-]|<<|---|\\.\\.\\.|a|b|1|0x|!!int|!!binary|\\r\\n|\u{e9}|\\\\u)*") {
        let (documents, mut problems) = open(&text);
        documents.crds(&mut problems);
        prop_assert!(problems.located_in(documents.sources()).render(false).len() < 100_000);
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let mut problems = Problems::new();
        let (mut documents, request) = (Documents::default(), Request::new("x", "x").input(Input::Stdin));
        documents.read_crds(&request, &mut bytes.as_slice(), &mut problems);
        problems.located_in(documents.sources()).render(true);
    }
}
