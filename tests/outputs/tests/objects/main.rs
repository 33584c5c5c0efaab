//! The types of informer-gen's golden outputs, tried with objects that the server would accept.

mod definitions;
mod fields;
mod kinds;
mod mapped;
mod served;
mod shared;
mod values;

use std::fmt::Debug;

use informer_outputs::{deep, extras, groups, names, renames, roots, shapes, shop};
use informer_runtime::codegen::serde::Serialize;
use informer_runtime::codegen::serde::de::DeserializeOwned;
use informer_runtime::codegen::serde_json::{self, Value, json};
use informer_runtime::codegen::{IntOrString, Resource, SharedInformerFactory, k8s_openapi};
use informer_test_server::TestServer;

/// Decodes from a text and from a value, and back; the JSON must be equal.
#[track_caller]
fn keeps<T: Serialize + DeserializeOwned + PartialEq + Debug>(object: Value) -> T {
    let by_text: T = serde_json::from_str(&object.to_string()).unwrap();
    let by_value: T = serde_json::from_value(object.clone()).unwrap();
    assert_eq!(by_text, by_value);
    assert_eq!(serde_json::to_value(&by_text).unwrap(), object);
    by_text
}

/// A factory to ask for informers; its server has no objects.
fn factory() -> SharedInformerFactory {
    SharedInformerFactory::builder(TestServer::new(shop::RESOURCES).client()).build().unwrap()
}

fn reads<T: DeserializeOwned>(object: Value) -> T {
    serde_json::from_value(object).unwrap()
}

#[test]
fn ordinary_objects() {
    use shop::shop_example_test::v1::{Widget, Zone, widget};
    let widget: Widget = keeps(json!({
        "apiVersion": "shop.example.test/v1", "kind": "Widget",
        "metadata": {"name": "a", "namespace": "red", "creationTimestamp": "2024-05-01T10:00:00Z"},
        "spec": {"size": "huge", "replicas": 3, "ports": [{"name": "web", "port": "http"}, {"name": "x", "port": 80}]},
        "status": {"ready": true, "conditions": [{"type": "Ready", "status": "True", "lastTransitionTime": "2024-05-01T10:00:00.5+02:00"}]},
    }));
    assert_eq!(widget.spec.size, widget::spec::Size::Other("huge".into()));
    let ports = widget.spec.ports.unwrap();
    assert_eq!(ports[0].port, Some(IntOrString::from("http")));
    let zone: Zone = reads(json!({"metadata": {"name": "z"}}));
    assert_eq!(zone, Zone { metadata: zone.metadata.clone(), spec: None });
    let filled = Widget {
        spec: widget::WidgetSpec { size: widget::spec::Size::Small, ..Default::default() },
        ..Default::default()
    };
    let text = serde_json::to_string(&filled).unwrap();
    assert_eq!(
        text,
        r#"{"apiVersion":"shop.example.test/v1","kind":"Widget","metadata":{},"spec":{"replicas":0,"size":"small"}}"#
    );
    let wrong: Result<Widget, _> =
        serde_json::from_value(json!({"apiVersion": "shop.example.test/v1beta1", "kind": "Widget", "metadata": {}}));
    assert!(wrong.unwrap_err().to_string().contains("shop.example.test/v1beta1"));
}

#[test]
fn b41_b42_b43_values_of_every_shape() {
    use shapes::shop_example_test::v1::Widget;
    let minimal = json!({
        "list": ["a"], "map": {"k": "v"}, "when": "2024-05-01T10:00:00Z", "obj": {"a": "x"}, "n": 3, "ratio": 0.25,
        "value": null, "size": "small", "nullable": null, "nullableNumber": null,
    });
    let object = |more: Value| {
        let mut spec = minimal.clone();
        spec.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({"apiVersion": "shop.example.test/v1", "kind": "Widget", "metadata": {}, "spec": spec})
    };
    let _: Widget = keeps(object(json!({})));
    let _: Widget = keeps(object(json!({
        "n": i64::MAX, "ratio": 1e21, "value": {"k": [null]}, "nullable": "x", "nullableNumber": -1.5,
        "optionalNullable": "x", "threeStates": null, "threeStatesAny": null, "port": 0, "portTyped": 17_179_869_184_i64,
        "portOld": "25%", "objectOld": {"a": [1]}, "numberOld": 0.5, "anyOld": {"a": 1.5}, "portWithOtherType": 80, "ports": [0, -1, "0", ""], "portMap": {"a": 2_147_483_647, "b": "25%"},
        "m1": {"x": {"a": "y"}, "z": {}}, "m2": {"x": {"y": {"b": 1}}}, "m3": {"x": [{"c": true}, {}]}, "m4": {"x": 1, "y": 1.5},
        "a1": [[], ["x"]], "a2": [{"x": [{"d": "y"}]}], "sizes": ["small", "huge"], "sizeMap": {"x": "large"},
        "nullableItems": ["x", null], "nullableValues": {"x": null, "y": {"a": "z"}}, "openMap": {"x": [1, null]},
        "closed": {"a": "x"}, "open": {"a": "x", "ratio": 2, "kind": 5, "more": {"deep": [null, 1.5]}},
        "anyObject": {"x": {"y": null}}, "anything": null, "anyItems": [5, "x", true, null, [1, "a"]], "anyValues": {"x": null},
        "empty": {}, "resource": {"apiVersion": "v1", "kind": "ConfigMap", "data": {"x": "y"}}, "bytes": "AAEC",
        "numbers": 7, "flags": false, "withNull": "later", "float": 3.5,
    })));
    for any in [json!(5), json!("x"), json!(true), json!([1, "a"]), json!({"k": [null]})] {
        let _: Widget = keeps(object(json!({"anything": any, "value": any, "threeStatesAny": any})));
    }
    let status =
        json!({"apiVersion": "shop.example.test/v1", "kind": "Widget", "metadata": {}, "status": {"x": {"y": [1]}}});
    let _: Widget = keeps(status);
    let absent: Widget = reads(object(json!({"optionalNullable": null})));
    assert_eq!(absent.spec.unwrap().optional_nullable, None);
}

