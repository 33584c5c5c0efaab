//! Versions go forward, in whatever order servers send them; what goes back is a restore, and is told (surprises 13, 16,
//! 19 of the traces).

use std::time::Duration;

use informer_test_server::{Answer, Events, Listing, RequestRecord, Rule, Script, Status, TestServer};
use informer_tests::{Running, WIDGETS, asked, at, settled};

fn newest(request: &RequestRecord) -> bool {
    request.is_list() && request.resource_version().is_none()
}

fn first(items: impl IntoIterator<Item = serde_json::Value>) -> Script {
    Script::new().list(1, Listing::at(10).items(items))
}

#[tokio::test(start_paused = true)]
async fn b02_an_older_state_in_an_event_is_the_past() {
    let server = TestServer::new([&WIDGETS]);
    let late = Events::new().modified(at("red/a", 12)).modified(at("red/a", 11)).deleted(at("red/a", 9)).bookmark(8);
    server.script(first([at("red/a", 5)]).watch(1, late.wait(Duration::from_secs(2)).close()));
    let running = Running::plain(&server);
    server.wait_until(|server| server.watches().len() == 2).await;
    settled().await;
    assert_eq!(running.recorder.told(), ["+red/a@5!", "~red/a@5->12"]);
    assert_eq!(running.cache(), ["red/a@12"]);
    assert_eq!(running.informer.last_sync_resource_version(), "12");
    assert_eq!(server.watches()[1].resource_version(), Some("12"));
}

/// A list of an older version than was asked for comes from a copy that lags.
#[tokio::test(start_paused = true)]
async fn b02_a_list_that_goes_back_is_not_taken() {
    let server = TestServer::new([&WIDGETS]);
    let old = Listing::at(10).items([at("red/a", 5), at("red/gone", 6)]);
    server.script(
        first([at("red/a", 5)])
            .rule(Rule::list().when(newest).answer(Listing::at(40).items([at("red/a", 31)])))
            .list(.., old)
            .watch(1, Events::new().modified(at("red/a", 31)).expired().close()),
    );
    let running = Running::plain(&server);
    server.wait_until(|server| server.watches().len() == 2).await;
    settled().await;
    assert_eq!(running.recorder.told(), ["+red/a@5!", "~red/a@5->31"]);
    assert_eq!(asked(&server), ["list rv=0 limit=500", "watch rv=10", "list rv=31", "list rv=", "watch rv=40"]);
    assert!(running.errors.all().iter().any(informer_runtime::Error::is_version_behind));
}

#[tokio::test(start_paused = true)]
async fn b02_a_streaming_list_that_goes_back_is_not_taken() {
    let server = TestServer::new([&WIDGETS]);
    let old = Events::new().added(at("red/a", 5)).added(at("red/gone", 6)).initial_events_end(10);
    server.script(
        Script::new()
            .watch(1, Events::new().added(at("red/a", 31)).initial_events_end(40).expired().close())
            .watch(2, old)
            .watch(3, Events::new().added(at("red/a", 31)).initial_events_end(50)),
    );
    let running = Running::streaming(&server);
    server.wait_until(|server| server.watches().len() == 3).await;
    settled().await;
    assert_eq!(running.recorder.told(), ["+red/a@31!"]);
    assert_eq!(asked(&server), ["stream rv=", "stream rv=40", "stream rv="]);
    assert_eq!(running.informer.last_sync_resource_version(), "50");
}

/// What the server has when it is asked for the newest is what there is: it was restored.
#[tokio::test(start_paused = true)]
async fn b03_a_restore_is_taken_and_told() {
    let server = TestServer::new([&WIDGETS]);
    server.script(
        first([at("red/a", 5), at("red/b", 6)])
            .list(.., Listing::at(4).items([at("red/a", 3)]))
            .watch(1, Events::new().expired().close()),
    );
    let running = Running::plain(&server);
    assert_eq!(running.recorder.until(4).await[2..], ["-red/b@6?", "~red/a@5->3"]);
    settled().await;
    assert_eq!(asked(&server)[2..], ["list rv=10", "list rv=", "watch rv=4"]);
    let texts = running.errors.texts();
    assert_eq!(texts[1..], ["the server has version 4 only, where 10 was known"; 2], "once refused, once taken");
    assert_eq!(running.informer.stats().went_back, 2);
    assert!(running.informer.last_error().is_none());
}

/// After a restore one version may be two states.
#[tokio::test(start_paused = true)]
async fn b03_after_a_restore_equal_versions_prove_nothing() {
    let server = TestServer::new([&WIDGETS]);
    let mut other = at("red/a", 5);
    other["spec"]["size"] = 7.into();
    server.script(
        first([at("red/a", 5)])
            .list(.., Listing::at(8).items([other]))
            .watch(1, Events::new().error(&Status::version_too_large(10, 8)).close()),
    );
    let running = Running::plain(&server);
    assert_eq!(running.recorder.until(2).await[1..], ["~red/a@5->5"]);
    assert_eq!(running.informer.lister().get("red", "a").unwrap().get().unwrap().spec.size, 7);
}

