//! Objects that are too large or no JSON at all: reported and counted, and no reason for all others to be unseen.

use informer_test_server::{Answer, Events, Rule, Script, Status, TestServer};
use informer_tests::{Running, WIDGETS, at, settled};

const MOST: usize = 4_096;

fn small(server: &TestServer, streaming: bool) -> Running {
    Running::with(server, |builder| {
        builder.reflector_options(|options| {
            options.streaming_list = streaming;
            options.max_object_bytes = MOST;
        })
    })
}

fn huge(key: &str, version: u64) -> serde_json::Value {
    let mut object = at(key, version);
    object["spec"]["text"] = "x".repeat(2 * MOST).into();
    object
}

fn list(version: u64, items: &[String]) -> Answer {
    let body = format!("{{\"items\":[{}],\"metadata\":{{\"resourceVersion\":\"{version}\"}}}}", items.join(","));
    Answer::raw(200, "application/json", body).in_pieces([100])
}

async fn the_others_are_seen(item: &str, error: &str) {
    let server = TestServer::new([&WIDGETS]);
    let items = [at("red/a", 5).to_string(), item.to_owned(), at("red/c", 7).to_string()];
    server.script(
        Script::new()
            .list(.., list(10, &items))
            .watch(1, Events::new().modified(at("red/a", 11)).wait(std::time::Duration::from_secs(1)).expired())
            .watch(2, Events::new().modified(at("red/c", 12))),
    );
    let running = small(&server, false);
    running.recorder.until(3).await;
    assert_eq!(server.lists().len(), 3, "two lists failed for it");
    assert_eq!(running.recorder.told(), ["+red/a@5!", "+red/c@7!", "~red/a@5->11"]);
    assert_eq!(running.errors.texts(), [error; 3]);
    let stats = running.informer.stats();
    assert_eq!((stats.odd_objects, stats.garbage), (1, 3));
    // The relist knows of it already.
    server.wait_until(|server| server.watches().len() == 2).await;
    settled().await;
    assert_eq!(server.lists().len(), 5, "an older list, asked for anew, and no more");
}

#[tokio::test(start_paused = true)]
async fn an_item_that_is_too_large() {
    let error = "the server sent an item that is too large: a list item is larger than 4096 bytes";
    the_others_are_seen(&huge("red/b", 6).to_string(), error).await;
}

#[tokio::test(start_paused = true)]
async fn an_item_that_is_no_json() {
    let error = "the server sent an item that is not JSON: a string expected at byte 1";
    the_others_are_seen("{malformed}", error).await;
}

/// Every watch from that version would bring it; a list goes past it.
#[tokio::test(start_paused = true)]
async fn an_event_that_is_too_large() {
    for streaming in [false, true] {
        let server = TestServer::new([&WIDGETS]);
        let from =
            |version: &'static str| Rule::watch().when(move |request| request.resource_version() == Some(version));
        let items = [at("red/a", 5).to_string(), huge("red/b", 11).to_string()];
        server.script(
            Script::new()
                .list(1, list(10, &items[..1]))
                .list(.., list(20, &items))
                .rule(
                    Rule::streaming_list()
                        .nth(1)
                        .answer(Events::new().added(at("red/a", 5)).initial_events_end(10).added(huge("red/b", 11))),
                )
                .rule(Rule::streaming_list().answer(Events::new().added(at("red/a", 5)).added(huge("red/b", 11))))
                .rule(from("10").answer(Events::new().added(huge("red/b", 11))))
                .rule(from("20").answer(Events::new().added(at("red/c", 21)))),
        );
        let running = small(&server, streaming);
        assert_eq!(running.recorder.until(2).await, ["+red/a@5!", "+red/c@21"]);
        assert_eq!(running.cache(), ["red/a@5", "red/c@21"]);
        assert_eq!(running.informer.stats().odd_objects, 1);
        assert!(running.errors.all().iter().all(informer_runtime::Error::is_garbage));
    }
}

/// When the item is good again, it is there again, and a bad one would count from the beginning.
#[tokio::test(start_paused = true)]
async fn what_is_mended_is_seen() {
    let server = TestServer::new([&WIDGETS]);
    let (good, bad) = (at("red/a", 5).to_string(), huge("red/b", 6).to_string());
    let mended = at("red/b", 16).to_string();
    server.script(
        Script::new()
            .list(1..=3, list(10, &[good.clone(), bad]))
            .list(4, list(20, &[good, mended]))
            .watch(1, Events::new().error(&Status::expired()).close()),
    );
    let running = small(&server, false);
    assert_eq!(running.recorder.until(2).await, ["+red/a@5!", "+red/b@16"]);
}

/// What a list had to leave out may have been spoilt on the way only: it is not gone, and soon asked for again.
#[tokio::test(start_paused = true)]
async fn what_could_not_be_read_is_not_gone() {
    let server = TestServer::new([&WIDGETS]);
    let (a, b, c) = (at("red/a", 5).to_string(), at("red/b", 6).to_string(), at("red/c", 25).to_string());
    let broken = String::from("{malformed}");
    server.script(
        Script::new()
            .list(1, list(10, &[a.clone(), b.clone()]))
            .list(2..=4, list(20, &[a.clone(), broken]))
            .list(.., list(30, &[a, b, c]))
            .watch(1, Events::new().expired()),
    );
    let running = small(&server, false);
    assert_eq!(running.recorder.until(3).await, ["+red/a@5!", "+red/b@6!", "+red/c@25"]);
    assert_eq!(running.cache(), ["red/a@5", "red/b@6", "red/c@25"]);
    assert_eq!(server.lists().len(), 5);
    // All is well again: the next watches are as long as ever.
    server.wait_until(|server| server.watches().len() == 3).await;
    assert!(server.watches()[1].timeout_seconds() <= Some(60));
    assert!(server.watches()[2].timeout_seconds() >= Some(300));
}
