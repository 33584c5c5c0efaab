//! Values of every form: what a server accepts comes back as it was.

use informer_outputs::{free_form, int_or_string, shapes};
use informer_runtime::codegen::IntOrString;
use informer_runtime::codegen::k8s_openapi::api::apps::v1::DaemonSet;
use informer_runtime::codegen::k8s_openapi::api::core::v1::Node;
use informer_runtime::codegen::k8s_openapi::api::events::v1::Event;
use informer_runtime::codegen::serde_json::{self, Value, json};

use crate::{keeps, reads};

fn widget(spec: Value) -> Value {
    json!({"apiVersion": "shop.example.test/v1", "kind": "Widget", "metadata": {}, "spec": spec})
}

#[test]
fn b41_integers_and_strings_come_back_in_their_form_wherever_they_stand() {
    use int_or_string::shop_example_test::v1::Widget;
    let single =
        ["required", "alone", "anyOf", "allOf", "pattern", "old", "nullable", "withDefault", "nullableWithDefault"];
    for value in [json!(0), json!(-1), json!(2_147_483_647), json!("0"), json!("25%"), json!("")] {
        let wanted = match value.as_i64() {
            Some(number) => IntOrString::from(i32::try_from(number).unwrap()),
            None => IntOrString::from(value.as_str().unwrap()),
        };
        for field in single {
            let mut spec = json!({"required": 80});
            spec[field] = value.clone();
            let _: Widget = keeps(widget(spec));
        }
        let object = widget(json!({"required": value, "list": [value, value], "map": {"a": value, "": value}}));
        let spec = keeps::<Widget>(object).spec.unwrap();
        assert_eq!((&spec.required, &spec.list.unwrap()[1]), (&wanted, &wanted));
        assert_eq!(spec.map.unwrap()["a"], wanted);
    }
    // Null stays apart from nothing where the schema has a default for nothing; elsewhere both are nothing.
    let _: Widget = keeps(widget(json!({"required": 1, "nullableWithDefault": null})));
    let null: Widget = reads(widget(json!({"required": 1, "nullable": null, "alone": null})));
    let none: Widget = keeps(widget(json!({"required": 1})));
    assert_eq!(null, none);
    assert_eq!(none.spec.unwrap().nullable, None);
    // As everything that is required (B44).
    let missing: Widget = reads(widget(json!({"required": null})));
    assert_eq!(missing, reads(widget(json!({}))));
    for wrong in [json!(true), json!([1]), json!({}), json!(0.5)] {
        let error = serde_json::from_value::<Widget>(widget(json!({"required": wrong}))).unwrap_err();
        assert!(!error.to_string().is_empty());
    }
}

/// What a server of Kubernetes 1.37 stores and gives back of integers (asked with curl): by the schema's type.
/// - `integer` of any format but `int32`, in lists and maps too, and integer or string: 64 bits with a sign. What is
///   larger is refused ("must be of type integer"), and so is a small one that is written as `1e17`; `1e15` is stored in
///   digits.
/// - `number` and values of any form: all of them, those beyond 64 bits rounded to a float and written in digits.
#[test]
fn integers_are_kept_as_far_as_a_server_keeps_them() {
    use shapes::shop_example_test::v1::Widget;
    let whole = json!({
        "list": [], "map": {}, "when": "", "obj": {"a": ""}, "n": 0, "ratio": 0, "value": 0, "size": "small", "nullable": "",
        "nullableNumber": 0,
    });
    let with = |field: &str, value: &Value| {
        let mut spec = whole.clone();
        spec[field] = value.clone();
        widget(spec)
    };
    for stored in [i64::MIN, -2_147_483_649, 0, 2_147_483_648, 1_000_000_000_000_000, i64::MAX] {
        for field in ["n", "port", "portTyped", "portOld", "ratio", "value", "nullableNumber", "anything"] {
            let _: Widget = keeps(with(field, &json!(stored)));
        }
        let _: Widget = keeps(with("ports", &json!([stored])));
        let _: Widget = keeps(with("portMap", &json!({"a": stored})));
    }
    for rounded in [9_223_372_036_854_776_000_u64, 12_345_678_901_234_567_000] {
        for field in ["ratio", "value", "nullableNumber", "anything"] {
            let _: Widget = keeps(with(field, &json!(rounded)));
        }
        // Refused by the server, so only a server that is none sends it: an error, and no other number.
        for field in ["n", "port", "portTyped"] {
            assert!(serde_json::from_value::<Widget>(with(field, &json!(rounded))).is_err(), "{field}");
        }
    }
}

