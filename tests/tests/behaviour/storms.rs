//! No storm of requests, whatever the server does: after a few tries at most one a second, and when the server is well
//! again, so is the informer (W7, W10, W11, B05).

use std::time::Duration;

use informer_test_server::{Answer, Events, Listing, RequestKind, RequestRecord, Rule, Script, Status, TestServer};
use informer_tests::{Running, WIDGETS, at, widget};

/// How long the server is as the table says.
const MINUTES: u64 = 20;
/// What may come at once, after which the seconds count.
const FEW: usize = 8;

/// A server: the answer to a request, which is the so-many-th.
type Server = fn(&RequestRecord, u64) -> Answer;

fn is_list(request: &RequestRecord) -> bool {
    request.kind == RequestKind::List
}

fn list() -> Listing {
    Listing::at(10).items([at("red/a", 5)])
}

fn marked(number: u64) -> Events {
    Events::new().added(at("red/a", 5)).initial_events_end(10 + number)
}

/// Pictures as they should be, of ever newer versions, and this in answer to watches.
fn watches(request: &RequestRecord, number: u64, watch: impl Into<Answer>) -> Answer {
    match request.kind {
        RequestKind::List => Listing::at(10 + number).items([at("red/a", 5)]).into(),
        RequestKind::StreamingList => marked(number).close().into(),
        _ => watch.into(),
    }
}

/// Pictures and watches are as they should be, but for plain lists and streams, of which this comes.
fn pictures(request: &RequestRecord, list: impl Into<Answer>, stream: impl Into<Answer>) -> Answer {
    match request.kind {
        RequestKind::List => list.into(),
        RequestKind::StreamingList => stream.into(),
        _ => Events::new().stall().into(),
    }
}

fn second() -> Duration {
    Duration::from_secs(1)
}

const SERVERS: &[(&str, Server)] = &[
    ("nobody listens", |_, _| Answer::refused()),
    ("429 without a time", |_, _| Status::new(429, "TooManyRequests", "slower").into()),
    ("429 with no time at all", |_, _| Status::too_many_requests(0).into()),
    ("any refusal", |_, number| {
        let codes = [400, 401, 403, 404, 405, 406, 409, 410, 415, 422, 429, 500, 502, 503, 504];
        Status::new(codes[usize::try_from(number).unwrap() % codes.len()], "", "no").into()
    }),
    ("410 for everything", |_, _| Status::expired().into()),
    ("too large for everything", |_, _| Status::version_too_large(10, 5).into()),
    ("bodies that are none", |_, _| Answer::raw(200, "text/html", "<html>")),
    ("nothing at all in the bodies", |_, _| Answer::raw(200, "application/json", "")),
    ("watches refused with 403", |request, number| watches(request, number, Status::forbidden("widgets"))),
    ("watches refused with 404", |request, number| watches(request, number, Status::unknown_resource())),
    ("watches refused with 410", |request, number| watches(request, number, Status::gone())),
    ("watches refused with 503", |request, number| watches(request, number, Status::unavailable())),
    ("watches that expire", |request, number| watches(request, number, Events::new().expired().close())),
    ("watches that expire at one version", |request, _| match is_list(request) {
        true => list().into(),
        false => Events::new().added(at("red/a", 5)).initial_events_end(10).expired().close().into(),
    }),
    ("watches of versions that are too large", |request, number| {
        watches(request, number, Events::new().error(&Status::version_too_large(10, 5)).close())
    }),
    ("watches with an error of its own", |request, number| {
        watches(request, number, Events::new().error(&Status::internal_error()).close())
    }),
    ("watches that throttle", |request, number| {
        watches(request, number, Events::new().error(&Status::too_many_requests(0)).close())
    }),
    ("watches that end at once", |request, number| watches(request, number, Events::new().close())),
    ("watches that are cut at once", |request, number| watches(request, number, Events::new().cut())),
    ("watches that are cut in the middle of a line", |request, number| {
        watches(request, number, Events::new().bytes("{\"type\":").cut())
    }),
    ("watches that end after a bookmark", |request, number| {
        watches(request, number, Events::new().bookmark(11 + number).close())
    }),
    ("watches that end after an event", |request, number| {
        watches(request, number, Events::new().modified(at("red/a", 11 + number)).close())
    }),
    ("watches that are cut after an event", |request, number| {
        watches(request, number, Events::new().modified(at("red/a", 11 + number)).cut())
    }),
    ("watches that end after a second", |request, number| {
        watches(request, number, Events::new().wait(second()).close())
    }),
    ("three short watches and one of a second", |request, number| {
        let event = at("red/a", 11 + number);
        watches(
            request,
            number,
            match number % 4 {
                0 => Events::new().modified(event).wait(second()).close(),
                _ => Events::new().modified(event).close(),
            },
        )
    }),
    ("short watches that end in all ways", |request, number| {
        let events = Events::new().modified(at("red/a", 11 + number));
        watches(
            request,
            number,
            match number % 5 {
                0 => events.close(),
                1 => events.cut(),
                2 => events.expired(),
                3 => events.line("{not json}").close(),
                _ => events.error(&Status::internal_error()).close(),
            },
        )
    }),
    ("watches of what is no event", |request, number| {
        watches(request, number, Events::new().line("{\"a\":1}").close())
    }),
    ("lists without a version", |request, number| match is_list(request) {
        true => Answer::json(&serde_json::json!({"kind": "WidgetList", "items": []})),
        false => Events::new().added(at("red/a", 5 + number)).close().into(),
    }),
    ("lists that go back", |request, number| match is_list(request) {
        true => Listing::at(1_000_000 - number).into(),
        false => Events::new().initial_events_end(1_000_000 - number).expired().close().into(),
    }),
    ("lists that are cut", |request, number| match is_list(request) {
        true => {
            Answer::raw(200, "application/json", "{\"items\":[{").ending_after_bytes(5, informer_test_server::End::Cut)
        }
        false => watches(request, number, Events::new().cut()),
    }),
    ("lists with an item that is none", |request, number| match is_list(request) {
        true => Answer::raw(200, "application/json", "{\"metadata\":{\"resourceVersion\":\"7\"},\"items\":[{x}]}"),
        false => watches(request, number, Events::new().line("{x}").close()),
    }),
    ("pages without an end and without objects", |request, number| {
        pictures(request, Listing::at(10).continue_token(&number.to_string()), Status::new(422, "Invalid", "no"))
    }),
    ("pages with one object each, without an end", |request, number| {
        let page = Listing::at(10).items([at(&format!("red/w{number}"), 5)]).continue_token(&number.to_string());
        pictures(request, page, Status::new(422, "Invalid", "no"))
    }),
    ("a page that follows itself", |request, _| {
        pictures(request, list().continue_token("again"), Status::new(422, "Invalid", "no"))
    }),
    ("pages that expire", |request, _| match request.continue_token() {
        Some(_) => Status::expired().into(),
        None => pictures(request, list().continue_token("gone"), Status::new(422, "Invalid", "no")),
    }),
    ("streams that end before their mark", |request, _| {
        pictures(request, Status::internal_error(), Events::new().added(at("red/a", 5)).close())
    }),
    ("streams that are cut before their mark", |request, _| {
        pictures(request, Status::internal_error(), Events::new().added(at("red/a", 5)).cut())
    }),
    ("streams that end behind their mark", |request, number| match is_list(request) {
        true => list().into(),
        false => marked(number).close().into(),
    }),
    ("streams that expire behind their mark", |request, number| match is_list(request) {
        true => list().into(),
        false => marked(number).expired().close().into(),
    }),
];

