//! What an informer counts.

use std::time::Duration;

use informer_test_server::{Answer, Events, Listing, Script, Status, TestServer};
use informer_tests::{Running, WIDGETS, at, settled, widget};

fn impatient(server: &TestServer, streaming: bool) -> Running {
    Running::with(server, |builder| {
        builder.reflector_options(|options| {
            options.streaming_list = streaming;
            options.min_watch_timeout = Duration::from_secs(5);
            options.watch_grace = Duration::from_secs(2);
            options.response_timeout = Duration::from_secs(3);
        })
    })
}

/// B04: every way in which a connection can be dead is found within its bound, counted, and replaced.
#[tokio::test(start_paused = true)]
async fn b04_w22_dead_connections_are_counted() {
    let server = TestServer::new([&WIDGETS]);
    let refusal = Answer::from(Status::unavailable()).ending_after_events(0, informer_test_server::End::Stall);
    let half = Answer::state().in_pieces([10]).ending_after_events(1, informer_test_server::End::Stall);
    server.script(
        Script::new()
            .list(1, Answer::never())
            .list(2, half)
            .list(3, refusal)
            .list(4, Listing::at(10))
            .watch(1, Answer::never())
            .watch(2, Events::new().added(at("red/a", 11)).stall())
            .watch(3, Events::new().added(at("red/b", 12))),
    );
    let running = impatient(&server, false);
    running.recorder.until(2).await;
    let stats = running.informer.stats();
    assert_eq!(stats.dead_connections, 5, "{stats:?}");
    assert_eq!((stats.lists, stats.watches, stats.relists), (4, 3, 0));
    assert_eq!(running.informer.last_error().map(|error| error.to_string()), None, "all is well");
    assert!(server.requests().last().unwrap().at < Duration::from_secs(60));
}

/// A body that comes a byte at a time comes as little as one that does not come.
#[tokio::test(start_paused = true)]
async fn b04_a_list_that_trickles_is_a_dead_connection() {
    let server = TestServer::new([&WIDGETS]);
    server.create(&WIDGETS, widget("red", "a")).unwrap();
    server.script(Script::new().list(1, Answer::state().in_pieces([1]).paced(Duration::from_secs(2))));
    let running = impatient(&server, false);
    running.synced().await;
    assert_eq!(running.errors.texts(), ["the rest of a list did not come within 3s"]);
    assert_eq!(running.informer.stats().dead_connections, 1);
}

#[tokio::test(start_paused = true)]
async fn w22_all_that_happens_is_counted() {
    let server = TestServer::new([&WIDGETS]);
    let mut nameless = at("red/x", 13);
    nameless["metadata"]["name"] = "".into();
    server.script(
        Script::new()
            .watch(1, Events::new().added(at("red/a", 5)).initial_events_end(10).wait(Duration::from_secs(2)).close())
            .watch(2, Events::new().added(at("red/b", 11)).bookmark(12).added(nameless).close())
            .watch(3, Events::new().line("{not json}").close())
            .watch(4, Events::new().expired().close())
            .watch(5, Status::new(422, "Invalid", "no streams"))
            .list(1, Listing::at(20).items([at("red/a", 5)]).continue_token("next"))
            .list(2, Listing::at(20).items([at("red/b", 11)]))
            .watch(6, Events::new().modified(at("red/a", 21)).deleted(at("red/b", 22))),
    );
    let running = Running::streaming(&server);
    let registration = running.informer.add_event_handler(Panics).unwrap();
    running.recorder.until(4).await;
    settled().await;
    let stats = running.informer.stats();
    assert_eq!((stats.streaming_lists, stats.lists, stats.pages, stats.relists), (2, 1, 2, 2), "{stats:?}");
    assert_eq!((stats.watches, stats.short_watches), (4, 3));
    assert_eq!((stats.events, stats.bookmarks, stats.odd_objects, stats.garbage), (3, 1, 1, 2), "{stats:?}");
    assert_eq!(stats.errors, u64::try_from(running.errors.all().len()).unwrap());
    assert_eq!(stats.handler_panics, 1);
    assert_eq!((stats.handlers, stats.objects, stats.backlog, stats.queue), (2, 1, 0, 0));
    assert_eq!(stats.resource_version, "22");
    assert_eq!(stats.went_back + stats.questions + stats.dead_connections, 0);
    registration.remove().await;
    assert_eq!(running.informer.stats().handlers, 1);
}

/// Panics at the deletion.
#[derive(Debug)]
struct Panics;

impl<K: 'static> informer_runtime::EventHandler<K> for Panics {
    fn on_delete(&self, _: &informer_runtime::Deleted<K>) {
        panic!("on purpose");
    }
}

/// Of 14 handlers' errors none is why a cache is not filled.
#[tokio::test(start_paused = true)]
async fn b22_the_last_error_is_of_the_server() {
    let server = TestServer::new([&WIDGETS]);
    server.script(
        Script::new()
            .list(1, Listing::at(10).items([at("red/a", 5)]))
            .watch(1, Events::new().deleted(at("red/a", 11)))
            .watch(2, Status::forbidden("widgets")),
    );
    let running = Running::plain(&server);
    running.informer.add_event_handler(Panics).unwrap();
    running.errors.until(1).await;
    assert!(running.errors.all()[0].is_handler_panic());
    assert!(running.informer.last_error().is_none());
    server.close_watches();
    server.cut_watches();
    assert!(running.informer.last_error().is_none());
}
