//! Watches that end, in every way: opened again at the last version, without a list.

use std::time::Duration;

use informer_test_server::{Answer, End, Events, Listing, Rule, Script, TestServer};
use informer_tests::{Running, WIDGETS, asked, at, settled, widget};

fn scripted(first: Events) -> TestServer {
    let server = TestServer::new([&WIDGETS]);
    server.script(
        Script::new()
            .list(1, Listing::at(10).items([at("red/a", 5)]))
            .watch(1, first)
            .watch(2, Events::new().added(at("red/c", 12))),
    );
    server
}

async fn goes_on_without_a_list(server: &TestServer) -> Running {
    let running = Running::plain(server);
    running.recorder.until(3).await;
    assert_eq!(running.recorder.told(), ["+red/a@5!", "+red/b@11", "+red/c@12"]);
    assert_eq!(asked(server), ["list rv=0 limit=500", "watch rv=10", "watch rv=11"]);
    running
}

#[tokio::test(start_paused = true)]
async fn k3_a_clean_end() {
    let second = Duration::from_secs(1);
    let server = scripted(Events::new().wait(second).added(at("red/b", 11)).close());
    let running = goes_on_without_a_list(&server).await;
    assert!(running.errors.all().is_empty(), "no fault: {:?}", running.errors.texts());
    let watches = server.watches();
    assert_eq!(watches[1].at - watches[0].at, second, "at once");
}

#[tokio::test(start_paused = true)]
async fn k3_a_cut() {
    let server = scripted(Events::new().wait(Duration::from_secs(1)).added(at("red/b", 11)).cut());
    let running = goes_on_without_a_list(&server).await;
    assert_eq!(running.errors.all().len(), 1);
    assert!(running.errors.all()[0].is_transport());
    assert!(running.informer.last_error().is_none(), "the server serves us again");
}

/// W10: client-go lists anew here.
#[tokio::test(start_paused = true)]
async fn r16_a_very_short_watch() {
    let server = TestServer::new([&WIDGETS]);
    server.script(
        Script::new()
            .list(1, Listing::at(10))
            .watch(1, Events::new().close())
            .watch(2, Events::new().added(at("red/a", 12))),
    );
    let running = Running::plain(&server);
    running.recorder.until(1).await;
    assert_eq!(asked(&server), ["list rv=0 limit=500", "watch rv=10", "watch rv=10"]);
    assert_eq!(running.errors.texts(), ["the watch ended within a second and without an event"]);
    let watches = server.watches();
    let pause = watches[1].at - watches[0].at;
    assert!(pause >= Duration::from_millis(800) && pause < Duration::from_millis(1601), "{pause:?}");
}

#[tokio::test(start_paused = true)]
async fn garbage_after_good_events() {
    for garbage in ["<html>bad gateway</html>", r#"{"type":"ADDED","object":{"metadata":"#, "\u{0}\u{1}"] {
        let server = scripted(Events::new().added(at("red/b", 11)).line(garbage).added(at("red/lost", 99)));
        let running = goes_on_without_a_list(&server).await;
        assert_eq!(running.errors.all().len(), 1, "{garbage:?}");
        assert!(running.errors.all()[0].is_garbage());
        assert!(!running.errors.texts()[0].contains("gateway"), "what was sent is not repeated");
        let watches = server.watches();
        assert!(watches[1].at - watches[0].at >= Duration::from_millis(800), "after a delay");
    }
}

#[tokio::test(start_paused = true)]
async fn bytes_that_are_no_text() {
    let server = scripted(Events::new().added(at("red/b", 11)).bytes(&b"{\"type\":\"ADDED\xff\"}\n"[..]).stall());
    let running = goes_on_without_a_list(&server).await;
    assert!(running.errors.all()[0].is_garbage());
}

/// An event that is larger than the limit ends the stream; the limit bounds what is held.
#[tokio::test(start_paused = true)]
async fn a_line_without_end() {
    let server = scripted(Events::new().added(at("red/b", 11)).bytes(vec![b'x'; 5000]).stall());
    let running = Running::with(&server, |builder| {
        builder.reflector_options(|options| {
            options.streaming_list = false;
            options.max_object_bytes = 4096;
        })
    });
    running.recorder.until(3).await;
    assert_eq!(running.cache(), ["red/a@5", "red/b@11", "red/c@12"]);
    assert!(running.errors.all()[0].is_garbage());
}

/// Objects that are none of ours cost nothing else.
#[tokio::test(start_paused = true)]
async fn r15_odd_objects_are_reported_and_left_out() {
    let odd = Events::new()
        .line(r#"{"type":"ADDED","object":{"kind":"Gadget","metadata":{"name":"g","namespace":"red"}}}"#)
        .line(r#"{"type":"ADDED","object":{"kind":"Widget","metadata":{"namespace":"red"}}}"#)
        .added(at("red/b", 11));
    let server = scripted(odd);
    let running = Running::plain(&server);
    running.recorder.until(2).await;
    settled().await;
    assert_eq!(running.cache(), ["red/a@5", "red/b@11"]);
    assert_eq!(running.errors.all().len(), 2);
    assert_eq!(server.watches().len(), 1);
}

/// Every cut costs a watch, never a list, and no event gets lost or told twice.
#[tokio::test(start_paused = true)]
async fn cut_again_and_again() {
    let server = TestServer::new([&WIDGETS]);
    server.script(Script::new().rule(Rule::plain_watch().answer(Answer::state().ending_after_events(3, End::Cut))));
    let running = Running::streaming(&server);
    running.synced().await;
    server.cut_watches();
    for number in 0..50 {
        server.create(&WIDGETS, widget("red", &format!("w{number:02}"))).unwrap();
    }
    let told = running.recorder.until(50).await;
    let expected: Vec<String> = (0..50).map(|number| format!("+red/w{number:02}@{}", number + 2)).collect();
    assert_eq!(told, expected);
    assert_eq!(server.lists().len(), 0);
}
