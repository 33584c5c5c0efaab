//! Connections that are dead and don't say so (B04).

use std::time::Duration;

use informer_test_server::{Answer, End, Events, Listing, Rule, Script, TestServer};
use informer_tests::{Running, WIDGETS, asked, at, settled, widget};

fn impatient(server: &TestServer, streaming: bool) -> Running {
    Running::with(server, |builder| {
        builder.reflector_options(|options| {
            options.streaming_list = streaming;
            options.min_watch_timeout = Duration::from_secs(5);
            options.watch_grace = Duration::from_secs(2);
            options.response_timeout = Duration::from_secs(3);
            options.initial_events_timeout = Duration::from_secs(4);
        })
    })
}

#[tokio::test(start_paused = true)]
async fn b04_a_watch_that_went_silent_is_replaced_soon_after_its_time() {
    let server = TestServer::new([&WIDGETS]);
    server.script(
        Script::new()
            .list(1, Listing::at(10).items([at("red/a", 5)]))
            .watch(1, Events::new().added(at("red/b", 11)).stall())
            .watch(2, Events::new().added(at("red/c", 12))),
    );
    let running = impatient(&server, false);
    running.recorder.until(3).await;
    let watches = server.watches();
    assert_eq!(watches[1].resource_version(), Some("11"));
    let asked = Duration::from_secs(watches[0].timeout_seconds().unwrap());
    let gap = watches[1].at - watches[0].at;
    assert!(gap >= asked && gap < asked + Duration::from_secs(4), "{gap:?}");
    assert_eq!(running.errors.all().len(), 1);
    assert!(running.errors.all()[0].is_timeout());
    assert_eq!(server.open_watches(), 1, "the dead one was let go");
}

/// With the defaults: no longer than ten minutes and the grace.
#[tokio::test(start_paused = true)]
async fn b04_the_default_bound() {
    let server = TestServer::new([&WIDGETS]);
    let running = Running::streaming(&server);
    running.synced().await;
    server.stall_watches();
    settled().await;
    server.create(&WIDGETS, widget("red", "a")).unwrap();
    running.recorder.until(1).await;
    assert!(server.watches()[1].at <= Duration::from_secs(631), "{:?}", server.watches()[1].at);
    // Questions about the version only
    assert!(server.lists().iter().all(|list| list.limit() == Some(1)));
}

#[tokio::test(start_paused = true)]
async fn b04_a_watch_that_is_never_answered_is_asked_for_again() {
    let server = TestServer::new([&WIDGETS]);
    server.script(
        Script::new().list(1, Listing::at(10)).watch(1, Answer::never()).watch(2, Events::new().added(at("red/a", 11))),
    );
    let running = impatient(&server, false);
    running.recorder.until(1).await;
    assert_eq!(asked(&server), ["list rv=0 limit=500", "watch rv=10", "watch rv=10"]);
    assert_eq!(running.errors.texts(), ["the answer to a watch did not come within 3s"]);
}

#[tokio::test(start_paused = true)]
async fn b04_a_list_that_is_never_answered_is_asked_for_again() {
    let server = TestServer::new([&WIDGETS]);
    server.script(Script::new().list(1, Answer::never()));
    let running = impatient(&server, false);
    running.synced().await;
    assert_eq!(running.errors.texts(), ["the answer to a list did not come within 3s"]);
}

#[tokio::test(start_paused = true)]
async fn b04_a_list_that_stops_in_the_middle_is_asked_for_again() {
    let server = TestServer::new([&WIDGETS]);
    for name in ["a", "b", "c"] {
        server.create(&WIDGETS, widget("red", name)).unwrap();
    }
    // In pieces of ten bytes, of which twenty come.
    let broken = |end| {
        Script::new()
            .list(1, Answer::state().in_pieces([10]))
            .rule(Rule::list().nth(2).answer(Answer::state().ending_after_events(0, end)))
    };
    server.script(broken(End::Stall));
    let running = impatient(&server, false);
    running.synced().await;
    server.expire_versions();
    server.fail_watches(&informer_test_server::Status::expired());
    server.wait_until(|server| server.watches().len() == 2).await;
    assert_eq!(running.errors.texts()[1..], ["the rest of a list did not come within 3s"]);
    assert_eq!(running.recorder.told().len(), 3);
    assert_eq!(running.cache().len(), 3);
}

#[tokio::test(start_paused = true)]
async fn b04_a_list_that_is_cut_is_asked_for_again() {
    let server = TestServer::new([&WIDGETS]);
    server.create(&WIDGETS, widget("red", "a")).unwrap();
    server.script(Script::new().list(1, Answer::state().ending_after_events(0, End::Cut)));
    let running = impatient(&server, false);
    running.synced().await;
    assert!(running.errors.all()[0].is_transport());
    assert_eq!(running.cache(), ["red/a@2"]);
}

/// A streaming list that is never answered counts as one that the server does not know.
#[tokio::test(start_paused = true)]
async fn b04_a_streaming_list_that_is_never_answered_becomes_a_plain_one() {
    let server = TestServer::new([&WIDGETS]);
    server.create(&WIDGETS, widget("red", "a")).unwrap();
    server.script(Script::new().rule(Rule::streaming_list().answer(Answer::never())));
    let running = impatient(&server, true);
    running.synced().await;
    settled().await;
    assert_eq!(asked(&server), ["stream rv=", "list rv=0 limit=500", "watch rv=2"]);
    assert_eq!(server.lists()[0].at, Duration::from_secs(3));
}

/// The body of a refusal that never comes is not waited for long.
#[tokio::test(start_paused = true)]
async fn b04_a_refusal_without_its_body_is_a_refusal() {
    let server = TestServer::new([&WIDGETS]);
    let refusal = Answer::from(informer_test_server::Status::unavailable()).ending_after_events(0, End::Stall);
    server.script(Script::new().list(1, refusal));
    let running = impatient(&server, false);
    running.synced().await;
    assert_eq!(running.errors.all()[0].code(), Some(503));
}