async fn no_storm(name: &str, answer: Server, streaming: bool) {
    let server = TestServer::new([&WIDGETS]);
    server.create(&WIDGETS, widget("red", "a")).unwrap();
    let number = std::sync::atomic::AtomicU64::new(0);
    let answered =
        move |request: &RequestRecord| answer(request, number.fetch_add(1, std::sync::atomic::Ordering::Relaxed));
    server.script(Script::new().rule(Rule::any().answered_by(answered)));
    let running =
        Running::with(&server, |builder| builder.reflector_options(|options| options.streaming_list = streaming));
    tokio::time::sleep(Duration::from_secs(60 * MINUTES)).await;
    let requests = server.requests();
    let times: Vec<Duration> = requests.iter().map(|request| request.at).collect();
    for seconds in [5, 60, 60 * MINUTES] {
        let most = FEW + usize::try_from(seconds).unwrap();
        let burst = times.windows(most + 1).find(|times| times[most] - times[0] < Duration::from_secs(seconds));
        assert_eq!(burst, None, "{name}, streaming {streaming}: more than {most} requests in {seconds} s");
    }
    // When the server is well, so is the informer, without a restart. An hour: its versions may have been ahead.
    server.clear_script();
    let hour = Duration::from_secs(3_600);
    let well = async {
        while running.cache() != ["red/a@2"] || server.open_watches() != 1 {
            tokio::time::sleep(second()).await;
        }
    };
    let recovered = tokio::time::timeout(hour, well).await;
    let (cache, errors) = (running.cache(), running.errors.texts());
    assert!(recovered.is_ok(), "{name}, streaming {streaming}: {cache:?}, last {:?}", errors.last());
    running.informer.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn b05_w7_w10_no_server_causes_a_storm_with_plain_lists() {
    for (name, answer) in SERVERS {
        no_storm(name, *answer, false).await;
    }
}

#[tokio::test(start_paused = true)]
async fn b05_w7_w9_no_server_causes_a_storm_with_streaming_lists() {
    for (name, answer) in SERVERS {
        no_storm(name, *answer, true).await;
    }
}

/// The bound is a choice.
#[tokio::test(start_paused = true)]
async fn the_bound_can_be_set() {
    let server = TestServer::new([&WIDGETS]);
    let end = |request: &RequestRecord| watches(request, 0, Events::new().wait(second()).close());
    server.script(Script::new().rule(Rule::any().answered_by(end)));
    let _running = Running::with(&server, |builder| {
        builder.reflector_options(|options| {
            options.streaming_list = false;
            options.request_interval = Duration::from_secs(10);
        })
    });
    tokio::time::sleep(Duration::from_secs(1_000)).await;
    let asked = server.requests().len();
    // And a question now and then, since nothing comes.
    assert!((100..=FEW + 101 + 1_000 / 150).contains(&asked), "{asked}");
}
