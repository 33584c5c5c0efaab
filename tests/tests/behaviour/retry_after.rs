//! How long a server may keep an informer waiting.

use std::time::Duration;

use informer_test_server::{Answer, Events, Listing, Rule, Script, Status, TestServer};
use informer_tests::{Running, WIDGETS, at};

fn plain(server: &TestServer) -> Running {
    Running::with(server, |builder| {
        builder.reflector_options(|options| {
            options.streaming_list = false;
            options.backoff.jitter = 0.0;
        })
    })
}

fn pauses(server: &TestServer) -> Vec<u64> {
    let times: Vec<Duration> = server.requests().iter().map(|request| request.at).collect();
    times.windows(2).map(|pair| (pair[1] - pair[0]).as_millis().try_into().unwrap()).collect()
}

/// A day is more than five minutes, in a header, in a Status and in an ERROR event.
#[tokio::test(start_paused = true)]
async fn b05_w12_a_wait_has_a_bound() {
    let server = TestServer::new([&WIDGETS]);
    let day = Status::too_many_requests(86_400);
    server.script(
        Script::new()
            .list(1, day.clone())
            .list(2, Answer::raw(503, "text/plain", "no").header("retry-after", "18446744073709551615"))
            .list(3, Listing::at(10))
            .watch(1, day.clone())
            .watch(2, Events::new().error(&day).close())
            .watch(3, Events::new().added(at("red/a", 11))),
    );
    let running = plain(&server);
    running.recorder.until(1).await;
    assert_eq!(pauses(&server), [300_000, 300_000, 0, 300_000, 300_000]);
    assert_eq!(running.errors.all()[0].retry_after(), Some(Duration::from_secs(86_400)), "as the server says it");
}

#[tokio::test(start_paused = true)]
async fn the_bound_can_be_set() {
    let server = TestServer::new([&WIDGETS]);
    server.script(Script::new().list(1, Status::too_many_requests(86_400)).list(2, Status::too_many_requests(8)));
    let running = Running::with(&server, |builder| {
        builder.reflector_options(|options| {
            options.streaming_list = false;
            options.backoff.jitter = 0.0;
            options.backoff.max_retry_after = Duration::from_secs(10);
        })
    });
    running.synced().await;
    assert_eq!(pauses(&server)[..2], [10_000, 8_000]);
}

/// Gateways say when, not how long.
#[tokio::test(start_paused = true)]
async fn w12_a_date_counts_from_the_date_of_the_answer() {
    let server = TestServer::new([&WIDGETS]);
    let refusal = Answer::raw(503, "text/plain", "no")
        .header("date", "Sun, 06 Nov 1994 08:49:37 GMT")
        .header("retry-after", "Sun, 06 Nov 1994 08:50:07 GMT");
    server.script(Script::new().list(1, refusal));
    let running = plain(&server);
    running.synced().await;
    assert_eq!(pauses(&server)[0], 30_000);
}

/// Also where something else is tried: a plain list in place of a streaming one.
#[tokio::test(start_paused = true)]
async fn w12_pages_and_streams_wait_too() {
    let server = TestServer::new([&WIDGETS]);
    let wait = |seconds| Status::unavailable().with_retry_after(seconds);
    server.script(
        Script::new()
            .rule(Rule::streaming_list().answer(wait(20)))
            .list(1, Listing::at(10).continue_token("next"))
            .list(2, wait(40)),
    );
    let running = Running::with(&server, |builder| builder.reflector_options(|options| options.backoff.jitter = 0.0));
    running.synced().await;
    assert_eq!(pauses(&server)[..4], [20_000, 0, 40_000, 20_000]);
}
