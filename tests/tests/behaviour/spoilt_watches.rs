//! Watches that the server answers, but never with what can be gone on from: after a few of them there is a list.

use std::time::Duration;

use informer_test_server::{Answer, Events, Listing, Rule, Script, Status, TestServer};
use informer_tests::{Running, WIDGETS, asked, at, settled};

fn from(version: u64) -> Rule {
    let version = version.to_string();
    Rule::plain_watch().when(move |request| request.resource_version() == Some(version.as_str()))
}

async fn a_list_after_three(watch: impl Into<Answer>) {
    let server = TestServer::new([&WIDGETS]);
    server.script(
        Script::new()
            .list(1, Listing::at(10).items([at("red/a", 5)]))
            .list(2, Listing::at(20).items([at("red/a", 15)]))
            .rule(from(10).answer(watch))
            .rule(from(20).answer(Events::new().added(at("red/b", 21)))),
    );
    let running = Running::plain(&server);
    assert_eq!(running.recorder.until(3).await, ["+red/a@5!", "~red/a@5->15", "+red/b@21"]);
    let expected = ["list rv=0 limit=500", "watch rv=10", "watch rv=10", "watch rv=10", "list rv=10", "watch rv=20"];
    assert_eq!(asked(&server), expected);
    assert_eq!(running.errors.all().len(), 3);
}

/// Who may list but not watch would have an old cache for ever.
#[tokio::test(start_paused = true)]
async fn a_refusal() {
    a_list_after_three(Status::forbidden("widgets")).await;
}

/// What servers say to a version that is none.
#[tokio::test(start_paused = true)]
async fn r11_an_internal_error() {
    a_list_after_three(Status::internal_error()).await;
}

/// An event that can't be read would come again in every watch from there.
#[tokio::test(start_paused = true)]
async fn a_line_that_is_no_event() {
    a_list_after_three(Events::new().line("{not json}").close()).await;
}

#[tokio::test(start_paused = true)]
async fn an_event_of_a_type_to_come() {
    let line = r#"{"type":"PATCHED","object":{"kind":"Widget","metadata":{"name":"a","resourceVersion":"11"}}}"#;
    a_list_after_three(Events::new().line(line).close()).await;
}

/// The count starts anew with every watch that brought something.
#[tokio::test(start_paused = true)]
async fn not_if_there_was_an_event() {
    let server = TestServer::new([&WIDGETS]);
    let mut script = Script::new().list(1, Listing::at(10));
    for number in 0..10 {
        let watch = Events::new().added(at(&format!("red/{number}"), 11 + number)).line("{not json}");
        script = script.watch(1 + usize::try_from(number).unwrap(), watch);
    }
    server.script(script);
    let running = Running::plain(&server);
    running.recorder.until(10).await;
    assert_eq!(server.lists().len(), 1);
}

/// W29: a list that gives the expired version anew came from a stale cache.
#[tokio::test(start_paused = true)]
async fn a_version_that_expires_again_is_left_out() {
    let server = TestServer::new([&WIDGETS]);
    let newest =
        |request: &informer_test_server::RequestRecord| request.is_list() && request.resource_version().is_none();
    server.script(
        Script::new()
            .rule(Rule::list().when(newest).answer(Listing::at(20)))
            .list(.., Listing::at(10))
            .rule(from(10).answer(Events::new().expired().close()))
            .rule(from(20).answer(Events::new().added(at("red/a", 21)))),
    );
    let running = Running::plain(&server);
    running.recorder.until(1).await;
    let expected = ["list rv=0 limit=500", "watch rv=10", "list rv=10", "watch rv=10", "list rv=", "watch rv=20"];
    assert_eq!(asked(&server), expected);
}

/// A watch without a version begins with the state, in no order: its versions say nothing until the first change.
#[tokio::test(start_paused = true)]
async fn l11_a_watch_without_a_version_that_breaks_in_its_state_begins_anew() {
    let server = TestServer::new([&WIDGETS]);
    let second = Duration::from_secs(1);
    server.script(
        Script::new()
            .list(1, Answer::json(&serde_json::json!({"kind": "WidgetList", "items": []})))
            .watch(1, Events::new().added(at("red/c", 7)).wait(second).cut())
            .watch(
                2,
                Events::new().added(at("red/c", 7)).added(at("red/b", 6)).modified(at("red/c", 8)).wait(second).cut(),
            ),
    );
    let running = Running::plain(&server);
    assert_eq!(running.recorder.until(3).await, ["+red/c@7", "+red/b@6", "~red/c@7->8"], "no state is told twice");
    tokio::time::sleep(2 * second).await;
    settled().await;
    assert_eq!(asked(&server), ["list rv=0 limit=500", "watch rv=", "watch rv=", "watch rv=8"]);
    assert_eq!(running.cache(), ["red/b@6", "red/c@8"]);
}

/// Errors of the server inside watches: the list that follows finds what has vanished.
#[tokio::test(start_paused = true)]
async fn r11_r14_error_events_again_and_again() {
    let server = TestServer::new([&WIDGETS]);
    server.script(
        Script::new()
            .list(1, Listing::at(10).items([at("red/a", 5), at("red/b", 6)]))
            .list(2, Listing::at(20).items([at("red/a", 5)]))
            .rule(from(10).answer(Events::new().error(&Status::internal_error()).close())),
    );
    let running = Running::plain(&server);
    assert_eq!(running.recorder.until(3).await[2], "-red/b@6?");
    settled().await;
    assert_eq!(running.cache(), ["red/a@5"]);
    assert!(running.errors.all().iter().all(|error| error.code() == Some(500)), "{:?}", running.errors.texts());
}
