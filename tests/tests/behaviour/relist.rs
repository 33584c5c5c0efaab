//! A whole new picture: what changed is told, what is gone is deleted, and readers see one generation or the other.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use informer_runtime::{EventHandlerFuncs, FilteringEventHandler, HandlerOptions, IndexFunc, WorkQueue};
use informer_test_server::{Answer, Events, Gate, Listing, Script, TestServer};
use informer_tests::{Recorder, Running, WIDGETS, Widget, asked, at, settled, widget};

fn server(script: Script) -> TestServer {
    let server = TestServer::new([&WIDGETS]);
    server.script(script);
    server
}

/// First a, b, c; then the watch expires; then b is gone, a is the same, c changed, d is new.
fn script() -> Script {
    Script::new()
        .list(1, Listing::at(10).items([at("red/a", 5), at("red/b", 6), at("red/c", 7)]))
        .watch(1, Events::new().expired().close())
        .list(2, Listing::at(20).items([at("red/a", 5), at("red/c", 15), at("red/d", 16)]))
}

#[tokio::test(start_paused = true)]
async fn q3_q12_deletes_come_first_and_what_is_the_same_is_silent() {
    let server = server(script());
    let running = Running::plain(&server);
    running.synced().await;
    assert_eq!(running.recorder.until(6).await[3..], ["-red/b@6?", "~red/c@7->15", "+red/d@16"]);
    settled().await;
    assert_eq!(running.recorder.told().len(), 6);
    assert_eq!(running.cache(), ["red/a@5", "red/c@15", "red/d@16"]);
    assert_eq!(running.informer.last_sync_resource_version(), "20");
    assert_eq!(asked(&server), ["list rv=0 limit=500", "watch rv=10", "list rv=10", "watch rv=20"]);
}

#[tokio::test(start_paused = true)]
async fn by_a_streaming_list_too() {
    let server = server(
        Script::new()
            .watch(1, Events::new().added(at("red/a", 5)).added(at("red/b", 6)).initial_events_end(10).expired())
            .watch(2, Events::new().added(at("red/a", 5)).added(at("red/d", 16)).initial_events_end(20)),
    );
    let running = Running::streaming(&server);
    running.synced().await;
    assert_eq!(running.recorder.until(4).await[2..], ["-red/b@6?", "+red/d@16"]);
    assert_eq!(running.cache(), ["red/a@5", "red/d@16"]);
    assert_eq!(asked(&server), ["stream rv=", "stream rv=10"]);
}

/// An object with another uid is another object, even in the same version: the one before it is gone, in what state
/// nobody saw.
#[tokio::test(start_paused = true)]
async fn another_uid_is_another_object() {
    let mut other = at("red/a", 5);
    other["metadata"]["uid"] = "another".into();
    let server = server(
        Script::new()
            .list(1, Listing::at(10).items([at("red/a", 5)]))
            .watch(1, Events::new().expired().close())
            .list(2, Listing::at(20).items([other])),
    );
    let running = Running::plain(&server);
    assert_eq!(running.recorder.until(3).await[1..], ["-red/a@5?", "+red/a@5"]);
    assert_eq!(running.informer.lister().get("red", "a").unwrap().uid().to_string(), "another");
}

#[tokio::test(start_paused = true)]
async fn q4_readers_see_the_old_generation_until_the_new_one_is_whole() {
    let gate = Gate::new();
    let first = Listing::at(20).items([at("red/a", 15)]).continue_token("k1");
    let second = Listing::at(20).items([at("red/d", 16)]);
    let server = server(
        Script::new()
            .list(1, Listing::at(10).items([at("red/a", 5), at("red/b", 6)]))
            .watch(1, Events::new().wait(Duration::from_secs(1)).expired().close())
            .list(2, first)
            .list(3, Answer::from(second).held_by(&gate)),
    );
    let running = Running::plain(&server);
    running.synced().await;
    running.informer.add_index("namespace", IndexFunc::on_head(|head| head.namespace().map(str::to_owned))).unwrap();
    server.wait_until(|server| server.lists().len() == 3).await;
    settled().await;
    assert_eq!(running.cache(), ["red/a@5", "red/b@6"]);
    assert_eq!(running.informer.last_sync_resource_version(), "10");
    assert_eq!(running.informer.indexer().by_index("namespace", "red").unwrap().len(), 2);
    assert_eq!(running.recorder.told().len(), 2);
    gate.open();
    running.recorder.until(5).await;
    assert_eq!(running.cache(), ["red/a@15", "red/d@16"]);
    let indexed = running.informer.indexer().by_index("namespace", "red").unwrap();
    assert_eq!(format!("{indexed:?}"), "[red/a@15, red/d@16]");
}

#[tokio::test(start_paused = true)]
async fn q12_whoever_is_told_sees_the_new_generation_whole() {
    let server = server(script());
    let running = Running::plain(&server);
    let seen = Arc::new(Mutex::new(Vec::new()));
    let (note, store) = (seen.clone(), running.informer.store());
    let handler = EventHandlerFuncs::new().on_delete(move |_| note.lock().unwrap().extend(store.list_keys()));
    running.informer.add_event_handler(handler).unwrap();
    running.recorder.until(6).await;
    settled().await;
    let keys: Vec<String> = seen.lock().unwrap().iter().map(ToString::to_string).collect();
    assert_eq!(keys, ["red/a", "red/c", "red/d"]);
}

