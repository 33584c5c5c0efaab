//! The same over sockets: with our own client, and with kube's default one, which repeats what was answered by 429, 503
//! or 504 and tells nobody. Real time, and no times are asserted.

use std::time::Duration;

use informer_runtime::{CancellationToken, SharedInformer, wait_for_cache_sync};
use informer_test_server::{Answer, Events, Listing, Loopback, RequestRecord, Rule, Script, Status, TestServer};
use informer_tests::{Errors, Recorder, Running, WIDGETS, Widget, at, widget};

/// Who repeats a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Client {
    /// `informer_runtime::client`: the informer, which reports it.
    Ours,
    /// `kube::Client::try_from`: the client, up to 15 times, unseen.
    Kubes,
}

const BOTH: [Client; 2] = [Client::Ours, Client::Kubes];

impl Client {
    fn connect(self, loopback: &Loopback) -> kube::Client {
        let config = kube::Config::new(format!("http://{}", loopback.address()).parse().unwrap());
        match self {
            Self::Ours => informer_runtime::client(config).unwrap(),
            Self::Kubes => kube::Client::try_from(config).unwrap(),
        }
    }

    async fn run(self, server: &TestServer) -> (Running, Loopback) {
        let loopback = server.listen().await.unwrap();
        let (errors, recorder) = (Errors::new(), Recorder::new());
        let builder = SharedInformer::<Widget>::builder(self.connect(&loopback)).on_error(errors.hook());
        let informer = builder
            .reflector_options(|options| {
                options.streaming_list = false;
                options.request_interval = Duration::from_millis(5);
                options.backoff.initial = Duration::from_millis(5);
                options.backoff.cap = Duration::from_millis(20);
            })
            .build();
        let registration = informer.add_event_handler(recorder.clone()).unwrap();
        let stop = CancellationToken::new();
        informer.start(&stop);
        (Running { informer, recorder, errors, registration, stop }, loopback)
    }
}

/// B03. kube's client keeps asking for the impossible version until the server has reached it, or until it has lost its
/// patience, which takes it minutes; ours is told at once, and asks for the newest.
#[tokio::test]
async fn b03_a_version_that_is_too_large() {
    for client in BOTH {
        let server = TestServer::new([&WIDGETS]);
        let known = |request: &RequestRecord| request.resource_version() == Some("1000");
        let too_large = Status::new(504, "Timeout", "Timeout: Too large resource version: 1000, current: 50")
            .with_cause("ResourceVersionTooLarge", "Too large resource version", None);
        let script = Script::new()
            .list(1, Listing::at(1000).items([at("red/a", 900)]))
            .rule(Rule::list().when(known).nth(1..=3).answer(too_large))
            .rule(Rule::list().when(known).answer(Listing::at(1002).items([at("red/a", 1001)])))
            .list(.., Listing::at(50).items([at("red/a", 40)]))
            .watch(1, Events::new().expired().close());
        server.script(script);
        let (running, _loopback) = client.run(&server).await;
        let told = running.recorder.until(2).await;
        let asked = server.lists().iter().filter(|list| known(list)).count();
        let reported = running.errors.all().iter().filter(|error| error.is_too_large_resource_version()).count();
        match client {
            Client::Ours => assert_eq!((&*told[1], asked, reported), ("~red/a@900->40", 1, 2), "refused, then taken"),
            Client::Kubes => assert_eq!((&*told[1], asked, reported), ("~red/a@900->1001", 4, 0)),
        }
        running.informer.shutdown().await;
    }
}

/// B05 b and c: watches that end at once are the same to both; of watches that are refused only ours hears.
#[tokio::test]
async fn b05_watches_that_come_to_nothing() {
    for client in BOTH {
        let server = TestServer::new([&WIDGETS]);
        server.script(
            Script::new()
                .list(.., Listing::at(10))
                .watch(1..=20, Events::new().close())
                .watch(21..=25, Status::unavailable())
                .watch(26, Events::new().added(at("red/a", 11))),
        );
        let (running, _loopback) = client.run(&server).await;
        running.recorder.until(1).await;
        assert_eq!((server.lists().len(), server.watches().len()), (1, 26), "{client:?}");
        let refused = running.errors.all().iter().filter(|error| error.code() == Some(503)).count();
        let stats = running.informer.stats();
        match client {
            Client::Ours => assert_eq!((refused, stats.watches), (5, 26)),
            Client::Kubes => assert_eq!((refused, stats.watches), (0, 21), "five requests that no informer made"),
        }
        assert_eq!(stats.short_watches, 20);
        running.informer.shutdown().await;
    }
}

/// B09: each failure is one error with what it says, but for the 429 that kube's client keeps to itself.
#[tokio::test]
async fn b09_error_bodies() {
    for client in BOTH {
        let server = TestServer::new([&WIDGETS]);
        let indented = serde_json::to_string_pretty(&Status::new(429, "TooManyRequests", "slower").to_json()).unwrap();
        let bare = Status::forbidden("widgets").to_json().to_string();
        server.script(
            Script::new()
                .list(.., Listing::at(10))
                .watch(1, Answer::raw(429, "application/json", indented))
                .watch(2, Events::new().error(&Status::internal_error()).close())
                .watch(3, Events::new().line(&bare).close())
                .watch(4, Events::new().added(at("red/a", 11))),
        );
        let (running, _loopback) = client.run(&server).await;
        assert_eq!(running.recorder.until(1).await, ["+red/a@11"]);
        let codes: Vec<Option<u16>> = running.errors.all().iter().map(informer_runtime::Error::code).collect();
        match client {
            Client::Ours => assert_eq!(codes, [Some(429), Some(500), Some(403)]),
            Client::Kubes => assert_eq!(codes, [Some(500), Some(403)]),
        }
        assert_eq!(server.watches().len(), 4);
        running.informer.shutdown().await;
    }
}

/// B22: a list that is forbidden is the same to both: the reason is there, and it needs no restart.
#[tokio::test]
async fn b22_a_forbidden_list() {
    for client in BOTH {
        let server = TestServer::new([&WIDGETS]);
        server.create(&WIDGETS, widget("red", "a")).unwrap();
        server.script(Script::new().list(.., Status::forbidden("widgets")));
        let (running, _loopback) = client.run(&server).await;
        running.errors.until(3).await;
        let cancelled = CancellationToken::new();
        cancelled.cancel();
        let error = wait_for_cache_sync(&cancelled, [&running.informer]).await.unwrap_err();
        let (name, reason) = error.not_synced().next().unwrap();
        assert!(name.contains("widgets"), "{name}");
        assert!(reason.unwrap().is_forbidden(), "{client:?}: {error}");
        server.clear_script();
        running.synced().await;
        assert_eq!(running.cache(), ["red/a@2"]);
        running.informer.shutdown().await;
    }
}
