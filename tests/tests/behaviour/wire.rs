//! Records of what an API server sends, played as bytes: `tests/data/wire/README.md` has the facts by their numbers.

use std::time::Duration;

use informer_runtime::{CancellationToken, Resource, SharedInformer, SharedInformerFactory};
use informer_test_server::{Answer, Events, Listing, REAL_PIECE, Rule, Script, TestServer};
use informer_tests::{Errors, Recorder, Running, WIDGETS, asked, at, settled};
use k8s_openapi::api::core::v1::Pod;

const PODS: Resource = Resource::new("", "v1", "Pod", "pods", true);

macro_rules! record {
    ($name:literal) => {
        include_str!(concat!("../../data/wire/", $name))
    };
}

/// A whole body, in pieces as a server cuts it.
fn whole(code: u16, body: &'static str) -> Answer {
    let kind = if body.starts_with("404") { "text/plain; charset=utf-8" } else { "application/json" };
    Answer::raw(code, kind, body).in_pieces([REAL_PIECE])
}

/// The beginning of a watch that then stays open.
fn open(body: &'static str) -> Answer {
    Answer::from(Events::new().bytes(body)).in_pieces([REAL_PIECE])
}

fn server(script: Script) -> TestServer {
    let server = TestServer::new([&WIDGETS, &PODS]);
    server.script(script);
    server
}

/// After the first list of three widgets.
fn listed() -> Script {
    Script::new().list(1, whole(200, record!("widgets-list.json")))
}

async fn seconds(seconds: u64) {
    tokio::time::sleep(Duration::from_secs(seconds)).await;
}

struct Pods {
    informer: SharedInformer<Pod>,
    recorder: Recorder,
    errors: Errors,
}

impl Pods {
    async fn synced(server: &TestServer, streaming: bool) -> Self {
        let errors = Errors::new();
        let informer = SharedInformer::<Pod>::builder(server.client())
            .on_error(errors.hook())
            .random_seed(7)
            .reflector_options(|options| {
                options.streaming_list = streaming;
                options.page_size = Some(2);
            })
            .build();
        let recorder = Recorder::new();
        let registration = informer.add_event_handler(recorder.clone()).unwrap();
        informer.start(&CancellationToken::new());
        assert!(registration.synced().await);
        Self { informer, recorder, errors }
    }
}

#[tokio::test(start_paused = true)]
async fn wire_01_an_expired_watch() {
    let server = server(
        listed().watch(1, whole(200, record!("expired.jsonl"))).list(2, whole(200, record!("widgets-list-none.json"))),
    );
    let running = Running::plain(&server);
    assert_eq!(running.recorder.until(6).await[3..], ["-red/a@101?", "-red/b@102?", "-red/c@103?"]);
    settled().await;
    assert_eq!(asked(&server), ["list rv=0 limit=500", "watch rv=110", "list rv=110", "watch rv=110"]);
    assert!(running.errors.all()[0].is_expired());
}

#[tokio::test(start_paused = true)]
async fn wire_02_an_expired_page() {
    let server = server(
        Script::new()
            .list(1, whole(200, record!("widgets-page-1.json")))
            .list(2, whole(410, record!("expired-page.json")))
            .list(3, whole(200, record!("widgets-list.json"))),
    );
    let running = Running::plain(&server);
    running.synced().await;
    settled().await;
    assert_eq!(running.cache(), ["red/a@101", "red/b@102", "red/c@103"]);
    assert_eq!(asked(&server), ["list rv=0 limit=500", "list continue=cGFnZTI limit=500", "list rv=0", "watch rv=110"]);
}

/// The end without an event, a moment of 429, the expiry, and a list.
#[tokio::test(start_paused = true)]
async fn wire_04_a_changed_definition() {
    let throttled = || whole(429, record!("initializing.json")).header("retry-after", "1");
    let server = server(
        listed()
            .watch(1, Events::new().wait(Duration::from_secs(2)).close())
            .watch(2, throttled())
            .watch(3, whole(200, record!("expired.jsonl")))
            .list(2, throttled())
            .list(3, whole(404, record!("no-definition.txt")))
            .list(4, whole(200, record!("widgets-page-2.json")))
            .watch(4, open(record!("widgets-watch.jsonl"))),
    );
    let running = Running::plain(&server);
    let told = running.recorder.until(8).await;
    assert_eq!(told[3..5], ["-red/a@101?", "-red/b@102?"]);
    assert_eq!(told[5..], ["+red/d@111", "~red/d@111->112", "-red/d@113"]);
    let codes: Vec<_> = running.errors.all().iter().map(informer_runtime::Error::code).collect();
    assert_eq!(codes, [Some(429), Some(410), Some(429), Some(404)]);
    assert_eq!(running.informer.last_sync_resource_version(), "120");
}

