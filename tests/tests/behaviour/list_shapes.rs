//! Lists as odd servers write them (B08), and as the real ones do.

use informer_runtime::{CancellationToken, DynamicObject, Resource, SharedInformerFactory};
use informer_test_server::{Answer, Events, Layout, Script, Served, TestServer};
use informer_tests::{Running, WIDGETS, asked, at, settled};
use serde_json::json;

async fn is_an_empty_list(body: &str, version: &str) {
    let server = TestServer::new([&WIDGETS]);
    server.script(
        Script::new()
            .list(1, Answer::raw(200, "application/json", body.to_owned()))
            .watch(1, Events::new().added(at("red/a", 2))),
    );
    let running = Running::plain(&server);
    running.synced().await;
    assert_eq!(running.recorder.until(1).await, ["+red/a@2"], "{body}");
    assert_eq!(asked(&server), ["list rv=0 limit=500".to_owned(), format!("watch rv={version}")], "{body}");
    assert!(running.errors.all().is_empty(), "{body}: {:?}", running.errors.texts());
}

#[tokio::test(start_paused = true)]
async fn b08_whatever_is_missing_is_nothing() {
    for (body, version) in [
        (
            r#"{"kind":"WidgetList","apiVersion":"shop.example.test/v1","metadata":{"resourceVersion":"7"},"items":null}"#,
            "7",
        ),
        (r#"{"kind":"WidgetList","apiVersion":"shop.example.test/v1","metadata":{"resourceVersion":"7"}}"#, "7"),
        (r#"{"kind":"WidgetList","metadata":{},"items":[]}"#, ""),
        (r#"{"kind":"WidgetList","items":[]}"#, ""),
        (r#"{"items":[],"metadata":null}"#, ""),
        (r#"{"metadata":{"resourceVersion":"7","continue":null,"remainingItemCount":null},"items":[]}"#, "7"),
        (" {\n \"items\" : [ ] , \"metadata\" : { \"resourceVersion\" : \"7\" } }\n\n", "7"),
    ] {
        is_an_empty_list(body, version).await;
    }
}

#[tokio::test(start_paused = true)]
async fn b08_items_come_with_or_without_their_kind_and_before_or_after_the_rest() {
    for body in [
        r#"{"items":[{"metadata":{"name":"a","namespace":"red","resourceVersion":"5"},"spec":{"size":3}}],"metadata":{"resourceVersion":"7"}}"#,
        r#"{"metadata":{"resourceVersion":"7"},"items":[{"kind":"Widget","metadata":{"name":"a","namespace":"red","resourceVersion":"5"},"spec":{"size":3}}],"more":{"items":[{"metadata":{"name":"no"}}]}}"#,
        r#"{"metadata":{"resourceVersion":"7"},"items":[{"metadata":{"name":"a","namespace":"red","labels":null,"uid":null,"resourceVersion":"5"},"spec":{"size":3}}]}"#,
    ] {
        let server = TestServer::new([&WIDGETS]);
        server.script(Script::new().list(1, Answer::raw(200, "application/json", body)));
        let running = Running::plain(&server);
        running.synced().await;
        settled().await;
        assert_eq!(running.recorder.told(), ["+red/a@5!"], "{body}");
        assert_eq!(running.informer.last_sync_resource_version(), "7");
        let a = running.informer.lister().get("red", "a").unwrap();
        assert_eq!(a.get().unwrap().spec.size, 3);
        let dynamic = a.cast::<DynamicObject>().get().unwrap_or_else(|error| panic!("{body}: {error}"));
        let types = dynamic.types.as_ref().unwrap();
        assert_eq!((&*types.api_version, &*types.kind), ("shop.example.test/v1", "Widget"), "{body}");
    }
}

#[tokio::test(start_paused = true)]
async fn b08_what_is_no_list_is_no_list() {
    for body in [
        "",
        "404 page not found",
        "[]",
        r#"{"kind":"Widget","metadata":{"name":"a","resourceVersion":"5"}}"#,
        r#"{"kind":"WidgetList","items":[{"metadata":{"name":"a"}}"#,
        r#"{"kind":"WidgetList","items":[{"metadata":{"name":"a"}},]}"#,
        r#"{"kind":"WidgetList","items":{"metadata":{"name":"a"}}}"#,
    ] {
        let server = TestServer::new([&WIDGETS]);
        server.create(&WIDGETS, informer_tests::widget("red", "b")).unwrap();
        server.script(Script::new().list(1, Answer::raw(200, "application/json", body)));
        let running = Running::plain(&server);
        running.synced().await;
        assert_eq!(running.cache(), ["red/b@2"], "{body}: tried again");
        assert_eq!(running.errors.all().len(), 1, "{body}");
        assert!(running.errors.all()[0].is_garbage(), "{body}: {:?}", running.errors.texts());
    }
}

/// One odd item costs itself.
#[tokio::test(start_paused = true)]
async fn b08_q8_items_that_are_none_of_ours_are_reported_and_left_out() {
    let items =
        json!([at("red/a", 5), {"kind": "Gadget", "metadata": {"name": "g"}}, {"metadata": {}}, at("red/b", 6)]);
    let list = json!({"metadata": {"resourceVersion": "7"}, "items": items});
    let server = TestServer::new([&WIDGETS]);
    server.script(Script::new().list(1, Answer::json(&list)));
    let running = Running::plain(&server);
    running.synced().await;
    assert_eq!(running.cache(), ["red/a@5", "red/b@6"]);
    assert_eq!(running.errors.all().len(), 2);
}

/// Built-in kinds: items without kind and apiVersion. The raw JSON stays as it came, the dynamic edge fills them in.
#[tokio::test(start_paused = true)]
async fn the_lists_of_built_in_kinds() {
    const NODES: Resource = Resource::new("", "v1", "Node", "nodes", false);
    for streaming in [true, false] {
        let server = TestServer::builder()
            .resource(Served::new(NODES).layout(Layout::BuiltIn))
            .streaming_lists(streaming)
            .build();
        server.create(&NODES, json!({"metadata": {"name": "n1"}, "spec": {"podCIDR": "10.0.0.0/24"}})).unwrap();
        let factory = SharedInformerFactory::builder(server.client()).resources(&[NODES]).build().unwrap();
        let nodes = factory.informer_for::<k8s_openapi::api::core::v1::Node>();
        let stop = CancellationToken::new();
        factory.start(&stop);
        factory.wait_for_cache_sync(&stop).await.unwrap();
        let node = nodes.lister().get("", "n1").unwrap();
        assert_eq!(node.raw().contains("apiVersion"), streaming, "{}", node.raw());
        assert_eq!(node.get().unwrap().spec.as_ref().unwrap().pod_cidr.as_deref(), Some("10.0.0.0/24"));
        let dynamic = node.cast::<DynamicObject>().get().unwrap();
        let types = dynamic.types.as_ref().unwrap();
        assert_eq!((&*types.api_version, &*types.kind), ("v1", "Node"));
        assert_eq!(server.requests()[0].path, "/api/v1/nodes");
        factory.shutdown().await;
    }
}
