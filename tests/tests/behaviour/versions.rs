//! Servers that lag behind, and servers that never were where we are.

use informer_test_server::{Events, Listing, Rule, Script, Status, TestServer};
use informer_tests::{Running, WIDGETS, asked, at, settled, sized, widget};

/// B02: never back in time.
#[tokio::test(start_paused = true)]
async fn b02_r2_r7_a_relist_never_asks_for_any_version_again() {
    let server = TestServer::new([&WIDGETS]);
    let any = |request: &informer_test_server::RequestRecord| request.resource_version() == Some("0");
    server.script(
        Script::new()
            .rule(Rule::list().when(any).answer(Listing::at(10).items([at("red/a", 5)])))
            .list(.., Listing::at(40).items([at("red/a", 30), at("red/b", 31)]))
            .watch(1, Events::new().modified(at("red/a", 30)).added(at("red/b", 31)).close())
            .watch(2, Status::gone()),
    );
    let running = Running::plain(&server);
    server.wait_until(|server| server.watches().len() == 3).await;
    settled().await;
    assert_eq!(running.recorder.told(), ["+red/a@5!", "~red/a@5->30", "+red/b@31"]);
    let expected = ["list rv=0 limit=500", "watch rv=10", "watch rv=31", "list rv=31", "watch rv=40"];
    assert_eq!(asked(&server), expected);
}

/// The same against a server whose cache lags.
#[tokio::test(start_paused = true)]
async fn b02_a_lagging_server_does_not_turn_the_cache_back() {
    let server = TestServer::new([&WIDGETS]);
    server.create(&WIDGETS, widget("red", "a")).unwrap();
    let running = Running::plain(&server);
    running.synced().await;
    server.lag_at(Some(2));
    server.apply(&WIDGETS, sized("red", "a", 3)).unwrap();
    server.create(&WIDGETS, widget("red", "b")).unwrap();
    running.recorder.until(3).await;
    server.expire_versions();
    server.fail_watches(&Status::expired());
    server.wait_until(|server| server.watches().len() == 2).await;
    settled().await;
    assert_eq!(running.cache(), ["red/a@3", "red/b@4"]);
    assert_eq!(running.recorder.told().len(), 3);
}

/// B03.
#[tokio::test(start_paused = true)]
async fn b03_r5_a_list_of_a_version_that_is_too_large_asks_for_the_newest() {
    let server = TestServer::new([&WIDGETS]);
    let known = |request: &informer_test_server::RequestRecord| request.resource_version() == Some("1000");
    server.script(
        Script::new()
            .list(1, Listing::at(1000).items([at("red/a", 900)]))
            .watch(1, Events::new().wait(std::time::Duration::from_secs(2)).close())
            .watch(2, Events::new().expired().close())
            .rule(Rule::list().when(known).answer(Status::version_too_large(1000, 50)))
            .list(.., Listing::at(50).items([at("red/a", 40)])),
    );
    let running = Running::plain(&server);
    assert_eq!(running.recorder.until(2).await[1], "~red/a@900->40");
    server.wait_until(|server| server.watches().len() == 3).await;
    let expected = ["list rv=0 limit=500", "watch rv=1000", "watch rv=1000", "list rv=1000", "list rv=", "watch rv=50"];
    assert_eq!(asked(&server), expected);
    assert!(running.errors.all().iter().any(informer_runtime::Error::is_too_large_resource_version));
}

#[tokio::test(start_paused = true)]
async fn b03_r5_a_streaming_list_of_a_version_that_is_too_large_asks_for_the_newest() {
    let too_large = Status::version_too_large(1000, 50);
    for answer in
        [Events::new().error(&too_large).close().into(), informer_test_server::Answer::from(too_large.clone())]
    {
        let server = TestServer::new([&WIDGETS]);
        server.script(
            Script::new()
                .watch(1, Events::new().added(at("red/a", 900)).initial_events_end(1000).expired())
                .watch(2, answer)
                .watch(3, Events::new().added(at("red/a", 40)).initial_events_end(50)),
        );
        let running = Running::streaming(&server);
        assert_eq!(running.recorder.until(2).await[1], "~red/a@900->40");
        assert_eq!(asked(&server), ["stream rv=", "stream rv=1000", "stream rv="]);
        assert_eq!(running.informer.last_sync_resource_version(), "50");
    }
}

/// A watch that begins in the future of a restored server is refused the same way.
#[tokio::test(start_paused = true)]
async fn b03_a_watch_of_a_version_that_is_too_large_lists_the_newest() {
    for in_stream in [false, true] {
        let too_large = Status::version_too_large(1000, 50);
        let server = TestServer::new([&WIDGETS]);
        let script = Script::new()
            .list(1, Listing::at(1000).items([at("red/a", 900)]))
            .list(.., Listing::at(50).items([at("red/a", 40)]));
        server.script(match in_stream {
            true => script.watch(1, Events::new().error(&too_large).close()),
            false => script.watch(1, too_large),
        });
        let running = Running::plain(&server);
        running.recorder.until(2).await;
        server.wait_until(|server| server.watches().len() == 2).await;
        assert_eq!(asked(&server), ["list rv=0 limit=500", "watch rv=1000", "list rv=", "watch rv=50"]);
        assert_eq!(running.cache(), ["red/a@40"]);
    }
}

/// As servers said it over the years: a cause, a cause with a text alone, a message alone.
#[tokio::test(start_paused = true)]
async fn b03_r5_too_large_in_every_form() {
    for body in [
        r#"{"kind":"Status","reason":"Timeout","code":504,"details":{"causes":[{"reason":"ResourceVersionTooLarge"}]}}"#,
        r#"{"kind":"Status","reason":"Timeout","code":504,"details":{"causes":[{"message":"Too large resource version"}]}}"#,
        r#"{"kind":"Status","code":504,"message":"Timeout: Too large resource version: 1000, current: 50"}"#,
    ] {
        let server = TestServer::new([&WIDGETS]);
        server.script(
            Script::new()
                .list(1, Listing::at(1000).items([at("red/a", 900)]))
                .watch(1, Events::new().expired().close())
                .list(2, informer_test_server::Answer::raw(504, "application/json", body))
                .list(3, Listing::at(50).items([at("red/a", 40)])),
        );
        let running = Running::plain(&server);
        running.recorder.until(2).await;
        settled().await;
        assert_eq!(asked(&server)[2..], ["list rv=1000", "list rv=", "watch rv=50"], "{body}");
        assert!(running.errors.all()[1].is_too_large_resource_version(), "{body}");
    }
}