/// A list that breaks off changes nothing.
#[tokio::test(start_paused = true)]
async fn a_list_that_does_not_get_whole_leaves_all_as_it_was() {
    let server = server(
        Script::new()
            .list(1, Listing::at(10).items([at("red/a", 5), at("red/b", 6)]))
            .watch(1, Events::new().expired().close())
            .list(2, Listing::at(20).items([at("red/c", 15)]).continue_token("k1"))
            .list(3, informer_test_server::Status::internal_error())
            .list(4, Listing::at(30).items([at("red/a", 5), at("red/b", 6)])),
    );
    let running = Running::plain(&server);
    server.wait_until(|server| server.watches().len() == 2).await;
    settled().await;
    assert_eq!(running.cache(), ["red/a@5", "red/b@6"]);
    assert_eq!(running.recorder.told().len(), 2);
    assert_eq!(asked(&server)[3..], ["list continue=k1", "list rv=10", "watch rv=30"]);
}

/// B13: what the handler has not been told yet counts as told.
#[tokio::test(start_paused = true)]
async fn b13_q3_an_object_that_is_still_on_its_way_is_deleted_like_any_other() {
    let server = server(
        Script::new()
            .list(1, Listing::at(10))
            .watch(1, Events::new().added(at("red/x", 11)).added(at("red/y", 12)).expired())
            .list(2, Listing::at(20).items([at("red/y", 12)])),
    );
    let running = Running::plain(&server);
    running.synced().await;
    assert_eq!(running.recorder.until(3).await, ["+red/x@11", "+red/y@12", "-red/x@11?"]);
    assert_eq!(running.cache(), ["red/y@12"]);
}

/// B14.
#[tokio::test(start_paused = true)]
async fn b14_s3_handlers_without_a_resync_hear_of_what_a_relist_finds() {
    let server = server(script());
    let running = Running::plain(&server);
    let hourly = Recorder::new();
    let options = HandlerOptions::new().resync_period(Duration::from_secs(3600));
    running.informer.add_event_handler_with(options, hourly.clone()).unwrap();
    assert_eq!(running.recorder.until(6).await, hourly.until(6).await);
}

/// B15.
#[tokio::test(start_paused = true)]
async fn b15_s17_every_kind_of_handler_can_use_a_delete_of_unknown_final_state() {
    let server = server(
        Script::new()
            .list(1, Listing::at(10).items([at("red/a", 5)]))
            .watch(1, Events::new().expired().close())
            .list(2, Listing::at(20)),
    );
    let running = Running::plain(&server);
    let (filtered, queue) = (Recorder::new(), WorkQueue::new());
    let filter = |object: &informer_runtime::Cached<Widget>| object.name() == "a";
    running.informer.add_event_handler(FilteringEventHandler::new(filter, filtered.clone())).unwrap();
    let keys = queue.clone();
    let sizes = Arc::new(Mutex::new(Vec::new()));
    let note = sizes.clone();
    let to_queue = EventHandlerFuncs::<Widget>::new().on_delete(move |deleted| {
        keys.add(deleted.key());
        let last = deleted.last_known().get().unwrap();
        note.lock().unwrap().push((deleted.namespace().map(str::to_owned), deleted.name().to_owned(), last.spec.size));
    });
    running.informer.add_event_handler(to_queue).unwrap();
    assert_eq!(running.recorder.until(2).await[1], "-red/a@5?");
    assert_eq!(filtered.until(2).await[1], "-red/a@5?");
    assert_eq!(queue.get().await.unwrap().to_string(), "red/a");
    assert_eq!(*sizes.lock().unwrap(), [(Some("red".to_owned()), "a".to_owned(), 5)]);
}

/// S3, Q13: what was missed while nobody watched.
#[tokio::test(start_paused = true)]
async fn q13_s3_against_a_server_that_forgot_its_history() {
    let server = TestServer::new([&WIDGETS]);
    for name in ["a", "b", "c"] {
        server.create(&WIDGETS, widget("red", name)).unwrap();
    }
    let running = Running::streaming(&server);
    running.synced().await;
    server.script(
        Script::new()
            .rule(informer_test_server::Rule::watch().nth(1).answer(informer_test_server::Status::unavailable())),
    );
    server.close_watches();
    settled().await;
    server.delete(&WIDGETS, "red", "a").unwrap();
    server.create(&WIDGETS, widget("red", "d")).unwrap();
    server.apply(&WIDGETS, informer_tests::sized("red", "b", 9)).unwrap();
    server.expire_versions();
    assert_eq!(running.recorder.until(6).await[3..], ["-red/a@2?", "~red/b@3->7", "+red/d@6"]);
    settled().await;
    assert_eq!(running.cache(), ["red/b@7", "red/c@4", "red/d@6"]);
}
