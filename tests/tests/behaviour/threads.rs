//! Real threads and real time: the same promises, looked at by polling.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use informer_runtime::{Cached, EventHandlerFuncs, Selector, SharedInformer, WorkQueue};
use informer_test_server::TestServer;
use informer_tests::{Recorder, WIDGETS, Widget, sized, widget};

async fn until(what: &str, holds: impl Fn() -> bool) {
    for _ in 0..6_000 {
        if holds() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("never: {what}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn b20_q1_s7_s8_writers_readers_and_handlers_at_once() {
    let server = TestServer::new([&WIDGETS]);
    let informer = SharedInformer::<Widget>::builder(server.client()).build();
    let recorder = Recorder::new();
    informer.add_event_handler(recorder.clone()).unwrap();
    let stop = informer_runtime::CancellationToken::new();
    informer.start(&stop);
    let done = Arc::new(AtomicBool::new(false));
    let readers: Vec<_> = (0..3)
        .map(|_| {
            let (lister, done) = (informer.lister(), done.clone());
            tokio::spawn(async move {
                let mut largest = 0;
                while !done.load(Ordering::Relaxed) {
                    let found = lister.list(&Selector::everything());
                    assert!(found.windows(2).all(|pair| pair[0].key() < pair[1].key()));
                    largest = largest.max(found.len());
                    tokio::task::yield_now().await;
                }
                largest
            })
        })
        .collect();
    let writers: Vec<_> = ["red", "green", "blue"]
        .map(|namespace| {
            let server = server.clone();
            tokio::spawn(async move {
                for round in 0..500_u32 {
                    let name = format!("w{}", round % 50);
                    match round % 7 {
                        6 => drop(server.delete(&WIDGETS, namespace, &name)),
                        _ => drop(server.apply(&WIDGETS, sized(namespace, &name, round)).unwrap()),
                    }
                    if round % 100 == 99 {
                        server.cut_watches();
                    }
                    tokio::task::yield_now().await;
                }
            })
        })
        .into();
    // Handlers come and go meanwhile.
    for _ in 0..50 {
        let registration = informer.add_event_handler(Recorder::new()).unwrap();
        tokio::task::yield_now().await;
        registration.remove().await;
    }
    for writer in writers {
        writer.await.unwrap();
    }
    let expected = server.objects(&WIDGETS);
    let last = server.resource_version().to_string();
    until("the cache has caught up", || informer.last_sync_resource_version() == last).await;
    done.store(true, Ordering::Relaxed);
    for reader in readers {
        assert!(reader.await.unwrap() > 0);
    }
    let cached: Vec<serde_json::Value> =
        informer.store().list().iter().map(|object| serde_json::from_str(&object.raw()).unwrap()).collect();
    assert_eq!(cached.len(), expected.len());
    for object in expected {
        assert!(cached.contains(&object));
    }
    informer.shutdown().await;
    assert_eq!(server.open_watches(), 0);
}

/// B19: handlers that read, add handlers and queue keys, with more objects than any channel is long.
async fn large_first_list_with_busy_handlers() {
    let server = TestServer::new([&WIDGETS]);
    for number in 0..5_000 {
        server.create(&WIDGETS, widget("red", &format!("w{number:04}"))).unwrap();
    }
    let informer = SharedInformer::<Widget>::builder(server.client()).build();
    let queue = WorkQueue::new();
    let added = Arc::new(Mutex::new(None));
    let second = Recorder::new();
    let handler = {
        let (informer, queue, added, second) = (informer.clone(), queue.clone(), added.clone(), second.clone());
        EventHandlerFuncs::new().on_add(move |object, _| {
            assert!(informer.lister().get("red", object.name()).is_ok());
            queue.add(object.key());
            added.lock().unwrap().get_or_insert_with(|| informer.add_event_handler(second.clone()).unwrap());
        })
    };
    let registration = informer.add_event_handler(handler).unwrap();
    informer.start(&informer_runtime::CancellationToken::new());
    let limit = Duration::from_secs(60);
    assert!(tokio::time::timeout(limit, registration.synced()).await.unwrap());
    let other = added.lock().unwrap().clone().unwrap();
    assert!(tokio::time::timeout(limit, other.synced()).await.unwrap());
    assert_eq!(second.told_count(), 5_000);
    assert_eq!(queue.len(), 5_000);
    informer.shutdown().await;
}

#[tokio::test]
async fn b19_a_large_first_list_on_one_thread() {
    large_first_list_with_busy_handlers().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn b19_a_large_first_list_on_one_worker() {
    large_first_list_with_busy_handlers().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn b19_a_large_first_list_on_two_workers() {
    large_first_list_with_busy_handlers().await;
}

/// B31: again and again, in whatever state it happens to be.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn b31_s8_start_and_stop_again_and_again() {
    let server = TestServer::new([&WIDGETS]);
    for number in 0..50 {
        server.create(&WIDGETS, widget("red", &format!("w{number}"))).unwrap();
    }
    let client = server.client();
    for round in 0..200 {
        let informer = SharedInformer::<Widget>::builder(client.clone()).build();
        let registration = informer.add_event_handler(Recorder::new()).unwrap();
        let stop = informer_runtime::CancellationToken::new();
        informer.start(&stop);
        for _ in 0..round % 20 {
            tokio::task::yield_now().await;
        }
        let late = informer.add_event_handler(Recorder::new()).unwrap();
        match round % 3 {
            0 => stop.cancel(),
            1 => assert!(tokio::time::timeout(Duration::from_secs(60), late.synced()).await.unwrap()),
            _ => {}
        }
        tokio::time::timeout(Duration::from_secs(60), informer.shutdown()).await.unwrap();
        assert!(informer.is_stopped());
        registration.remove().await;
    }
    until("all watches are closed", || server.open_watches() == 0).await;
}

/// Q12: whoever is told of a change finds it, or a later one, in the cache; with many handlers at work, so that the
/// first is told while others are still to be.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn q12_the_cache_is_never_behind_what_is_told() {
    let server = TestServer::new([&WIDGETS]);
    let informer = SharedInformer::<Widget>::builder(server.client()).build();
    let (behind, told) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    for _ in 0..30 {
        let (store, behind, told) = (informer.store(), behind.clone(), told.clone());
        let check = move |object: &Cached<Widget>, gone: bool| {
            let version = |object: &Cached<Widget>| object.resource_version().parse::<u64>().unwrap();
            let held = store.get_by_key(&object.key()).map(|held| version(&held));
            let is_behind =
                if gone { held.is_some_and(|held| held < version(object)) } else { held < Some(version(object)) };
            behind.fetch_add(usize::from(is_behind), Ordering::Relaxed);
            told.fetch_add(1, Ordering::Relaxed);
        };
        let (added, updated) = (check.clone(), check.clone());
        let handler = EventHandlerFuncs::new()
            .on_add(move |object, _| added(object, false))
            .on_update(move |_, object| updated(object, false))
            .on_delete(move |deleted| check(deleted.last_known(), true));
        informer.add_event_handler(handler).unwrap();
    }
    informer.start(&informer_runtime::CancellationToken::new());
    until("synced", || informer.has_synced()).await;
    // No object is deleted and then made again: whoever is late would find nothing and could not tell why.
    for number in 0..1_500_u32 {
        server.apply(&WIDGETS, sized("red", &format!("w{}", number % 3), number)).unwrap();
        tokio::task::yield_now().await;
    }
    until("all are told", || told.load(Ordering::Relaxed) >= 30 * 1_500).await;
    for name in ["w0", "w1", "w2"] {
        server.delete(&WIDGETS, "red", name).unwrap();
    }
    until("all are told of the end", || told.load(Ordering::Relaxed) >= 30 * 1_503).await;
    assert_eq!(behind.load(Ordering::Relaxed), 0);
    informer.shutdown().await;
}
