//! Waiting for caches, and being told which are not filled and why (B22).

use std::time::Duration;

use informer_runtime::{CancellationToken, SharedInformerFactory, wait_for_cache_sync, wait_for_cache_sync_within};
use informer_test_server::{Answer, Rule, Script, Status, TestServer};
use informer_tests::{Errors, Running, WIDGETS, Widget, ZONES, Zone, settled};

fn forbidden_zones() -> (TestServer, Errors, SharedInformerFactory) {
    let server = TestServer::new([&WIDGETS, &ZONES]);
    server.script(Script::new().rule(Rule::any().of(&ZONES).answer(Status::forbidden("zones"))));
    let errors = Errors::new();
    let factory = SharedInformerFactory::builder(server.client()).on_error(errors.hook()).build().unwrap();
    let _ = (factory.informer_for::<Widget>(), factory.informer_for::<Zone>());
    (server, errors, factory)
}

#[tokio::test(start_paused = true)]
async fn b22_s9_s14_within_a_limit_it_says_which_is_not_synced_and_why() {
    let (server, errors, factory) = forbidden_zones();
    let stop = CancellationToken::new();
    factory.start(&stop);
    let before = tokio::time::Instant::now();
    let error = factory.wait_for_cache_sync_within(Duration::from_secs(2)).await.unwrap_err();
    assert_eq!(before.elapsed(), Duration::from_secs(2));
    let text = error.to_string();
    assert!(text.starts_with("not synced: zones.v1.shop.example.test ("), "{text}");
    assert!(text.contains("403") && text.contains("zones is forbidden: the user may not do this"), "{text}");
    let waiting: Vec<_> = error.not_synced().collect();
    assert_eq!(waiting.len(), 1);
    assert!(waiting[0].1.unwrap().is_forbidden());
    assert!(factory.informer_for::<Widget>().has_synced(), "the other one is usable");
    assert!(errors.with_resources().iter().all(|(resource, error)| *resource == ZONES && error.is_forbidden()));

    // With the permission it syncs by itself.
    server.clear_script();
    let synced = factory.wait_for_cache_sync(&stop).await.unwrap();
    assert_eq!(synced.synced(), [WIDGETS, ZONES]);
    assert!(factory.informer_for::<Zone>().last_error().is_none());
    factory.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn b22_s14_so_does_a_cancelled_wait_and_a_stop() {
    let (_server, _errors, factory) = forbidden_zones();
    let (stop, wait) = (CancellationToken::new(), CancellationToken::new());
    factory.start(&stop);
    let cancel = async {
        settled().await;
        wait.cancel();
    };
    let (result, ()) = tokio::join!(factory.wait_for_cache_sync(&wait), cancel);
    let error = result.unwrap_err();
    assert!(error.is_cancelled() && error.not_synced().next().unwrap().1.unwrap().is_forbidden());

    let never = CancellationToken::new();
    let cancel = async {
        settled().await;
        stop.cancel();
    };
    let (result, ()) = tokio::join!(factory.wait_for_cache_sync(&never), cancel);
    let error = result.unwrap_err();
    assert!(!error.is_cancelled(), "the informer stopped, the wait was not cancelled");
    assert_eq!(error.not_synced().count(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_says_nothing_is_no_reason_but_named() {
    let server = TestServer::new([&WIDGETS]);
    server.script(Script::new().otherwise(Answer::never()));
    let running = Running::streaming(&server);
    let error = wait_for_cache_sync_within(Duration::from_secs(1), [&running.informer]).await.unwrap_err();
    assert_eq!(error.to_string(), "not synced: widgets.v1.shop.example.test (no answer yet)");
    running.informer.shutdown().await;
    let error = wait_for_cache_sync(&CancellationToken::new(), [&running.informer]).await.unwrap_err();
    let (name, reason) = error.not_synced().next().unwrap();
    assert_eq!(name, "widgets.v1.shop.example.test");
    assert!(reason.unwrap().is_stopped());
}

#[tokio::test(start_paused = true)]
async fn s14_several_informers_are_waited_for_at_once_and_nothing_is_polled() {
    let server = TestServer::new([&WIDGETS]);
    let second = Duration::from_secs(1);
    server.script(Script::new().rule(Rule::watch().nth(2).answer(Answer::state().delayed(second))));
    let (one, other) = (Running::streaming(&server), Running::streaming(&server));
    let before = tokio::time::Instant::now();
    let stop = CancellationToken::new();
    let result = wait_for_cache_sync(&stop, [&one.informer, &other.informer]).await.unwrap();
    assert_eq!(result.synced(), [WIDGETS, WIDGETS]);
    assert_eq!(before.elapsed(), second);
    // A stopped informer that was synced still counts as that.
    one.informer.shutdown().await;
    assert!(wait_for_cache_sync(&stop, [&one.informer]).await.is_ok());
    assert!(wait_for_cache_sync::<Widget>(&stop, []).await.is_ok());
}

/// What goes wrong after the first list is no reason to wait.
#[tokio::test(start_paused = true)]
async fn once_synced_it_stays_synced() {
    let server = TestServer::new([&WIDGETS]);
    let running = Running::streaming(&server);
    running.synced().await;
    server.script(Script::new().otherwise(Status::forbidden("widgets")));
    server.cut_watches();
    tokio::time::sleep(Duration::from_secs(100)).await;
    assert!(running.informer.has_synced());
    assert!(running.informer.last_error().unwrap().is_forbidden());
    assert!(running.informer.wait_for_cache_sync(&running.stop).await.is_ok());
}
