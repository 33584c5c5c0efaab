//! What a handler is told, in which order, and what the store holds meanwhile.

use std::sync::{Arc, Mutex};

use informer_runtime::{Cached, EventHandlerFuncs, FilteringEventHandler, Lister, SharedInformer};
use informer_test_server::TestServer;
use informer_tests::{Recorder, Running, WIDGETS, Widget, settled, sized, widget};
use serde_json::json;

fn server() -> TestServer {
    TestServer::new([&WIDGETS])
}

/// Whether the lister has this very version, or a later one.
fn has(lister: &Lister<Widget>, object: &Cached<Widget>) -> bool {
    let version = |object: &Cached<Widget>| object.resource_version().parse::<u64>().unwrap();
    let namespace = object.namespace().unwrap();
    lister.get(namespace, object.name()).is_ok_and(|found| version(&found) >= version(object))
}

#[tokio::test(start_paused = true)]
async fn q12_the_store_holds_a_change_before_the_handler_is_told() {
    let server = server();
    server.create(&WIDGETS, widget("red", "a")).unwrap();
    let informer = SharedInformer::<Widget>::builder(server.client()).build();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let lister = informer.lister();
    let note = {
        let seen = seen.clone();
        move |what: &str, good: bool| seen.lock().unwrap().push(format!("{what}:{good}"))
    };
    let (on_add, on_update, on_delete) = (note.clone(), note.clone(), note);
    let (adds, updates, deletes) = (lister.clone(), lister.clone(), lister);
    let handler = EventHandlerFuncs::new()
        .on_add(move |object, _| on_add("add", has(&adds, object)))
        .on_update(move |_, new| on_update("update", has(&updates, new)))
        .on_delete(move |deleted| on_delete("delete", deletes.get("red", deleted.name()).is_err()));
    informer.add_event_handler(handler).unwrap();
    informer.start(&informer_runtime::CancellationToken::new());
    settled().await;
    server.apply(&WIDGETS, sized("red", "a", 1)).unwrap();
    settled().await;
    server.create(&WIDGETS, widget("red", "b")).unwrap();
    settled().await;
    server.delete(&WIDGETS, "red", "a").unwrap();
    settled().await;
    assert_eq!(*seen.lock().unwrap(), ["add:true", "update:true", "add:true", "delete:true"]);
    informer.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn q1_q16_every_state_of_a_key_is_told_in_order() {
    let server = server();
    let running = Running::streaming(&server);
    running.synced().await;
    for round in 0..100 {
        for name in ["a", "b", "c"] {
            server.apply(&WIDGETS, sized("red", name, round)).unwrap();
        }
    }
    server.delete(&WIDGETS, "red", "b").unwrap();
    let told = running.recorder.until(301).await;
    for name in ["a", "b", "c"] {
        let of_one: Vec<&String> = told.iter().filter(|line| line.contains(&format!("red/{name}@"))).collect();
        assert!(of_one[0].starts_with("+") && !of_one[0].ends_with('!'), "{of_one:?}");
        // Each update begins where the one before ended.
        for pair in of_one.windows(2) {
            let end = pair[0].rsplit(['@', '>']).next().unwrap();
            assert!(pair[1].contains(&format!("@{end}->")) || pair[1].starts_with('-'), "{pair:?}");
        }
        assert_eq!(of_one.len(), if name == "b" { 101 } else { 100 });
    }
    assert_eq!(told.last().unwrap(), "-red/b@302");
}

#[tokio::test(start_paused = true)]
async fn q7_only_what_was_there_at_the_start_is_initial() {
    let server = server();
    server.create(&WIDGETS, widget("red", "a")).unwrap();
    let running = Running::streaming(&server);
    running.synced().await;
    server.create(&WIDGETS, widget("red", "b")).unwrap();
    server.delete(&WIDGETS, "red", "a").unwrap();
    server.create(&WIDGETS, widget("red", "a")).unwrap();
    assert_eq!(running.recorder.until(4).await, ["+red/a@2!", "+red/b@3", "-red/a@4", "+red/a@5"]);
}

#[tokio::test(start_paused = true)]
async fn q2_an_object_deleted_and_made_again_has_another_uid() {
    let server = server();
    server.create(&WIDGETS, widget("red", "a")).unwrap();
    let running = Running::streaming(&server);
    running.synced().await;
    let before = running.informer.lister().get("red", "a").unwrap();
    server.delete(&WIDGETS, "red", "a").unwrap();
    server.create(&WIDGETS, widget("red", "a")).unwrap();
    assert_eq!(running.recorder.until(3).await[1..], ["-red/a@3", "+red/a@4"]);
    let after = running.informer.lister().get("red", "a").unwrap();
    assert_ne!(before.uid(), after.uid());
    assert_eq!(before.resource_version(), "2", "what somebody holds does not change");
}

#[tokio::test(start_paused = true)]
async fn s5_the_same_handler_twice_is_two_handlers() {
    let server = server();
    server.create(&WIDGETS, widget("red", "a")).unwrap();
    let running = Running::streaming(&server);
    let second = running.informer.add_event_handler(running.recorder.clone()).unwrap();
    running.synced().await;
    assert!(second.synced().await);
    assert_eq!(running.recorder.told(), ["+red/a@2!", "+red/a@2!"]);
    second.remove().await;
    server.create(&WIDGETS, widget("red", "b")).unwrap();
    settled().await;
    assert_eq!(running.recorder.told()[2..], ["+red/b@3"]);
}

#[tokio::test(start_paused = true)]
async fn s16_a_filter_turns_updates_across_its_border_into_adds_and_deletes() {
    let server = server();
    for (name, size) in [("in", 1), ("out", 0)] {
        server.create(&WIDGETS, sized("red", name, size)).unwrap();
    }
    let informer = SharedInformer::<Widget>::builder(server.client()).build();
    let recorder = Recorder::new();
    let large = |object: &Cached<Widget>| object.get().is_ok_and(|widget| widget.spec.size > 0);
    let filtering = FilteringEventHandler::new(large, recorder.clone());
    let registration = informer.add_event_handler(filtering).unwrap();
    informer.start(&informer_runtime::CancellationToken::new());
    assert!(registration.synced().await);
    assert_eq!(recorder.told(), ["+red/in@2!"]);
    server.apply(&WIDGETS, sized("red", "in", 2)).unwrap(); // 4
    server.apply(&WIDGETS, sized("red", "in", 0)).unwrap();
    server.apply(&WIDGETS, json!({"metadata": {"namespace": "red", "name": "in", "labels": {"x": "y"}}})).unwrap();
    server.apply(&WIDGETS, sized("red", "in", 3)).unwrap();
    server.delete(&WIDGETS, "red", "in").unwrap();
    server.delete(&WIDGETS, "red", "out").unwrap();
    settled().await;
    assert_eq!(recorder.told()[1..], ["~red/in@2->4", "-red/in@4", "+red/in@7", "-red/in@8"]);
    informer.shutdown().await;
}
