//! The end: in every state, soon, and with nothing left (B31, B32).

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use informer_runtime::{CancellationToken, EventHandlerFuncs, SharedInformer, SharedInformerFactory};
use informer_test_server::{Answer, End, Events, Listing, Rule, Script, Status, TestServer};
use informer_tests::{Errors, Recorder, Running, WIDGETS, Widget, ZONES, Zone, at, settled, widget};
use serde_json::json;

fn tasks() -> usize {
    tokio::runtime::Handle::current().metrics().num_alive_tasks()
}

/// In every state there is: it ends at once, leaves no task and no connection, and is no error.
#[tokio::test(start_paused = true)]
async fn b31_r16_s12_shutdown_in_any_state_leaves_nothing() {
    let streaming = |answer: Answer| Script::new().rule(Rule::watch().answer(answer));
    for (name, script, seconds) in [
        ("watching", Script::new(), 1),
        ("after the watch was opened anew", Script::new(), 700),
        ("refused", Script::new().otherwise(Answer::refused()), 100),
        ("asking", Script::new().otherwise(Answer::never()), 5),
        ("in the initial events", streaming(Events::new().added(at("red/a", 5)).stall().into()), 5),
        (
            "in a list",
            Script::new()
                .rule(Rule::streaming_list().answer(Status::new(422, "", "")))
                .list(1, Answer::from(Listing::at(10)).ending_after_events(0, End::Stall)),
            5,
        ),
        ("in a silent watch", streaming(Events::new().initial_events_end(10).stall().into()), 5),
        ("throttled", Script::new().otherwise(Status::too_many_requests(500)), 5),
    ] {
        let server = TestServer::new([&WIDGETS]);
        server.script(script);
        let client = server.client();
        let before = tasks();
        let informer = SharedInformer::<Widget>::builder(client.clone()).build();
        informer.add_event_handler(Recorder::new()).unwrap();
        informer.add_event_handler(Recorder::new()).unwrap();
        informer.start(&CancellationToken::new());
        tokio::time::sleep(Duration::from_secs(seconds)).await;
        assert!(tasks() > before, "{name}");
        let now = tokio::time::Instant::now();
        informer.shutdown().await;
        assert_eq!(now.elapsed(), Duration::ZERO, "{name}");
        settled().await; // what the client's own task still had in hand
        assert_eq!((tasks(), server.open_watches()), (before, 0), "{name}");
        assert!(informer.is_stopped(), "{name}");
        informer.shutdown().await; // once more is harmless
        drop((informer, client));
        settled().await;
    }
}

#[tokio::test(start_paused = true)]
async fn b31_s12_so_does_cancelling_the_token() {
    let server = TestServer::new([&WIDGETS]);
    let client = server.client();
    let before = tasks();
    let informer = SharedInformer::<Widget>::builder(client.clone()).build();
    informer.add_event_handler(Recorder::new()).unwrap();
    let stop = CancellationToken::new();
    informer.start(&stop);
    informer.wait_for_cache_sync(&stop).await.unwrap();
    stop.cancel();
    settled().await;
    assert!(informer.is_stopped());
    assert_eq!((tasks(), server.open_watches()), (before, 0));
}

#[tokio::test(start_paused = true)]
async fn b31_r16_before_the_start_it_is_the_end_too() {
    let server = TestServer::new([&WIDGETS]);
    let informer = SharedInformer::<Widget>::builder(server.client()).build();
    let registration = informer.add_event_handler(Recorder::new()).unwrap();
    informer.shutdown().await;
    assert!(informer.is_stopped());
    informer.start(&CancellationToken::new());
    settled().await;
    assert_eq!(server.requests().len(), 0);
    registration.remove().await;
}

/// A drop of everything is an end; so it is where a handler reads the cache, which is what handlers do.
#[tokio::test(start_paused = true)]
async fn b31_s12_dropping_everything_ends_everything() {
    let server = TestServer::new([&WIDGETS]);
    let client = server.client();
    let before = tasks();
    let factory = SharedInformerFactory::new(client.clone(), Duration::ZERO);
    let informer = factory.informer_for::<Widget>();
    let registration = informer.add_event_handler(Recorder::new()).unwrap();
    factory.start(&CancellationToken::new());
    assert!(registration.synced().await);
    drop(informer);
    settled().await;
    assert_eq!(server.open_watches(), 1, "the factory holds it");
    drop(factory);
    settled().await;
    assert_eq!((tasks(), server.open_watches()), (before, 0));
}

