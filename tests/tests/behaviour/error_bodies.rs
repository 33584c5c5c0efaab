//! Error bodies are errors, never events (B09), and say what the server said.

use std::time::Duration;

use informer_test_server::{Answer, Events, Listing, Script, Status, TestServer};
use informer_tests::{Running, WIDGETS, asked, at};

fn pretty(status: &Status) -> String {
    serde_json::to_string_pretty(&status.to_json()).unwrap()
}

#[tokio::test(start_paused = true)]
async fn b09_an_indented_status_is_one_error_with_what_it_says() {
    let throttled = Status::too_many_requests(3);
    let body = pretty(&throttled);
    assert!(body.lines().count() > 5);
    let server = TestServer::new([&WIDGETS]);
    server.script(
        Script::new()
            .list(1, Listing::at(10).items([at("red/a", 5)]))
            .watch(1, Answer::raw(429, "application/json", body))
            .watch(2, Events::new().added(at("red/b", 11)).error(&Status::internal_error()).close())
            .list(2, Listing::at(20).items([at("red/a", 5), at("red/b", 11)])),
    );
    let running = Running::plain(&server);
    running.recorder.until(2).await;
    let errors = running.errors.until(2).await;
    assert_eq!(errors[0].code(), Some(429));
    assert_eq!(errors[0].retry_after(), Some(Duration::from_secs(3)), "from the body");
    assert!(errors[0].to_string().contains(throttled.message()), "{}", errors[0]);
    assert_eq!(errors[1].code(), Some(500));
    assert!(errors[1].to_string().contains(Status::internal_error().message()), "{}", errors[1]);
    // From where it was: nothing is lost, and nobody hears of it.
    server.wait_until(|server| server.requests().len() >= 4).await;
    assert_eq!(server.requests()[3].resource_version(), Some("11"));
    tokio::time::sleep(Duration::from_secs(5)).await;
    assert_eq!(running.recorder.told(), ["+red/a@5!", "+red/b@11"]);
    assert_eq!(running.errors.all().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn b09_a_bare_status_in_place_of_an_event_is_what_it_is() {
    let line = Status::forbidden("widgets").to_json().to_string();
    let server = TestServer::new([&WIDGETS]);
    server.script(
        Script::new().list(1, Listing::at(10).items([at("red/a", 5)])).watch(1, Events::new().line(&line).close()),
    );
    let running = Running::plain(&server);
    let errors = running.errors.until(1).await;
    assert!(errors[0].is_forbidden(), "{}", errors[0]);
    assert!(errors[0].to_string().contains("widgets is forbidden"), "{}", errors[0]);
}

#[tokio::test(start_paused = true)]
async fn b09_an_expired_bare_status_is_expired() {
    let server = TestServer::new([&WIDGETS]);
    server.script(
        Script::new()
            .list(1, Listing::at(10))
            .watch(1, Events::new().line(&Status::expired().to_json().to_string()).close())
            .list(2, Listing::at(20).items([at("red/a", 15)])),
    );
    let running = Running::plain(&server);
    running.recorder.until(1).await;
    assert_eq!(asked(&server)[1..3], ["watch rv=10", "list rv=10"]);
}

/// What a proxy writes is not repeated: it may be anything.
#[tokio::test(start_paused = true)]
async fn b09_a_page_of_a_proxy_is_an_error_of_its_code_and_nothing_more() {
    let server = TestServer::new([&WIDGETS]);
    server.script(
        Script::new()
            .list(1, Answer::raw(502, "text/html", "<html>secret</html>"))
            .watch(1, Answer::raw(503, "text/html", vec![b'x'; 1_000_000])),
    );
    let running = Running::plain(&server);
    let errors = running.errors.until(2).await;
    assert_eq!((errors[0].code(), errors[1].code()), (Some(502), Some(503)));
    for error in errors {
        let text = error.to_string();
        assert!(!text.contains("secret") && !text.contains("xxx") && text.len() < 200, "{text}");
    }
    running.synced().await;
}

/// A long message is cut.
#[tokio::test(start_paused = true)]
async fn b09_a_server_that_talks_a_lot() {
    let server = TestServer::new([&WIDGETS]);
    let long = Status::new(500, "InternalError", "ü".repeat(5_000));
    server.script(Script::new().list(1, long));
    let running = Running::plain(&server);
    let errors = running.errors.until(1).await;
    assert!(errors[0].to_string().len() < 1_200);
}

/// Success is what the status says, not what the body looks like.
#[tokio::test(start_paused = true)]
async fn b09_events_in_a_refusal_are_none() {
    let event = format!("{}\n", serde_json::json!({"type": "ADDED", "object": at("red/b", 11)}));
    let server = TestServer::new([&WIDGETS]);
    server.script(Script::new().list(1, Listing::at(10)).watch(1, Answer::raw(500, "application/json", event)));
    let running = Running::plain(&server);
    running.synced().await;
    running.errors.until(1).await;
    tokio::time::sleep(Duration::from_secs(10)).await;
    assert_eq!(running.recorder.told(), Vec::<String>::new());
}
