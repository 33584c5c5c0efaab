//! The first picture by a watch that begins with all objects (KEP-3157), and what becomes of it where servers don't
//! know how.

use std::time::Duration;

use informer_test_server::{Answer, Events, Listing, Rule, Script, Status, TestServer};
use informer_tests::{Running, WIDGETS, asked, at, settled, widget};

fn scripted(script: Script) -> TestServer {
    let server = TestServer::new([&WIDGETS]);
    server.script(script);
    server
}

#[tokio::test(start_paused = true)]
async fn r1_l1_l7_l12_it_asks_what_client_go_asks() {
    let server = TestServer::new([&WIDGETS]);
    let running = Running::streaming(&server);
    running.synced().await;
    let request = &server.requests()[0];
    assert_eq!(request.path, "/apis/shop.example.test/v1/widgets");
    assert_eq!(request.accept, "application/json");
    for (name, value) in [
        ("watch", "true"),
        ("sendInitialEvents", "true"),
        ("resourceVersionMatch", "NotOlderThan"),
        ("allowWatchBookmarks", "true"),
    ] {
        assert_eq!(request.query(name), Some(value), "{name}");
    }
    assert_eq!((request.resource_version(), request.limit()), (None, None));
    let timeout = request.timeout_seconds().unwrap();
    assert!((300..600).contains(&timeout), "{timeout}");

    // Later the same stream goes on as the watch, and a new one has no initial events.
    server.create(&WIDGETS, widget("red", "a")).unwrap();
    running.recorder.until(1).await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    server.close_watches();
    server.wait_until(|server| server.requests().len() == 2).await;
    let request = &server.requests()[1];
    assert_eq!(request.resource_version(), Some("2"));
    assert_eq!(request.query("allowWatchBookmarks"), Some("true"));
    assert_eq!((request.query("sendInitialEvents"), request.query("resourceVersionMatch")), (None, None));
}

#[tokio::test(start_paused = true)]
async fn r12_watches_last_a_random_time_within_the_configured_one_and_twice_it() {
    let server = TestServer::new([&WIDGETS]);
    let running = Running::with(&server, |builder| {
        builder.reflector_options(|options| options.min_watch_timeout = Duration::from_secs(10))
    });
    running.synced().await;
    server.wait_until(|server| server.watches().len() == 20).await;
    let mut timeouts: Vec<u64> = server.watches().iter().map(|watch| watch.timeout_seconds().unwrap()).collect();
    assert!(timeouts.iter().all(|timeout| (10..20).contains(timeout)), "{timeouts:?}");
    timeouts.sort_unstable();
    timeouts.dedup();
    assert!(timeouts.len() > 3, "{timeouts:?}");
    assert!(running.errors.all().is_empty(), "a quiet watch that ends by itself is no fault");
}

#[tokio::test(start_paused = true)]
async fn l1_l3_l11_changes_before_the_mark_count_and_nothing_shows_until_it() {
    let events = Events::new()
        .added(at("red/a", 5))
        .added(at("red/b", 6))
        .modified(at("red/a", 7))
        .deleted(at("red/b", 8))
        .added(at("red/c", 9))
        .wait(Duration::from_secs(5))
        .initial_events_end(10);
    let server = scripted(Script::new().watch(1, events));
    let running = Running::streaming(&server);
    tokio::time::sleep(Duration::from_secs(4)).await;
    assert!(!running.informer.has_synced());
    assert_eq!((running.cache().len(), running.recorder.told().len()), (0, 0));
    assert_eq!(running.informer.last_sync_resource_version(), "");
    running.synced().await;
    assert_eq!(running.recorder.told(), ["+red/a@7!", "+red/c@9!"]);
    assert_eq!(running.informer.last_sync_resource_version(), "10");
}

