//! Samples of small schemas.

use serde_json::{Value, json};

use super::Samples;
use crate::request::{Input, Request};
use crate::{plain_samples, samples};

fn of(spec: Value, count: usize, seed: u64) -> Samples {
    let crd = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.shop.example.test"},
        "spec": {
            "group": "shop.example.test", "scope": "Namespaced",
            "names": {"plural": "widgets", "kind": "Widget"},
            "versions": [{
                "name": "v1", "served": true, "storage": true,
                "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}},
            }],
        },
    });
    let input = Input::Text { name: "widgets.json".into(), text: crd.to_string() };
    let mut samples = samples(&Request::new("shop", "shop").input(input), count, seed).unwrap();
    assert_eq!(samples.len(), 1);
    samples.remove(0)
}

fn specs(samples: &Samples) -> Vec<(Value, Option<Value>)> {
    let spec = |text: &str| serde_json::from_str::<Value>(text).unwrap()["spec"].clone();
    samples.objects.iter().map(|sample| (spec(&sample.given), sample.written.as_deref().map(spec))).collect()
}

#[test]
fn the_same_seed_gives_the_same_objects() {
    let spec = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true, "properties": {
        "a": {"type": "string"}, "b": {"type": "number"}, "c": {"x-kubernetes-int-or-string": true},
    }});
    let first = of(spec.clone(), 50, 7);
    assert_eq!((first.path.as_str(), first.objects.len()), ("shop_example_test::v1::Widget", 50));
    assert_eq!(first, of(spec.clone(), 50, 7));
    assert_ne!(first, of(spec, 50, 8));
}

#[test]
fn every_value_of_an_enum_and_every_form_is_there() {
    let values: Vec<String> = (0..70).map(|at| format!("v{at}")).collect();
    let samples = of(
        json!({"type": "object", "properties": {
            "mode": {"type": "string", "enum": values}, "port": {"x-kubernetes-int-or-string": true},
            "on": {"type": "boolean", "enum": ["on", true]}, "never": {"type": "string", "enum": [true]},
        }}),
        50,
        0,
    );
    let specs = specs(&samples);
    for value in values {
        assert!(specs.iter().any(|(spec, _)| spec["mode"] == value.as_str()), "{value}");
    }
    for port in [json!(80), json!("80"), json!(i64::MIN), json!("25%")] {
        assert!(specs.iter().any(|(spec, _)| spec["port"] == port), "{port}");
    }
    assert!(specs.iter().all(|(spec, _)| spec["on"] != false && spec.get("never").is_none()));
}

#[test]
fn full_minimal_null_and_older_objects() {
    let samples = of(
        json!({"type": "object", "required": ["must", "mustOrNull"], "properties": {
            "must": {"type": "integer", "format": "int32"}, "mustOrNull": {"type": "string", "nullable": true},
            "may": {"type": "array", "items": {"type": "string"}}, "mayBeNull": {"type": "string", "nullable": true},
            "threeStates": {"type": "string", "nullable": true, "default": "a"},
            "filled": {"type": "object", "properties": {"a": {"type": "string"}}, "default": {"a": "b"}},
        }}),
        300,
        1,
    );
    let specs = specs(&samples);
    assert_eq!(specs[0].0.as_object().unwrap().len(), 6);
    assert!(specs[1].0.is_null());
    let (given, written) = &specs[2];
    assert_eq!([&given["mustOrNull"], &given["mayBeNull"], &given["threeStates"]], [&Value::Null; 3]);
    let written = written.as_ref().unwrap();
    assert!(written.get("mayBeNull").is_none() && written["threeStates"].is_null());
    let older = specs.iter().filter(|(_, written)| written.is_none());
    assert!(older.clone().any(|(given, _)| given.is_object() && given.get("must").is_none()));
    let valid = specs.iter().filter(|(given, written)| written.is_some() && given.is_object());
    assert!(valid.clone().count() > 20);
    for (given, _) in valid {
        assert!(given["must"].as_i64().is_some_and(|value| i32::try_from(value).is_ok()), "{given}");
        assert!(given.get("threeStates").is_some() && given["filled"].is_object(), "{given}");
    }
}

