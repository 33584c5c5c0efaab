//! Starting, more than once and late, and what a factory does with informers that have stopped (B27).

use informer_runtime::{CancellationToken, SharedInformer, SharedInformerFactory};
use informer_test_server::TestServer;
use informer_tests::{Recorder, WIDGETS, Widget, ZONES, Zone, settled, widget};

fn server() -> TestServer {
    let server = TestServer::new([&WIDGETS, &ZONES]);
    server.create(&WIDGETS, widget("red", "a")).unwrap();
    server
}

fn factory(server: &TestServer) -> SharedInformerFactory {
    SharedInformerFactory::new(server.client(), std::time::Duration::ZERO)
}

#[tokio::test(start_paused = true)]
async fn b27_starting_twice_is_starting_once() {
    let server = server();
    let factory = factory(&server);
    let widgets = factory.informer_for::<Widget>();
    let stop = CancellationToken::new();
    factory.start(&stop);
    factory.start(&stop);
    widgets.start(&stop);
    factory.clone().start(&CancellationToken::new());
    factory.wait_for_cache_sync(&stop).await.unwrap();
    settled().await;
    assert_eq!((server.requests().len(), server.open_watches()), (1, 1));
    factory.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn s6_nothing_is_asked_before_the_start() {
    let server = server();
    let factory = factory(&server);
    let widgets = factory.informer_for::<Widget>();
    let registration = widgets.add_event_handler(Recorder::new()).unwrap();
    settled().await;
    assert_eq!(server.requests().len(), 0);
    assert!(!widgets.has_synced() && !widgets.is_stopped() && !registration.has_synced());
    assert_eq!(widgets.last_sync_resource_version(), "");
    assert!(widgets.store().is_empty());
    factory.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn running_beside_the_factory_is_harmless_and_ends_with_it() {
    let server = server();
    let factory = factory(&server);
    let widgets = factory.informer_for::<Widget>();
    let stop = CancellationToken::new();
    factory.start(&stop);
    let (first, second) = (widgets.clone(), widgets.clone());
    let token = stop.clone();
    let runs = tokio::spawn(async move {
        tokio::join!(first.run(token.clone()), second.run(CancellationToken::new()));
    });
    factory.wait_for_cache_sync(&stop).await.unwrap();
    settled().await;
    assert_eq!(server.requests().len(), 1);
    assert!(!runs.is_finished());
    stop.cancel();
    runs.await.unwrap();
    assert!(widgets.is_stopped());
    assert_eq!(server.open_watches(), 0);
}

#[tokio::test(start_paused = true)]
async fn run_alone_starts_and_ends_the_informer() {
    let server = server();
    let informer = SharedInformer::<Widget>::builder(server.client()).build();
    let stop = CancellationToken::new();
    let running = tokio::spawn({
        let (informer, stop) = (informer.clone(), stop.clone());
        async move { informer.run(stop).await }
    });
    informer.wait_for_cache_sync(&stop).await.unwrap();
    stop.cancel();
    running.await.unwrap();
    assert!(informer.is_stopped());
    // A second run of a stopped informer returns; a stopped one never runs again.
    informer.run(CancellationToken::new()).await;
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn s6_informers_asked_for_after_the_start_need_another_one() {
    let server = server();
    let factory = factory(&server);
    let widgets = factory.informer_for::<Widget>();
    let stop = CancellationToken::new();
    factory.start(&stop);
    factory.wait_for_cache_sync(&stop).await.unwrap();
    let zones = factory.informer_for::<Zone>();
    let synced = factory.wait_for_cache_sync(&stop).await.unwrap();
    assert_eq!(synced.synced(), std::slice::from_ref(&WIDGETS), "only started ones are waited for");
    assert!(!zones.has_synced());
    factory.start(&stop);
    let synced = factory.wait_for_cache_sync(&stop).await.unwrap();
    assert_eq!(synced.synced(), [WIDGETS, ZONES]);
    assert!(zones.has_synced() && widgets.has_synced());
    assert_eq!(server.requests().len(), 2);
    factory.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn b27_a_stopped_informer_says_so_and_the_next_request_makes_a_fresh_one() {
    let server = server();
    let factory = factory(&server);
    let old = factory.informer_for::<Widget>();
    let zones = factory.informer_for::<Zone>();
    let stop = CancellationToken::new();
    factory.start(&stop);
    factory.wait_for_cache_sync(&stop).await.unwrap();
    old.shutdown().await;
    assert!(old.is_stopped() && !zones.is_stopped());
    server.create(&WIDGETS, widget("red", "b")).unwrap();
    settled().await;
    assert_eq!(old.store().len(), 1, "frozen");

    let fresh = factory.informer_for::<Widget>();
    assert!(!fresh.is_stopped() && !fresh.has_synced());
    let recorder = Recorder::new();
    fresh.add_event_handler(recorder.clone()).unwrap();
    factory.start(&stop);
    factory.wait_for_cache_sync(&stop).await.unwrap();
    assert_eq!(fresh.store().len(), 2);
    recorder.until(2).await;
    assert_eq!(server.open_watches(), 2);
    factory.shutdown().await;
    assert!(fresh.is_stopped() && zones.is_stopped());
    assert_eq!(server.open_watches(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_factory_that_was_shut_down_starts_nothing() {
    let server = server();
    let factory = factory(&server);
    factory.shutdown().await;
    factory.shutdown().await;
    let widgets = factory.informer_for::<Widget>();
    factory.start(&CancellationToken::new());
    settled().await;
    assert!(!widgets.has_synced());
    assert_eq!(server.requests().len(), 0);
}

#[tokio::test]
async fn a_start_outside_of_a_runtime_does_not_spoil_the_informer() {
    let server = server();
    let informer = SharedInformer::<Widget>::builder(server.client()).build();
    let outside = informer.clone();
    let thread = std::thread::spawn(move || outside.start(&CancellationToken::new()));
    assert!(thread.join().is_err(), "documented to panic");
    let stop = CancellationToken::new();
    informer.start(&stop);
    informer.wait_for_cache_sync(&stop).await.unwrap();
    informer.shutdown().await;
}
