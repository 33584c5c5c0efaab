//! Readers: by key, by namespace and labels, in order, and never in anybody's way.

use informer_runtime::{ObjectKey, Selector, SharedInformer};
use informer_test_server::TestServer;
use informer_tests::{Running, WIDGETS, ZONES, Zone, settled, widget};
use serde_json::json;

async fn filled() -> (TestServer, Running) {
    let server = TestServer::new([&WIDGETS]);
    for (namespace, name, tier) in [
        ("red", "b", "web"),
        ("blue", "z", "web"),
        ("red", "a", "db"),
        ("red-green", "a", "web"),
        ("red", "B", "db"),
        ("blue", "a", "db"),
    ] {
        let metadata = json!({"namespace": namespace, "name": name, "labels": {"tier": tier}});
        server.create(&WIDGETS, json!({"metadata": metadata})).unwrap();
    }
    let running = Running::streaming(&server);
    running.synced().await;
    (server, running)
}

#[tokio::test(start_paused = true)]
async fn s19_lists_are_in_the_order_of_namespace_and_name() {
    let (_server, running) = filled().await;
    let all: Vec<String> = running.informer.store().list_keys().iter().map(ToString::to_string).collect();
    let expected = ["blue/a", "blue/z", "red/B", "red/a", "red/b", "red-green/a"];
    assert_eq!(all, expected);
    let lister = running.informer.lister();
    let keys = |objects: Vec<informer_runtime::Cached<informer_tests::Widget>>| -> Vec<String> {
        objects.iter().map(|object| object.key().to_string()).collect()
    };
    assert_eq!(keys(lister.list(&Selector::everything())), expected);
    assert_eq!(keys(running.informer.store().list()), expected);
    assert_eq!(keys(lister.by_namespace("red").list(&Selector::everything())), expected[2..5]);
    assert_eq!(keys(lister.by_namespace("").list(&Selector::everything())), expected, "empty: all, as in client-go");
    assert_eq!(keys(lister.by_namespace("gre").list(&Selector::everything())), Vec::<String>::new());
    assert_eq!(lister.by_namespace("red").namespace(), "red");
    assert_eq!(running.informer.store().len(), 6);
}

#[tokio::test(start_paused = true)]
async fn s19_selectors_choose() {
    let (_server, running) = filled().await;
    let lister = running.informer.lister();
    for (selector, in_all, in_red) in [
        ("tier=web", 3, 1),
        ("tier in (web, db)", 6, 3),
        ("tier!=web", 3, 2),
        ("!tier", 0, 0),
        ("other!=x", 6, 3),
        ("", 6, 3),
    ] {
        let selector: Selector = selector.parse().unwrap();
        assert_eq!(lister.list(&selector).len(), in_all, "{selector}");
        assert_eq!(lister.by_namespace("red").list(&selector).len(), in_red, "{selector}");
    }
    assert!(lister.list(&Selector::nothing()).is_empty());
    assert_eq!(lister.list(&Selector::from_set([("tier", "db")])).len(), 3);
}

#[tokio::test(start_paused = true)]
async fn s19_what_is_not_there_is_not_found_by_its_plural() {
    let (_server, running) = filled().await;
    let lister = running.informer.lister();
    assert_eq!(lister.get("red", "a").unwrap().key(), ObjectKey::new("red", "a"));
    assert_eq!(lister.by_namespace("blue").get("z").unwrap().name(), "z");
    for error in [lister.get("red", "none").unwrap_err(), lister.by_namespace("red").get("none").unwrap_err()] {
        assert!(error.is_not_found() && error.code().is_none());
        assert_eq!(error.to_string(), "widgets.shop.example.test \"red/none\" not found");
    }
    assert!(lister.get("", "a").is_err() && lister.get("re", "a").is_err() && lister.get("red", "").is_err());
    let store = running.informer.store();
    assert!(store.get_by_key(&"red/a".parse().unwrap()).is_some());
    assert!(store.get_by_key(&"a".parse().unwrap()).is_none());
}

#[tokio::test(start_paused = true)]
async fn cluster_scoped_objects_are_found_by_their_name() {
    let server = TestServer::new([&ZONES]);
    server.create(&ZONES, json!({"metadata": {"name": "z1"}})).unwrap();
    let informer = SharedInformer::<Zone>::builder(server.client()).namespace("ignored").build();
    let stop = informer_runtime::CancellationToken::new();
    informer.start(&stop);
    informer.wait_for_cache_sync(&stop).await.unwrap();
    let zone = informer.lister().get("", "z1").unwrap();
    assert_eq!((zone.namespace(), zone.key().to_string().as_str()), (None, "z1"));
    assert_eq!(informer.lister().get("", "z2").unwrap_err().to_string(), "zones.shop.example.test \"z2\" not found");
    assert_eq!(server.requests()[0].path, "/apis/shop.example.test/v1/zones");
    informer.shutdown().await;
}

/// A reader's list is one moment of the cache, whatever comes after; so is every object (B28).
#[tokio::test(start_paused = true)]
async fn b28_what_was_read_stays_what_it_was() {
    let (server, running) = filled().await;
    let lister = running.informer.lister();
    let before = lister.list(&Selector::everything());
    for object in &before {
        server.delete(&WIDGETS, object.namespace().unwrap(), object.name()).unwrap();
    }
    server.create(&WIDGETS, widget("red", "new")).unwrap();
    running.recorder.until(13).await;
    assert_eq!(before.len(), 6);
    assert_eq!(before[0].get().unwrap().metadata.name.as_deref(), Some("a"));
    assert_eq!(lister.list(&Selector::everything()).len(), 1);
    // A private copy of a decoded value is private.
    let shared = lister.get("red", "new").unwrap().get().unwrap();
    let mut copy = (*shared).clone();
    copy.spec.size = 99;
    assert_eq!(lister.get("red", "new").unwrap().get().unwrap().spec.size, 0);
}

#[tokio::test(start_paused = true)]
async fn a_reader_of_a_stopped_informer_reads_the_last_state() {
    let (_server, running) = filled().await;
    let lister = running.informer.lister();
    running.informer.shutdown().await;
    settled().await;
    assert_eq!(lister.list(&Selector::everything()).len(), 6);
}
