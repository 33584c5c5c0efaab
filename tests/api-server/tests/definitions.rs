//! Kinds whose definitions come, change and go.

mod common;

use common::{ALL, RED, Read, WIDGETS, Watch, get, send, server, widget};
use http::Method;
use informer_test_server::{Status, TestServer};
use serde_json::json;
use tokio::time::Instant;

async fn watch(server: &TestServer, version: u64) -> Watch {
    Watch::open(server, &format!("{RED}?watch=1&allowWatchBookmarks=true&resourceVersion={version}")).await
}

async fn is_expired(server: &TestServer, version: u64) -> bool {
    let mut watch = watch(server, version).await;
    let error = watch.event().await;
    (&error["object"]["code"], &error["object"]["reason"]) == (&json!(410), &json!("Expired"))
        && watch.read().await == Read::Closed
}

async fn is_plainly_not_found(server: &TestServer) -> bool {
    for path in [RED, ALL, &format!("{RED}?watch=1"), &format!("{RED}/a")] {
        let response = send(server, Method::GET, path, None).await;
        let is_text = response.headers()["content-type"] == "text/plain; charset=utf-8";
        if response.status() != 404 || !is_text || common::all(response).await != "404 page not found\n" {
            return false;
        }
    }
    true
}

/// How long the watch lives on. It must have no more events.
async fn last_breath(mut watch: Watch) -> u128 {
    let start = Instant::now();
    assert_eq!(watch.read().await, Read::Closed, "a clean end, no event");
    start.elapsed().as_millis()
}

#[tokio::test(start_paused = true)]
async fn a_change_ends_watches_and_expires_versions() {
    let server = server();
    server.create(&WIDGETS, widget("red", "a")).expect("created");
    let (open, version) = (watch(&server, 2).await, server.resource_version());
    server.change_definition(&WIDGETS);
    server.create(&WIDGETS, widget("red", "b")).expect("created");
    assert_eq!(last_breath(open).await, 1000);
    assert!(is_expired(&server, version).await, "though nothing was missed when it changed");
    let (_, list) = get(&server, RED).await;
    assert_eq!(common::list_names(&list), ["a", "b"], "the objects stay");
    assert_eq!(watch(&server, version + 1).await.brief().await, "ADDED b@4");
}

#[tokio::test(start_paused = true)]
async fn a_version_that_is_no_longer_served_keeps_its_objects() {
    let server = server();
    server.create(&WIDGETS, widget("red", "a")).expect("created");
    let open = watch(&server, 2).await;
    server.unserve_resource(&WIDGETS);
    assert!(is_plainly_not_found(&server).await);
    assert_eq!(last_breath(open).await, 1000);
    assert_eq!(server.create(&WIDGETS, widget("red", "b")).expect_err("not served").code(), 404);
    server.serve_resource(WIDGETS);
    assert!(is_expired(&server, 2).await);
    assert_eq!(common::list_names(&get(&server, RED).await.1), ["a"]);
}

#[tokio::test(start_paused = true)]
async fn a_definition_that_is_deleted_takes_its_objects_along() {
    let server = server();
    server.create(&WIDGETS, widget("red", "a")).expect("created");
    server.create(&WIDGETS, widget("red", "b")).expect("created");
    let mut open = watch(&server, 3).await;
    server.remove_resource(&WIDGETS);
    assert_eq!([open.brief().await, open.brief().await], ["DELETED a@4", "DELETED b@5"]);
    assert!(is_plainly_not_found(&server).await);
    assert_eq!(last_breath(open).await, 1000);
    server.serve_resource(WIDGETS);
    assert!(is_expired(&server, 3).await);
    assert_eq!(common::list_names(&get(&server, RED).await.1).len(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_storage_that_is_set_up_throttles() {
    let server = server();
    server.create(&WIDGETS, widget("red", "a")).expect("created");
    server.initialize_storage(&WIDGETS, 2);
    for path in [RED, &format!("{RED}?watch=1&resourceVersion=2")] {
        let response = send(&server, Method::GET, path, None).await;
        assert_eq!(
            (response.status().as_u16(), &response.headers()["retry-after"]),
            (429, &"1".parse().expect("text"))
        );
        let status: serde_json::Value = serde_json::from_slice(&common::all(response).await).expect("JSON");
        assert_eq!(status, Status::initializing().to_json());
        assert_eq!(status["message"], "storage is (re)initializing");
    }
    assert_eq!(get(&server, "/apis/shop.example.test/v1/zones").await.0, 200, "only of this kind");
    assert_eq!(get(&server, RED).await.0, 200);
}

/// A watch that opens while another retires is no concern of it.
#[tokio::test(start_paused = true)]
async fn what_comes_after_the_change_is_for_new_watches() {
    let server = server();
    let old = watch(&server, 1).await;
    server.change_definition(&WIDGETS);
    let mut new = watch(&server, 2).await;
    server.create(&WIDGETS, widget("red", "a")).expect("created");
    assert_eq!(new.brief().await, "ADDED a@3");
    assert_eq!(last_breath(old).await, 1000);
    assert!(new.is_silent_for(50).await);
    assert_eq!(server.open_watches(), 1);
}
