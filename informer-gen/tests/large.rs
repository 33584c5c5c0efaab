//! CRDs that are small to write and would be large to look through: what is told stays short, and each ends, which it
//! would not if anything here took the square of its size.

use informer_gen::{Input, Problems, Request, Severity, report};
use serde_json::{Value, json};

/// Enough for a square not to end while somebody waits.
const MANY: usize = 20_000;

fn names(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("a{number}")).collect()
}

/// A CRD whose spec has this schema.
fn crd(spec: &Value) -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.shop.example.test"},
        "spec": {
            "group": "shop.example.test",
            "scope": "Namespaced",
            "names": {"kind": "Widget", "plural": "widgets"},
            "versions": [{
                "name": "v1",
                "served": true,
                "storage": true,
                "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}},
            }],
        },
    })
}

fn judged(crd: &Value) -> Result<(), Problems> {
    let input = Input::Text { name: "crd.json".into(), text: crd.to_string() };
    report(&Request::new("x", "x").input(input)).map(drop)
}

/// The messages of errors.
fn errors(crd: &Value) -> Vec<String> {
    let problems = judged(crd).err().unwrap_or_default();
    let errors = problems.iter().filter(|problem| problem.severity() == Severity::Error);
    errors.map(|problem| problem.message().to_owned()).collect()
}

#[test]
fn of_a_default_only_so_much_is_told() {
    let each = |schema: Value, value: Value| {
        let spec = json!({"type": "array", "items": schema, "default": vec![value; MANY]});
        let problems = judged(&crd(&spec)).unwrap_err();
        let last = problems.iter().filter(|problem| problem.severity() == Severity::Error).last().unwrap();
        assert!(last.hint_text().unwrap().contains("nothing more is told of this default"), "{last:?}");
        assert_eq!(problems.iter().count(), 20);
    };
    each(json!({"type": "object", "properties": {}, "required": names(MANY)}), json!({}));
    each(json!({"type": "string", "enum": names(1000)}), json!("none"));
    each(json!({"type": "integer"}), json!("none"));
}

/// What takes too long to judge is left to the server.
#[test]
fn a_default_takes_only_so_many_steps() {
    let fits = |schema: Value, value: Value| {
        let spec = json!({"type": "array", "items": schema, "default": vec![value; MANY]});
        assert_eq!(errors(&crd(&spec)), [""; 0]);
    };
    let mut last = names(MANY);
    last.push("last".to_owned());
    fits(json!({"type": "string", "enum": last}), json!("last"));
    let open = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    let with = |key: &str, value: Value| {
        let mut schema = open.clone();
        schema[key] = value;
        schema
    };
    fits(with("anyOf", json!([{}, {"required": names(MANY)}])), json!({}));
    let object: Value = names(1000).into_iter().map(|name| (name, Value::Null)).collect();
    let spec = json!({
        "type": "object",
        "x-kubernetes-preserve-unknown-fields": true,
        "allOf": vec![json!({"properties": {"a": {}}}); MANY],
        "default": names(MANY).into_iter().map(|name| (name, json!(1))).collect::<Value>(),
        "properties": {"a": {"type": "string"}, "b": {"type": "object", "enum": [object]}},
    });
    assert_eq!(errors(&crd(&spec)), [""; 0]);
}

#[test]
fn lists_of_names_are_looked_through_once() {
    // An enum, whose texts get names in Rust.
    assert_eq!(errors(&crd(&json!({"type": "string", "enum": names(5 * MANY)}))), [""; 0]);

    let mut webhook = crd(&json!({"type": "string"}));
    let mut reviews = names(5 * MANY);
    reviews.push("v1".to_owned());
    webhook["spec"]["conversion"] = json!({
        "strategy": "Webhook",
        "webhook": {"clientConfig": {"url": "https://shop.example.test/"}, "conversionReviewVersions": reviews},
    });
    assert_eq!(errors(&webhook), [""; 0]);
}

#[test]
fn patterns_are_read_once() {
    let pattern = |pattern: String| errors(&crd(&json!({"type": "string", "pattern": pattern})));
    assert_eq!(pattern(format!("[{}a]", "[:".repeat(10 * MANY))), [""; 0]);
    assert_eq!(pattern(format!("{}:]", "[[:alpha:]]".repeat(10 * MANY))), [""; 0]);
    assert_eq!(pattern(format!("[{}a:]", "[:".repeat(10 * MANY))).len(), 1);
}

#[test]
fn fields_are_found_by_their_names() {
    let names: Vec<_> = names(MANY).into_iter().map(|name| name + "-b.c").collect();
    let of_rules = |rule: &str| {
        json!({
            "type": "object",
            "properties": names.iter().map(|name| (name.clone(), json!({"type": "string"}))).collect::<Value>(),
            "x-kubernetes-validations": vec![json!({"rule": rule}); 2000],
        })
    };
    assert_eq!(errors(&crd(&of_rules("self.a19999__dash__b__dot__c == ''"))), [""; 0]);
    assert_eq!(errors(&crd(&of_rules("self.a19999__dash__b == ''"))).len(), 2000);
    assert_eq!(errors(&crd(&of_rules("self.a19999 == ''"))).len(), 2000);
}
