//! Code of the user's that panics: told of, and nothing else suffers.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures::future::BoxFuture;
use informer_runtime::{Cached, EventHandlerFuncs, FilteringEventHandler, HandlerOptions, SharedInformer};
use informer_test_server::TestServer;
use informer_tests::{Errors, Recorder, Running, WIDGETS, Widget, settled, sized, widget};

/// B18.
#[tokio::test(start_paused = true)]
async fn b18_s10_a_panic_in_a_handler_is_reported_and_the_next_change_is_told() {
    let server = TestServer::new([&WIDGETS]);
    server.create(&WIDGETS, widget("red", "b")).unwrap();
    let errors = Errors::new();
    let informer = SharedInformer::<Widget>::builder(server.client()).on_error(errors.hook()).build();
    let (heard, quiet) = (Recorder::new(), Recorder::new());
    let panicking = {
        let heard = heard.clone();
        move |object: &Cached<Widget>, initial| {
            assert!(object.name() != "b", "the handler does not like b");
            informer_runtime::EventHandler::on_add(&heard, object, initial);
        }
    };
    let options = HandlerOptions::new().name("picky");
    let picky = informer.add_event_handler_with(options, EventHandlerFuncs::new().on_add(panicking)).unwrap();
    informer.add_event_handler(quiet.clone()).unwrap();
    let stop = informer_runtime::CancellationToken::new();
    informer.start(&stop);
    // An initial object that panicked was told all the same.
    assert!(picky.synced().await);
    server.create(&WIDGETS, widget("red", "a")).unwrap();
    server.apply(&WIDGETS, sized("red", "b", 1)).unwrap();
    server.create(&WIDGETS, widget("red", "c")).unwrap();
    heard.until(2).await;
    quiet.until(4).await;
    assert_eq!(heard.told(), ["+red/a@3", "+red/c@5"]);
    let told = errors.all();
    assert_eq!(errors.texts(), ["the event handler picky panicked at red/b"]);
    assert!(told[0].is_handler_panic());
    assert_eq!(informer.lister().list(&informer_runtime::Selector::everything()).len(), 3);
    informer.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn b18_a_panic_in_a_filter_is_a_panic_of_its_handler() {
    let server = TestServer::new([&WIDGETS]);
    for name in ["a", "b", "c"] {
        server.create(&WIDGETS, widget("red", name)).unwrap();
    }
    let running = Running::streaming(&server);
    let recorder = Recorder::new();
    let filter = |object: &Cached<Widget>| {
        assert!(object.name() != "b", "the filter does not like b");
        true
    };
    let filtering = FilteringEventHandler::new(filter, recorder.clone());
    let registration = running.informer.add_event_handler(filtering).unwrap();
    assert!(registration.synced().await);
    assert_eq!(recorder.told(), ["+red/a@2!", "+red/c@4!"]);
    assert_eq!(running.errors.all().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_panic_in_an_error_hook_ends_nothing() {
    let server = TestServer::new([&WIDGETS]);
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = calls.clone();
    let running = Running::with(&server, |builder| {
        builder.on_error(move |_, _| {
            counted.fetch_add(1, Ordering::SeqCst);
            panic!("the hook fails");
        })
    });
    running.synced().await;
    // Of a handler's task, of the reflector's.
    let panicking = EventHandlerFuncs::new().on_add(|_, _| panic!("the handler fails"));
    running.informer.add_event_handler(panicking).unwrap();
    server.create(&WIDGETS, widget("red", "a")).unwrap();
    settled().await;
    server.cut_watches();
    running.errors.until(2).await;
    server.create(&WIDGETS, widget("red", "b")).unwrap();
    running.recorder.until(2).await;
    assert_eq!(calls.load(Ordering::SeqCst), running.errors.all().len());
    running.informer.shutdown().await;
}

/// Nobody can go on without its transport. Then the informer has stopped, and says so.
#[tokio::test(start_paused = true)]
async fn a_transport_that_panics_ends_the_informer_for_all_to_see() {
    struct Broken;
    impl informer_runtime::Transport for Broken {
        fn send(
            &self,
            _: http::Request<()>,
        ) -> BoxFuture<'static, Result<informer_runtime::TransportResponse, informer_runtime::TransportError>> {
            panic!("the transport fails")
        }
    }
    let informer = SharedInformer::<Widget>::builder(Broken).build();
    let registration = informer.add_event_handler(Recorder::new()).unwrap();
    let stop = informer_runtime::CancellationToken::new();
    informer.start(&stop);
    let error = informer.wait_for_cache_sync(&stop).await.unwrap_err();
    assert!(error.not_synced().next().unwrap().1.unwrap().is_stopped(), "{error}");
    assert!(informer.is_stopped() && !registration.synced().await);
    assert!(informer.add_event_handler(Recorder::new()).unwrap_err().is_stopped());
    informer.shutdown().await;
}
