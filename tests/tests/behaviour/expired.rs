//! Versions that the server no longer has: 410 in every form it comes in.

use informer_test_server::{Events, Listing, Script, Status, TestServer};
use informer_tests::{Running, WIDGETS, asked, at};

fn script() -> Script {
    Script::new().list(1, Listing::at(10).items([at("red/a", 5), at("red/b", 6)]))
}

fn second_list() -> Listing {
    Listing::at(20).items([at("red/a", 5), at("red/c", 12)])
}

/// B01: one new list, no second watch at the old version, the expiry in the error hook, and the watch goes on.
async fn lists_once(script: Script) {
    let server = TestServer::new([&WIDGETS]);
    server.script(script.list(2, second_list()).watch(2, Events::new().modified(at("red/c", 21))));
    let running = Running::plain(&server);
    let told = running.recorder.until(5).await;
    assert_eq!(told, ["+red/a@5!", "+red/b@6!", "-red/b@6?", "+red/c@12", "~red/c@12->21"]);
    assert_eq!(running.cache(), ["red/a@5", "red/c@21"]);
    assert_eq!(asked(&server), ["list rv=0 limit=500", "watch rv=10", "list rv=10", "watch rv=20"]);
    assert_eq!(running.errors.all().len(), 1);
    assert!(running.errors.all()[0].is_expired(), "{:?}", running.errors.texts());
}

fn event(status: &Status) -> Script {
    script().watch(1, Events::new().error(status).close())
}

#[tokio::test(start_paused = true)]
async fn b01_an_error_event_of_code_410_and_reason_expired() {
    lists_once(event(&Status::expired())).await;
}

#[tokio::test(start_paused = true)]
async fn b01_an_error_event_of_code_410_and_reason_gone() {
    lists_once(event(&Status::gone())).await;
}

#[tokio::test(start_paused = true)]
async fn b01_an_error_event_of_code_410_alone() {
    lists_once(event(&Status::gone().without_reason())).await;
}

#[tokio::test(start_paused = true)]
async fn b01_an_error_event_of_a_reason_alone() {
    for reason in ["Expired", "Gone"] {
        let line = format!(r#"{{"type":"ERROR","object":{{"kind":"Status","apiVersion":"v1","reason":"{reason}"}}}}"#);
        lists_once(script().watch(1, Events::new().line(&line).close())).await;
    }
}

#[tokio::test(start_paused = true)]
async fn b01_an_error_event_that_nothing_follows() {
    lists_once(script().watch(1, Events::new().expired().stall())).await;
}

#[tokio::test(start_paused = true)]
async fn b01_an_answer_of_status_410_to_a_watch() {
    lists_once(script().watch(1, Status::expired())).await;
}

#[tokio::test(start_paused = true)]
async fn b01_an_answer_of_status_410_without_a_status_body() {
    let plain = informer_test_server::Answer::raw(410, "text/plain", "gone");
    lists_once(script().watch(1, plain)).await;
}

/// The list that follows asks for the newest at once.
#[tokio::test(start_paused = true)]
async fn r3_an_answer_of_status_410_to_a_list() {
    let server = TestServer::new([&WIDGETS]);
    server.script(
        script()
            .watch(1, Events::new().expired().close())
            .list(2, Status::expired())
            .list(3, second_list())
            .watch(2, Events::new().wait(std::time::Duration::from_secs(5)).expired())
            .list(4, Listing::at(30)),
    );
    let running = Running::plain(&server);
    running.recorder.until(6).await;
    let expected =
        ["list rv=0 limit=500", "watch rv=10", "list rv=10", "list rv=", "watch rv=20", "list rv=20", "watch rv=30"];
    server.wait_until(|server| server.watches().len() == 3).await;
    assert_eq!(asked(&server), expected);
    let requests = server.lists();
    assert_eq!(requests[2].at, requests[1].at, "no delay between");
}

/// In a streaming list: the same one again, for the newest.
#[tokio::test(start_paused = true)]
async fn l8_an_answer_of_status_410_to_a_streaming_list() {
    let server = TestServer::new([&WIDGETS]);
    server.script(
        Script::new()
            .watch(1, Events::new().added(at("red/a", 5)).initial_events_end(10).expired())
            .watch(2, Status::expired())
            .watch(3, Events::new().added(at("red/a", 5)).added(at("red/c", 12)).initial_events_end(20)),
    );
    let running = Running::streaming(&server);
    running.recorder.until(2).await;
    assert_eq!(running.cache(), ["red/a@5", "red/c@12"]);
    assert_eq!(asked(&server), ["stream rv=", "stream rv=10", "stream rv="]);
}
