//! Handlers as streams: the same that handlers hear, taken one by one.

use std::time::Duration;

use futures::stream::FusedStream;
use futures::{FutureExt, StreamExt};
use informer_runtime::{CancellationToken, Deleted, Event, HandlerOptions, SharedInformer};
use informer_test_server::{Answer, Gate, Rule, Script, TestServer};
use informer_tests::{Recorder, Running, WIDGETS, Widget, settled, sized, widget};

fn text(event: &Event<Widget>) -> String {
    match event {
        Event::Added { object, is_initial } => format!("+{object:?}{}", if *is_initial { "!" } else { "" }),
        Event::Updated { old, new } => format!("~{old:?}->{}", new.resource_version()),
        Event::Deleted(Deleted::Final(object)) => format!("-{object:?}"),
        Event::Deleted(deleted) => format!("-{:?}?", deleted.last_known()),
        Event::Synced => String::from("synced"),
    }
}

fn server() -> TestServer {
    let server = TestServer::new([&WIDGETS]);
    server.create(&WIDGETS, widget("red", "a")).unwrap();
    server
}

#[tokio::test(start_paused = true)]
async fn what_is_there_then_the_mark_then_every_change() {
    let server = server();
    let running = Running::streaming(&server);
    running.synced().await;
    let mut events = running.informer.events().unwrap();
    server.apply(&WIDGETS, sized("red", "a", 1)).unwrap();
    server.create(&WIDGETS, widget("red", "b")).unwrap();
    server.delete(&WIDGETS, "red", "a").unwrap();
    let mut told = Vec::new();
    for _ in 0..5 {
        let event = events.next().await.unwrap();
        assert_eq!(event.key().is_none(), matches!(event, Event::Synced));
        told.push(text(&event));
    }
    assert_eq!(told, ["+red/a@2!", "synced", "~red/a@2->3", "+red/b@4", "-red/a@5"]);
    assert!(events.registration().has_synced());
}

#[tokio::test(start_paused = true)]
async fn before_the_start_and_of_an_empty_cache_the_mark_comes_with_the_first_list() {
    let server = TestServer::new([&WIDGETS]);
    let gate = Gate::new();
    server.script(Script::new().rule(Rule::watch().answer(Answer::state().held_by(&gate))));
    let informer = SharedInformer::<Widget>::builder(server.client()).build();
    let mut events = informer.events().unwrap();
    assert!(events.next().now_or_never().is_none());
    informer.start(&CancellationToken::new());
    settled().await;
    assert!(events.next().now_or_never().is_none());
    gate.open();
    assert!(matches!(events.next().await, Some(Event::Synced)));
    server.create(&WIDGETS, widget("red", "a")).unwrap();
    assert_eq!(text(&events.next().await.unwrap()), "+red/a@2");
}

/// Cancel safe: a future that is dropped took nothing with it.
#[tokio::test(start_paused = true)]
async fn futures_that_are_dropped_lose_nothing() {
    let server = server();
    let running = Running::streaming(&server);
    let mut events = running.informer.events().unwrap();
    let mut told = Vec::new();
    for round in 0..200_u32 {
        if round % 3 == 0 {
            server.apply(&WIDGETS, sized("red", "a", round)).unwrap();
        }
        tokio::select! {
            biased;
            () = tokio::task::yield_now() => {}
            event = events.next() => told.push(text(&event.unwrap())),
        }
        drop(events.next()); // never polled
        if let Some(event) = events.next().now_or_never() {
            told.push(text(&event.unwrap()));
        }
    }
    while let Ok(Some(event)) = tokio::time::timeout(Duration::from_millis(5), events.next()).await {
        told.push(text(&event));
    }
    told.retain(|line| line != "synced");
    assert_eq!(told, running.recorder.told());
}

#[tokio::test(start_paused = true)]
async fn it_is_a_stream_with_all_adapters() {
    let server = server();
    let running = Running::streaming(&server);
    let added = running.informer.events().unwrap().filter_map(|event| {
        std::future::ready(if let Event::Added { object, .. } = event { Some(object) } else { None })
    });
    let names = tokio::spawn(added.take(2).map(|object| object.name().to_owned()).collect::<Vec<String>>());
    running.synced().await;
    server.create(&WIDGETS, widget("red", "b")).unwrap();
    assert_eq!(names.await.unwrap(), ["a", "b"]);
}

