//! Handlers that are behind, in each mode: what waits for them, and who waits for whom (B17).

use std::collections::BTreeMap;
use std::time::Duration;

use informer_runtime::{Cached, Delivery, Event, Events, FilteringEventHandler, HandlerOptions, Registration};
use informer_test_server::{Events as Script, Listing, TestServer};
use informer_tests::{Recorder, Running, WIDGETS, Widget, at, settled, sized, widget};

const CHANGES: u32 = 3_000;
/// The most that one batch brings.
const BATCH: usize = 256;

/// A server with twenty widgets.
fn server() -> TestServer {
    let server = TestServer::new([&WIDGETS]);
    for number in 0..20 {
        server.create(&WIDGETS, widget("red", &format!("w{number:02}"))).unwrap();
    }
    server
}

/// Changes the twenty in turn; with every 20th change one is deleted, and made again with the next.
fn change(server: &TestServer, changes: u32) {
    for number in 0..changes {
        let name = format!("w{:02}", number % 20);
        match (number / 20) % 3 {
            1 if number % 20 == 7 => drop(server.delete(&WIDGETS, "red", &name).unwrap()),
            _ => drop(server.apply(&WIDGETS, sized("red", &name, number + 1)).unwrap()),
        }
    }
}

/// Reads what is there.
async fn read(events: &mut Events<Widget>) -> Vec<Event<Widget>> {
    let mut all = Vec::new();
    while let Ok(Some(event)) = tokio::time::timeout(Duration::from_millis(1), events.next()).await {
        all.push(event);
    }
    all
}

/// The map that the events lead to; panics if they are no legal history.
fn follow(map: &mut BTreeMap<String, String>, events: &[Event<Widget>]) {
    for event in events {
        match event {
            Event::Added { object, .. } => {
                let before = map.insert(object.key().to_string(), object.resource_version().to_owned());
                assert_eq!(before, None, "{event:?}");
            }
            Event::Updated { old, new } => {
                assert_eq!(old.uid(), new.uid(), "{event:?}");
                let before = map.insert(new.key().to_string(), new.resource_version().to_owned());
                assert_eq!(before.as_deref(), Some(old.resource_version()), "{event:?}");
            }
            Event::Deleted(deleted) => assert!(map.remove(&deleted.key().to_string()).is_some(), "{event:?}"),
            Event::Synced => {}
        }
    }
}

fn cache(running: &Running) -> BTreeMap<String, String> {
    let objects = running.informer.store().list();
    objects.iter().map(|object| (object.key().to_string(), object.resource_version().to_owned())).collect()
}

#[tokio::test(start_paused = true)]
async fn b17_coalesced_only_the_last_state_of_each_object_waits() {
    let server = server();
    let running = Running::streaming(&server);
    let mut events = running.informer.events_with(HandlerOptions::new().coalesced()).unwrap();
    running.synced().await;
    let mut map = BTreeMap::new();
    follow(&mut map, &read(&mut events).await);
    for _ in 0..3 {
        change(&server, CHANGES);
        settled().await;
        assert!(events.registration().backlog() <= 20, "{:?}", events.registration());
        let read = read(&mut events).await;
        assert!(read.len() <= 2 * 20, "{read:?}");
        follow(&mut map, &read);
        assert_eq!(map, cache(&running));
    }
    assert!(events.registration().merged() > u64::from(CHANGES));
    assert_eq!(running.registration.merged(), 0, "of one handler, not of all");
}

