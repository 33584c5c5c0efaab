//! Bookmarks: nothing but a version, and nobody is called.

use informer_test_server::{Events, Listing, Script, TestServer};
use informer_tests::{Running, WIDGETS, asked, at, settled, widget};
use serde_json::json;

#[tokio::test(start_paused = true)]
async fn b06_a_bookmark_moves_the_version_from_which_the_next_watch_begins() {
    let server = TestServer::new([&WIDGETS]);
    server.create(&WIDGETS, widget("red", "a")).unwrap();
    let running = Running::streaming(&server);
    running.synced().await;
    server.advance_version(100);
    server.send_bookmark();
    settled().await;
    assert_eq!(running.informer.last_sync_resource_version(), "102");
    assert_eq!(running.informer.store().resource_version(), "102");
    assert_eq!(running.informer.controller().last_sync_resource_version(), "102");
    server.compact();
    tokio::time::sleep(std::time::Duration::from_secs(2)).await;
    server.close_watches();
    server.wait_until(|server| server.watches().len() == 2).await;
    assert_eq!(asked(&server), ["stream rv=", "watch rv=102"]);
    settled().await;
    assert_eq!(running.recorder.told(), ["+red/a@2!"]);
    assert!(running.errors.all().is_empty(), "{:?}", running.errors.texts());
}

/// B06: whatever else a bookmark carries, or lacks.
#[tokio::test(start_paused = true)]
async fn b06_of_a_bookmark_only_the_version_counts() {
    let odd =
        json!({"metadata": {"resourceVersion": "30", "creationTimestamp": null}, "spec": {"parts": null, "size": "x"}});
    let marked = json!({"metadata": {"resourceVersion": "40", "annotations": {"k8s.io/initial-events-end": "true"}}});
    let empty = json!({"metadata": {}});
    let server = TestServer::new([&WIDGETS]);
    server.script(
        Script::new()
            .list(1, Listing::at(10).items([at("red/a", 5)]))
            .watch(1, Events::new().bookmark(20).bookmark_object(odd).bookmark_object(marked).bookmark_object(empty)),
    );
    let running = Running::plain(&server);
    running.synced().await;
    settled().await;
    assert_eq!(running.informer.last_sync_resource_version(), "40");
    assert_eq!(running.recorder.told(), ["+red/a@5!"]);
    assert_eq!(asked(&server), ["list rv=0 limit=500", "watch rv=10"]);
    assert!(running.errors.all().is_empty());
}

#[tokio::test(start_paused = true)]
async fn r13_q4_q14_events_and_bookmarks_move_the_version_in_their_order() {
    let server = TestServer::new([&WIDGETS]);
    server.script(Script::new().list(1, Listing::at(10)).watch(
        1,
        Events::new().added(at("red/a", 11)).bookmark(15).modified(at("red/a", 16)).deleted(at("red/a", 17)),
    ));
    let running = Running::plain(&server);
    assert_eq!(running.recorder.until(3).await, ["+red/a@11", "~red/a@11->16", "-red/a@17"]);
    assert_eq!(running.informer.last_sync_resource_version(), "17", "of the deletion too");
}
