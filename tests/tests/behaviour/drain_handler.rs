//! Ends of handlers: drained, closed, removed, from outside and from within.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use futures::FutureExt;
use informer_runtime::{CancellationToken, EventHandlerFuncs, HandlerOptions, Registration, SharedInformer};
use informer_test_server::TestServer;
use informer_tests::{Recorder, Running, WIDGETS, Widget, settled, sized, widget};

fn create(server: &TestServer, count: usize) {
    for number in 0..count {
        server.create(&WIDGETS, widget("red", &format!("w{number:04}"))).unwrap();
    }
}

/// Ten thousand that count their calls.
fn counting() -> (Arc<AtomicUsize>, EventHandlerFuncs<Widget>) {
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = calls.clone();
    let handler = EventHandlerFuncs::new().on_add(move |_, _| {
        counted.fetch_add(1, Ordering::SeqCst);
    });
    (calls, handler)
}

#[tokio::test(start_paused = true)]
async fn s11_drained_it_hears_all_that_was_queued_and_nothing_more() {
    for options in [HandlerOptions::new(), HandlerOptions::new().coalesced(), HandlerOptions::new().bounded(5000)] {
        let server = TestServer::new([&WIDGETS]);
        let running = Running::streaming(&server);
        let (calls, handler) = counting();
        let registration = running.informer.add_event_handler_with(options, handler).unwrap();
        running.synced().await;
        create(&server, 1000);
        // Its task gets a turn now and then only; so there is something in the queue.
        while registration.backlog() < 100 {
            tokio::task::yield_now().await;
        }
        let before = calls.load(Ordering::SeqCst);
        let queued = registration.backlog();
        assert!(registration.drain().await);
        let heard = calls.load(Ordering::SeqCst);
        assert!(heard >= before + queued, "{before} + {queued}, {heard}");
        server.create(&WIDGETS, widget("red", "late")).unwrap();
        running.recorder.until(1001).await;
        settled().await;
        assert_eq!(calls.load(Ordering::SeqCst), heard, "no call after the drain has returned");
        assert_eq!(registration.backlog(), 0);
        assert!(registration.drain().await, "again, harmless");
        registration.remove().await;
    }
}

#[tokio::test(start_paused = true)]
async fn drained_it_hears_its_first_objects_to_the_last() {
    let server = TestServer::new([&WIDGETS]);
    create(&server, 1000);
    let running = Running::streaming(&server);
    running.synced().await;
    let (calls, handler) = counting();
    let registration = running.informer.add_event_handler(handler).unwrap();
    assert!(registration.drain().await);
    assert_eq!(calls.load(Ordering::SeqCst), 1000);
    assert!(registration.has_synced());
}

#[tokio::test(start_paused = true)]
async fn a_drain_whose_future_is_dropped_goes_on() {
    let server = TestServer::new([&WIDGETS]);
    let tasks = || tokio::runtime::Handle::current().metrics().num_alive_tasks();
    create(&server, 1000);
    let running = Running::streaming(&server);
    running.synced().await;
    settled().await;
    let before = tasks();
    let (calls, handler) = counting();
    let registration = running.informer.add_event_handler(handler).unwrap();
    assert!(registration.drain().now_or_never().is_none());
    server.create(&WIDGETS, widget("red", "late")).unwrap();
    settled().await;
    assert_eq!(calls.load(Ordering::SeqCst), 1000);
    assert_eq!(tasks(), before);
    drop(registration);
}

#[tokio::test(start_paused = true)]
async fn a_drain_before_the_start_after_the_end_and_of_a_removed_one_returns() {
    let server = TestServer::new([&WIDGETS]);
    create(&server, 1);
    let informer = SharedInformer::<Widget>::builder(server.client()).build();
    let early = Recorder::new();
    let first = informer.add_event_handler(early.clone()).unwrap();
    assert!(!first.drain().await);
    let second = informer.add_event_handler(Recorder::new()).unwrap();
    let third = informer.add_event_handler(Recorder::new()).unwrap();
    informer.start(&CancellationToken::new());
    assert!(second.synced().await);
    assert_eq!(early.told_count(), 0);
    third.remove().await;
    assert!(!third.drain().await);
    informer.shutdown().await;
    assert!(!second.drain().await);
    drop(informer);
    assert!(!second.drain().await);
}

/// The end of the informer is the end of its drains.
#[tokio::test(start_paused = true)]
async fn a_drain_ends_with_the_informer() {
    let server = TestServer::new([&WIDGETS]);
    create(&server, 1000);
    let running = Running::streaming(&server);
    running.synced().await;
    let (_, handler) = counting();
    let handler = running.informer.add_event_handler(handler).unwrap();
    let stream = running.informer.events().unwrap();
    let stream_registration = stream.registration().clone();
    let (one, two) = tokio::join!(
        async {
            let drains = (handler.drain(), stream_registration.drain());
            futures::future::join(drains.0, drains.1).await
        },
        running.informer.shutdown()
    );
    assert_eq!((one, two), ((false, false), ()));
}

