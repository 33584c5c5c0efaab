//! Real clients: kube's, in process and over a socket.

mod common;

use std::collections::BTreeMap;
use std::time::Duration;

use common::{RED, WIDGETS, server, widget};
use futures::StreamExt;
use http::Request;
use http_body_util::BodyExt;
use informer_test_server::{Answer, End, REAL_PIECE, Script, TestServer};
use k8s_openapi::api::core::v1::{ConfigMap, Namespace};
use kube::api::{Api, DeleteParams, ListParams, Patch, PatchParams, PostParams, WatchEvent, WatchParams};
use kube::client::Body;
use tokio::net::TcpListener;

fn config_map(name: &str) -> ConfigMap {
    let mut object = ConfigMap::default();
    object.metadata.name = Some(name.to_owned());
    object.data = Some(BTreeMap::from([("k".to_owned(), "v".to_owned())]));
    object
}

fn with_config_maps() -> TestServer {
    TestServer::new([informer_runtime::Resource::of::<ConfigMap>(), informer_runtime::Resource::of::<Namespace>()])
}

#[tokio::test(start_paused = true)]
async fn a_typed_client_reads_and_writes() {
    let server = with_config_maps();
    let api: Api<ConfigMap> = Api::namespaced(server.client(), "red");
    let mut made = api.create(&PostParams::default(), &config_map("a")).await.expect("created");
    made.data = None;
    let updated = api.replace("a", &PostParams::default(), &made).await.expect("replaced");
    assert_eq!(updated.metadata.resource_version.as_deref(), Some("3"));
    let conflict = api.replace("a", &PostParams::default(), &made).await.expect_err("a conflict");
    assert!(matches!(conflict, kube::Error::Api(status) if status.code == 409));
    let patch = Patch::Merge(serde_json::json!({"data": {"x": "y"}}));
    assert!(api.patch("a", &PatchParams::default(), &patch).await.expect("patched").data.is_some());
    assert_eq!(api.list(&ListParams::default()).await.expect("a list").items.len(), 1);
    assert!(api.delete("a", &DeleteParams::default()).await.expect("deleted").is_right());
    assert!(api.get_opt("a").await.expect("an answer").is_none());
}

#[tokio::test(start_paused = true)]
async fn a_typed_client_watches_for_hours_at_once() {
    let server = with_config_maps();
    let api: Api<ConfigMap> = Api::all(server.client());
    let streaming = WatchParams::default().initial_events().timeout(290);
    let mut events = api.watch(&streaming, "").await.expect("a watch").boxed();
    let Some(Ok(WatchEvent::Bookmark(mark))) = events.next().await else { panic!("the mark") };
    assert_eq!(mark.metadata.annotations["k8s.io/initial-events-end"], "true");
    let writer: Api<ConfigMap> = Api::namespaced(server.client(), "red");
    writer.create(&PostParams::default(), &config_map("a")).await.expect("created");
    assert!(matches!(events.next().await, Some(Ok(WatchEvent::Added(map))) if map.data.is_some()));
    for _ in 0..5 {
        assert!(matches!(events.next().await, Some(Ok(WatchEvent::Bookmark(_)))));
    }
    assert!(events.next().await.is_none());
    tokio::time::sleep(Duration::from_secs(36_000)).await;
    assert_eq!(server.open_watches(), 0);
}

#[tokio::test(start_paused = true)]
async fn discovery() {
    let server = server();
    let client = server.client();
    let groups = client.list_api_groups().await.expect("groups");
    assert_eq!(groups.groups.iter().map(|group| group.name.as_str()).collect::<Vec<_>>(), ["shop.example.test"]);
    let resources = client.list_api_group_resources("shop.example.test/v1").await.expect("resources");
    let found: Vec<_> = resources.resources.iter().map(|found| (found.name.as_str(), found.namespaced)).collect();
    assert_eq!(found, [("widgets", true), ("zones", false)]);
    assert_eq!(client.list_core_api_versions().await.expect("versions").versions, ["v1"]);
    assert_eq!(client.apiserver_version().await.expect("a version").major, "1");
}

#[tokio::test]
async fn over_a_socket() {
    let server = server();
    for number in 0..100 {
        server.create(&WIDGETS, widget("red", &format!("w{number}"))).expect("created");
    }
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let front = server.serve(listener, Some(REAL_PIECE)).expect("a server");
    let client = kube::Client::try_from(front.config()).expect("a client");
    let get = |path: &str| Request::get(path).body(Body::empty()).expect("a request");
    let list = client.send(get(RED)).await.expect("a list").into_body().collect_bytes().await.expect("a body");
    let list: serde_json::Value = serde_json::from_slice(&list).expect("JSON");
    assert_eq!(list["items"].as_array().expect("items").len(), 100);

    let path = format!("{RED}?watch=1&resourceVersion=101");
    let mut watch = client.send(get(&path)).await.expect("a watch").into_body();
    server.create(&WIDGETS, widget("red", "new")).expect("created");
    let frame = watch.frame().await.expect("a frame").expect("no error");
    assert!(frame.into_data().expect("data").starts_with(br#"{"type":"ADDED""#));
    drop(watch);
    server.wait_until(|server| server.open_watches() == 0).await;

    server.script(
        Script::new()
            .watch(1, Answer::state().ending_after_events(0, End::Cut))
            .watch(2, Answer::refused())
            .list(1, Answer::never()),
    );
    let mut cut = client.send(get(&path)).await.expect("headers").into_body();
    assert!(cut.frame().await.expect("an end").is_err(), "no last chunk");
    assert!(client.send(get(&path)).await.is_err(), "no answer");
    let hangs = tokio::spawn({
        let client = client.clone();
        async move { client.send(Request::get(RED).body(Body::empty()).expect("a request")).await.is_err() }
    });
    server.wait_until(|server| server.lists().len() == 2).await;

    let mut open = client.send(get(&path)).await.expect("a watch").into_body();
    let stop = tokio::spawn(front.stop());
    while open.frame().await.transpose().expect("a clean end").is_some() {}
    assert!(hangs.await.expect("no panic"));
    stop.await.expect("stopped");
    assert_eq!(server.open_watches(), 0);
}