#[test]
fn b44_required_fields_that_are_null_or_missing_read_as_defaults() {
    use shapes::shop_example_test::v1::Widget;
    use shapes::shop_example_test::v1::widget::WidgetSpec;
    for field in ["list", "map", "when", "obj", "n", "ratio", "value", "size"] {
        let null: Widget = reads(json!({"metadata": {}, "spec": {field: null}}));
        assert_eq!(null.spec, Some(WidgetSpec::default()), "{field}");
    }
    let wrong: Result<Widget, _> = serde_json::from_value(json!({"spec": {"list": 5}}));
    assert!(wrong.unwrap_err().to_string().contains("expected a sequence"));
}

/// A server checks nothing of what is stored when a schema is tightened. What a type can hold it reads; where it can't,
/// the error names the place, and a smaller type reads the rest.
#[test]
fn h31_values_that_an_earlier_schema_allowed() {
    use shapes::shop_example_test::v1::Widget;
    use shop::shop_example_test::v1::Widget as Small;
    let stored = json!({"apiVersion": "shop.example.test/v1", "kind": "Widget", "metadata": {}, "spec": {
        "size": "unheard of", "sizes": ["", "small"], "when": "yesterday", "n": i64::MIN, "value": null, "obj": {"a": ""},
        "list": [], "map": {"": ""}, "ratio": -1, "nullable": null, "nullableNumber": null, "bytes": "no base64!",
    }});
    let _: Widget = keeps(stored);
    let wrong = json!({"apiVersion": "shop.example.test/v1", "kind": "Widget", "metadata": {}, "spec": {
        "size": "small", "replicas": 3, "list": {"was": "a map"}, "gone": [null],
    }});
    assert!(serde_json::from_value::<Widget>(wrong.clone()).is_err());
    let beside: Small = reads(wrong);
    assert_eq!(beside.spec.replicas, 3);
}