/// B12 V2. Everything may come in one chunk.
#[tokio::test(start_paused = true)]
async fn b12_q7_what_comes_behind_the_mark_in_its_chunk_is_told_as_no_longer_initial() {
    for pieces in [vec![], vec![1], vec![300]] {
        let events = Events::new()
            .added(at("red/a", 5))
            .initial_events_end(9)
            .added(at("red/c", 10))
            .bookmark(12)
            .deleted(at("red/a", 13));
        let server = scripted(Script::new().watch(1, Answer::from(events).in_pieces(pieces)));
        let running = Running::streaming(&server);
        assert_eq!(running.recorder.until(3).await, ["+red/a@5!", "+red/c@10", "-red/a@13"]);
        assert_eq!(running.informer.last_sync_resource_version(), "13");
        assert!(running.errors.all().is_empty());
    }
}

/// The list is whole; what is wrong behind it is a fault of the watch.
#[tokio::test(start_paused = true)]
async fn garbage_behind_the_mark_in_its_chunk_does_not_spoil_the_list() {
    let first = Events::new().added(at("red/a", 5)).initial_events_end(9).added(at("red/b", 10)).line("oops");
    let server = scripted(
        Script::new().watch(1, Answer::from(first).in_pieces([])).watch(2, Events::new().added(at("red/c", 11))),
    );
    let running = Running::streaming(&server);
    assert_eq!(running.recorder.until(3).await, ["+red/a@5!", "+red/b@10", "+red/c@11"]);
    assert_eq!(asked(&server), ["stream rv=", "watch rv=10"]);
    assert!(running.errors.all()[0].is_garbage());
}

/// B12 V1.
#[tokio::test(start_paused = true)]
async fn b12_l4_a_server_that_refuses_gets_a_plain_list_at_once_and_that_is_remembered() {
    let server = TestServer::builder().resource(&WIDGETS).streaming_lists(false).build();
    server.create(&WIDGETS, widget("red", "a")).unwrap();
    let running = Running::streaming(&server);
    running.synced().await;
    settled().await;
    assert_eq!(asked(&server), ["stream rv=", "list rv=0 limit=500", "watch rv=2"]);
    assert_eq!(server.lists()[0].at, Duration::ZERO);
    assert_eq!(running.errors.all()[0].code(), Some(422));
    tokio::time::sleep(Duration::from_secs(2)).await;
    server.fail_watches(&Status::expired());
    server.wait_until(|server| server.watches().len() == 3).await;
    assert_eq!(asked(&server)[3..], ["list rv=2", "watch rv=2"]);
    assert_eq!(running.recorder.told(), ["+red/a@2!"]);
}

#[tokio::test(start_paused = true)]
async fn b12_l4_refusals_of_all_codes_that_servers_use() {
    for code in [400, 405, 406, 415, 422] {
        let refusal = Status::new(code, "", "sendInitialEvents is not known");
        let server = scripted(Script::new().rule(Rule::streaming_list().answer(refusal)));
        let running = Running::streaming(&server);
        running.synced().await;
        server.wait_until(|server| server.requests().len() == 3).await;
        assert_eq!(asked(&server), ["stream rv=", "list rv=0 limit=500", "watch rv=1"], "{code}");
    }
}

/// B12, W6: a server that ignores the parameter sends no mark, ever.
#[tokio::test(start_paused = true)]
async fn b12_l2_silence_in_place_of_the_mark_ends_in_a_plain_list_and_that_is_remembered() {
    let ignores = Events::new().added(at("red/a", 5)).added(at("red/b", 6)).bookmark(7).stall();
    let server = scripted(
        Script::new()
            .rule(Rule::streaming_list().answer(ignores))
            .list(1, Listing::at(10).items([at("red/a", 5)]))
            .watch(2, Events::new().wait(Duration::from_secs(5)).expired())
            .list(2, Listing::at(20).items([at("red/a", 5)])),
    );
    let running = Running::streaming(&server);
    running.synced().await;
    assert_eq!(server.lists()[0].at, Duration::from_secs(30));
    assert_eq!(running.recorder.told(), ["+red/a@5!"]);
    assert!(running.errors.all()[0].is_timeout());
    assert_eq!(running.errors.texts()[0], "the end of the initial events did not come within 30s");
    server.wait_until(|server| server.watches().len() == 3).await;
    let expected = ["stream rv=", "list rv=0 limit=500", "watch rv=10", "list rv=10", "watch rv=20"];
    assert_eq!(asked(&server), expected);
    assert_eq!(server.open_watches(), 1, "the silent one was ended");
}

