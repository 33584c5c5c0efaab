//! Scripts: fixed answers, faults on top of the state, and steering from the test.

mod common;

use std::time::Duration;

use common::{RED, Read, WIDGETS, Watch, ZONES, all, get, list_names, send, server, widget};
use http::{Method, Request};
use http_body_util::BodyExt;
use informer_test_server::{
    Answer, End, Events, Gate, Listing, LiveEvents, RequestKind, Rule, Script, Status, TestServer, stub,
};
use kube::client::Body;
use serde_json::{Value, json};
use tokio::time::Instant;
use tower::ServiceExt;

const WATCH: &str = "/apis/shop.example.test/v1/namespaces/red/widgets?watch=1&timeoutSeconds=300";

fn at(name: &str, version: u64) -> Value {
    stub(&WIDGETS, &format!("red/{name}"), version)
}

fn scripted(script: Script) -> TestServer {
    let server = server();
    server.script(script);
    server
}

#[tokio::test(start_paused = true)]
async fn numbered_answers() {
    let server = scripted(
        Script::new()
            .list(1, Listing::at(10).items([at("a", 5), at("b", 6)]))
            .list(2, Listing::at(20).items([at("a", 5)]).continue_token("k1").remaining(3))
            .watch(1, Events::new().added(at("c", 11)).modified(at("a", 12)).deleted(at("b", 13)).bookmark(20).close())
            .watch(2.., Status::too_many_requests(7)),
    );
    let (_, first) = get(&server, RED).await;
    assert_eq!(
        (list_names(&first), &first["metadata"]["resourceVersion"]),
        (vec!["a".into(), "b".into()], &json!("10"))
    );
    let (_, second) = get(&server, RED).await;
    assert_eq!(second["metadata"], json!({"resourceVersion": "20", "continue": "k1", "remainingItemCount": 3}));
    assert_eq!(get(&server, RED).await.1["metadata"]["resourceVersion"], "1", "then the state");
    let mut watch = Watch::open(&server, WATCH).await;
    for expected in ["ADDED c@11", "MODIFIED a@12", "DELETED b@13", "BOOKMARK @20"] {
        assert_eq!(watch.brief().await, expected);
    }
    assert_eq!(watch.read().await, Read::Closed);
    for _ in 0..2 {
        let refused = send(&server, Method::GET, WATCH, None).await;
        assert_eq!(
            (refused.status().as_u16(), &refused.headers()["retry-after"]),
            (429, &"7".parse().expect("a value"))
        );
    }
}

#[tokio::test(start_paused = true)]
async fn conditions_and_resources() {
    let server = scripted(
        Script::new()
            .rule(Rule::list().when(|list| list.resource_version() == Some("0")).answer(Listing::at(10)))
            .rule(Rule::list().of(&ZONES).nth(2..=3).answer(Status::forbidden("zones")))
            .rule(Rule::streaming_list().answer(Status::internal_error()))
            .rule(Rule::plain_watch().nth(2..3).answer(Status::gone())),
    );
    assert_eq!(get(&server, &format!("{RED}?resourceVersion=0")).await.1["metadata"]["resourceVersion"], "10");
    assert_eq!(get(&server, RED).await.1["metadata"]["resourceVersion"], "1");
    let mut codes = Vec::new();
    for _ in 0..4 {
        codes.push(get(&server, "/apis/shop.example.test/v1/zones").await.0);
    }
    assert_eq!(codes, [200, 403, 403, 200]);
    let streaming = format!("{WATCH}&sendInitialEvents=true&resourceVersionMatch=NotOlderThan");
    assert_eq!(get(&server, &streaming).await.0, 500);
    drop(Watch::open(&server, WATCH).await);
    let (code, status) = get(&server, WATCH).await;
    assert_eq!((code, &status["reason"]), (410, &json!("Gone")));
    drop(Watch::open(&server, WATCH).await);
    let kinds: Vec<_> = server.watches().iter().map(|watch| watch.kind).collect();
    assert_eq!(kinds, [RequestKind::StreamingList, RequestKind::Watch, RequestKind::Watch, RequestKind::Watch]);
}

#[tokio::test(start_paused = true)]
async fn the_rest_can_be_answered_too() {
    let server = scripted(Script::new().rule(Rule::list().nth(1)).otherwise(Status::unavailable()));
    assert_eq!(get(&server, RED).await.0, 200);
    assert_eq!(get(&server, RED).await.0, 503);
    server.clear_script();
    assert_eq!(get(&server, RED).await.0, 200);
}

