//! Watches: events, selectors, versions, bookmarks, ends.

mod common;

use common::{ALL, PODS, RED, Read, WIDGETS, Watch, labelled, server, widget};
use informer_test_server::{Status, TestServer};
use serde_json::json;
use tokio::time::Instant;

#[tokio::test(start_paused = true)]
async fn from_a_version_on() {
    let server = server();
    server.create(&WIDGETS, widget("red", "a")).expect("created");
    server.create(&WIDGETS, widget("red", "b")).expect("created");
    let mut watch = Watch::open(&server, &format!("{RED}?watch=1&resourceVersion=2")).await;
    assert_eq!(watch.brief().await, "ADDED b@3", "caught up");
    server.apply(&WIDGETS, labelled("b", json!({"x": "y"}))).expect("changed");
    server.create(&WIDGETS, widget("blue", "other")).expect("created");
    server.delete(&WIDGETS, "red", "b").expect("deleted");
    assert_eq!(watch.brief().await, "MODIFIED b@4");
    let deleted = watch.event().await;
    assert_eq!(deleted["type"], "DELETED");
    assert_eq!(deleted["object"]["metadata"]["resourceVersion"], "6");
    assert_eq!(deleted["object"]["metadata"]["labels"], json!({"x": "y"}), "the last state");
    assert_eq!(deleted["object"]["kind"], "Widget");
    assert!(watch.is_silent_for(50).await);
}

#[tokio::test(start_paused = true)]
async fn objects_that_leave_a_selector() {
    let server = server();
    let mut watch = Watch::open(&server, &format!("{RED}?watch=1&resourceVersion=1&labelSelector=step%3Done")).await;
    server.create(&WIDGETS, labelled("a", json!({"step": "zero"}))).expect("created");
    server.apply(&WIDGETS, labelled("a", json!({"step": "one"}))).expect("changed");
    server.apply(&WIDGETS, labelled("a", json!({"step": "two"}))).expect("changed");
    server.delete(&WIDGETS, "red", "a").expect("deleted");
    assert_eq!(watch.brief().await, "ADDED a@3");
    let left = watch.event().await;
    assert_eq!(left["type"], "DELETED");
    assert_eq!(left["object"]["metadata"]["labels"], json!({"step": "one"}));
    assert_eq!(left["object"]["metadata"]["resourceVersion"], "4");
    assert!(watch.is_silent_for(50).await, "its deletion is not seen");
}

#[tokio::test(start_paused = true)]
async fn without_a_version_the_state_comes_first() {
    let server = server();
    server.create(&WIDGETS, widget("red", "a")).expect("created");
    for query in ["watch=1", "watch=1&resourceVersion=0"] {
        let mut plain = Watch::open(&server, &format!("{RED}?{query}")).await;
        assert_eq!(plain.brief().await, "ADDED a@2");
        assert!(plain.is_silent_for(50).await);
        let mut marked = Watch::open(&server, &format!("{RED}?{query}&allowWatchBookmarks=true")).await;
        assert_eq!(marked.brief().await, "ADDED a@2");
        assert_eq!(marked.brief().await, "BOOKMARK @2");
    }
}

#[tokio::test(start_paused = true)]
async fn streaming_lists() {
    let server = server();
    server.create(&WIDGETS, widget("red", "a")).expect("created");
    let query = "watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan";
    let mut watch = Watch::open(&server, &format!("{RED}?{query}&allowWatchBookmarks=true&limit=1")).await;
    server.create(&WIDGETS, widget("red", "b")).expect("created");
    assert_eq!(watch.brief().await, "ADDED a@2");
    assert_eq!(
        watch.event().await,
        json!({"type": "BOOKMARK", "object": {
            "apiVersion": "shop.example.test/v1", "kind": "Widget",
            "metadata": {"annotations": {"k8s.io/initial-events-end": "true"}, "resourceVersion": "2"},
        }})
    );
    assert_eq!(watch.brief().await, "ADDED b@3", "the same stream goes on");
    let mut unmarked = Watch::open(&server, &format!("{RED}?{query}")).await;
    assert_eq!(unmarked.brief().await, "ADDED a@2");
    assert_eq!(unmarked.brief().await, "ADDED b@3");
    assert!(unmarked.is_silent_for(50).await, "no bookmarks asked for, no mark");
}

#[tokio::test(start_paused = true)]
async fn a_server_without_streaming_lists() {
    let server = TestServer::builder().resource(WIDGETS).streaming_lists(false).build();
    let (code, status) =
        common::get(&server, &format!("{RED}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan")).await;
    assert_eq!((code, &status["reason"]), (422, &json!("Invalid")));
}

#[tokio::test(start_paused = true)]
async fn expired_versions() {
    let server = server();
    server.create(&WIDGETS, widget("red", "a")).expect("created");
    let path = |version: u64| format!("{RED}?watch=1&resourceVersion={version}");
    let mut open = Watch::open(&server, &path(1)).await;
    server.compact();
    let mut watch = Watch::open(&server, &path(1)).await;
    let error = watch.event().await;
    assert_eq!(error["type"], "ERROR");
    assert_eq!((&error["object"]["code"], &error["object"]["reason"]), (&json!(410), &json!("Expired")));
    assert_eq!(watch.read().await, Read::Closed);
    assert!(Watch::open(&server, &path(2)).await.is_silent_for(50).await, "the newest is known");
    server.expire_versions();
    assert_eq!(Watch::open(&server, &path(2)).await.event().await["object"]["code"], 410);
    assert_eq!(open.brief().await, "ADDED a@2", "open watches stay");
}

