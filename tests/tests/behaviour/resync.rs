//! Telling a handler everything again: from the cache, at its own period (B24).

use std::sync::{Arc, Mutex};
use std::time::Duration;

use informer_runtime::{EventHandlerFuncs, HandlerOptions, SharedInformerFactory};
use informer_test_server::{Status, TestServer};
use informer_tests::{Recorder, Running, WIDGETS, Widget, settled, widget};

fn every(period: u64) -> HandlerOptions {
    HandlerOptions::new().resync_period(Duration::from_millis(period))
}

fn three() -> TestServer {
    let server = TestServer::new([&WIDGETS]);
    for name in ["a", "b", "c"] {
        server.create(&WIDGETS, widget("red", name)).unwrap();
    }
    server
}

async fn after(millis: u64) {
    tokio::time::sleep(Duration::from_millis(millis)).await;
}

#[tokio::test(start_paused = true)]
async fn b24_s1_every_handler_has_its_own_period_and_no_request_is_made() {
    let server = three();
    let running = Running::streaming(&server);
    let (one, three) = (Recorder::new(), Recorder::new());
    running.informer.add_event_handler_with(every(1000), one.clone()).unwrap();
    running.informer.add_event_handler_with(every(3000), three.clone()).unwrap();
    running.synced().await;
    after(2900).await;
    let late = Recorder::new();
    running.informer.add_event_handler_with(every(500), late.clone()).unwrap(); // taken as a second
    after(2600).await; // 5.5 s
    assert_eq!(one.told().len(), 3 + 5 * 3);
    assert_eq!(one.told()[3..6], ["~red/a@2->2", "~red/b@3->3", "~red/c@4->4"]);
    assert_eq!(three.told().len(), 3 + 3);
    assert_eq!(late.told().len(), 3 + 2 * 3);
    assert_eq!(running.recorder.told().len(), 3, "none asked for, none given");
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn b24_s2_the_informers_own_period_is_for_handlers_that_choose_none() {
    let server = three();
    let running = Running::with(&server, |builder| builder.resync(Duration::from_secs(2)));
    let never = Recorder::new();
    running.informer.add_event_handler_with(every(0), never.clone()).unwrap();
    running.synced().await;
    after(4500).await;
    assert_eq!(running.recorder.told().len(), 3 + 6);
    assert_eq!(never.told().len(), 3);
}

#[tokio::test(start_paused = true)]
async fn of_a_factory_and_of_one_type_in_it() {
    let server = three();
    let build = |custom: bool| {
        let builder = SharedInformerFactory::builder(server.client()).default_resync(Duration::from_secs(2));
        let builder = if custom { builder.custom_resync::<Widget>(Duration::from_secs(4)) } else { builder };
        builder.build().unwrap()
    };
    for (custom, resyncs) in [(false, 2), (true, 1)] {
        let factory = build(custom);
        let recorder = Recorder::new();
        let registration = factory.informer_for::<Widget>().add_event_handler(recorder.clone()).unwrap();
        factory.start(&informer_runtime::CancellationToken::new());
        assert!(registration.synced().await);
        after(4500).await;
        assert_eq!(recorder.told().len(), 3 + resyncs * 3, "custom: {custom}");
        factory.shutdown().await;
    }
}

/// W19: the timer is the informer's, not a watch's.
#[tokio::test(start_paused = true)]
async fn b24_r19_relists_do_not_put_it_off() {
    let server = three();
    let running = Running::streaming(&server);
    let recorder = Recorder::new();
    running.informer.add_event_handler_with(every(5000), recorder.clone()).unwrap();
    running.synced().await;
    for _ in 0..5 {
        after(2100).await;
        server.fail_watches(&Status::expired());
    }
    settled().await; // 10.5 s
    assert_eq!(recorder.told().len(), 3 + 2 * 3);
}

/// A busy queue does not put it off either.
#[tokio::test(start_paused = true)]
async fn events_do_not_put_it_off() {
    let server = three();
    let running = Running::streaming(&server);
    let resyncs = Arc::new(Mutex::new(0));
    let counted = resyncs.clone();
    let handler = EventHandlerFuncs::new().on_update(move |old, new| {
        if old.resource_version() == new.resource_version() {
            *counted.lock().unwrap() += 1;
        }
    });
    running.informer.add_event_handler_with(every(1000), handler).unwrap();
    running.synced().await;
    for round in 0..550 {
        server.apply(&WIDGETS, informer_tests::sized("red", "a", round)).unwrap();
        after(10).await;
    }
    assert_eq!(*resyncs.lock().unwrap(), 5 * 3);
}

/// In order with the changes: a handler never hears of an object it was not told of, nor of one that is gone.
#[tokio::test(start_paused = true)]
async fn q6_it_stands_in_line_with_the_changes() {
    let server = three();
    let running = Running::streaming(&server);
    let recorder = Recorder::new();
    running.informer.add_event_handler_with(every(1000), recorder.clone()).unwrap();
    running.synced().await;
    after(500).await;
    server.delete(&WIDGETS, "red", "a").unwrap();
    server.create(&WIDGETS, widget("red", "d")).unwrap();
    after(600).await;
    let expected = ["-red/a@5", "+red/d@6", "~red/b@3->3", "~red/c@4->4", "~red/d@6->6"];
    assert_eq!(recorder.told()[3..], expected);
}

#[tokio::test(start_paused = true)]
async fn a_removed_handler_is_not_told_again() {
    let server = three();
    let running = Running::streaming(&server);
    let recorder = Recorder::new();
    let registration = running.informer.add_event_handler_with(every(1000), recorder.clone()).unwrap();
    running.synced().await;
    after(1500).await;
    registration.remove().await;
    after(5000).await;
    assert_eq!(recorder.told().len(), 6);
}