#[tokio::test(start_paused = true)]
async fn forms_of_expiry() {
    let bare = json!({"kind": "Status", "apiVersion": "v1", "code": 410});
    let server = scripted(
        Script::new()
            .watch(1, Events::new().expired().close())
            .watch(2, Events::new().error(&Status::gone()).close())
            .watch(3, Events::new().error(&Status::expired().without_reason()).close())
            .watch(4, Events::new().line(&json!({"type": "ERROR", "object": bare}).to_string()).close()),
    );
    for reason in [Some("Expired"), Some("Gone"), None, None] {
        let mut watch = Watch::open(&server, WATCH).await;
        let error = watch.event().await;
        assert_eq!((&error["type"], &error["object"]["code"]), (&json!("ERROR"), &json!(410)));
        assert_eq!(error["object"]["reason"].as_str(), reason);
        assert_eq!(watch.read().await, Read::Closed);
    }
}

#[tokio::test(start_paused = true)]
async fn ends_of_scripted_watches() {
    let start = Instant::now();
    let event = || Events::new().added(at("a", 5));
    let server = scripted(
        Script::new()
            .watch(1, event())
            .watch(2, event().cut().added(at("never", 6)))
            .watch(3, event().stall())
            .watch(4, event().wait(Duration::from_secs(30)).bookmark(9).close())
            .watch(5, event().dropped())
            .watch(6, event()),
    );
    let mut open = Watch::open(&server, WATCH).await;
    assert_eq!(open.brief().await, "ADDED a@5");
    assert_eq!(open.read().await, Read::Closed);
    assert_eq!(start.elapsed().as_secs(), 300, "open until its timeout");
    let mut cut = Watch::open(&server, WATCH).await;
    assert_eq!((cut.brief().await.as_str(), cut.read().await), ("ADDED a@5", Read::Cut));
    let mut stalled = Watch::open(&server, WATCH).await;
    assert_eq!(stalled.brief().await, "ADDED a@5");
    assert!(stalled.is_silent_for(100_000).await);
    let mut waits = Watch::open(&server, WATCH).await;
    assert_eq!(waits.brief().await, "ADDED a@5");
    assert!(waits.is_silent_for(29).await);
    assert_eq!((waits.brief().await.as_str(), waits.read().await), ("BOOKMARK @9", Read::Closed));
    drop(stalled);
    let mut dropped = Watch::open(&server, WATCH).await;
    assert_eq!((dropped.brief().await.as_str(), dropped.read().await), ("ADDED a@5", Read::Dropped));
    let mut controlled = Watch::open(&server, WATCH).await;
    assert_eq!(controlled.brief().await, "ADDED a@5");
    assert_eq!(server.open_watches(), 1, "all others have ended");
    server.cut_watches();
    assert_eq!(controlled.read().await, Read::Cut, "the server's controls reach it");
}

#[tokio::test(start_paused = true)]
async fn faults_on_top_of_the_state() {
    let start = Instant::now();
    let server = scripted(
        Script::new()
            .list(1, Answer::state().delayed(Duration::from_secs(2)))
            .watch(1, Answer::state().ending_after_events(1, End::Cut))
            .watch(2, Answer::state().ending_after(Duration::from_secs(20), End::Close))
            .watch(3, Answer::state().in_pieces([1, 2, 50])),
    );
    server.create(&WIDGETS, widget("red", "a")).expect("created");
    server.create(&WIDGETS, widget("red", "b")).expect("created");
    assert_eq!(list_names(&get(&server, RED).await.1), ["a", "b"]);
    assert_eq!(start.elapsed().as_secs(), 2);
    let mut watch = Watch::open(&server, WATCH).await;
    assert_eq!((watch.brief().await.as_str(), watch.read().await), ("ADDED a@2", Read::Cut));
    let mut watch = Watch::open(&server, WATCH).await;
    assert_eq!((watch.brief().await.as_str(), watch.brief().await.as_str()), ("ADDED a@2", "ADDED b@3"));
    assert_eq!(watch.read().await, Read::Closed);
    assert_eq!(start.elapsed().as_secs(), 22);
    let mut body = send(&server, Method::GET, WATCH, None).await.into_body();
    let mut sizes = Vec::new();
    for _ in 0..4 {
        let frame = body.frame().await.expect("a frame").expect("no error");
        sizes.push(frame.into_data().expect("data").len());
    }
    assert_eq!(sizes, [1, 2, 50, 50], "across the ends of events");
}