/// Dropping it removes it: nothing waits for it, and no task was ever there.
#[tokio::test(start_paused = true)]
async fn b21_dropping_it_removes_it() {
    let server = server();
    let running = Running::streaming(&server);
    running.synced().await;
    settled().await;
    let tasks = || tokio::runtime::Handle::current().metrics().num_alive_tasks();
    let before = tasks();
    for round in 0..1000_u32 {
        let mut events = running.informer.events_with(HandlerOptions::new().bounded(1)).unwrap();
        if round % 2 == 0 {
            assert_eq!(text(&events.next().await.unwrap())[..7], *"+red/a@");
        }
        let registration = events.registration().clone();
        drop(events);
        server.apply(&WIDGETS, sized("red", "a", round + 1)).unwrap();
        if round % 10 == 0 {
            settled().await;
            assert_eq!(registration.backlog(), 0);
            registration.remove().await;
            assert!(!registration.synced().await && !registration.drain().await);
        }
    }
    settled().await;
    assert_eq!(tasks(), before);
    assert_eq!(running.recorder.told_count(), 1001);
}

#[tokio::test(start_paused = true)]
async fn it_ends_when_the_informer_stops() {
    let server = server();
    let running = Running::streaming(&server);
    let mut events = running.informer.events().unwrap();
    running.synced().await;
    let reader = tokio::spawn(async move {
        while let Some(event) = events.next().await {
            assert!(event.key().is_none_or(|key| key.name() == "a"));
        }
        assert!(events.is_terminated());
        assert!(events.next().await.is_none(), "for good");
    });
    settled().await;
    running.informer.shutdown().await;
    reader.await.unwrap();
    assert!(running.informer.events().unwrap_err().is_stopped());
}

#[tokio::test(start_paused = true)]
async fn an_informer_that_never_ran_ends_its_streams_too() {
    let server = server();
    let informer = SharedInformer::<Widget>::builder(server.client()).build();
    let mut events = informer.events().unwrap();
    informer.shutdown().await;
    assert!(events.next().await.is_none());
}

#[tokio::test(start_paused = true)]
async fn holding_it_keeps_the_informer_running() {
    let server = server();
    let informer = SharedInformer::<Widget>::builder(server.client()).build();
    informer.start(&CancellationToken::new());
    let mut events = informer.events().unwrap();
    drop(informer);
    settled().await;
    assert_eq!(text(&events.next().await.unwrap()), "+red/a@2!");
    assert!(matches!(events.next().await, Some(Event::Synced)));
    server.create(&WIDGETS, widget("red", "b")).unwrap();
    assert_eq!(text(&events.next().await.unwrap()), "+red/b@3");
    drop(events);
    settled().await;
    assert_eq!(server.open_watches(), 0);
}

/// A stream whose end was asked for gives what it has.
#[tokio::test(start_paused = true)]
async fn drained_it_gives_the_rest_and_ends() {
    let server = server();
    let running = Running::streaming(&server);
    let mut events = running.informer.events().unwrap();
    running.synced().await;
    server.create(&WIDGETS, widget("red", "b")).unwrap();
    running.recorder.until(2).await;
    let registration = events.registration().clone();
    let drain = tokio::spawn(async move { registration.drain().await });
    settled().await;
    assert!(!drain.is_finished(), "it has not been read");
    server.create(&WIDGETS, widget("red", "late")).unwrap();
    running.recorder.until(3).await;
    let mut told = Vec::new();
    while let Some(event) = events.next().await {
        told.push(text(&event));
    }
    assert_eq!(told, ["+red/a@2!", "synced", "+red/b@3"]);
    assert!(drain.await.unwrap());
}

#[tokio::test(start_paused = true)]
async fn closed_from_elsewhere_it_ends_at_once() {
    let server = server();
    let running = Running::streaming(&server);
    let mut events = running.informer.events().unwrap();
    running.synced().await;
    let registration = events.registration().clone();
    let reader = tokio::spawn(async move {
        let mut told = 0;
        while events.next().await.is_some() {
            told += 1;
        }
        told
    });
    settled().await;
    registration.remove().await;
    assert_eq!(reader.await.unwrap(), 2);
    let untouched = running.informer.events().unwrap();
    let registration = untouched.registration().clone();
    registration.remove().await;
    assert_eq!(registration.backlog(), 0);
    drop(untouched);
}

#[tokio::test(start_paused = true)]
async fn streams_and_handlers_hear_the_same() {
    let server = server();
    let running = Running::streaming(&server);
    let (mut one, mut two) = (running.informer.events().unwrap(), running.informer.events().unwrap());
    running.synced().await;
    let late = Recorder::new();
    running.informer.add_event_handler(late.clone()).unwrap();
    for number in 0..1000_u32 {
        match number % 5 {
            4 => drop(server.delete(&WIDGETS, "red", &format!("w{}", number % 7))),
            _ => drop(server.apply(&WIDGETS, sized("red", &format!("w{}", number % 7), number)).unwrap()),
        }
    }
    settled().await;
    for events in [&mut one, &mut two] {
        let mut told = Vec::new();
        while let Some(Some(event)) = events.next().now_or_never() {
            told.push(text(&event));
        }
        told.retain(|line| line != "synced");
        assert_eq!(told, running.recorder.told());
        assert_eq!(told, late.told());
    }
}
