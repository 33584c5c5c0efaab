//! Kinds whose definitions change, are no longer served, or are deleted (B32), as a real server shows that.

use std::time::Duration;

use informer_test_server::{RequestKind, TestServer};
use informer_tests::{Running, WIDGETS, asked, settled, widget};

fn server() -> TestServer {
    let server = TestServer::new([&WIDGETS]);
    server.create(&WIDGETS, widget("red", "a")).unwrap();
    server.create(&WIDGETS, widget("red", "b")).unwrap();
    server
}

async fn seconds(seconds: u64) {
    tokio::time::sleep(Duration::from_secs(seconds)).await;
}

fn lists(server: &TestServer) -> usize {
    server.requests().iter().filter(|request| request.kind != RequestKind::Watch).count()
}

/// The watch ends cleanly, the next one has expired, one list follows; what is the same is told to nobody.
#[tokio::test(start_paused = true)]
async fn b32_a_changed_definition_costs_one_list_and_is_told_to_nobody() {
    let server = server();
    let running = Running::plain(&server);
    running.synced().await;
    seconds(10).await;
    server.change_definition(&WIDGETS);
    server.create(&WIDGETS, widget("red", "c")).unwrap();
    assert_eq!(running.recorder.until(3).await[2], "+red/c@5");
    settled().await;
    assert_eq!(running.recorder.told().len(), 3);
    let expected = ["list rv=0 limit=500", "watch rv=3", "watch rv=3", "list rv=3", "watch rv=5"];
    assert_eq!(asked(&server), expected);
    let errors = running.errors.all();
    assert_eq!((errors.len(), errors[0].is_expired()), (1, true), "{:?}", running.errors.texts());
    assert!(running.informer.has_synced());
}

/// Now and then the server is not ready for a while.
#[tokio::test(start_paused = true)]
async fn b32_a_storage_that_is_set_up_is_waited_for() {
    for requests in [1, 2, 5] {
        let server = server();
        server.initialize_storage(&WIDGETS, 1);
        let running = Running::streaming(&server);
        running.synced().await;
        seconds(200).await;
        server.clear_requests();
        server.initialize_storage(&WIDGETS, requests);
        server.change_definition(&WIDGETS);
        server.delete(&WIDGETS, "red", "a").unwrap();
        running.recorder.until(3).await;
        assert_eq!(running.recorder.told()[2], "-red/a@2?");
        let times: Vec<Duration> = server.requests().iter().map(|request| request.at).collect();
        for pair in times.windows(2).take(requests) {
            assert!(pair[1] - pair[0] >= Duration::from_secs(1), "not before Retry-After: {times:?}");
        }
        assert_eq!(running.errors.all()[0].code(), Some(429));
        assert_eq!(running.errors.all()[0].retry_after(), Some(Duration::from_secs(1)));
        assert_eq!(running.cache(), ["red/b@3"]);
    }
}

/// A version that is no longer served: nobody deleted anything, so the cache stays; the owner is told; nothing storms.
#[tokio::test(start_paused = true)]
async fn b32_an_unserved_version_keeps_the_cache_and_recovers() {
    let server = server();
    let running = Running::streaming(&server);
    running.synced().await;
    seconds(10).await;
    server.unserve_resource(&WIDGETS);
    seconds(3600).await;
    assert_eq!(running.cache(), ["red/a@2", "red/b@3"]);
    assert_eq!(running.recorder.told().len(), 2);
    assert!(running.informer.last_error().unwrap().is_not_found(), "{:?}", running.informer.last_error());
    assert_eq!(running.errors.all()[0].code(), Some(404));
    assert!(server.requests().len() < 200, "{} requests in an hour", server.requests().len());
    server.serve_resource(&WIDGETS);
    server.create(&WIDGETS, widget("red", "c")).unwrap();
    running.recorder.until(3).await;
    assert_eq!(running.cache(), ["red/a@2", "red/b@3", "red/c@5"]);
    settled().await;
    assert!(running.informer.last_error().is_none());
}

/// A definition that is deleted: the deletions come as events, with their final states.
#[tokio::test(start_paused = true)]
async fn b32_a_deleted_definition_empties_the_cache_and_may_come_back() {
    let server = server();
    let running = Running::streaming(&server);
    running.synced().await;
    seconds(10).await;
    server.remove_resource(&WIDGETS);
    running.recorder.until(4).await;
    assert_eq!(running.recorder.told()[2..], ["-red/a@4", "-red/b@5"]);
    seconds(600).await;
    assert!(running.cache().is_empty());
    assert!(running.informer.last_error().unwrap().is_not_found());
    server.serve_resource(&WIDGETS);
    server.create(&WIDGETS, widget("red", "a")).unwrap();
    assert_eq!(running.recorder.until(5).await[4], "+red/a@6");
    let before = lists(&server);
    seconds(600).await;
    assert_eq!(lists(&server), before, "one list was enough");
}

/// It goes while nobody watches: what is gone is found when it is back.
#[tokio::test(start_paused = true)]
async fn b32_a_definition_that_was_made_anew_behind_our_back() {
    let server = server();
    let running = Running::streaming(&server);
    running.synced().await;
    seconds(10).await;
    server.cut_watches();
    server.remove_resource(&WIDGETS);
    server.serve_resource(&WIDGETS);
    server.create(&WIDGETS, widget("red", "b")).unwrap();
    running.recorder.until(4).await;
    settled().await;
    assert_eq!(running.cache(), ["red/b@6"]);
    assert!(running.recorder.told().contains(&String::from("-red/a@2?")), "{:?}", running.recorder.told());
    assert!(running.errors.all()[1].is_expired(), "{:?}", running.errors.texts());
}