#[tokio::test(start_paused = true)]
async fn pieces_hold_nothing_back() {
    let server = scripted(Script::new().watch(1, Answer::state().in_pieces([1_000_000])));
    let mut watch = Watch::open(&server, &format!("{WATCH}&resourceVersion=1")).await;
    for name in ["a", "b"] {
        server.create(&WIDGETS, widget("red", name)).expect("created");
        assert!(watch.brief().await.starts_with("ADDED"));
    }
    server.cut_watches();
    assert_eq!(watch.read().await, Read::Cut);
}

#[tokio::test(start_paused = true)]
async fn no_answer_at_all() {
    let gate = Gate::new();
    let server = scripted(
        Script::new()
            .list(1, Answer::never())
            .list(2, Answer::refused())
            .list(3, Answer::state().held_by(&gate))
            .list(4, Answer::raw(502, "text/html", "<html>bad gateway</html>"))
            .list(5, Answer::json(&json!({"items": null})).header("x-odd", "1")),
    );
    let hangs = tokio::time::timeout(Duration::from_secs(3_600), get(&server, RED)).await;
    assert!(hangs.is_err());
    let request = Request::get(RED).body(Body::empty()).expect("a request");
    let refused = server.clone().oneshot(request).await.expect_err("refused");
    assert_eq!(refused.kind(), std::io::ErrorKind::ConnectionRefused);
    let (held, ()) = tokio::join!(get(&server, RED), async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        server.create(&WIDGETS, widget("red", "a")).expect("created");
        gate.open();
    });
    assert_eq!(list_names(&held.1), ["a"], "made after the gate");
    let proxy = send(&server, Method::GET, RED, None).await;
    assert_eq!((proxy.status().as_u16(), proxy.headers()["content-type"].as_bytes()), (502, "text/html".as_bytes()));
    let odd = send(&server, Method::GET, RED, None).await;
    assert_eq!(odd.headers()["x-odd"], "1");
    assert_eq!(all(odd).await, r#"{"items":null}"#);
}

#[tokio::test(start_paused = true)]
async fn live_streams() {
    let live = LiveEvents::new();
    let server = scripted(Script::new().watch(.., &live));
    live.send(Events::new().added(at("a", 5)));
    let mut watch = Watch::open(&server, WATCH).await;
    assert_eq!(watch.brief().await, "ADDED a@5");
    assert!(live.send(Events::new().bytes("{\"type\":\"BOOKMARK\",\"object\":").bytes("{}}\n")));
    assert_eq!(watch.event().await, json!({"type": "BOOKMARK", "object": {}}));
    assert_eq!(Watch::open(&server, WATCH).await.read().await, Read::Closed, "one request only");
    assert!(!live.is_closed());
    drop(watch);
    live.closed().await;
    assert!(!live.send(Events::new()));
    let ended = LiveEvents::new();
    let server = scripted(Script::new().watch(1, &ended));
    let mut watch = Watch::open(&server, WATCH).await;
    ended.send(Events::new().added(at("a", 5)).close());
    ended.send(Events::new().added(at("b", 6)));
    assert_eq!((watch.brief().await.as_str(), watch.read().await), ("ADDED a@5", Read::Closed));
}

#[tokio::test(start_paused = true)]
async fn records() {
    let server = server();
    tokio::time::advance(Duration::from_secs(5)).await;
    let path = "/apis/shop.example.test/v1/namespaces/red/widgets/a%2Db?resourceVersion=&x=%C3%A9+1&limit=2&continue=k";
    get(&server, path).await;
    let records = server.requests();
    let record = &records[0];
    assert_eq!((record.kind, record.at.as_secs(), &record.method), (RequestKind::Get, 5, &Method::GET));
    assert_eq!((record.namespace.as_deref(), record.name.as_deref()), (Some("red"), Some("a-b")));
    assert_eq!((record.query("x"), record.query("y"), record.resource_version()), (Some("é 1"), None, None));
    assert_eq!((record.limit(), record.continue_token()), (Some(2), Some("k")));
    assert_eq!(record.resource.as_ref(), Some(&WIDGETS));
    assert!(server.lists().is_empty());
    server.clear_requests();
    assert!(server.requests().is_empty());
}

