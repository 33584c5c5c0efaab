//! The life of a factory's informers: late ones, stopped ones and their successors, all over again, and the end of all
//! (B27, B31).

use std::sync::Arc;
use std::time::Duration;

use informer_runtime::{CancellationToken, EventHandlerFuncs, SharedInformerFactory, Transform};
use informer_test_server::{Answer, Rule, Script, TestServer};
use informer_tests::{Recorder, WIDGETS, Widget, ZONES, Zone, settled, sized, widget};

fn server() -> TestServer {
    let server = TestServer::new([&WIDGETS, &ZONES]);
    server.create(&WIDGETS, widget("red", "a")).unwrap();
    server
}

fn factory(server: &TestServer) -> SharedInformerFactory {
    SharedInformerFactory::new(server.client(), Duration::ZERO)
}

/// The old one has not ended yet, but was told to: it is not given to anybody any more, and still waited for.
#[tokio::test(start_paused = true)]
async fn b27_an_informer_that_was_told_to_stop_is_not_handed_out() {
    let server = server();
    let factory = factory(&server);
    let old = factory.informer_for::<Widget>();
    let stop = CancellationToken::new();
    factory.start(&stop);
    factory.wait_for_cache_sync(&stop).await.unwrap();
    stop.cancel();
    assert!(!old.is_stopped(), "nothing has run since");
    let fresh = factory.informer_for::<Widget>();
    let same = factory.informer_for::<Widget>();
    let recorder = Recorder::new();
    fresh.add_event_handler(recorder.clone()).unwrap();
    let again = CancellationToken::new();
    factory.start(&again);
    let synced = factory.wait_for_cache_sync(&again).await.unwrap();
    assert_eq!(synced.synced(), [WIDGETS]);
    assert!(fresh.has_synced() && same.has_synced() && !fresh.is_stopped());
    assert_eq!(recorder.until(1).await, ["+red/a@2!"]);
    settled().await;
    assert!(old.is_stopped());
    assert_eq!(server.open_watches(), 1);

    // So is one that is stopped by itself, and one that never ran.
    let ending = tokio::spawn({
        let fresh = fresh.clone();
        async move { fresh.shutdown().await }
    });
    ending.await.unwrap();
    let unstarted = factory.informer_for::<Widget>();
    unstarted.shutdown().await;
    assert!(unstarted.is_stopped() && !factory.informer_for::<Widget>().is_stopped());
    factory.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn b31_shutdown_waits_for_those_that_left_their_place_too() {
    let server = server();
    let factory = factory(&server);
    let old = factory.informer_for::<Widget>();
    let stop = CancellationToken::new();
    factory.start(&stop);
    factory.wait_for_cache_sync(&stop).await.unwrap();
    stop.cancel();
    let fresh = factory.informer_for::<Widget>();
    factory.start(&CancellationToken::new());
    factory.shutdown().await;
    assert!(old.is_stopped() && fresh.is_stopped());
    assert_eq!(server.open_watches(), 0);
}

#[tokio::test(start_paused = true)]
async fn b27_b33_what_a_stopped_informer_had_goes_with_its_last_reader() {
    let server = server();
    let factory = factory(&server);
    let marker = Arc::new(());
    let held = marker.clone();
    let transform = Transform::json("with a marker", move |object| {
        let _held = &held;
        Ok(object)
    });
    let informer = factory.informer_for_with::<Widget>(|builder| builder.transform(transform)).unwrap();
    let lister = informer.lister();
    let stop = CancellationToken::new();
    factory.start(&stop);
    factory.wait_for_cache_sync(&stop).await.unwrap();
    drop(informer);
    stop.cancel();
    settled().await;
    assert_eq!(lister.by_namespace("red").list(&informer_runtime::Selector::everything()).len(), 1, "as it was last");
    assert_eq!(Arc::strong_count(&marker), 2, "the reader holds it, and the factory does not");
    let one = lister.get("red", "a").unwrap();
    drop(lister);
    settled().await;
    assert!(one.get().is_ok());
    drop(one);
    assert_eq!(Arc::strong_count(&marker), 1);
    // Nothing is left of it in the factory, and it is not waited for.
    let again = CancellationToken::new();
    assert!(factory.wait_for_cache_sync(&again).await.unwrap().synced().is_empty());
}

#[tokio::test(start_paused = true)]
async fn one_that_stopped_before_it_was_synced_is_named_until_somebody_asks_anew() {
    let server = server();
    server.script(Script::new().rule(Rule::any().of(&WIDGETS).nth(1).answer(Answer::never())));
    let factory = factory(&server);
    let stop = CancellationToken::new();
    let _ = factory.informer_for::<Widget>();
    let zones = factory.informer_for::<Zone>();
    factory.start(&stop);
    settled().await;
    factory.informer_for::<Widget>().shutdown().await;
    settled().await;
    let error = factory.wait_for_cache_sync(&stop).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "not synced: widgets.v1.shop.example.test (the informer for widgets.v1.shop.example.test has stopped)"
    );
    assert!(!error.is_cancelled() && !error.is_deadline_exceeded() && zones.has_synced());
    let _ = factory.informer_for::<Widget>();
    factory.start(&stop);
    let synced = factory.wait_for_cache_sync(&stop).await.unwrap();
    assert_eq!(synced.synced(), [WIDGETS, ZONES]);
    factory.shutdown().await;
}