/// After a change of its definition an object shows other defaults, in the same version.
#[tokio::test(start_paused = true)]
async fn b32_one_version_may_be_shown_in_a_new_way() {
    let server = TestServer::new([&WIDGETS]);
    let mut other = at("red/a", 5);
    other["spec"]["size"] = 7.into();
    server.script(
        first([at("red/a", 5), at("red/b", 6)])
            .list(.., Listing::at(20).items([other, at("red/b", 6)]))
            .watch(1, Events::new().expired().close()),
    );
    let running = Running::plain(&server);
    running.recorder.until(3).await;
    settled().await;
    assert_eq!(running.recorder.told()[2..], ["~red/a@5->5"], "and nobody hears of what is the same");
    assert_eq!(running.informer.lister().get("red", "a").unwrap().get().unwrap().spec.size, 7);
}

/// A watch without a version begins with all objects, each time.
#[tokio::test(start_paused = true)]
async fn what_a_watch_repeats_is_no_update() {
    let server = TestServer::new([&WIDGETS]);
    let again = || Events::new().added(at("red/a", 5)).added(at("red/b", 6)).wait(Duration::from_secs(2)).close();
    let unversioned = serde_json::json!({"kind": "WidgetList", "items": [at("red/a", 5), at("red/b", 6)]});
    server.script(Script::new().list(1, Answer::json(&unversioned)).watch(1..=3, again()));
    let running = Running::plain(&server);
    server.wait_until(|server| server.watches().len() == 4).await;
    assert_eq!(running.recorder.told(), ["+red/a@5!", "+red/b@6!"]);
}

/// Deleted and made again, and nobody saw the end: two objects.
#[tokio::test(start_paused = true)]
async fn b14_q2_another_uid_is_another_object() {
    let server = TestServer::new([&WIDGETS]);
    let made = |version, uid: &str| {
        let mut object = at("red/a", version);
        object["metadata"]["uid"] = uid.into();
        object
    };
    server.script(
        first([made(5, "one")])
            .watch(1, Events::new().expired().close())
            .list(.., Listing::at(20).items([made(15, "two")]))
            .watch(2, Events::new().modified(made(21, "three"))),
    );
    let running = Running::plain(&server);
    let expected = ["+red/a@5!", "-red/a@5?", "+red/a@15", "-red/a@15?", "+red/a@21"];
    assert_eq!(running.recorder.until(5).await, expected);
}

/// After three lists that come to one version and a watch that comes to nothing, the newest is asked for (W29).
#[tokio::test(start_paused = true)]
async fn w29_lists_without_progress_end_in_one_of_the_newest() {
    let server = TestServer::new([&WIDGETS]);
    let from_ten = |request: &RequestRecord| !request.is_list() && request.resource_version() == Some("10");
    server.script(
        Script::new()
            .rule(Rule::list().when(newest).answer(Listing::at(20)))
            .list(.., Listing::at(10))
            .rule(Rule::watch().when(from_ten).answer(Events::new().error(&Status::internal_error()).close()))
            .rule(Rule::watch().answer(Events::new().added(at("red/a", 21)))),
    );
    let running = Running::plain(&server);
    running.recorder.until(1).await;
    let lists: Vec<String> = asked(&server).into_iter().filter(|asked| asked.starts_with("list")).collect();
    assert_eq!(lists, ["list rv=0 limit=500", "list rv=10", "list rv=10", "list rv=10", "list rv="]);
}

/// Pages at a known version say that a newer one will do, or else the server would have to have that one still.
#[tokio::test(start_paused = true)]
async fn b10_pages_of_a_relist_take_a_newer_version() {
    let server = TestServer::new([&WIDGETS]);
    server.script(
        Script::new()
            .list(1, Listing::at(10).continue_token("one"))
            .list(2, Listing::at(10))
            .list(3, Listing::at(20).continue_token("two"))
            .list(4, Listing::at(20))
            .watch(1, Events::new().expired().close()),
    );
    let running = Running::with(&server, |builder| {
        builder.reflector_options(|options| {
            options.streaming_list = false;
            options.page_size = Some(2);
        })
    });
    server.wait_until(|server| server.watches().len() == 2).await;
    let matches: Vec<Option<String>> =
        server.lists().iter().map(|list| list.query("resourceVersionMatch").map(str::to_owned)).collect();
    assert_eq!(matches, [None, None, Some(String::from("NotOlderThan")), None]);
    assert_eq!(server.lists()[2].resource_version(), Some("10"));
    drop(running);
}