#[tokio::test(start_paused = true)]
async fn answers_made_of_the_request() {
    let server = server();
    let looked_at = server.clone();
    server.script(
        Script::new().rule(
            Rule::list()
                .when(move |_| looked_at.resource_version() < 3)
                .answered_by(|list| Listing::at(list.limit().unwrap_or(7)).into()),
        ),
    );
    let version = |list: &Value| list["metadata"]["resourceVersion"].clone();
    assert_eq!(version(&get(&server, RED).await.1), "7");
    assert_eq!(version(&get(&server, &format!("{RED}?limit=9")).await.1), "9");
    server.advance_version(5);
    assert_eq!(version(&get(&server, RED).await.1), "6");
}

#[tokio::test(start_paused = true)]
async fn slow_bodies() {
    let start = Instant::now();
    let slow = Answer::json(&json!({"items": []})).in_pieces([1, 4]).paced(Duration::from_secs(10));
    let server = scripted(Script::new().list(1, slow));
    assert_eq!(get(&server, RED).await.0, 200);
    assert_eq!(start.elapsed().as_secs(), 40, "{{\"items\":[]}} in four pieces");
}

#[tokio::test(start_paused = true)]
async fn records_in_one_line() {
    let server = server();
    get(&server, &format!("{RED}?resourceVersion=0&limit=500&labelSelector=a%3Db")).await;
    drop(Watch::open(&server, &format!("{WATCH}&resourceVersion=1&allowWatchBookmarks=true")).await);
    let lines: Vec<_> = server.requests().iter().map(ToString::to_string).collect();
    assert_eq!(lines, [format!("List {RED} rv=0 limit=500 labels=a=b"), format!("Watch {RED} rv=1 bookmarks")]);
}

#[tokio::test(start_paused = true)]
async fn bodies_end_after_any_number_of_bytes() {
    let server = server();
    server.create(&WIDGETS, widget("red", "a")).expect("created");
    let whole = all_bytes(&server, RED).await.expect("whole");
    for length in [0, 1, 7, whole.len() - 1] {
        server.clear_script();
        server.script(Script::new().otherwise(Answer::state().ending_after_bytes(length, End::Close)));
        assert_eq!(all_bytes(&server, RED).await.as_deref(), Some(&whole[..length]));
        server.clear_script();
        server.script(Script::new().otherwise(Answer::state().ending_after_bytes(length, End::Cut).in_pieces([3])));
        assert_eq!(all_bytes(&server, RED).await, None, "cut after {length}");
    }
    server.clear_script();
    server.script(Script::new().otherwise(Answer::state().ending_after_bytes(whole.len() + 1, End::Cut)));
    assert_eq!(all_bytes(&server, RED).await.as_deref(), Some(&whole[..]), "shorter than that");
}

#[tokio::test(start_paused = true)]
async fn foreign_bytes_anywhere() {
    let server = server();
    server.create(&WIDGETS, widget("red", "a")).expect("created");
    let whole = all_bytes(&server, RED).await.expect("whole");
    for place in [0, 5, whole.len()] {
        server.clear_script();
        server.script(Script::new().otherwise(Answer::state().in_pieces([2]).with_bytes_at(place, "\u{1}!")));
        let expected = [&whole[..place], b"\x01!", &whole[place..]].concat();
        assert_eq!(all_bytes(&server, RED).await, Some(expected));
    }
}

#[tokio::test(start_paused = true)]
async fn a_restored_server_has_its_old_objects_and_versions() {
    let server = server();
    let before = server.create(&WIDGETS, widget("red", "a")).expect("created");
    let version = server.resource_version();
    server.create(&WIDGETS, widget("red", "b")).expect("created");
    server.delete(&WIDGETS, "red", "a").expect("deleted");
    let mut watch = Watch::open(&server, &format!("{WATCH}&resourceVersion={}", server.resource_version())).await;
    assert!(!server.restore(version + 3), "still to come");
    assert!(server.restore(version));
    assert_eq!(server.objects(&WIDGETS), [before]);
    assert_eq!(server.resource_version(), version);
    assert!(matches!(watch.read().await, Read::Cut));
    let next = server.create(&WIDGETS, widget("red", "c")).expect("created");
    assert_eq!(next["metadata"]["resourceVersion"], json!((version + 1).to_string()));
    assert!(!server.restore(version - 1), "no longer remembered");
}

/// The body of an answer; `None` if it breaks off.
async fn all_bytes(server: &TestServer, path: &str) -> Option<Vec<u8>> {
    let body = send(server, Method::GET, path, None).await.into_body();
    body.collect().await.ok().map(|body| body.to_bytes().to_vec())
}