#[tokio::test(start_paused = true)]
async fn coalesced_an_object_that_was_made_again_is_told_as_two_and_one_that_came_and_went_not_at_all() {
    let server = TestServer::new([&WIDGETS]);
    server.create(&WIDGETS, widget("red", "again")).unwrap();
    let running = Running::streaming(&server);
    let mut events = running.informer.events_with(HandlerOptions::new().coalesced()).unwrap();
    running.synced().await;
    read(&mut events).await;
    server.apply(&WIDGETS, sized("red", "again", 1)).unwrap();
    server.delete(&WIDGETS, "red", "again").unwrap();
    server.create(&WIDGETS, widget("red", "passing")).unwrap();
    server.create(&WIDGETS, widget("red", "again")).unwrap();
    server.delete(&WIDGETS, "red", "passing").unwrap();
    server.apply(&WIDGETS, sized("red", "again", 2)).unwrap();
    running.recorder.until(7).await;
    let told: Vec<String> = read(&mut events).await.iter().map(|event| format!("{event:?}")).collect();
    assert_eq!(told, ["Final(red/again@4)", "Added { object: red/again@8, is_initial: false }"]);
}

#[tokio::test(start_paused = true)]
async fn a_coalesced_handler_hears_of_every_object_and_of_its_last_state() {
    let server = server();
    let running = Running::streaming(&server);
    let recorder = Recorder::new();
    let options = HandlerOptions::new().delivery(Delivery::Coalesced).name("last states");
    let registration = running.informer.add_event_handler_with(options, recorder.clone()).unwrap();
    assert_eq!(registration.name(), "last states");
    assert!(registration.synced().await);
    change(&server, CHANGES);
    settled().await;
    for object in running.informer.store().list() {
        let key = object.key().to_string();
        let told = recorder.told();
        let last = told.iter().rfind(|line| line[1..].starts_with(&key)).unwrap();
        assert!(last.ends_with(object.resource_version()), "{last}");
    }
}

/// The informer waits, and nobody else does.
#[tokio::test(start_paused = true)]
async fn b17_bounded_the_informer_waits_and_nothing_is_lost() {
    let server = server();
    let running = Running::streaming(&server);
    let mut events = running.informer.events_with(HandlerOptions::new().bounded(10)).unwrap();
    running.synced().await;
    let mut all = read(&mut events).await;
    change(&server, CHANGES);
    settled().await;
    let waiting = events.registration().backlog();
    assert!((10..10 + BATCH).contains(&waiting), "{waiting}");
    let reached = running.informer.last_sync_resource_version();
    assert!(reached.parse::<u64>().unwrap() < server.resource_version());
    // The others have heard of all that is in the store, readers read it, and handlers still come and go.
    assert_eq!(running.recorder.told_count(), 20 + waiting);
    let late = Recorder::new();
    let second = HandlerOptions::new().resync_period(Duration::from_secs(5));
    let registration = running.informer.add_event_handler_with(second, late.clone()).unwrap();
    assert!(registration.synced().await);
    let known = running.informer.store().len();
    assert_eq!(late.told_count(), known);
    tokio::time::sleep(Duration::from_secs(11)).await;
    assert_eq!(late.told_count(), 3 * known, "resyncs go on");
    registration.remove().await;
    assert_eq!(running.informer.last_sync_resource_version(), reached, "still waiting");
    all.extend(read(&mut events).await);
    assert_eq!(running.informer.last_sync_resource_version(), server.resource_version().to_string());
    assert_eq!(all.len(), 21 + CHANGES as usize);
    let mut map = BTreeMap::new();
    follow(&mut map, &all);
    assert_eq!(map, cache(&running));
    assert_eq!(events.registration().merged(), 0);
    assert_eq!(server.watches().len(), 1, "the watch was kept");
}

#[tokio::test(start_paused = true)]
async fn a_bounded_handler_that_keeps_up_holds_up_nobody() {
    let server = server();
    let running = Running::streaming(&server);
    let recorder = Recorder::new();
    let options = HandlerOptions::new().bounded(0); // taken as 1
    let registration = running.informer.add_event_handler_with(options, recorder.clone()).unwrap();
    running.synced().await;
    change(&server, CHANGES);
    settled().await;
    assert_eq!(recorder.told(), running.recorder.told());
    assert_eq!(recorder.told_count(), 20 + CHANGES as usize);
    assert_eq!((registration.backlog(), registration.merged()), (0, 0));
}