#[test]
fn b42_maps_and_lists_within_each_other_come_back() {
    use shapes::shop_example_test::v1::Widget;
    for more in [
        json!({"m1": {"x": {"a": "y"}, "z": {}, "": {"a": ""}}}),
        json!({"m2": {"x": {"y": {"b": 1}, "z": {}}, "empty": {}}}),
        json!({"m3": {"x": [{"c": true}, {}], "y": []}}),
        json!({"m4": {"x": 1, "y": 1.5, "z": -0.25}}),
        json!({"portMap": {"x": 1, "y": "http"}}),
        json!({"a1": [[], ["x"], ["", "y"]]}),
        json!({"a2": [{"x": [{"d": "y"}, {}]}, {}]}),
        json!({"open": {"a": "x", "ratio": 2, "more": {"deep": [null, 1.5]}, "": []}}),
        json!({"openMap": {"x": [1, null], "y": {"z": {}}}}),
        json!({"closed": {"a": "x"}}),
    ] {
        let mut spec = json!({
            "list": [], "map": {}, "when": "2024-05-01T10:00:00Z", "obj": {"a": ""}, "n": 0, "ratio": 0, "value": 0,
            "size": "small", "nullable": null, "nullableNumber": null,
        });
        spec.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let _: Widget = keeps(widget(spec));
    }
}

#[test]
fn b43_data_of_no_fixed_form_comes_back_wherever_it_stands() {
    use free_form::shop_example_test::v1::{Gadget, Widget};
    let any = [json!(5), json!("x"), json!(true), json!(null), json!([1, "a"]), json!({"k": [null]})];
    for value in &any {
        let with = |more: Value| {
            let mut spec = json!({"anything": value});
            spec.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            widget(spec)
        };
        for more in [
            json!({}),
            json!({"maybe": value}),
            json!({"object": {"k": value}}),
            json!({"two": {"a": "x", "b": 1, "c": value, "": value}}),
            json!({"list": [{"a": "x"}, {}]}),
            json!({"items": [value, value, []]}),
            json!({"itemObjects": [{"a": "x", "k": value}, {"k": value}]}),
            json!({"values": {"k": value, "": value}}),
            json!({"valueObjects": {"x": {"a": "x", "k": value}, "y": {}}}),
            json!({"deep": {"x": [[value], []], "y": []}}),
            json!({"resource": {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": value}}),
            json!({"partOfResource": {"apiVersion": "v1", "kind": "Pod", "metadata": {}, "spec": {"a": "x"}}}),
        ] {
            let _: Widget = keeps(with(more));
        }
        let status =
            json!({"apiVersion": "shop.example.test/v1", "kind": "Widget", "metadata": {}, "status": {"k": value}});
        let _: Widget = keeps(status);
        // The whole of spec and status.
        for (spec, status) in any.iter().map(|other| (value, other)) {
            let gadget = json!({"apiVersion": "shop.example.test/v1", "kind": "Gadget", "metadata": {}, "spec": spec, "status": status});
            let _: Gadget = keeps(gadget);
        }
    }
    let two: Widget = reads(widget(json!({"anything": 1, "two": {"a": "x", "b": 2, "c": 3}})));
    let two = two.spec.unwrap().two.unwrap();
    assert_eq!((two.a.as_deref(), two.b, two.extra.len()), (Some("x"), Some(2), 1));
}

#[test]
fn b44_each_required_field_may_be_null_or_missing() {
    use shapes::shop_example_test::v1::Widget;
    let whole = json!({
        "list": ["a"], "map": {"k": "v"}, "when": "2024-05-01T10:00:00Z", "obj": {"a": "x"}, "n": 3, "ratio": 0.25,
        "value": 1, "size": "small", "nullable": "x", "nullableNumber": 1,
    });
    let _: Widget = keeps(widget(whole.clone()));
    for field in ["list", "map", "when", "obj", "n", "ratio", "value", "size", "nullable", "nullableNumber"] {
        let (mut null, mut missing) = (whole.clone(), whole.clone());
        null[field] = Value::Null;
        missing.as_object_mut().unwrap().remove(field);
        let (null, missing): (Widget, Widget) = (reads(widget(null)), reads(widget(missing)));
        assert_eq!(null, missing, "{field}");
        // Nothing beside it is lost.
        let back = serde_json::to_value(&null).unwrap();
        for (other, value) in whole.as_object().unwrap().iter().filter(|(other, _)| *other != field) {
            assert_eq!(back["spec"][other], *value, "{field} {other}");
        }
    }
    // What is optional and missing is not written as null.
    let back = serde_json::to_value(reads::<Widget>(widget(whole.clone()))).unwrap();
    assert_eq!(back["spec"].as_object().unwrap().len(), whole.as_object().unwrap().len());
}

/// Servers of old sent these.
#[test]
fn b44_built_in_kinds_read_null_too() {
    let node: Node = reads(json!({"status": {"images": [{"names": null, "sizeBytes": 1}], "conditions": null}}));
    assert_eq!(node.status.unwrap().images.unwrap()[0].names.clone().unwrap_or_default(), [""; 0]);
    let event: Event = reads(json!({"metadata": {"name": "a"}, "eventTime": null, "note": "x"}));
    assert_eq!((event.event_time, event.note.as_deref()), (None, Some("x")));
    let set: DaemonSet = reads(json!({
        "spec": {"selector": {}, "template": {"metadata": {"creationTimestamp": null}, "spec": {"containers": null}}},
    }));
    assert!(set.spec.template.spec.unwrap().containers.is_empty());
}
