//! B40 and B50: definitions that hold themselves, and ones that several groups serve.

use informer_gen::{Input, Request, dump_model, explain, generate, prune};
use serde_json::{Value, json};

use crate::document::{Document, Resource, WIDGET, ZONE, coverage, file, reference, refused, request, text};

const CORE: Resource = Resource { group: "", version: "v1", kind: "Deploy", plural: "deploys", namespaced: true };
const APPS: Resource = Resource { group: "apps.example.test", ..CORE };

/// A document in whose Widgets `spec` is this definition of some.
pub(crate) fn widgets(spec: &str, definitions: Value) -> Document {
    let mut document = Document::of(&[WIDGET]);
    document.definitions.get_mut(&WIDGET.definition()).unwrap()["properties"]["spec"] = reference(spec);
    document.definitions.extend(definitions.as_object().unwrap().clone());
    document
}

pub(crate) fn object(properties: Value, required: &[&str]) -> Value {
    json!({"type": "object", "properties": properties, "required": required})
}

/// What both forms of a document give.
fn both(document: &Document) -> (Vec<String>, Vec<String>) {
    let (v2, v3) = (request(&document.v2()), request(&document.v3()));
    assert_eq!(dump_model(&v2).unwrap(), dump_model(&v3).unwrap());
    assert_eq!(generate(&v2).unwrap().tree, generate(&v3).unwrap().tree);
    assert_eq!(coverage(&v2), coverage(&v3));
    coverage(&v2)
}

/// A definition that two groups serve.
fn deploys() -> Document {
    let mut document = Document::of(&[CORE, APPS]);
    let definition = document.definitions.get_mut(&CORE.definition()).unwrap();
    definition["x-kubernetes-group-version-kind"] = json!([CORE.mark(), APPS.mark()]);
    document
}

#[test]
fn b50_h22_one_definition_of_several_kinds() {
    let mut document = deploys();
    let marks: Vec<Value> = (0..60)
        .map(|n| json!({"group": format!("g{n}.example.test"), "version": "v1", "kind": "DeleteOptions"}))
        .collect();
    for options in ["DeleteOptions", "DeleteOptions_v2", "WatchEvent"] {
        let name = format!("io.k8s.apimachinery.pkg.apis.meta.v1.{options}");
        document.definitions.insert(name.clone(), json!({"type": "object", "x-kubernetes-group-version-kind": marks}));
        let delete = json!({"x-kubernetes-action": "delete", "x-kubernetes-group-version-kind": CORE.mark(),
            "parameters": [{"name": "body", "in": "body", "schema": reference(&name)}]});
        document.paths[&format!("{}/{{name}}", CORE.namespaced_path())]["delete"] = delete;
    }
    let (informers, skipped) = both(&document);
    assert_eq!(
        informers,
        ["/v1/deploys Deploy namespaced generated", "apps.example.test/v1/deploys Deploy namespaced generated"]
    );
    assert!(skipped.is_empty(), "{skipped:?}");
    let generated = generate(&request(&document.v2())).unwrap().tree;
    let declaring: Vec<&str> =
        generated.iter().filter(|(_, text)| text.contains("pub struct Deploy<At>")).map(|(path, _)| path).collect();
    assert_eq!(declaring, ["src/definitions/served/test_example_v1_deploy.rs"]);
    for path in ["src/core/v1/deploy.rs", "src/apps_example_test/v1/deploy.rs"] {
        assert!(generated.get(path).unwrap().contains("pub type Deploy ="), "{path}");
    }
    assert!(!generated.iter().any(|(_, text)| text.contains("DeleteOptions")));
    // A pruned document still says so.
    let pruned = prune(&text("openapi.json", &document.v2()), None).unwrap();
    let pruned = Request::new("shop-informers", "out").openapi(Input::Text { name: "x".into(), text: pruned });
    assert_eq!(coverage(&pruned), (informers, skipped));
}