/// Whoever ends a full handler sets the informer free.
#[tokio::test(start_paused = true)]
async fn a_full_handler_that_goes_is_waited_for_no_more() {
    let going: [fn(Events<Widget>, Registration); 3] = [
        |events, _| drop(events),
        |events, registration| {
            registration.close();
            drop(events);
        },
        |events, registration| {
            // Its reader takes the rest some day; but nothing more comes in.
            tokio::spawn(async move { registration.drain().await });
            std::mem::forget(events);
        },
    ];
    for go in going {
        let server = server();
        let running = Running::streaming(&server);
        running.synced().await;
        let events = running.informer.events_with(HandlerOptions::new().bounded(10)).unwrap();
        change(&server, CHANGES);
        settled().await;
        let last = server.resource_version().to_string();
        assert_ne!(running.informer.last_sync_resource_version(), last);
        let registration = events.registration().clone();
        go(events, registration);
        settled().await;
        assert_eq!(running.informer.last_sync_resource_version(), last);
    }
}

#[tokio::test(start_paused = true)]
async fn b31_a_full_handler_does_not_keep_the_informer_from_its_end() {
    let server = server();
    let running = Running::streaming(&server);
    let mut events = running.informer.events_with(HandlerOptions::new().bounded(10)).unwrap();
    running.synced().await;
    change(&server, CHANGES);
    settled().await;
    let shutdown = tokio::time::timeout(Duration::from_secs(1), running.informer.shutdown()).await;
    assert!(shutdown.is_ok() && running.informer.is_stopped());
    assert!(events.next().await.is_none());
    assert_eq!(events.registration().backlog(), 0);
}

