//! Bytes come in pieces that mean nothing (B07).

use informer_test_server::{Answer, Events, Listing, Script, TestServer};
use informer_tests::{Running, WIDGETS, at, settled};
use serde_json::{Value, json};

fn accented(key: &str, version: u64) -> Value {
    let mut widget = at(key, version);
    widget["metadata"]["annotations"] = json!({"größe": "ü😀\u{e9}\"\\\n"});
    widget
}

fn events() -> Events {
    Events::new()
        .added(accented("red/b", 11))
        .line("")
        .line("\r")
        .bytes(r#"{"type":"ADDED","object":{"metadata":{"name":"crlf","namespace":"red","resourceVersion":"12"}}}"#)
        .bytes("\r\n\r\n")
        .modified(accented("red/b", 13))
        .bytes(r#"{"object":{"metadata":{"name":"last","namespace":"red","resourceVersion":"14"}},"type":"ADDED"}"#)
        .close()
}

async fn in_pieces(sizes: Vec<usize>) {
    let first = Listing::at(10).items([accented("red/a", 5)]);
    let server = TestServer::new([&WIDGETS]);
    server.script(
        Script::new()
            .list(1, Answer::from(first).in_pieces(sizes.clone()))
            .watch(1, Answer::from(events()).in_pieces(sizes.clone())),
    );
    let running = Running::plain(&server);
    running.recorder.until(5).await;
    settled().await;
    let told = running.recorder.told();
    assert_eq!(
        told,
        ["+red/a@5!", "+red/b@11", "+red/crlf@12", "~red/b@11->13", "+red/last@14"],
        "{sizes:?}: {:?}",
        running.errors.texts()
    );
    let b = running.informer.lister().get("red", "b").unwrap();
    assert_eq!(b.annotations().unwrap()["größe"], "ü😀\u{e9}\"\\\n");
    assert!(running.errors.all().is_empty(), "{sizes:?}: {:?}", running.errors.texts());
}

#[tokio::test(start_paused = true)]
async fn b07_one_byte_after_the_other() {
    in_pieces(vec![1]).await;
}

#[tokio::test(start_paused = true)]
async fn b07_everything_at_once() {
    in_pieces(vec![]).await;
}

/// Among these every letter of more than one byte is cut in every place.
#[tokio::test(start_paused = true)]
async fn b07_in_all_small_sizes_and_offsets() {
    for size in 2..40 {
        in_pieces(vec![size]).await;
        in_pieces(vec![size, 7]).await;
    }
}

#[tokio::test(start_paused = true)]
async fn b07_two_events_and_half_of_a_third() {
    let server = TestServer::new([&WIDGETS]);
    let line = |name: &str, version: u64| {
        format!("{}\n", json!({"type": "ADDED", "object": at(&format!("red/{name}"), version)}))
    };
    let third = line("d", 13);
    let (head, tail) = third.split_at(third.len() / 2);
    let chunk = format!("{}{}{head}", line("b", 11), line("c", 12));
    let pause = std::time::Duration::from_secs(3);
    let events = Events::new().bytes(chunk).wait(pause).bytes(tail.to_owned());
    server.script(Script::new().list(1, Listing::at(10)).watch(1, events));
    let running = Running::plain(&server);
    running.synced().await;
    settled().await;
    assert_eq!(running.recorder.told(), ["+red/b@11", "+red/c@12"], "what is whole does not wait for what is not");
    assert_eq!(running.recorder.until(3).await[2], "+red/d@13");
    assert_eq!(server.watches().len(), 1);
}