#[tokio::test(start_paused = true)]
async fn wire_05_a_deleted_definition() {
    let server = server(
        listed()
            .watch(1, whole(200, record!("widgets-deleted.jsonl")))
            .rule(Rule::any().answer(whole(404, record!("no-definition.txt")))),
    );
    let running = Running::plain(&server);
    assert_eq!(running.recorder.until(6).await[3..], ["-red/a@111", "-red/b@112", "-red/c@113"]);
    seconds(600).await;
    let error = running.informer.last_error().unwrap();
    assert!(error.is_not_found(), "{error}");
    assert!(server.requests().len() < 50, "{}", server.requests().len());
}

#[tokio::test(start_paused = true)]
async fn wire_06_a_version_that_is_too_large() {
    let refusal = || whole(504, record!("too-large.json")).header("retry-after", "1").delayed(Duration::from_secs(3));
    let server = server(
        listed()
            .watch(1, whole(200, record!("expired.jsonl")))
            .list(2, refusal())
            .list(3, Listing::at(50).items([at("red/a", 40)])),
    );
    let running = Running::plain(&server);
    running.recorder.until(6).await;
    settled().await;
    assert_eq!(running.cache(), ["red/a@40"]);
    assert_eq!(asked(&server)[2..], ["list rv=110", "list rv=", "watch rv=50"]);

    let server = self::server(
        Script::new()
            .watch(1, whole(200, concat!(record!("widgets-stream.jsonl"), record!("expired.jsonl"))))
            .watch(2, whole(200, record!("too-large.jsonl")))
            .watch(3, Events::new().added(at("red/a", 40)).initial_events_end(50)),
    );
    let running = Running::streaming(&server);
    running.recorder.until(6).await;
    assert_eq!(asked(&server), ["stream rv=", "stream rv=110", "stream rv="]);
    assert!(running.errors.all()[1].is_too_large_resource_version());
}

#[tokio::test(start_paused = true)]
async fn wire_07_no_compression_is_asked_for() {
    for streaming in [true, false] {
        let server = TestServer::new([&PODS]);
        Pods::synced(&server, streaming).await;
        settled().await;
        assert!(server.requests().iter().all(|request| !request.accept_encoding.contains("gzip")));
    }
}

/// Everything above comes in the pieces of a real server; this in smaller ones.
#[tokio::test(start_paused = true)]
async fn wire_08_pieces() {
    for pieces in [vec![1], vec![7, 300], vec![]] {
        let server = server(
            Script::new()
                .list(1, whole(200, record!("widgets-list.json")).in_pieces(pieces.clone()))
                .watch(1, open(record!("widgets-watch.jsonl")).in_pieces(pieces)),
        );
        let running = Running::plain(&server);
        let told = running.recorder.until(6).await;
        assert_eq!(told[3..], ["+red/d@111", "~red/d@111->112", "-red/d@113"]);
        settled().await;
        assert_eq!(running.informer.last_sync_resource_version(), "120");
        assert!(running.errors.all().is_empty());
    }
}

/// Facts 9 and 14: a deletion is a change first; a bookmark is no pod.
#[tokio::test(start_paused = true)]
async fn wire_09_14_pods_and_their_bookmarks() {
    let server = server(
        Script::new().list(1, whole(200, record!("pods-list.json"))).watch(1, open(record!("pods-watch.jsonl"))),
    );
    let pods = Pods::synced(&server, false).await;
    let till = "red/till-9";
    let told = pods.recorder.until(9).await;
    let expected =
        [format!("+{till}@211"), format!("~{till}@211->212"), format!("~{till}@212->213"), format!("-{till}@214")];
    assert_eq!(told[5..], expected);
    settled().await;
    assert_eq!(pods.informer.last_sync_resource_version(), "215");
    assert!(pods.errors.all().is_empty(), "{:?}", pods.errors.texts());
    let pod = pods.informer.lister().get("red", "till-0").unwrap().get().unwrap();
    assert_eq!(pod.spec.as_ref().unwrap().containers[0].name, "till");
}