/// B17: one that takes its time, one that does not, and a busy server.
#[tokio::test(start_paused = true)]
async fn b17_a_slow_one_is_late_alone_and_its_backlog_shows() {
    let server = server();
    let running = Running::streaming(&server);
    let mut slow = running.informer.events().unwrap();
    running.synced().await;
    let slow = tokio::spawn(async move {
        let (mut map, mut largest) = (BTreeMap::new(), 0);
        while let Some(event) = slow.next().await {
            follow(&mut map, &[event]);
            largest = largest.max(slow.registration().backlog());
            if largest > 15_000 && slow.registration().backlog() == 0 {
                break;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        (map, largest)
    });
    for round in 0..200_u32 {
        for number in 0..100_u32 {
            let name = format!("w{:02}", number % 20);
            server.apply(&WIDGETS, sized("red", &name, round * 100 + number + 1)).unwrap();
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
        // The other one and the store are never behind.
        assert_eq!(running.informer.last_sync_resource_version(), server.resource_version().to_string());
        assert_eq!(running.recorder.told_count(), 20 + 100 * (round as usize + 1));
    }
    let (map, largest) = slow.await.unwrap();
    assert!(largest > 15_000);
    assert_eq!(map, cache(&running));
}

/// Resyncs do not pile up: who has not got through the last one gets no other.
#[tokio::test(start_paused = true)]
async fn resyncs_that_pile_up_are_one() {
    let server = TestServer::new([&WIDGETS]);
    for name in ["a", "b", "c"] {
        server.create(&WIDGETS, widget("red", name)).unwrap();
    }
    let running = Running::streaming(&server);
    let every_second = HandlerOptions::new().resync_period(Duration::from_secs(1));
    let mut events = running.informer.events_with(every_second).unwrap();
    running.synced().await;
    read(&mut events).await;
    for round in 1..=3 {
        tokio::time::sleep(Duration::from_secs(20)).await;
        server.apply(&WIDGETS, sized("red", "a", round)).unwrap();
        let told = read(&mut events).await;
        assert_eq!(told.len(), 4, "{told:?}");
    }
}

/// A relist's changes wait like any others.
#[tokio::test(start_paused = true)]
async fn coalesced_across_a_relist() {
    let server = TestServer::new([&WIDGETS]);
    let first = (0..10).map(|number| at(&format!("red/w{number}"), 5));
    let second = (5..15).map(|number| at(&format!("red/w{number}"), 20));
    server.script(
        informer_test_server::Script::new()
            .list(1, Listing::at(10).items(first))
            .watch(1, Script::new().modified(at("red/w0", 11)).modified(at("red/w9", 12)).expired().close())
            .list(2, Listing::at(30).items(second)),
    );
    let running = Running::plain(&server);
    let mut events = running.informer.events_with(HandlerOptions::new().coalesced()).unwrap();
    running.synced().await;
    let mut map = BTreeMap::new();
    server.wait_until(|server| server.lists().len() == 2).await;
    settled().await;
    let told = read(&mut events).await;
    follow(&mut map, &told);
    assert_eq!(map, cache(&running));
    let changes = told.len() - 11;
    assert_eq!(changes, 15, "5 gone, 5 changed, 5 new: {told:?}");
}

/// A filter behind a merging queue: what was told of is told of to its end, and nothing else is.
#[tokio::test(start_paused = true)]
async fn s16_a_filter_behind_merged_changes() {
    for merged in [false, true] {
        let options = HandlerOptions::new();
        let options = if merged { options.coalesced() } else { options };
        let server = TestServer::new([&WIDGETS]);
        server.create(&WIDGETS, sized("red", "leaves", 1)).unwrap(); // 2
        server.create(&WIDGETS, sized("red", "enters", 0)).unwrap(); // 3
        server.create(&WIDGETS, sized("red", "outside", 0)).unwrap(); // 4
        let running = Running::streaming(&server);
        let recorder = Recorder::new();
        let large = |object: &Cached<Widget>| object.get().is_ok_and(|widget| widget.spec.size > 0);
        let filtering = FilteringEventHandler::new(large, recorder.clone());
        let registration = running.informer.add_event_handler_with(options, filtering).unwrap();
        assert!(registration.synced().await);
        server.apply(&WIDGETS, sized("red", "leaves", 0)).unwrap(); // 5
        server.apply(&WIDGETS, sized("red", "enters", 1)).unwrap();
        for name in ["leaves", "outside", "enters"] {
            server.delete(&WIDGETS, "red", name).unwrap();
        }
        settled().await;
        let told = recorder.told();
        let of = |name: &str| told.iter().filter(|line| line.contains(name)).count();
        assert_eq!((of("leaves"), of("outside")), (2, 0), "{told:?}");
        // Either it was never let through, or it was told to the end.
        assert!(of("enters") == if merged { 0 } else { 2 }, "{told:?}");
    }
}

/// The change that ends an object may be told as its end alone: finalizers are gone, and labels with them.
#[tokio::test(start_paused = true)]
async fn s16_a_filter_tells_of_the_end_of_what_it_let_through() {
    let server = TestServer::new([&WIDGETS]);
    let with_size = |name: &str, version: u64, size: u64| {
        let mut widget = at(name, version);
        widget["spec"] = serde_json::json!({"size": size});
        widget
    };
    let first = [with_size("red/in", 5, 1), with_size("red/out", 6, 0)];
    let changes = Script::new().deleted(with_size("red/in", 11, 0)).deleted(with_size("red/out", 12, 1));
    server.script(informer_test_server::Script::new().list(1, Listing::at(10).items(first)).watch(1, changes));
    let running = Running::plain(&server);
    let (inner, outer) = (Recorder::new(), Recorder::new());
    let large = |object: &Cached<Widget>| object.get().is_ok_and(|widget| widget.spec.size > 0);
    let nested = std::sync::Arc::new(FilteringEventHandler::new(large, inner.clone()));
    running.informer.add_event_handler(FilteringEventHandler::new(|_: &Cached<Widget>| true, nested)).unwrap();
    running.informer.add_event_handler(FilteringEventHandler::new(large, outer.clone())).unwrap();
    running.recorder.until(4).await;
    settled().await;
    assert_eq!(inner.told(), ["+red/in@5!", "-red/in@11"]);
    assert_eq!(outer.told(), inner.told());
}