#[test]
fn b50_the_first_operation_of_a_path_need_not_be_the_list() {
    // In the texts that servers write, keys come in this order.
    let written = serde_json::to_string(&deploys().v2()).unwrap();
    let (list, create) = (CORE.list().to_string(), CORE.create().to_string());
    let turned = written
        .replace(&format!(r#"{{"get":{list},"post":{create}}}"#), &format!(r#"{{"post":{create},"get":{list}}}"#));
    assert_ne!(written, turned);
    let of = |text: &str| {
        let input = Input::Text { name: "openapi.json".into(), text: text.to_owned() };
        dump_model(&Request::new("x", "out").openapi(input)).unwrap()
    };
    assert_eq!(of(&written), of(&turned));
}

#[test]
fn b50_a_reference_may_have_words_beside_it() {
    let spec = json!({"shop.Spec": object(json!({"size": {"type": "string"}}), &[])});
    let (mut v2, mut v3) = (widgets("shop.Spec", spec.clone()).v2(), widgets("shop.Spec", spec).v3());
    let words = "What is wanted.";
    v2["definitions"][WIDGET.definition()]["properties"]["spec"]["description"] = words.into();
    let property = &mut v3["components"]["schemas"][WIDGET.definition()]["properties"]["spec"];
    assert!(property["allOf"][0]["$ref"].is_string() && property["default"].is_object(), "{property}");
    property["description"] = words.into();
    assert_eq!(dump_model(&request(&v2)).unwrap(), dump_model(&request(&v3)).unwrap());
    let types = file(&request(&v3), "src/shop_example_test/v1/widget.rs");
    assert!(types.contains("/// What is wanted.\n    pub spec: Option<"), "{types}");
}

#[test]
fn b50_one_group_more_renames_nothing() {
    // The type's own module says where the type is, in one group as in two.
    let one = generate(&request(&Document::of(&[CORE]).v2())).unwrap().tree;
    let two = generate(&request(&deploys().v2())).unwrap().tree;
    assert!(one.get("src/core/v1/deploy.rs").unwrap().contains("pub struct Deploy {"));
    let exports = "pub use self::deploy::Deploy;";
    assert!([&one, &two].iter().all(|tree| tree.get("src/core/v1/mod.rs").unwrap().contains(exports)));
    assert!(one.iter().all(|(path, _)| !path.starts_with("src/definitions")));
    // What two products call the same is not the same.
    let mut other = Document::of(&[APPS]);
    other.definitions.get_mut(&APPS.definition()).unwrap()["properties"]["more"] = json!({"type": "string"});
    let apart = request(&Document::of(&[CORE]).v2()).openapi(text("b.json", &other.v2()));
    let apart = generate(&apart).unwrap().tree;
    assert!(apart.get("src/apps_example_test/v1/deploy.rs").unwrap().contains("pub more: Option<String>"));
    assert!(!apart.get("src/core/v1/deploy.rs").unwrap().contains("more"));
}

#[test]
fn b50_a_users_type_is_served_in_one_place() {
    let mut request = request(&deploys().v2());
    request.types = vec![("test.example".into(), "shop_types".into())];
    let told = refused(&request);
    assert!(
        told.contains("deploys of v1 and deploys of apps.example.test/v1 have one definition, but shop_types::v1::Deploy can be the type of one of them only"),
        "{told}"
    );
    let problems = generate(&request).unwrap_err();
    let hint = problems.iter().next().and_then(|problem| problem.hint_text().map(str::to_owned)).unwrap();
    assert!(hint.ends_with("--types test.example.v1.Deploy="), "{hint}");
    // As the hint says.
    request.types.push(("test.example.v1.Deploy".into(), String::new()));
    assert_eq!(coverage(&request).0.len(), 2);
}

#[test]
fn b50_shared_values_are_one_type_in_every_document() {
    let spec = object(json!({"mode": reference("shop.Mode"), "names": reference("shop.Names")}), &[]);
    let parts = json!({"shop.Spec": spec, "shop.Mode": {"type": "string", "enum": ["A", "B"]},
        "shop.Names": {"type": "array", "items": {"type": "string"}}, "shop.Unused": object(json!({"a": {}}), &[])});
    let of = |resource: &Resource| {
        let mut document = Document::of(&[*resource]);
        document.definitions.get_mut(&resource.definition()).unwrap()["properties"]["spec"] = reference("shop.Spec");
        document.definitions.extend(parts.as_object().unwrap().clone());
        document
    };
    let request_of =
        |inputs: [Input; 2]| inputs.into_iter().fold(Request::new("x", "out").command("x"), Request::openapi);
    let (a, b) = (text("a.json", &of(&WIDGET).v3()), text("b.json", &of(&ZONE).v3()));
    let tree = generate(&request_of([a.clone(), b.clone()])).unwrap().tree;
    assert_eq!(tree, generate(&request_of([b, a.clone()])).unwrap().tree);
    let types = tree.get("src/definitions/shop.rs").unwrap();
    assert_eq!(types.matches("pub struct ").count(), 1, "{types}");
    assert!(types.contains("pub mode: Option<Mode>") && types.contains("pub names: Option<Vec<String>>"), "{types}");
    assert!(types.contains("pub enum Mode {") && !types.contains("Unused"), "{types}");
    // Under one name there is one definition.
    let mut other = of(&ZONE);
    other.definitions["shop.Mode"]["enum"] = json!(["A", "C"]);
    let other = text("b.json", &other.v3());
    for request in [request_of([a.clone(), other.clone()]), request_of([other, a])] {
        let told = refused(&request);
        assert!(told.contains("the definition shop.Mode is there twice, and the two differ"), "{told}");
        assert!(told.contains("a.json:") || told.contains("b.json:"), "{told}");
    }
}

#[test]
fn b50_definitions_are_there_when_their_groups_are() {
    let mut document = Document::of(&[WIDGET, APPS]);
    let parts = json!({"shop.A": object(json!({"both": reference("shop.Both")}), &[]),
        "shop.B": object(json!({"both": reference("shop.Both")}), &[]), "shop.Both": object(json!({"x": {}}), &[]),
        "Alone": object(json!({"x": {}}), &[])});
    document.definitions.extend(parts.as_object().unwrap().clone());
    for (resource, spec) in [(WIDGET, "shop.A"), (APPS, "shop.B")] {
        let properties = &mut document.definitions.get_mut(&resource.definition()).unwrap()["properties"];
        properties["spec"] = reference(spec);
    }
    document.definitions["shop.B"]["properties"]["alone"] = reference("Alone");
    let mut request = request(&document.v2());
    request.group_features = true;
    let types = file(&request, "src/definitions/shop.rs");
    let before = |item: &str| types.split(item).next().unwrap().lines().rev().take(4).collect::<Vec<_>>().join("\n");
    assert!(before("pub struct A {").contains("#[cfg(feature = \"shop_example_test\")]"), "{types}");
    assert!(before("pub struct B {").contains("#[cfg(feature = \"apps_example_test\")]"), "{types}");
    assert!(!before("pub struct Both {").contains("cfg"), "{types}");
    let root = file(&request, "src/definitions/mod.rs");
    assert!(root.contains("any(feature = \"apps_example_test\", feature = \"shop_example_test\")"), "{root}");
}

#[test]
fn b40_what_always_holds_itself_is_refused() {
    let direct = object(json!({"again": reference("shop.Self")}), &["again"]);
    let told = refused(&request(&widgets("shop.Self", json!({"shop.Self": direct})).v2()));
    assert!(told.contains("openapi.json:") && told.contains("shop.Self always holds itself"), "{told}");
    // Through an object within, and over three steps.
    let inside = object(json!({"inside": object(json!({"c": reference("shop.C")}), &["c"])}), &["inside"]);
    let three = json!({"shop.A": object(json!({"b": reference("shop.B")}), &["b"]), "shop.B": inside,
        "shop.C": object(json!({"a": reference("shop.A")}), &["a"])});
    for form in [widgets("shop.A", three.clone()).v2(), widgets("shop.A", three.clone()).v3()] {
        assert!(refused(&request(&form)).contains("shop.A, shop.B, shop.C always hold each other"));
    }
    // One of them may be absent, null, or in a list: then there is an end.
    for end in [
        object(json!({"a": reference("shop.A")}), &[]),
        object(json!({"a": {"type": "array", "items": reference("shop.A")}}), &["a"]),
    ] {
        let mut ended = three.clone();
        ended["shop.C"] = end;
        both(&widgets("shop.A", ended));
    }
}

#[test]
fn b40_boxes_do_not_depend_on_where_a_circle_is_entered() {
    let parts = json!({"shop.A": object(json!({"b": reference("shop.B")}), &[]),
        "shop.B": object(json!({"c": reference("shop.C")}), &["c"]),
        "shop.C": object(json!({"a": reference("shop.A"), "leaf": reference("shop.Leaf")}), &[]),
        "shop.Leaf": object(json!({"x": {"type": "string"}}), &[])});
    let types = |entry: &str| file(&request(&widgets(entry, parts.clone()).v2()), "src/definitions/shop.rs");
    let by_a = types("shop.A");
    assert_eq!(by_a, types("shop.C"));
    for field in ["b: Option<Box<B>>", "c: C", "a: Option<Box<A>>", "leaf: Option<Leaf>"] {
        assert!(by_a.contains(&format!("pub {field},")), "{field}\n{by_a}");
    }
    let told = explain(&request(&widgets("shop.A", parts.clone()).v2())).unwrap();
    assert!(told.contains("definition shop.A\n") && told.contains("definitions::shop::A"), "{told}");
    assert!(told.contains("b: definition shop.B, in a box since it can hold itself (optional)"), "{told}");
}

#[test]
fn b40_long_chains_and_circles_end_in_json_values() {
    let two = |next: &str| object(json!({"a": reference(next), "b": reference(next)}), &[]);
    for last in ["n0", "n200"] {
        let mut parts: serde_json::Map<String, Value> =
            (0..200).map(|n| (format!("n{n}"), two(&format!("n{}", n + 1)))).collect();
        parts.insert("n200".into(), two(last));
        let generated = generate(&request(&widgets("n0", Value::Object(parts)).v2())).unwrap();
        let told = generated.warnings.to_string();
        assert!(told.contains("is nested too deep for a type of its own"), "{told}");
        let lines: usize = generated.tree.iter().map(|(_, text)| text.lines().count()).sum();
        assert!(lines < 2_000, "{lines}");
    }
    // Lists of lists count for more than one list does.
    let lists = |around: usize| {
        let within = |next: Value| (0..around).fold(next, |items, _| json!({"type": "array", "items": items}));
        let parts =
            (0..12).map(|n| (format!("n{n}"), object(json!({"a": within(reference(&format!("n{}", n + 1)))}), &[])));
        let mut parts: serde_json::Map<String, Value> = parts.collect();
        parts.insert("n12".into(), object(json!({"a": {"type": "string"}}), &[]));
        generate(&request(&widgets("n0", Value::Object(parts)).v2())).unwrap().warnings.is_empty()
    };
    assert!(lists(1) && !lists(3));
    // Names for names, without an end or with a far one.
    let mut names: serde_json::Map<String, Value> =
        (0..20_000).map(|n| (format!("n{n}"), reference(&format!("n{}", n + 1)))).collect();
    names.insert("n20000".into(), json!({"type": "array", "items": reference("n20000")}));
    let generated = generate(&request(&widgets("n0", Value::Object(names)).v2())).unwrap();
    assert_eq!(generated.warnings.iter().count(), 1);
    let generated =
        generate(&request(&widgets("n", json!({"n": {"type": "array", "items": reference("n")}})).v2())).unwrap();
    assert!(generated.warnings.to_string().contains("n is made of nothing but itself"));
}

#[test]
fn names_that_meet_are_told_with_both_origins() {
    let parts = json!({"shop.Spec": object(json!({"a": reference("a.b.Part"), "b": reference("a-b.Part")}), &[]),
        "a.b.Part": object(json!({"x": {}}), &[]), "a-b.Part": object(json!({"y": {}}), &[])});
    let told = refused(&request(&widgets("shop.Spec", parts).v2()));
    assert!(told.contains("definition a.b.Part and definition a-b.Part would both be `a_b::Part` in Rust"), "{told}");
    // A module of types inside a definition, and one of definitions.
    let within = object(json!({"z": object(json!({"z": {}}), &[])}), &[]);
    let parts = json!({"shop.Spec": object(json!({"a": reference("Part"), "b": reference("part.Other")}), &[]),
        "Part": within, "part.Other": object(json!({"y": {}}), &[])});
    let told = refused(&request(&widgets("shop.Spec", parts).v2()));
    assert!(
        told.contains("the module part of definitions and definition Part would both be `mod part` in Rust"),
        "{told}"
    );
}

/// A definition has one type, so what is added to it is said of the definition.
#[test]
fn derives_and_attributes_of_definitions() {
    let document = widgets(
        "test.example.v1.WidgetSpec",
        json!({"test.example.v1.WidgetSpec": object(json!({"size": {"type": "string", "enum": ["a"]}}), &[])}),
    );
    let asked = |derives: &[&str], attributes: &[&str]| {
        let mut request = request(&document.v2());
        request.derives = derives.iter().map(|text| (*text).to_owned()).collect();
        request.attributes = attributes.iter().map(|text| (*text).to_owned()).collect();
        request
    };
    let name = "definition:test.example.v1.WidgetSpec";
    let (derive, attribute) = (format!("{name}=Hash"), format!("{name}=must_use"));
    let inside = "definition:\"test.example.v1.WidgetSpec\".size=deprecated";
    let tree = generate(&asked(&[&derive, "Widget=a::B"], &[&attribute, inside])).unwrap().tree;
    let text: String = tree.iter().filter(|(path, _)| path.ends_with(".rs")).map(|(_, text)| text).collect();
    assert!(text.contains("PartialEq, Hash)]\n#[must_use]\npub struct WidgetSpec {"), "{text}");
    assert!(text.contains("    #[deprecated]\n    pub size:"), "{text}");
    assert!(text.contains("PartialEq, a::B)]\npub struct Widget {"), "{text}");

    for (derive, told) in [
        ("Widget.spec=Hash", "name that in place of it: definition:test.example.v1.WidgetSpec"),
        ("definition:test.example.v1.WidgetSpecs=Hash", "near it: `test.example.v1.WidgetSpec`"),
        ("definition:\"test.example.v1.WidgetSpec\".sise=Hash", "near it: `size`"),
    ] {
        let problems = generate(&asked(&[derive], &[])).unwrap_err().to_string();
        assert!(problems.contains(told), "{problems}");
    }
}

/// Two definitions of one name in Rust are told apart as the hint says.
#[test]
fn definitions_that_clash_get_another_name() {
    let parts = json!({"a": reference("a-b.v1.Part"), "b": reference("a.b.v1.Part")});
    let document = widgets(
        "test.example.v1.WidgetSpec",
        json!({
            "test.example.v1.WidgetSpec": object(parts, &[]),
            "a-b.v1.Part": object(json!({"x": {"type": "string"}}), &[]),
            "a.b.v1.Part": object(json!({"y": {"type": "object", "properties": {"z": {"type": "string"}}}}), &[]),
        }),
    );
    let mut request = request(&document.v2());
    let problems = generate(&request).unwrap_err().to_string();
    let flag = "definition:a.b.v1.Part=ADotBDotV1DotPart";
    assert!(problems.contains(&format!("such as: --rename {flag}")), "{problems}");
    let (origin, name) = flag.split_once('=').unwrap();
    request.renames.push((origin.to_owned(), name.to_owned()));
    let text = file(&request, "src/definitions/a_b_v1.rs");
    assert!(text.contains("pub struct Part {") && text.contains("pub struct ADotBDotV1DotPart {"), "{text}");
    assert!(text.contains("pub mod a_dot_b_dot_v1_dot_part {"), "{text}");
    let spec = file(&request, "src/definitions/test_example_v1.rs");
    assert!(spec.contains("pub b: Option<super::a_b_v1::ADotBDotV1DotPart>"), "{spec}");
}