#[test]
fn keys_that_nobody_declared_where_they_are_kept() {
    let spec = json!({"type": "object", "properties": {
        "open": {"type": "object", "x-kubernetes-preserve-unknown-fields": true, "properties": {"a": {"type": "string"}}},
        "closed": {"type": "object"}, "map": {"type": "object", "additionalProperties": {"type": "boolean"}},
        "any": {"x-kubernetes-preserve-unknown-fields": true},
        "resource": {"type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true},
    }});
    let specs = specs(&of(spec, 100, 2));
    let all = |key: &str| specs.iter().filter_map(|(spec, _)| spec.get(key)).cloned().collect::<Vec<_>>();
    assert!(all("open").iter().any(|open| open.as_object().unwrap().keys().any(|key| key != "a")));
    assert!(all("closed").iter().all(|closed| *closed == json!({})));
    assert!(all("map").iter().all(|map| map.as_object().unwrap().values().all(Value::is_boolean)));
    assert!(all("any").iter().any(Value::is_array) && all("any").iter().any(Value::is_string));
    assert!(all("resource").iter().all(|resource| resource["kind"] == "ConfigMap"));
}

#[test]
fn the_largest_schemas_give_objects_of_a_bounded_size() {
    let mut spec = json!({"type": "string"});
    for _ in 0..30 {
        let properties = json!({"a": spec, "b": {"type": "array", "items": {"type": "string"}}});
        spec = json!({"type": "object", "required": ["a"], "properties": properties});
    }
    let samples = of(spec, 50, 3);
    assert!(samples.objects.iter().all(|sample| sample.given.len() < 1_000_000));
    let deepest = &samples.objects[3].given;
    assert!(deepest.matches("\"a\":").count() >= 30);
}

#[test]
fn plain_samples_have_the_same_fields_and_other_values() {
    let crd = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.shop.example.test"},
        "spec": {
            "group": "shop.example.test", "scope": "Namespaced", "names": {"plural": "widgets", "kind": "Widget"},
            "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {
                "type": "object", "properties": {
                    "spec": {"type": "object", "required": ["size", "parts"], "properties": {
                        "size": {"type": "string", "enum": ["", "small", "large"]},
                        "parts": {"type": "array", "items": {"type": "object", "properties": {
                            "secretName": {"type": "string"}, "port": {"x-kubernetes-int-or-string": true},
                        }}},
                        "replicas": {"type": "integer", "minimum": 3, "maximum": 9},
                        "grade": {"type": "string", "default": "usual"},
                    }},
                    "status": {"type": "object", "properties": {"phase": {"type": "string"}}},
                },
            }}}],
        },
    });
    let input = Input::Text { name: "widgets.json".into(), text: crd.to_string() };
    let samples = plain_samples(&Request::new("shop", "shop").input(input), 2).unwrap();
    assert_eq!((samples[0].path.as_str(), samples[0].accessor.as_str()), ("shop_example_test::v1::Widget", "widgets"));
    let objects: Vec<Value> = samples[0].objects.iter().map(|at| serde_json::from_str(&at.given).unwrap()).collect();
    let head = |spec: Value| json!({"apiVersion": "shop.example.test/v1", "kind": "Widget", "metadata": {"name": "example"}, "spec": spec});
    let first = json!({
        "size": "small", "parts": [{"secretName": "secret-name", "port": 8080}], "replicas": 4, "grade": "usual",
    });
    let second = json!({
        "size": "large", "parts": [{"secretName": "secret-name-2", "port": 8081}], "replicas": 5, "grade": "grade-2",
    });
    assert_eq!(objects, [head(first), head(second)]);
}