#[tokio::test(start_paused = true)]
async fn history_is_bounded() {
    let server = TestServer::builder().resource(WIDGETS).history(2).build();
    for name in ["a", "b", "c"] {
        server.create(&WIDGETS, widget("red", name)).expect("created");
    }
    assert_eq!(Watch::open(&server, &format!("{RED}?watch=1&resourceVersion=1")).await.event().await["type"], "ERROR");
    assert_eq!(Watch::open(&server, &format!("{RED}?watch=1&resourceVersion=2")).await.brief().await, "ADDED b@3");
}

#[tokio::test(start_paused = true)]
async fn versions_too_large() {
    let server = server();
    let start = Instant::now();
    let query = "watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=99";
    let mut streaming = Watch::open(&server, &format!("{RED}?{query}")).await;
    let error = streaming.event().await;
    assert_eq!((&error["type"], &error["object"]["code"]), (&json!("ERROR"), &json!(504)));
    assert_eq!(start.elapsed().as_secs(), 3);
    let path = format!("{RED}?watch=1&resourceVersion=99&allowWatchBookmarks=true&timeoutSeconds=600");
    let mut plain = Watch::open(&server, &path).await;
    server.create(&WIDGETS, widget("red", "a")).expect("created");
    assert_eq!(plain.read().await, Read::Closed, "silent until its timeout");
    assert_eq!(start.elapsed().as_secs(), 603);
}

#[tokio::test(start_paused = true)]
async fn bookmarks_and_timeout() {
    let server = server();
    let start = Instant::now();
    let path = format!("{RED}?watch=1&resourceVersion=1&allowWatchBookmarks=true&timeoutSeconds=150");
    let mut watch = Watch::open(&server, &path).await;
    server.advance_version(4);
    for seconds in [60, 120, 148] {
        assert_eq!(watch.brief().await, "BOOKMARK @5");
        assert_eq!(start.elapsed().as_secs(), seconds);
    }
    assert_eq!(watch.read().await, Read::Closed);
    assert_eq!(start.elapsed().as_secs(), 150);
    let mut unasked = Watch::open(&server, &format!("{RED}?watch=1&resourceVersion=1&timeoutSeconds=150")).await;
    assert_eq!(unasked.read().await, Read::Closed);
}

#[tokio::test(start_paused = true)]
async fn a_bookmark_of_a_pod_has_a_null_list() {
    let server = server();
    let mut watch = Watch::open(&server, "/api/v1/pods?watch=1&resourceVersion=1&allowWatchBookmarks=true").await;
    server.send_bookmark();
    let bookmark = json!({"kind": "Pod", "apiVersion": "v1", "metadata": {"resourceVersion": "1"}, "spec": {"containers": null}, "status": {}});
    assert_eq!(watch.event().await["object"], bookmark);
    server.create(&PODS, json!({"metadata": {"namespace": "red", "name": "p"}})).expect("created");
    assert_eq!(watch.event().await["object"]["kind"], "Pod", "watched objects have their kind");
}

#[tokio::test(start_paused = true)]
async fn ends_come_after_what_is_on_its_way() {
    let server = server();
    for (end, expected) in
        [(TestServer::close_watches as fn(&TestServer), Read::Closed), (TestServer::cut_watches, Read::Cut)]
    {
        let version = server.resource_version();
        let mut watch = Watch::open(&server, &format!("{RED}?watch=1&resourceVersion={version}")).await;
        server.apply(&WIDGETS, labelled("a", json!({"v": version.to_string()}))).expect("written");
        end(&server);
        assert_eq!(watch.event().await["object"]["metadata"]["name"], "a");
        assert_eq!(watch.read().await, expected);
    }
    let mut failed = Watch::open(&server, &format!("{RED}?watch=1&resourceVersion=3")).await;
    server.fail_watches(&Status::too_many_requests(5));
    assert_eq!(failed.event().await["object"]["details"]["retryAfterSeconds"], 5);
    assert_eq!(failed.read().await, Read::Closed);
    let mut stalled = Watch::open(&server, &format!("{RED}?watch=1&resourceVersion=3&timeoutSeconds=10")).await;
    server.stall_watches();
    assert!(stalled.is_silent_for(86_400).await);
}

#[tokio::test(start_paused = true)]
async fn a_dropped_body_is_noticed() {
    let server = server();
    let first = Watch::open(&server, &format!("{RED}?watch=1&resourceVersion=1")).await;
    let second = Watch::open(&server, &format!("{ALL}?watch=1&resourceVersion=1")).await;
    assert_eq!(server.open_watches(), 2);
    drop(first);
    assert_eq!(server.open_watches(), 1);
    tokio::join!(server.wait_until(|server| server.open_watches() == 0), async { drop(second) });
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_watch_sees_every_change_in_order() {
    let server = server();
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..3 {
        let mut watch = Watch::open(&server, &format!("{ALL}?watch=1&resourceVersion=1")).await;
        tasks.spawn(async move {
            for version in 2..=601_u64 {
                assert_eq!(watch.event().await["object"]["metadata"]["resourceVersion"], version.to_string());
            }
        });
    }
    for writer in 0..3 {
        let server = server.clone();
        tasks.spawn(async move {
            for number in 0..200 {
                let path = "/apis/shop.example.test/v1/namespaces/red/widgets";
                let object = json!({"metadata": {"name": format!("w{writer}-{number}")}});
                assert_eq!(common::ask(&server, http::Method::POST, path, Some(&object)).await.0, 201);
            }
        });
    }
    while let Some(done) = tasks.join_next().await {
        done.expect("no panic");
    }
    assert_eq!(server.open_watches(), 0);
}