#[tokio::test(start_paused = true)]
async fn wire_10_marks_wanted_and_unwanted() {
    // In a streaming list.
    let server = server(Script::new().watch(1, open(record!("pods-stream.jsonl"))));
    let pods = Pods::synced(&server, true).await;
    assert_eq!((pods.informer.store().len(), &*pods.informer.last_sync_resource_version()), (5, "210"));

    // In a watch that has no version, since the list had none.
    let none = Answer::raw(200, "application/json", r#"{"kind":"PodList","apiVersion":"v1","metadata":{},"items":[]}"#);
    let server = self::server(Script::new().list(1, none).watch(1, open(record!("pods-stream.jsonl"))));
    let pods = Pods::synced(&server, false).await;
    pods.recorder.until(5).await;
    settled().await;
    assert_eq!((pods.informer.store().len(), &*pods.informer.last_sync_resource_version()), (5, "210"));
    assert!(pods.errors.all().is_empty(), "{:?}", pods.errors.texts());

    // Never, or refused.
    for streaming in [open(record!("widgets-stream-unmarked.jsonl")), whole(422, record!("two-parameters.json"))] {
        let server = self::server(listed().rule(Rule::streaming_list().answer(streaming)));
        let running = Running::streaming(&server);
        running.synced().await;
        settled().await;
        assert_eq!(asked(&server), ["stream rv=", "list rv=0 limit=500", "watch rv=110"]);
        assert_eq!(running.cache().len(), 3);
    }
}

#[tokio::test(start_paused = true)]
async fn wire_11_a_limit_that_does_not_count() {
    let server = server(Script::new().list(1, whole(200, record!("pods-list.json"))));
    let pods = Pods::synced(&server, false).await;
    settled().await;
    assert_eq!(pods.informer.store().len(), 5);
    assert_eq!(asked(&server), ["list rv=0 limit=2", "watch rv=210"]);
}

#[tokio::test(start_paused = true)]
async fn wire_12_pages_in_both_layouts() {
    let pages = |first, second| Script::new().list(1, whole(200, first)).list(2, whole(200, second));
    let server = server(pages(record!("pods-page-1.json"), record!("pods-page-2.json")));
    let pods = Pods::synced(&server, false).await;
    settled().await;
    assert_eq!(pods.informer.store().len(), 5);
    assert_eq!(asked(&server), ["list rv=0 limit=2", "list continue=cGFnZTI limit=2", "watch rv=210"]);

    let server = self::server(pages(record!("widgets-page-1.json"), record!("widgets-page-2.json")));
    let running = Running::plain(&server);
    running.synced().await;
    settled().await;
    assert_eq!(running.cache(), ["red/a@101", "red/b@102", "red/c@103"]);
    assert_eq!(running.informer.lister().get("red", "c").unwrap().get().unwrap().spec.size, 3);
    assert_eq!(asked(&server)[1..], ["list continue=cGFnZTI limit=500", "watch rv=110"]);
}

/// Metadata alone: objects and lists of a kind and a group that are not theirs.
#[tokio::test(start_paused = true)]
async fn wire_12_metadata_in_both_ways() {
    let refused = Script::new()
        .rule(Rule::streaming_list().answer(whole(422, record!("two-parameters.json"))))
        .list(1, whole(200, record!("partial-list.json")));
    for script in [Script::new().watch(1, open(record!("partial-stream.jsonl"))), refused] {
        let server = server(script);
        let factory = SharedInformerFactory::new(server.client(), Duration::ZERO);
        let pods = factory.metadata(&PODS).informer();
        let stop = CancellationToken::new();
        factory.start(&stop);
        factory.wait_for_cache_sync(&stop).await.unwrap();
        let held: Vec<_> = pods.store().list().iter().map(|pod| format!("{pod:?}")).collect();
        assert_eq!(held, ["red/till-0@201", "red/till-1@202"]);
        assert_eq!(pods.last_sync_resource_version(), "210");
        let pod = pods.lister().get("red", "till-0").unwrap().get().unwrap();
        assert_eq!(pod.metadata.labels.as_ref().unwrap()["app"], "till");
        factory.shutdown().await;
    }
}

#[tokio::test(start_paused = true)]
async fn wire_13_an_object_that_leaves_the_selection() {
    let server = server(listed().watch(1, open(record!("widgets-selection.jsonl"))));
    let running = Running::plain(&server);
    assert_eq!(running.recorder.until(5).await[3..], ["+red/d@111", "-red/d@112"]);
    assert_eq!(running.informer.last_sync_resource_version(), "112");
}

#[tokio::test(start_paused = true)]
async fn wire_15_bookmarks_of_one_version_and_a_clean_end() {
    let second = Duration::from_secs(1);
    let watch = Events::new().wait(second).bytes(record!("widgets-watch.jsonl")).wait(second).close();
    let server = server(listed().watch(1, watch));
    let running = Running::plain(&server);
    running.recorder.until(6).await;
    seconds(10).await;
    assert_eq!(asked(&server)[1..], ["watch rv=110", "watch rv=120"]);
    let watches = server.watches();
    assert_eq!(watches[1].at - watches[0].at, 2 * second, "at once");
    assert!(running.errors.all().is_empty());
}

#[tokio::test(start_paused = true)]
async fn wire_16_versions_and_selectors_that_are_none() {
    for refusal in [record!("invalid-version-list.json"), record!("bad-selector.json")] {
        let server =
            server(Script::new().list(1..=3, whole(400, refusal)).list(4, whole(200, record!("widgets-list.json"))));
        let running = Running::plain(&server);
        running.synced().await;
        let codes: Vec<_> = running.errors.all().iter().map(informer_runtime::Error::code).collect();
        assert_eq!(codes, [Some(400); 3]);
    }
    let server = server(
        listed()
            .watch(1..=3, whole(500, record!("invalid-version-watch.json")))
            .list(2, whole(200, record!("widgets-list-none.json"))),
    );
    let running = Running::plain(&server);
    running.recorder.until(6).await;
    assert_eq!(asked(&server)[1..5], ["watch rv=110", "watch rv=110", "watch rv=110", "list rv=110"]);
}

#[tokio::test(start_paused = true)]
async fn wire_17_what_is_not_there() {
    for (code, body) in [
        (404, record!("no-definition.txt")),
        (404, record!("unknown-resource.json")),
        (406, record!("not-acceptable.json")),
    ] {
        let server =
            server(Script::new().list(1, whole(code, body)).list(2, whole(200, record!("widgets-list-none.json"))));
        let running = Running::plain(&server);
        running.synced().await;
        assert!(running.cache().is_empty());
        let errors = running.errors.all();
        assert_eq!((errors.len(), errors[0].code(), errors[0].is_not_found()), (1, Some(code), code == 404));
    }
}

#[tokio::test(start_paused = true)]
async fn wire_18_who_may_not() {
    let server = server(
        Script::new()
            .list(1, whole(401, record!("unauthorized.json")))
            .list(2, whole(403, record!("forbidden.json")))
            .list(3, whole(200, record!("widgets-list.json"))),
    );
    let running = Running::plain(&server);
    running.synced().await;
    let errors = running.errors.all();
    assert!(errors[0].is_unauthorized() && errors[1].is_forbidden(), "{errors:?}");
    assert!(errors[1].to_string().contains("nobody may not list widgets in red"), "{}", errors[1]);
}

/// Down in order, the watch stays for a while; then killed.
#[tokio::test(start_paused = true)]
async fn wire_19_servers_that_go_down() {
    let minute = Duration::from_secs(60);
    let server = server(
        listed()
            .watch(1, Events::new().wait(minute).added(at("red/d", 111)).close())
            .rule(Rule::watch().nth(2..=5).answer(Answer::refused()))
            .watch(6, Events::new().added(at("red/e", 112)).wait(minute).dropped())
            .watch(7, Events::new().added(at("red/f", 113))),
    );
    let running = Running::plain(&server);
    assert_eq!(running.recorder.until(6).await[3..], ["+red/d@111", "+red/e@112", "+red/f@113"]);
    assert_eq!(server.lists().len(), 1, "nothing is listed anew");
    assert_eq!(asked(&server)[2..], [["watch rv=111"; 5].as_slice(), &["watch rv=112"]].concat());
    assert!(running.errors.all().iter().all(informer_runtime::Error::is_transport), "{:?}", running.errors.texts());
}
