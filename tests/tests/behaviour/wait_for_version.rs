//! Waiting until the cache has reached a version: reads after one's own writes.

use std::time::Duration;

use futures::FutureExt;
use informer_runtime::CancellationToken;
use informer_test_server::{Events, Listing, LiveEvents, Script, Status, TestServer};
use informer_tests::{Running, WIDGETS, at, settled, sized};
use serde_json::Value;

fn version(object: &Value) -> String {
    object["metadata"]["resourceVersion"].as_str().unwrap().to_owned()
}

#[tokio::test(start_paused = true)]
async fn b16_w24_what_was_written_is_read_after_the_wait() {
    let server = TestServer::new([&WIDGETS]);
    let running = Running::streaming(&server);
    let limit = Duration::from_secs(60);
    for round in 1..20 {
        let written = server.apply(&WIDGETS, sized("red", "a", round)).unwrap();
        running.informer.wait_for_resource_version_within(&version(&written), limit).await.unwrap();
        assert_eq!(running.informer.lister().get("red", "a").unwrap().get().unwrap().spec.size, round);
    }
    let deleted = server.delete(&WIDGETS, "red", "a").unwrap();
    running.informer.wait_for_resource_version_within(&version(&deleted), limit).await.unwrap();
    assert!(running.informer.store().is_empty());
    // What is reached is reached at once, even under a token that is cancelled.
    let cancelled = CancellationToken::new();
    cancelled.cancel();
    running.informer.wait_for_resource_version("2", &cancelled).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn b16_w24_versions_are_numbers_and_bookmarks_count() {
    let server = TestServer::new([&WIDGETS]);
    let live = LiveEvents::new();
    server.script(Script::new().list(1, Listing::at(9).items([at("red/a", 9)])).watch(1, &live));
    let running = Running::plain(&server);
    running.synced().await;
    let limit = Duration::from_secs(5);
    let error = running.informer.wait_for_resource_version_within("10", limit).await.unwrap_err();
    assert!(error.is_deadline_exceeded() && !error.is_cancelled() && !error.is_timeout());
    assert_eq!(error.reached_version(), Some("9"));
    assert_eq!(error.to_string(), "the cache of widgets.v1.shop.example.test has reached version 9, not 10");
    let stop = CancellationToken::new();
    let mut wait = std::pin::pin!(running.informer.wait_for_resource_version("10", &stop));
    assert!((&mut wait).now_or_never().is_none(), "as text, 9 would be more than 10");
    live.send(Events::new().bookmark(123_456_789_012_345_678));
    wait.await.unwrap();
    live.send(Events::new().bookmark(10)); // never back
    settled().await;
    running.informer.wait_for_resource_version("123456789012345678", &stop).await.unwrap();
    for odd in ["", "0", "01", "-1", "1.5", "abc", &"x".repeat(1_000)] {
        let error = running.informer.wait_for_resource_version(odd, &stop).await.unwrap_err();
        assert!(error.to_string().ends_with("is no resource version that can be compared"), "{error}");
        assert!(error.to_string().len() < 150);
    }
    let far = "9".repeat(60);
    let error = running.informer.wait_for_resource_version_within(&far, limit).await.unwrap_err();
    assert!(error.is_deadline_exceeded());
}

#[tokio::test(start_paused = true)]
async fn b16_w24_the_error_says_where_it_is_and_why() {
    let server = TestServer::new([&WIDGETS]);
    server.script(Script::new().otherwise(Status::forbidden("widgets")));
    let running = Running::streaming(&server);
    let limit = Duration::from_secs(5);
    let error = running.informer.wait_for_resource_version_within("5", limit).await.unwrap_err();
    assert_eq!(error.reached_version(), Some(""));
    let text = error.to_string();
    assert!(text.contains("has reached no version yet, not 5 (") && text.contains("403"), "{text}");

    let cancel = CancellationToken::new();
    let (result, ()) = tokio::join!(running.informer.wait_for_resource_version("5", &cancel), async {
        settled().await;
        cancel.cancel();
    });
    assert!(result.unwrap_err().is_cancelled());

    let never = CancellationToken::new();
    let (result, ()) = tokio::join!(running.informer.wait_for_resource_version("5", &never), async {
        settled().await;
        running.informer.shutdown().await;
    });
    let error = result.unwrap_err();
    assert!(!error.is_cancelled() && !error.is_deadline_exceeded(), "the informer stopped");
    assert!(running.informer.wait_for_resource_version("5", &never).await.is_err());
}

/// A wait that is dropped takes nothing with it, and many may wait at once.
#[tokio::test(start_paused = true)]
async fn b16_w24_waits_are_cancel_safe() {
    let server = TestServer::new([&WIDGETS]);
    let running = Running::streaming(&server);
    running.synced().await;
    let wanted = (server.resource_version() + 3).to_string();
    let stop = CancellationToken::new();
    for _ in 0..10 {
        let wait = running.informer.wait_for_resource_version(&wanted, &stop);
        assert!(tokio::time::timeout(Duration::from_millis(5), wait).await.is_err());
        let sync = running.informer.wait_for_cache_sync(&stop);
        drop(sync);
    }
    let waits: Vec<_> = (0..5)
        .map(|_| {
            let (informer, wanted, stop) = (running.informer.clone(), wanted.clone(), stop.clone());
            tokio::spawn(async move { informer.wait_for_resource_version(&wanted, &stop).await })
        })
        .collect();
    for round in 0..3 {
        settled().await;
        assert!(waits.iter().all(|wait| !wait.is_finished()), "{round}");
        server.apply(&WIDGETS, sized("red", "a", round)).unwrap();
    }
    for wait in waits {
        wait.await.unwrap().unwrap();
    }
}