/// Texts of numbers, as servers write them.
#[test]
fn numbers_come_back_as_they_were_written() {
    use shapes::shop_example_test::v1::Widget;
    for text in [
        "0",
        "-1",
        "9223372036854775807",
        "18446744073709551615",
        "12345678901234567000",
        "1e+21",
        "1e-7",
        "0.1",
        "0.30000000000000004",
        "0.12345678901234568",
        "2.2250738585072014e-308",
        "1.7976931348623157e+308",
        "5e-324",
    ] {
        let object = format!(r#"{{"spec":{{"ratio":{text},"value":{text}}}}}"#);
        let widget: Widget = serde_json::from_str(&object).unwrap();
        let spec = widget.spec.unwrap();
        for number in [spec.ratio.as_f64(), spec.value.as_f64()] {
            assert_eq!(number, text.parse().ok(), "{text}");
        }
    }
}

#[test]
fn b35_b36_b37_b38_names_that_rust_has_no_room_for() {
    use names::shop_example_test::v1::{Widget, widget};
    let fields = [
        "type",
        "ref",
        "use",
        "impl",
        "async",
        "gen",
        "try",
        "box",
        "self",
        "Self",
        "super",
        "crate",
        "union",
        "default",
        "static",
        "yield",
        "macro_rules",
        "extra",
        "podName",
        "pod_name",
        "PodName",
        "pod-name",
        "fooBar",
        "",
        "@",
        "-",
        "_",
        "1st",
        "$ref$",
        "a.b",
        "example.test/gpu",
        "größe",
    ];
    let mut spec: serde_json::Map<String, Value> =
        fields.into_iter().map(|name| (name.to_owned(), json!(name))).collect();
    let rest = json!({
        "codegen": {"a": "x"}, "match": {"where": "x"}, "loop": [{"fn": "x"}], "foobar": 5, "labels": {"x": "y"}, "Labels": {"a": "x"},
        "string": {"a": "x"}, "vec": [{"a": "x"}], "option": {"a": "x"}, "std": {"std": {"a": "x"}},
        "ports": {"metricsRelabel": {"a": "x"}}, "portsMetrics": {"relabel": {"b": 1}}, "a": {"a": {"a": "x"}},
        "status": {"spec": {"a": "x"}}, "a\")] pub const X: u8 = 1; //": "b\")] pub const Y: u8 = 1; //",
    });
    spec.extend(rest.as_object().unwrap().clone());
    let object = |spec: &Value| {
        json!({
            "apiVersion": "shop.example.test/v1", "kind": "Widget", "metadata": {}, "spec": spec, "status": {"spec": {"a": "x"}},
            "metadata_": "x", "Metadata": "y",
        })
    };
    let widget: Widget = keeps(object(&spec.into()));
    let spec = widget.spec.unwrap();
    assert_eq!(
        (spec.type_.as_str(), spec.gen_.as_str(), spec.pod_dash_name.as_deref()),
        ("type", "gen", Some("pod-name"))
    );

    for (field, values) in [
        ("keyword", &["self", "Self", "crate", "type", "Other", "None", "new"][..]),
        ("op", &["=", "!=", "=~", "!~", "", "*", "+", "-", "<", ">="]),
        ("ver", &["1.2.5", "1.2.6", "1.0.0-rc1", "10"]),
        ("path", &["/", "/a b", "a/b", "a_b", "a.b"]),
        ("lang", &["C", "C++", "c", "日本"]),
        ("action", &["replace", "Replace", "REPLACE", "keep", "Keep"]),
    ] {
        for value in values {
            let spec = json!({"type": "", "ref": "", "use": "", "self": "", "Self": "", "gen": "", field: value});
            let _: Widget = keeps(object(&spec));
        }
    }
    assert_eq!(widget::spec::Op::from("!=").as_str(), "!=");
    assert_eq!(widget::spec::Op::from("!="), widget::spec::Op::NotEqual);
    assert_eq!(widget::spec::Keyword::from("Other"), widget::spec::Keyword::OtherValue);
}

#[test]
fn h15_h16_objects_without_the_usual_spec() {
    use roots::shop_example_test::v1::{Bare, Data, Lines, Open, Text};
    let object = |kind: &str, more: Value| {
        let mut object = json!({"apiVersion": "shop.example.test/v1", "kind": kind, "metadata": {"name": "a"}});
        object.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        object
    };
    let _: Bare = keeps(object("Bare", json!({})));
    let open: Open = keeps(object("Open", json!({"spec": 5, "more": [null]})));
    assert_eq!(open.extra.len(), 2);
    let _: Data = keeps(object("Data", json!({"data": {"a": "b"}, "ratio": 1.5, "operation": {"sync": true}})));
    assert_eq!(Data::default().ratio, 0.into());
    let _: Lines = keeps(object("Lines", json!({"spec": [{"a": "x"}]})));
    let _: Text = keeps(object("Text", json!({"spec": "x", "status": "on"})));
}

#[test]
fn h32_what_is_too_deep_is_kept_as_json() {
    let mut spec = json!("x");
    for _ in 0..25 {
        spec = json!({ "a": spec });
    }
    let object = json!({"apiVersion": "shop.example.test/v1", "kind": "Widget", "metadata": {}, "spec": spec});
    let _: deep::shop_example_test::v1::Widget = keeps(object);
}

#[test]
fn b45_b46_resources_are_as_declared() {
    let rows: Vec<String> =
        groups::RESOURCES.iter().map(|row| format!("{} {} {}", row.api_version(), row.kind(), row.plural())).collect();
    assert_eq!(
        rows,
        [
            "3scale.example.test/v10 Data data",
            "3scale.example.test/v9 Data data",
            "core.example.test/self Foo barz",
            "core.example.test/self NetworkAttach network-attach-defs",
            "core.example.test/self Settings settings",
            "my-team.example.test/v1-internal Person people",
            "net.example.test/v1 Ingress ingresses",
            "net.example.test/v1beta1 Ingress ingresses",
            "net.example.test/v2alpha1 Ingress ingresses",
            "net.other.test/v1 Ingress ingresses",
            "type.example.test/type Dns dnses",
        ]
    );
    assert!(!groups::RESOURCES[0].is_namespaced() && groups::RESOURCES[2].is_namespaced());
    assert_eq!(Resource::of::<groups::core_example_test::self_::NetworkAttach>(), groups::RESOURCES[3]);
    let kind = <names::shop_example_test::v1::Postgresql as k8s_openapi::Resource>::KIND;
    let list = <names::shop_example_test::v1::WidgetList as k8s_openapi::ListableResource>::LIST_KIND;
    assert_eq!((kind, list), ("postgresql", "Widgets"));
    assert_eq!(<names::shop_example_test::v1::SelfKind as k8s_openapi::Resource>::KIND, "Self");
}

/// Types have the derives that were asked for; those of std only where every field has them.
#[test]
fn derives_on_request() {
    use extras::shop_example_test::v1::{Widget, widget};
    fn equal<T: Eq>() {}
    fn hashed<T: std::hash::Hash>() {}
    fn ordered<T: Ord>() {}
    equal::<widget::WidgetSpec>();
    equal::<widget::spec::Ports>();
    hashed::<widget::spec::Ports>();
    hashed::<widget::spec::ExampleTestParts>();
    ordered::<widget::spec::Size>();
    let object = json!({"apiVersion": "shop.example.test/v1", "kind": "Widget", "metadata": {}, "spec": {
        "size": "small", "ratio": 0.5, "ports": [{"name": "a", "port": 1}],
    }});
    let widget: Widget = keeps(object);
    #[allow(deprecated)]
    let size = widget.spec.unwrap().size;
    assert_eq!(size, Some(widget::spec::Size::Small));
}

/// Rows 1, 2, 8 and 13: two origins of one name, told apart by `--rename`. What goes over the wire is as it was.
#[tokio::test]
async fn renamed_kinds_are_the_same_on_the_wire() {
    use renames::a_b_test::v1::Widget as Other;
    use renames::ab::v1::Widget;
    use renames::prelude::*;
    use renames::shop::v1::{ClusterRoute, HTTPRoute, InformerWidget, InformerWidgetInformer, WidgetInformer};
    let named = [
        Resource::of::<Widget>(),
        Resource::of::<Other>(),
        Resource::of::<HTTPRoute>(),
        Resource::of::<ClusterRoute>(),
        Resource::of::<InformerWidget>(),
    ];
    let words = named.each_ref().map(|row| format!("{} {} {}", row.api_version(), row.kind(), row.plural()));
    assert_eq!(
        words,
        [
            "a-b.test/v1 Widget widgets",
            "a.b.test/v1 Widget widgets",
            "shop.example.test/v1 HTTPRoute httproutes",
            "shop.example.test/v1 HttpRoute httproutes2",
            "shop.example.test/v1 WidgetInformer widgetinformers",
        ]
    );
    assert!(named.iter().all(|row| renames::RESOURCES.contains(row)));
    let factory = factory();
    let shop = factory.shop().v1();
    let (informer_widgets, widgets): (InformerWidgetInformer, WidgetInformer) =
        (shop.widgetinformers(), shop.widgets());
    let informers: [&dyn GenericInformer; 5] = [
        &factory.ab().v1().widgets(),
        &factory.a_b_test().v1().widgets(),
        &shop.httproutes(),
        &shop.cluster_routes(),
        &informer_widgets,
    ];
    assert_eq!(informers.map(GenericInformer::resource), named.each_ref());
    assert_eq!(widgets.resource().to_string(), "widgets.v1.shop.example.test");
    let object =
        json!({"apiVersion": "shop.example.test/v1", "kind": "HttpRoute", "metadata": {}, "spec": {"size": 1}});
    let route: ClusterRoute = keeps(object);
    assert_eq!(route.spec.unwrap().size, Some(1));
}

#[tokio::test]
async fn h03_h07_accessors_lead_to_every_kind() {
    use groups::prelude::*;
    use names::prelude::*;
    let factory = factory();
    let own = factory.shop_example_test().v1();
    let informers: [&dyn GenericInformer; 5] = [
        &factory.net_example_test().v1().ingresses(),
        &factory.net_other_test().v1().ingresses(),
        &factory._3scale_example_test().v10().data(),
        &own.list_(),
        &own.clone_(),
    ];
    assert_eq!(
        informers.map(|informer| informer.resource().path(Some("red"))),
        [
            "/apis/net.example.test/v1/namespaces/red/ingresses",
            "/apis/net.other.test/v1/namespaces/red/ingresses",
            "/apis/3scale.example.test/v10/data",
            "/apis/shop.example.test/v1/namespaces/red/list",
            "/apis/shop.example.test/v1/namespaces/red/clone",
        ]
    );
    let _ = (PersonEventHandlerFuncs::new(), WidgetSpecEventHandlerFuncs::new());
}
