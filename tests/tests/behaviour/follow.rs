//! The plain case: a first list, then every change.

use informer_runtime::{CancellationToken, Selector, SharedInformer};
use informer_test_server::TestServer;
use informer_tests::{Recorder, WIDGETS, Widget, sized, widget};

#[tokio::test(start_paused = true)]
async fn the_cache_follows_the_server_and_the_handler_hears_of_it() {
    let server = TestServer::new([&WIDGETS]);
    server.create(&WIDGETS, widget("red", "a")).unwrap();
    server.create(&WIDGETS, widget("blue", "b")).unwrap();
    let informer = SharedInformer::<Widget>::builder(server.client()).build();
    let recorder = Recorder::new();
    let registration = informer.add_event_handler(recorder.clone()).unwrap();
    let stop = CancellationToken::new();
    informer.start(&stop);
    informer.wait_for_cache_sync(&stop).await.unwrap();
    assert!(registration.synced().await);
    assert_eq!(recorder.told(), ["+blue/b@3!", "+red/a@2!"]);

    server.create(&WIDGETS, widget("red", "c")).unwrap();
    server.apply(&WIDGETS, sized("red", "a", 7)).unwrap();
    server.delete(&WIDGETS, "blue", "b").unwrap();
    assert_eq!(recorder.until(5).await[2..], ["+red/c@4", "~red/a@2->5", "-blue/b@6"]);

    let a = informer.lister().by_namespace("red").get("a").unwrap();
    assert_eq!(a.get().unwrap().spec.size, 7);
    assert_eq!(a.raw(), serde_json::to_string(&server.get(&WIDGETS, "red", "a").unwrap()).unwrap());
    let selected = informer.lister().list(&"app=c".parse::<Selector>().unwrap());
    assert_eq!(selected.iter().map(|widget| widget.name()).collect::<Vec<_>>(), ["c"]);
    let missing = informer.lister().get("blue", "b").unwrap_err();
    assert!(missing.is_not_found());
    assert_eq!(missing.to_string(), r#"widgets.shop.example.test "blue/b" not found"#);
    assert_eq!(informer.last_sync_resource_version(), "6");
    assert_eq!((server.lists().len(), server.watches().len()), (0, 1));

    informer.shutdown().await;
    assert!(informer.is_stopped());
    assert_eq!(server.open_watches(), 0);
}
