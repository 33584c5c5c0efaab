//! A server that went back to smaller versions: a watch from one that is still to come is silent, so the informer asks.

use std::time::Duration;

use informer_test_server::{Rule, Script, Status, TestServer};
use informer_tests::{Running, WIDGETS, asked, settled, sized, widget};

/// A server with versions ahead of its past, and an informer that knows them.
async fn known_and_restored(watch_timeout: u64) -> (TestServer, Running) {
    let server = TestServer::new([&WIDGETS]);
    server.create(&WIDGETS, widget("red", "a")).unwrap();
    server.create(&WIDGETS, widget("red", "b")).unwrap();
    let running = Running::with(&server, |builder| {
        builder.reflector_options(|options| {
            options.streaming_list = false;
            options.backoff.jitter = 0.0;
            options.min_watch_timeout = Duration::from_secs(watch_timeout);
        })
    });
    running.synced().await;
    server.apply(&WIDGETS, sized("red", "a", 1)).unwrap();
    server.delete(&WIDGETS, "red", "b").unwrap();
    running.recorder.until(4).await;
    assert!(server.restore(3));
    (server, running)
}

#[tokio::test(start_paused = true)]
async fn b03_a_silent_watch_of_a_version_to_come_is_found_by_a_question() {
    let (server, running) = known_and_restored(300).await;
    assert_eq!(running.recorder.until(6).await[4..], ["~red/a@4->2", "+red/b@3"]);
    settled().await;
    let all = ["list rv=0 limit=500", "watch rv=3", "watch rv=5", "list rv=5 limit=1", "list rv=", "watch rv=3"];
    assert_eq!(asked(&server), all);
    assert_eq!(server.lists()[1].query("resourceVersionMatch"), Some("NotOlderThan"));
    assert_eq!(running.cache(), ["red/a@2", "red/b@3"]);
    assert!(running.errors.all().iter().any(informer_runtime::Error::is_too_large_resource_version));
    assert_eq!(running.informer.last_sync_resource_version(), "3");
}

/// Watches shorter than the silence add up.
#[tokio::test(start_paused = true)]
async fn b03_short_watches_do_not_hide_the_silence() {
    let (_server, running) = known_and_restored(20).await;
    let start = tokio::time::Instant::now();
    running.recorder.until(6).await;
    assert!(start.elapsed() < Duration::from_secs(170), "{:?}", start.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_server_that_sends_bookmarks_is_not_asked() {
    let server = TestServer::new([&WIDGETS]);
    let running = Running::plain(&server);
    running.synced().await;
    tokio::time::sleep(Duration::from_secs(3_600)).await;
    assert_eq!(server.lists().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_does_not_concern_the_version_changes_nothing() {
    let (server, running) = known_and_restored(300).await;
    server.script(Script::new().rule(Rule::list().answer(Status::internal_error())));
    tokio::time::sleep(Duration::from_secs(160)).await;
    assert_eq!(asked(&server)[2..], ["watch rv=5", "list rv=5 limit=1"]);
    assert_eq!(server.open_watches(), 1);
    // It is asked again after the same time.
    server.clear_script();
    running.recorder.until(6).await;
    assert_eq!(asked(&server)[4..6], ["list rv=5 limit=1", "list rv="]);
}

/// The watch stays; but what follows it comes no sooner than the server wants.
#[tokio::test(start_paused = true)]
async fn a_question_that_is_put_off_puts_off_what_follows() {
    let (server, running) = known_and_restored(300).await;
    server.script(Script::new().rule(Rule::list().nth(1).answer(Status::too_many_requests(60))));
    server.wait_until(|server| server.lists().len() == 2).await;
    settled().await;
    server.close_watches();
    server.wait_until(|server| server.watches().len() == 3).await;
    assert_eq!(server.watches()[2].at - server.lists()[1].at, Duration::from_secs(60));
    drop(running);
}

/// A server that knows nothing of "not older than" tells its version all the same.
#[tokio::test(start_paused = true)]
async fn b03_an_answer_with_an_older_version_tells_it_too() {
    let (server, running) = known_and_restored(300).await;
    let asked_for_five = |request: &informer_test_server::RequestRecord| request.resource_version() == Some("5");
    server.script(Script::new().rule(Rule::list().when(asked_for_five).answer(informer_test_server::Listing::at(3))));
    assert_eq!(running.recorder.until(6).await[4..], ["~red/a@4->2", "+red/b@3"]);
    assert!(running.errors.all().iter().any(informer_runtime::Error::is_version_behind));
    assert_eq!(running.informer.stats().questions, 1);
    assert_eq!(asked(&server)[3..5], ["list rv=5 limit=1", "list rv="]);
}

/// A question whose answer never comes holds nobody up: what the watch brings is heard, and it is asked again.
#[tokio::test(start_paused = true)]
async fn b04_a_question_that_stalls_ends() {
    let (server, running) = known_and_restored(1_000).await;
    server.script(Script::new().rule(Rule::list().nth(1).answer(informer_test_server::Answer::never())));
    running.recorder.until(6).await;
    assert_eq!(running.informer.stats().dead_connections, 1);
    let times: Vec<u64> = server.lists()[1..].iter().map(|list| list.at.as_secs()).collect();
    assert_eq!(times[..2], [150, 300]);
}
