//! Handlers that go: no call begins after that, and no task stays.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use informer_runtime::{EventHandlerFuncs, SharedInformer};
use informer_test_server::TestServer;
use informer_tests::{Recorder, Running, WIDGETS, Widget, settled, widget};

fn tasks() -> usize {
    tokio::runtime::Handle::current().metrics().num_alive_tasks()
}

#[tokio::test(start_paused = true)]
async fn s4_s11_a_removed_handler_hears_nothing_and_the_others_go_on() {
    let server = TestServer::new([&WIDGETS]);
    let running = Running::streaming(&server);
    let gone = Recorder::new();
    let registration = running.informer.add_event_handler(gone.clone()).unwrap();
    running.synced().await;
    server.create(&WIDGETS, widget("red", "a")).unwrap();
    gone.until(1).await;
    registration.remove().await;
    registration.remove().await; // harmless
    server.create(&WIDGETS, widget("red", "b")).unwrap();
    running.recorder.until(2).await;
    settled().await;
    assert_eq!(gone.told(), ["+red/a@2"]);
    assert!(registration.synced().await, "it was, once");
}

#[tokio::test(start_paused = true)]
async fn s11_what_waited_for_a_removed_handler_is_dropped() {
    let server = TestServer::new([&WIDGETS]);
    let running = Running::streaming(&server);
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = calls.clone();
    let registration = running
        .informer
        .add_event_handler(EventHandlerFuncs::new().on_add(move |_, _| {
            counted.fetch_add(1, Ordering::SeqCst);
        }))
        .unwrap();
    running.synced().await;
    for number in 0..1000 {
        server.create(&WIDGETS, widget("red", &format!("w{number}"))).unwrap();
    }
    // The handler's task gets its turn now and then only.
    while calls.load(Ordering::SeqCst) == 0 {
        tokio::task::yield_now().await;
    }
    registration.remove().await;
    let at_removal = calls.load(Ordering::SeqCst);
    settled().await;
    assert_eq!(calls.load(Ordering::SeqCst), at_removal, "no call after the removal has returned");
    assert_eq!(running.recorder.until(1000).await.len(), 1000);
}

/// B21.
#[tokio::test(start_paused = true)]
async fn b21_s12_handlers_that_come_and_go_leave_no_task() {
    let server = TestServer::new([&WIDGETS]);
    server.create(&WIDGETS, widget("red", "a")).unwrap();
    let running = Running::streaming(&server);
    running.synced().await;
    let before = tasks();
    for round in 0..1000 {
        let registration = running.informer.add_event_handler(Recorder::new()).unwrap();
        if round % 2 == 0 {
            registration.synced().await;
        }
        registration.remove().await;
        if round % 3 == 0 {
            registration.remove().await;
        }
        if round % 10 == 0 {
            server.apply(&WIDGETS, informer_tests::sized("red", "a", round)).unwrap();
        }
    }
    settled().await;
    assert_eq!(tasks(), before);
}

#[tokio::test(start_paused = true)]
async fn b21_s5_s6_s11_removal_before_the_start_and_after_the_end_is_harmless() {
    let server = TestServer::new([&WIDGETS]);
    server.create(&WIDGETS, widget("red", "a")).unwrap();
    let informer = SharedInformer::<Widget>::builder(server.client()).build();
    let (early, stays) = (Recorder::new(), Recorder::new());
    let first = informer.add_event_handler(early.clone()).unwrap();
    let second = informer.add_event_handler(stays.clone()).unwrap();
    first.remove().await;
    assert!(!first.synced().await, "it never will be");
    let stop = informer_runtime::CancellationToken::new();
    informer.start(&stop);
    assert!(second.synced().await);
    settled().await;
    assert_eq!((early.told().len(), stays.told().len()), (0, 1));
    informer.shutdown().await;
    second.remove().await;
    drop(informer);
    second.remove().await;
}

#[tokio::test(start_paused = true)]
async fn b21_a_dropped_registration_keeps_its_handler() {
    let server = TestServer::new([&WIDGETS]);
    let running = Running::streaming(&server);
    let kept = Recorder::new();
    drop(running.informer.add_event_handler(kept.clone()).unwrap());
    running.synced().await;
    server.create(&WIDGETS, widget("red", "a")).unwrap();
    assert_eq!(kept.until(1).await, ["+red/a@2"]);
}

#[tokio::test(start_paused = true)]
async fn what_the_handler_held_is_dropped_with_it() {
    let server = TestServer::new([&WIDGETS]);
    let running = Running::streaming(&server);
    running.synced().await;
    let held = Arc::new(());
    let inside = held.clone();
    let handler = EventHandlerFuncs::new().on_add(move |_, _| drop(inside.clone()));
    let registration = running.informer.add_event_handler(handler).unwrap();
    registration.remove().await;
    drop(registration);
    settled().await;
    assert_eq!(Arc::strong_count(&held), 1);
}