/// All of it, on whatever runtime: late ones, all stopped, all again, and dropped at last.
async fn rounds(server: TestServer) {
    let factory = factory(&server);
    for round in 1..=3_u32 {
        server.apply(&WIDGETS, sized("red", "a", round)).unwrap();
        let stop = CancellationToken::new();
        let widgets = factory.informer_for::<Widget>();
        let seen = Recorder::new();
        widgets.add_event_handler(seen.clone()).unwrap();
        factory.start(&stop);
        factory.wait_for_cache_sync(&stop).await.unwrap();
        let zones = factory.informer_for::<Zone>(); // late
        factory.start(&stop);
        let synced = factory.wait_for_cache_sync(&stop).await.unwrap();
        assert_eq!(synced.synced(), [WIDGETS, ZONES], "round {round}");
        assert_eq!(widgets.lister().get("red", "a").unwrap().get().unwrap().spec.size, round);
        assert_eq!(seen.until(1).await.len(), 1, "only what its own informer has");
        server.wait_until(|server| server.open_watches() == 2).await;
        stop.cancel();
        server.wait_until(|server| server.open_watches() == 0).await;
        let never = CancellationToken::new();
        tokio::join!(widgets.run(never.clone()), zones.run(never));
        assert!(widgets.is_stopped() && zones.is_stopped());
    }
    let widgets = factory.informer_for::<Widget>();
    widgets.add_event_handler(EventHandlerFuncs::new().on_add(|_, _| {})).unwrap();
    let lister = widgets.lister();
    factory.start(&CancellationToken::new());
    factory.wait_for_cache_sync(&CancellationToken::new()).await.unwrap();
    drop((factory, widgets));
    tokio::task::yield_now().await;
    assert_eq!(server.open_watches(), 1, "a reader is left");
    assert_eq!(lister.list(&informer_runtime::Selector::everything()).len(), 1);
    drop(lister);
    server.wait_until(|server| server.open_watches() == 0).await;
}

#[tokio::test(start_paused = true)]
async fn b27_b31_all_again_on_one_thread() {
    rounds(server()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn b27_b31_all_again_on_many_threads() {
    for _ in 0..20 {
        rounds(server()).await;
    }
}

/// Asking, starting and stopping from many threads at once: never two watches for one key, never a lost one.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn b27_many_ask_while_one_stops() {
    let server = server();
    let factory = factory(&server);
    for _ in 0..50 {
        let stop = CancellationToken::new();
        let asking = (0..4).map(|_| {
            let (factory, stop) = (factory.clone(), stop.clone());
            tokio::spawn(async move {
                let informer = factory.informer_for::<Widget>();
                factory.start(&stop);
                let never = CancellationToken::new();
                let synced = informer.wait_for_cache_sync(&never).await;
                assert!(synced.is_ok(), "{synced:?}");
            })
        });
        for asked in futures::future::join_all(asking).await {
            asked.unwrap();
        }
        assert!(server.open_watches() <= 2, "the present one, and at most one that is ending");
        stop.cancel();
    }
    factory.shutdown().await;
    server.wait_until(|server| server.open_watches() == 0).await;
}

/// Dropping any wait or shutdown half way loses nothing: what was begun goes on, and it may be called again.
#[tokio::test(start_paused = true)]
async fn b31_waits_and_shutdowns_are_cancel_safe() {
    let server = server();
    let factory = factory(&server);
    let widgets = factory.informer_for::<Widget>();
    let stop = CancellationToken::new();
    factory.start(&stop);
    for _ in 0..3 {
        let wait = factory.wait_for_cache_sync(&stop);
        assert!(futures::FutureExt::now_or_never(wait).is_none(), "dropped at its first await");
    }
    factory.wait_for_cache_sync(&stop).await.unwrap();
    let run = widgets.run(CancellationToken::new());
    assert!(futures::FutureExt::now_or_never(run).is_none());
    settled().await;
    assert!(!widgets.is_stopped(), "a dropped run stops nothing");
    let shutdown = factory.shutdown();
    assert!(futures::FutureExt::now_or_never(shutdown).is_none());
    settled().await;
    assert!(widgets.is_stopped(), "a dropped shutdown stops all the same");
    factory.shutdown().await;
    assert_eq!(server.open_watches(), 0);
}

fn sendable<T: Send>(value: T) -> T {
    value
}

#[tokio::test(start_paused = true)]
async fn waits_can_go_to_another_thread() {
    let server = server();
    let factory = factory(&server);
    let widgets = factory.informer_for::<Widget>();
    let stop = CancellationToken::new();
    factory.start(&stop);
    let limit = Duration::from_secs(1);
    sendable(factory.wait_for_cache_sync_within(limit)).await.unwrap();
    sendable(widgets.wait_for_resource_version("1", &stop)).await.unwrap();
    sendable(widgets.wait_for_resource_version_within("1", limit)).await.unwrap();
    sendable(factory.shutdown()).await;
}
