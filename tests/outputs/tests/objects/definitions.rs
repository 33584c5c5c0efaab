//! Types of an OpenAPI document with definitions that hold themselves, and one that two groups serve.

use std::marker::PhantomData;
use std::time::Duration;

use informer_outputs::definitions::prelude::*;
use informer_outputs::definitions::{self as outputs, apps_example_test, core, definitions, shop_example_test};
use informer_runtime::codegen::serde_json::{self, Value, json};
use informer_runtime::codegen::{self, kube};
use informer_test_server::TestServer;

use crate::keeps;

fn tree(more: Value) -> Value {
    let mut tree = json!({"apiVersion": "shop.example.test/v1", "kind": "Tree", "metadata": {"name": "oak"}});
    tree.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    tree
}

#[test]
fn b40_fifty_levels_of_a_type_that_holds_itself() {
    let mut node = json!({"value": "last"});
    for level in 0..50 {
        node = match level % 3 {
            0 => json!({"value": "a", "left": node}),
            1 => json!({"children": [{"value": "b"}, node]}),
            _ => json!({"left": {"value": "c"}, "named": {"x": node}}),
        };
    }
    let oak: shop_example_test::v1::Tree = keeps(tree(json!({"root": node})));
    let root: definitions::Node = oak.root.unwrap();
    assert_eq!(root.children.unwrap()[0].value.as_deref(), Some("b"));
    let mut schema = json!({"type": "string"});
    for level in 0..25 {
        schema = match level % 4 {
            0 => json!({"not": schema, "additionalProperties": false}),
            1 => json!({"items": schema, "additionalProperties": {"type": "object"}}),
            2 => json!({"allOf": [schema], "type": "object"}),
            _ => json!({"properties": {"x": schema}}),
        };
    }
    let _: shop_example_test::v1::Tree = keeps(tree(json!({"schema": schema})));
    let mut pair = json!({"b": {}});
    let mut circle = json!({"second": {"thirds": {}}});
    for _ in 0..25 {
        pair = json!({"b": {"a": pair, "inside": {"a": {"b": {}}}}});
        circle = json!({"second": {"thirds": {"x": {"first": circle}, "y": {"first": {"second": {"thirds": {}}}}}}});
    }
    let _: shop_example_test::v1::Tree = keeps(tree(json!({"pair": pair, "circle": circle})));
}

#[test]
fn b40_boxes_are_only_where_a_type_would_hold_itself() {
    use definitions::test_example_shop_v1::{A, B, First, JSONSchemaProps, Second, Third, b};
    let node = definitions::Node {
        left: Some(Box::default()),
        children: Some(vec![Default::default()]),
        ..Default::default()
    };
    assert!(node.left.is_some_and(|left: Box<definitions::Node>| left.named.is_none()));
    // What must be there lies where it is; one box a circle.
    let a = A { b: B { a: Some(Box::new(A::default())), inside: Some(b::Inside { a: Box::default() }) } };
    assert!(a.b.a.is_some());
    let third = Third { first: First { second: Second::default() } };
    let first = First { second: Second { thirds: [("x".to_owned(), third)].into() } };
    assert_eq!(first.second.thirds.len(), 1);
    let schema = JSONSchemaProps { not: Some(Box::default()), items: Some(Box::default()), ..Default::default() };
    assert!(schema.properties.is_none() && schema.all_of.is_none());
}

fn deploy(api_version: &str) -> Value {
    json!({
        "apiVersion": api_version, "kind": "Deploy", "metadata": {"name": "web", "namespace": "red"}, "ratio": 0.5,
        "served": {"here": true}, "spec": {"replicas": 2, "strategy": "Fast", "limits": {"cpu": "1"}},
    })
}