/// From within a call: closing needs no waiting, a spawned removal waits elsewhere, and one that is driven to its end
/// right there does not wait for itself.
#[tokio::test(start_paused = true)]
async fn s11_a_handler_may_end_itself_in_every_way() {
    type End = fn(&Registration);
    let ends: [(&str, End); 6] = [
        ("close", |registration| registration.close()),
        ("spawned removal", |registration| {
            let registration = registration.clone();
            tokio::spawn(async move { registration.remove().await });
        }),
        ("polled removal", |registration| assert!(registration.remove().now_or_never().is_some())),
        ("removal", |registration| futures::executor::block_on(registration.remove())),
        ("drain", |registration| assert!(!futures::executor::block_on(registration.drain()))),
        ("spawned drain", |registration| {
            let registration = registration.clone();
            tokio::spawn(async move { registration.drain().await });
        }),
    ];
    for (name, end) in ends {
        let server = TestServer::new([&WIDGETS]);
        let running = Running::streaming(&server);
        running.synced().await;
        let registration = Arc::new(OnceLock::<Registration>::new());
        let told = Arc::new(Mutex::new(Vec::new()));
        let (own, heard) = (registration.clone(), told.clone());
        let handler = EventHandlerFuncs::new().on_add(move |object, _| {
            heard.lock().unwrap().push(object.name().to_owned());
            if object.name() == "w0001" {
                end(own.get().unwrap());
            }
        });
        let added = running.informer.add_event_handler(handler).unwrap();
        registration.set(added.clone()).unwrap();
        create(&server, 5);
        settled().await;
        server.create(&WIDGETS, widget("red", "late")).unwrap();
        running.recorder.until(6).await;
        settled().await;
        let told = told.lock().unwrap().clone();
        assert!(told.len() >= 2 && !told.contains(&String::from("late")), "{name}: {told:?}");
        let ended = tokio::time::timeout(Duration::from_secs(1), added.remove()).await;
        assert!(ended.is_ok(), "{name}");
        assert!(running.errors.all().is_empty(), "{name}: {:?}", running.errors.texts());
    }
}

/// Nobody's code runs under a lock that removal needs: one handler may end another.
#[tokio::test(start_paused = true)]
async fn a_handler_may_end_another() {
    let server = TestServer::new([&WIDGETS]);
    let running = Running::streaming(&server);
    running.synced().await;
    let victim = Recorder::new();
    let other = running.informer.add_event_handler(victim.clone()).unwrap();
    let handler = EventHandlerFuncs::new().on_add(move |_, _| other.close());
    running.informer.add_event_handler(handler).unwrap();
    create(&server, 1);
    settled().await;
    server.create(&WIDGETS, widget("red", "late")).unwrap();
    running.recorder.until(2).await;
    assert!(victim.told_count() <= 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s11_removal_waits_for_the_call_under_way_and_closing_does_not() {
    let server = TestServer::new([&WIDGETS]);
    let running = Running::streaming(&server);
    running.synced().await;
    let (entered, gate) = (Arc::new(AtomicBool::new(false)), Arc::new(Mutex::new(())));
    let (inside, block, left) = (entered.clone(), gate.clone(), Arc::new(AtomicBool::new(false)));
    let leaving = left.clone();
    let handler = EventHandlerFuncs::new().on_add(move |_, _| {
        inside.store(true, Ordering::SeqCst);
        drop(block.lock());
        leaving.store(true, Ordering::SeqCst);
    });
    let registration = running.informer.add_event_handler(handler).unwrap();
    {
        let _held = gate.lock().unwrap();
        server.create(&WIDGETS, widget("red", "a")).unwrap();
        while !entered.load(Ordering::SeqCst) {
            std::thread::yield_now();
        }
        registration.close();
        assert!(registration.remove().now_or_never().is_none(), "the call is under way");
        assert!(!left.load(Ordering::SeqCst));
    }
    registration.remove().await;
    assert!(left.load(Ordering::SeqCst));
    running.informer.shutdown().await;
}

/// Counted for each registration.
#[tokio::test(start_paused = true)]
async fn s10_panics_are_counted() {
    let server = TestServer::new([&WIDGETS]);
    let running = Running::streaming(&server);
    let handler = EventHandlerFuncs::new().on_add(|object, _| assert!(object.name() > "w0004", "too small"));
    let picky = running.informer.add_event_handler(handler).unwrap();
    running.synced().await;
    create(&server, 10);
    server.apply(&WIDGETS, sized("red", "w0001", 1)).unwrap();
    running.recorder.until(11).await;
    settled().await;
    assert_eq!((picky.panics(), running.registration.panics()), (5, 0));
    assert_eq!(running.errors.all().len(), 5);
    assert!(picky.drain().await, "it still takes what comes");
}