#[tokio::test(start_paused = true)]
async fn a_lister_alone_keeps_the_informer_going() {
    let server = TestServer::new([&WIDGETS]);
    let lister = {
        let informer = SharedInformer::<Widget>::builder(server.client()).build();
        informer.start(&CancellationToken::new());
        informer.lister()
    };
    settled().await;
    server.create(&WIDGETS, widget("red", "a")).unwrap();
    settled().await;
    assert!(lister.get("red", "a").is_ok());
    drop(lister);
    settled().await;
    assert_eq!(server.open_watches(), 0);
}

/// A handler that holds a lister of its own informer is a circle; the end of the informer opens it.
#[tokio::test(start_paused = true)]
async fn after_the_end_handlers_are_let_go() {
    let server = TestServer::new([&WIDGETS]);
    let held = Arc::new(());
    let informer = SharedInformer::<Widget>::builder(server.client()).build();
    let (inside, lister) = (held.clone(), informer.lister());
    let handler = EventHandlerFuncs::new().on_add(move |_, _| {
        let _ = (&inside, lister.indexer().len());
    });
    informer.add_event_handler(handler).unwrap();
    let stop = CancellationToken::new();
    informer.start(&stop);
    informer.wait_for_cache_sync(&stop).await.unwrap();
    informer.shutdown().await;
    assert_eq!(Arc::strong_count(&held), 1);
}

#[tokio::test(start_paused = true)]
async fn b31_no_call_begins_after_the_end() {
    let server = TestServer::new([&WIDGETS]);
    let running = Running::streaming(&server);
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = calls.clone();
    let handler = EventHandlerFuncs::new().on_add(move |_, _| {
        counted.fetch_add(1, Ordering::SeqCst);
    });
    running.informer.add_event_handler(handler).unwrap();
    running.synced().await;
    for number in 0..5000 {
        server.create(&WIDGETS, widget("red", &format!("w{number}"))).unwrap();
    }
    while calls.load(Ordering::SeqCst) == 0 {
        tokio::task::yield_now().await;
    }
    running.informer.shutdown().await;
    let at_the_end = calls.load(Ordering::SeqCst);
    settled().await;
    assert_eq!(calls.load(Ordering::SeqCst), at_the_end);
    assert!(running.errors.all().is_empty(), "a wanted end is no error");
}

#[tokio::test(start_paused = true)]
async fn q9_what_waits_for_a_stopped_informer_is_told() {
    let server = TestServer::new([&WIDGETS]);
    server.script(Script::new().otherwise(Answer::never()));
    let running = Running::streaming(&server);
    let registration = running.registration.clone();
    let waiting = tokio::spawn(async move { registration.synced().await });
    settled().await;
    running.informer.shutdown().await;
    assert!(!waiting.await.unwrap());
}

/// B32: a kind that goes and comes back with a version that starts anew.
#[tokio::test(start_paused = true)]
async fn b32_a_kind_that_is_removed_and_comes_back() {
    let server = TestServer::new([&WIDGETS, &ZONES]);
    server.create(&WIDGETS, widget("red", "a")).unwrap();
    server.create(&ZONES, json!({"metadata": {"name": "z1"}})).unwrap();
    let errors = Errors::new();
    let factory = SharedInformerFactory::builder(server.client()).on_error(errors.hook()).build().unwrap();
    let (widgets, zones) = (factory.informer_for::<Widget>(), factory.informer_for::<Zone>());
    let recorder = Recorder::new();
    zones.add_event_handler(recorder.clone()).unwrap();
    let stop = CancellationToken::new();
    factory.start(&stop);
    factory.wait_for_cache_sync(&stop).await.unwrap();
    server.remove_resource(&ZONES);
    tokio::time::sleep(Duration::from_secs(600)).await;
    assert_eq!(recorder.told(), ["+z1@3!", "-z1@4"]);
    assert!(zones.last_error().unwrap().is_not_found());
    assert!(errors.with_resources().iter().all(|(resource, _)| *resource == ZONES));
    let failures = errors.all().len();
    assert!(failures < 50, "{failures} in ten minutes");

    server.serve_resource(&ZONES);
    server.create(&ZONES, json!({"metadata": {"name": "z2"}})).unwrap();
    recorder.until(3).await;
    assert_eq!(zones.store().list_keys().len(), 1);

    // One alone can be ended.
    zones.shutdown().await;
    server.create(&WIDGETS, widget("red", "b")).unwrap();
    settled().await;
    assert_eq!(widgets.store().len(), 2);
    factory.shutdown().await;
}