#[test]
fn b50_one_type_is_served_in_two_groups() {
    let in_core: core::v1::Deploy = keeps(deploy("v1"));
    let in_apps: apps_example_test::v1::Deploy = keeps(deploy("apps.example.test/v1"));
    assert_eq!(in_core.clone().served_as(), in_apps);
    // One struct, and one type of what is in it.
    let fields = |deploy: definitions::served::test_example_v1_deploy::Deploy<_>| {
        let _: PhantomData<core::v1::deploy::DeployServed> = deploy.served;
        (deploy.spec.unwrap(), deploy.served_.unwrap())
    };
    let (spec, here): (definitions::test_example_v1::DeploySpec, core::v1::deploy::DeployServed_) =
        fields(in_apps.clone().served_as());
    assert_eq!(spec.strategy, Some(definitions::test_example_v1::Strategy::Fast));
    assert_eq!(Some(here), in_apps.served_);
    for wrong in ["apps.example.test/v1", "v2"] {
        let read: Result<core::v1::Deploy, _> = serde_json::from_value(deploy(wrong));
        assert!(read.unwrap_err().to_string().contains(wrong));
    }
    let made = apps_example_test::v1::Deploy { spec: Some(spec), ..Default::default() };
    let text = serde_json::to_string(&made.served_as::<core::v1::deploy::DeployServed>()).unwrap();
    assert!(text.starts_with(r#"{"apiVersion":"v1","kind":"Deploy","metadata":{},"ratio":0,"spec":{"#), "{text}");
}

#[test]
fn b50_each_place_has_its_own_paths_and_informer() {
    fn path<K: kube::Resource<DynamicType = ()>>(namespace: Option<&str>) -> String {
        K::url_path(&(), namespace)
    }
    assert_eq!(path::<core::v1::Deploy>(Some("red")), "/api/v1/namespaces/red/deploys");
    assert_eq!(path::<apps_example_test::v1::Deploy>(None), "/apis/apps.example.test/v1/deploys");
    let of = codegen::resource::<core::v1::Deploy>();
    assert_eq!(outputs::RESOURCES[..2], [of, codegen::resource::<apps_example_test::v1::Deploy>()]);
    assert_eq!(outputs::RESOURCES.len(), 3);
}

#[tokio::test(start_paused = true)]
async fn b50_each_place_is_watched_by_itself() {
    let server = TestServer::new(outputs::RESOURCES);
    let [in_core, in_apps] = [&outputs::RESOURCES[0], &outputs::RESOURCES[1]];
    server.create(in_core, json!({"metadata": {"namespace": "red", "name": "a"}, "ratio": 1})).unwrap();
    server.create(in_apps, json!({"metadata": {"name": "b"}, "ratio": 2})).unwrap();
    let factory = outputs::new_shared_informer_factory(server.client(), Duration::ZERO);
    let (cores, apps) = (factory.core().v1().deploys().lister(), factory.apps_example_test().v1().deploys().lister());
    let stop = CancellationToken::new();
    factory.start(&stop);
    factory.wait_for_cache_sync(&stop).await.unwrap();
    let (a, b) = (cores.deploys("red").get("a").unwrap(), apps.get("b").unwrap());
    let (a, b): (core::v1::Deploy, apps_example_test::v1::Deploy) =
        ((*a.get().unwrap()).clone(), (*b.get().unwrap()).clone());
    assert_eq!((a.ratio.as_f64(), b.ratio.as_f64()), (Some(1.0), Some(2.0)));
    let mut paths: Vec<String> = server.watches().iter().map(|request| request.path.clone()).collect();
    paths.sort();
    assert_eq!(paths, ["/api/v1/deploys", "/apis/apps.example.test/v1/deploys"]);
    factory.shutdown().await;
}

#[test]
fn b50_an_object_within_an_object_keeps_its_own_kind() {
    let oak: shop_example_test::v1::Tree = keeps(tree(json!({
        "deploys": {"a": deploy("other.example.test/v1"), "b": {"ratio": 1}},
        "strategies": ["Slow", "Later"], "names": {"x": ["y"]}, "option": {"text": "a", "box": {"text": "b"}},
    })));
    let inner: &definitions::test_example_v1::Deploy = &oak.deploys.as_ref().unwrap()["a"];
    assert_eq!(inner.api_version.as_deref(), Some("other.example.test/v1"));
    assert_eq!(oak.names.unwrap()["x"], ["y"]);
}
