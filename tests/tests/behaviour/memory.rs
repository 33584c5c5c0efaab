//! What is kept of what was received: figures are in ARCHITECTURE.md, here is who shares what.

use std::sync::Arc;

use informer_test_server::{Events, Listing, Script, TestServer};
use informer_tests::{Running, WIDGETS, at, settled};

/// Where the text of an object of the cache is.
fn place(running: &Running, name: &str) -> usize {
    running.informer.lister().get("red", name).unwrap().raw().as_ptr().addr()
}

/// B33: what a list has in the version that is known keeps its old place, so that a relist of the same costs a page.
#[tokio::test(start_paused = true)]
async fn b33_a_relist_of_the_same_keeps_every_allocation() {
    let server = TestServer::new([&WIDGETS]);
    let objects = || [at("red/a", 5), at("red/b", 6)];
    server.script(
        Script::new()
            .list(1, Listing::at(10).items(objects()))
            .watch(1, Events::new().expired())
            .list(2, Listing::at(20).items(objects().into_iter().chain([at("red/c", 15)]))),
    );
    let running = Running::plain(&server);
    running.synced().await;
    let before = ["a", "b"].map(|name| place(&running, name));
    let value = running.informer.lister().get("red", "a").unwrap().get().unwrap();
    running.recorder.until(3).await;
    settled().await;
    assert_eq!(["a", "b"].map(|name| place(&running, name)), before);
    assert!(
        Arc::ptr_eq(&value, &running.informer.lister().get("red", "a").unwrap().get().unwrap()),
        "not even decoded anew"
    );
}

/// R17: every object has its own allocation, so that one that stays keeps nothing of its page or chunk alive.
#[tokio::test(start_paused = true)]
async fn r17_no_object_holds_on_to_what_it_came_in() {
    let server = TestServer::new([&WIDGETS]);
    let watch = Events::new().added(at("red/c", 11)).added(at("red/d", 12));
    server.script(Script::new().list(1, Listing::at(10).items([at("red/a", 5), at("red/b", 6)])).watch(1, watch));
    let running = Running::plain(&server);
    running.recorder.until(4).await;
    let text = |name: &str| running.informer.lister().get("red", name).unwrap().raw().len();
    // In one page, or one chunk, there is one comma, or one head of an event, between two of them.
    assert_ne!(place(&running, "b").wrapping_sub(place(&running, "a")), text("a") + 1);
    let head = r#"}\n{"type":"ADDED","object":"#.len() - 1;
    assert_ne!(place(&running, "d").wrapping_sub(place(&running, "c")), text("c") + head);
}
