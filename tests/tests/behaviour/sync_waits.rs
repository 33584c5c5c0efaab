//! Several caches waited for at once: who ended the wait, and that it may be repeated (B22).

use std::time::Duration;

use informer_runtime::{CancellationToken, wait_for_cache_sync, wait_for_cache_sync_within};
use informer_test_server::{Answer, Script, TestServer};
use informer_tests::{Running, WIDGETS, settled};

fn silent() -> Running {
    let server = TestServer::new([&WIDGETS]);
    server.script(Script::new().otherwise(Answer::never()));
    Running::streaming(&server)
}

/// Whatever the order in which they are given.
#[tokio::test(start_paused = true)]
async fn b22_the_first_that_stops_ends_the_wait() {
    for first in [true, false] {
        let (one, other) = (silent(), silent());
        let never = CancellationToken::new();
        let order = if first { [&one.informer, &other.informer] } else { [&other.informer, &one.informer] };
        let before = tokio::time::Instant::now();
        let (result, ()) = tokio::join!(wait_for_cache_sync(&never, order), async {
            settled().await;
            one.informer.shutdown().await;
        });
        assert!(before.elapsed() < Duration::from_secs(1), "not after the other one");
        let error = result.unwrap_err();
        assert!(!error.is_cancelled() && !error.is_deadline_exceeded());
        let reasons: Vec<_> = error.not_synced().map(|(_, why)| why.map(|why| why.is_stopped())).collect();
        let expected = if first { [Some(true), None] } else { [None, Some(true)] };
        assert_eq!(reasons, expected);
    }
}

#[tokio::test(start_paused = true)]
async fn b22_the_end_of_the_time_is_no_cancellation() {
    let running = silent();
    let error = wait_for_cache_sync_within(Duration::from_secs(1), [&running.informer]).await.unwrap_err();
    assert!(error.is_deadline_exceeded() && !error.is_cancelled() && !error.is_timeout());
    let cancelled = CancellationToken::new();
    cancelled.cancel();
    let error = wait_for_cache_sync(&cancelled, [&running.informer]).await.unwrap_err();
    assert!(error.is_cancelled() && !error.is_deadline_exceeded());
}

/// The recovery needs nothing of us but the next wait.
#[tokio::test(start_paused = true)]
async fn b22_a_wait_may_be_repeated_until_the_server_is_back() {
    let server = TestServer::new([&WIDGETS]);
    server.script(Script::new().otherwise(Answer::refused()));
    let running = Running::streaming(&server);
    for _ in 0..5 {
        let error = wait_for_cache_sync_within(Duration::from_secs(60), [&running.informer]).await.unwrap_err();
        let (_, why) = error.not_synced().next().unwrap();
        assert!(why.unwrap().is_connection_refused(), "{error}");
    }
    server.clear_script();
    wait_for_cache_sync_within(Duration::from_secs(120), [&running.informer]).await.unwrap();
    assert!(running.informer.last_error().is_none());
}
