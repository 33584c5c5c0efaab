//! Handlers that come late: a picture first, then everything since, nothing twice and nothing lost.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use informer_runtime::{Cached, Deleted, EventHandler, EventHandlerFuncs, HandlerOptions, Registration};
use informer_test_server::{Answer, Events, Gate, Listing, Rule, Script, TestServer};
use informer_tests::{Recorder, Running, WIDGETS, Widget, at, settled, sized, widget};

#[tokio::test(start_paused = true)]
async fn b20_s4_it_is_told_of_what_is_there_as_initial_and_of_the_rest_as_it_comes() {
    let server = TestServer::new([&WIDGETS]);
    server.create(&WIDGETS, widget("red", "a")).unwrap();
    let running = Running::streaming(&server);
    running.synced().await;
    server.create(&WIDGETS, widget("red", "b")).unwrap();
    server.apply(&WIDGETS, sized("red", "a", 1)).unwrap();
    running.recorder.until(3).await;

    let late = Recorder::new();
    let registration = running.informer.add_event_handler(late.clone()).unwrap();
    assert!(!registration.has_synced(), "it has not been told yet");
    assert!(registration.synced().await);
    assert_eq!(late.told(), ["+red/a@4!", "+red/b@3!"]);
    server.delete(&WIDGETS, "red", "a").unwrap();
    assert_eq!(late.until(3).await[2..], ["-red/a@5"]);
    assert_eq!(running.recorder.told().len(), 4, "the first one was told nothing twice");
}

/// Checks that what it is told is a legal history, and keeps the state it leads to.
#[derive(Clone, Default)]
struct Mirror {
    state: Arc<Mutex<BTreeMap<String, String>>>,
    faults: Arc<Mutex<Vec<String>>>,
}

impl Mirror {
    fn step(&self, key: String, old: Option<&str>, new: Option<&str>) {
        let mut state = self.state.lock().unwrap();
        let had = match new {
            Some(new) => state.insert(key.clone(), new.to_owned()),
            None => state.remove(&key),
        };
        if had.as_deref() != old && !(new.is_none() && had.is_some()) {
            self.faults.lock().unwrap().push(format!("{key}: had {had:?}, told {old:?} -> {new:?}"));
        }
    }
}

impl EventHandler<Widget> for Mirror {
    fn on_add(&self, object: &Cached<Widget>, _: bool) {
        self.step(object.key().to_string(), None, Some(object.resource_version()));
    }

    fn on_update(&self, old: &Cached<Widget>, new: &Cached<Widget>) {
        self.step(new.key().to_string(), Some(old.resource_version()), Some(new.resource_version()));
    }

    fn on_delete(&self, deleted: &Deleted<Widget>) {
        self.step(deleted.key().to_string(), Some(""), None);
    }
}

/// B20.
#[tokio::test(start_paused = true)]
async fn b20_q16_joining_while_events_flow_misses_and_repeats_nothing() {
    let server = TestServer::new([&WIDGETS]);
    for number in 0..1000 {
        server.create(&WIDGETS, sized("red", &format!("w{number:04}"), 0)).unwrap();
    }
    let running = Running::streaming(&server);
    let mut mirrors = Vec::new();
    for change in 0..2000_u32 {
        let name = format!("w{:04}", (change * 7919) % 1200);
        match change % 5 {
            4 => drop(server.delete(&WIDGETS, "red", &name)),
            _ => drop(server.apply(&WIDGETS, sized("red", &name, change)).unwrap()),
        }
        if change % 100 == 50 {
            let mirror = Mirror::default();
            running.informer.add_event_handler(mirror.clone()).unwrap();
            mirrors.push(mirror);
        }
        if change % 13 == 0 {
            tokio::task::yield_now().await;
        }
    }
    running.synced().await;
    settled().await;
    let cache: BTreeMap<String, String> = running
        .informer
        .store()
        .list()
        .iter()
        .map(|object| (object.key().to_string(), object.resource_version().to_owned()))
        .collect();
    assert_eq!(cache.len(), server.objects(&WIDGETS).len());
    for mirror in &mirrors {
        assert_eq!(*mirror.faults.lock().unwrap(), Vec::<String>::new());
        assert_eq!(*mirror.state.lock().unwrap(), cache);
    }
    assert_eq!(mirrors.len(), 20);
}

#[tokio::test(start_paused = true)]
async fn b23_one_that_comes_before_the_first_list_is_synced_with_it() {
    let server = TestServer::new([&WIDGETS]);
    server.create(&WIDGETS, widget("red", "a")).unwrap();
    let gate = Gate::new();
    server.script(Script::new().rule(Rule::watch().answer(Answer::state().held_by(&gate))));
    let running = Running::streaming(&server);
    settled().await;
    let late = Recorder::new();
    let registration = running.informer.add_event_handler(late.clone()).unwrap();
    settled().await;
    assert!(!registration.has_synced() && !running.informer.has_synced());
    gate.open();
    assert!(registration.synced().await);
    assert_eq!(late.told(), ["+red/a@2!"]);
}

/// B23: the informer is synced when its store is, a registration when its handler was told; neither is taken back.
#[tokio::test(start_paused = true)]
async fn b23_s15_sync_is_per_handler_and_never_taken_back() {
    let server = TestServer::new([&WIDGETS]);
    let gate = Gate::new();
    server.script(
        Script::new()
            .list(1, Listing::at(10).items((0..200).map(|n| at(&format!("red/w{n:03}"), 5))))
            .watch(1, Events::new().wait(Duration::from_secs(5)).expired().close())
            .list(2, Answer::from(Listing::at(20).items([at("red/a", 15)])).held_by(&gate)),
    );
    let running = Running::plain(&server);
    let registered = Arc::new(OnceLock::<Registration>::new());
    let synced_within = Arc::new(Mutex::new(Vec::new()));
    let (look, note) = (registered.clone(), synced_within.clone());
    let handler = EventHandlerFuncs::new()
        .on_add(move |_, _| note.lock().unwrap().push(look.get().is_some_and(Registration::has_synced)));
    let registration = running.informer.add_event_handler(handler).unwrap();
    registered.set(registration.clone()).unwrap();
    assert!(registration.synced().await);
    assert_eq!(*synced_within.lock().unwrap(), vec![false; 200]);
    assert!(running.informer.has_synced());
    server.wait_until(|server| server.lists().len() == 2).await;
    settled().await;
    assert!(running.informer.has_synced() && running.registration.has_synced());
    gate.open();
    running.recorder.until(401).await;
    assert!(running.informer.has_synced() && running.registration.has_synced());
}

#[tokio::test(start_paused = true)]
async fn b23_q5_an_empty_list_is_a_sync_too() {
    let server = TestServer::new([&WIDGETS]);
    for running in [Running::plain(&server), Running::streaming(&server)] {
        running.synced().await;
        assert!(running.informer.has_synced() && running.informer.controller().has_synced());
        assert_eq!(running.recorder.told(), Vec::<String>::new());
    }
}

#[tokio::test(start_paused = true)]
async fn b20_s6_a_stopped_informer_takes_none() {
    let server = TestServer::new([&WIDGETS]);
    let running = Running::streaming(&server);
    running.synced().await;
    running.informer.shutdown().await;
    let error = running.informer.add_event_handler(Recorder::new()).unwrap_err();
    assert!(error.is_stopped());
    assert_eq!(error.to_string(), "the informer for widgets.v1.shop.example.test has stopped");
    let named = HandlerOptions::new().name("late");
    assert!(running.informer.add_event_handler_with(named, Recorder::new()).unwrap_err().is_stopped());
}