/// The same with a kind of which something changes all the time.
#[tokio::test(start_paused = true)]
async fn a_busy_stream_without_a_mark_ends_in_a_plain_list_too() {
    let mut busy = Events::new().added(at("red/a", 5));
    for version in 6..600 {
        busy = busy.wait(Duration::from_secs(1)).modified(at("red/a", version));
    }
    let server = scripted(
        Script::new().rule(Rule::streaming_list().answer(busy)).list(1, Listing::at(700).items([at("red/a", 700)])),
    );
    let running = Running::streaming(&server);
    running.synced().await;
    assert!(server.lists()[0].at <= Duration::from_secs(60), "{:?}", server.lists()[0].at);
    assert_eq!(running.recorder.told(), ["+red/a@700!"]);
}

/// A list that is long, but comes, has all the time it needs.
#[tokio::test(start_paused = true)]
async fn l10_slow_initial_events_are_waited_for() {
    let mut slow = Events::new();
    for number in 0..100 {
        slow = slow.wait(Duration::from_secs(2)).added(at(&format!("red/w{number:02}"), 5));
    }
    let server = scripted(Script::new().watch(1, slow.initial_events_end(10)));
    let running = Running::streaming(&server);
    running.synced().await;
    assert_eq!(running.cache().len(), 100);
    assert_eq!(asked(&server), ["stream rv="]);
}

/// B12 V3, W7.
#[tokio::test(start_paused = true)]
async fn b12_l6_a_stream_that_breaks_before_its_mark_publishes_nothing_and_is_tried_again_after_a_delay() {
    for end in [Events::cut as fn(Events) -> Events, Events::close] {
        let server = scripted(
            Script::new()
                .watch(1, end(Events::new().added(at("red/a", 5)).added(at("red/b", 900))))
                .watch(2, Events::new().added(at("red/a", 5)).initial_events_end(10)),
        );
        let running = Running::streaming(&server);
        running.synced().await;
        assert_eq!(running.recorder.told(), ["+red/a@5!"]);
        assert_eq!(asked(&server), ["stream rv=", "stream rv="]);
        let watches = server.watches();
        assert!(watches[1].at - watches[0].at >= Duration::from_millis(800));
    }
}

#[tokio::test(start_paused = true)]
async fn l6_streams_that_break_again_and_again_end_in_a_plain_list() {
    let server = scripted(
        Script::new()
            .rule(Rule::streaming_list().answer(Events::new().added(at("red/a", 5)).cut()))
            .list(1, Listing::at(10).items([at("red/a", 5)])),
    );
    let running = Running::streaming(&server);
    running.synced().await;
    assert_eq!(asked(&server)[..4], ["stream rv=", "stream rv=", "stream rv=", "list rv=0 limit=500"]);
}

#[tokio::test(start_paused = true)]
async fn r1_l9_it_can_be_turned_off() {
    let server = TestServer::new([&WIDGETS]);
    let running = Running::plain(&server);
    running.synced().await;
    settled().await;
    assert_eq!(asked(&server), ["list rv=0 limit=500", "watch rv=1"]);
}

/// A mark that says anything but true is a bookmark like any other.
#[tokio::test(start_paused = true)]
async fn l2_a_mark_that_does_not_say_true_is_none() {
    let mark = |value: &str| {
        serde_json::json!({"metadata": {
            "resourceVersion": "9",
            "annotations": {"k8s.io/initial-events-end": value},
        }})
    };
    let events = Events::new()
        .added(at("red/a", 5))
        .bookmark_object(mark("false"))
        .wait(Duration::from_secs(5))
        .bookmark_object(mark("true"));
    let server = scripted(Script::new().watch(1, events));
    let running = Running::streaming(&server);
    tokio::time::sleep(Duration::from_secs(4)).await;
    assert!(!running.informer.has_synced() && running.cache().is_empty());
    running.synced().await;
    assert_eq!((running.recorder.told().len(), asked(&server).len()), (1, 1));
}
