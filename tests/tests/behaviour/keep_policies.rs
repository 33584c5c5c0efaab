//! How long decoded values are kept: as far as a budget allows, or for every object; and what is counted.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use informer_runtime::{CancellationToken, DynamicObject, IndexFunc, SharedInformerFactory};
use informer_test_server::{Events, Listing, Script, TestServer};
use informer_tests::{Log, Running, WIDGETS, Widget, at, settled, sized};
use serde::{Deserialize, Deserializer};
use serde_json::json;

static MADE: AtomicUsize = AtomicUsize::new(0);

fn counted<'de, D: Deserializer<'de>>(input: D) -> Result<u32, D::Error> {
    MADE.fetch_add(1, Ordering::Relaxed);
    u32::deserialize(input)
}

#[derive(Debug, Deserialize)]
struct Counted {
    spec: CountedSpec,
}

#[derive(Debug, Deserialize)]
struct CountedSpec {
    #[serde(deserialize_with = "counted")]
    size: u32,
}

#[derive(Debug, Deserialize, PartialEq)]
struct Small {
    spec: SmallSpec,
}

#[derive(Debug, Deserialize, PartialEq)]
struct SmallSpec {
    size: u32,
}

#[tokio::test(start_paused = true)]
async fn a_projection_is_made_once_for_each_change_before_anybody_hears_of_it() {
    let server = TestServer::new([&WIDGETS]);
    server.script(
        Script::new()
            .list(1, Listing::at(10).items([at("blue/a", 5), at("red/b", 6), at("red/c", 7)]))
            .watch(1, Events::new().modified(at("red/b", 11)).deleted(at("red/c", 12)).expired())
            // A list that repeats what is known, with one new object.
            .list(2, Listing::at(20).items([at("blue/a", 5), at("red/b", 11), at("red/d", 15)])),
    );
    let running = Running::with(&server, |builder| {
        builder.project::<Counted>().reflector_options(|options| options.streaming_list = false)
    });
    running.recorder.until(6).await;
    settled().await;
    let indexer = running.informer.indexer();
    let projections = indexer.projections::<Counted>().unwrap();
    let seen: Vec<_> = projections.iter().map(|found| (found.key().to_string(), found.spec.size)).collect();
    let expected = [("blue/a", 5), ("red/b", 11), ("red/d", 15)].map(|(key, size)| (key.to_owned(), size));
    assert_eq!(seen, expected);
    assert_eq!(MADE.load(Ordering::Relaxed), 5, "three, one change, one new; none for the delete, none again");
    let red: Vec<_> = projections.in_namespace("red").map(|found| found.name().to_owned()).collect();
    assert_eq!(red, ["b", "d"]);
    let b = projections.get("red", "b").unwrap().unwrap();
    assert_eq!((b.value().spec.size, b.namespace(), b.resource_version()), (11, Some("red"), "11"));
    assert!(projections.get("red", "x").unwrap().is_none());
    // The same value, not another of it.
    let shared = running.informer.lister().get("red", "b").unwrap().get_as::<Counted>().unwrap();
    assert!(std::ptr::eq(&*shared, projections.get("red", "b").unwrap().unwrap().value()));
    assert_eq!(MADE.load(Ordering::Relaxed), 5);
    assert!(!format!("{projections:?} {b:?}").contains("size"), "never the value");

    let error = indexer.projections::<Small>().unwrap_err().to_string();
    assert!(error.contains("Small") && error.contains("widgets.v1.shop.example.test"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn what_holds_a_moment_of_projections_keeps_it() {
    let server = TestServer::new([&WIDGETS]);
    server.create(&WIDGETS, sized("red", "a", 1)).unwrap();
    let running = Running::with(&server, |builder| builder.project::<Small>());
    running.synced().await;
    let before = running.informer.indexer().projections::<Small>().unwrap();
    server.apply(&WIDGETS, sized("red", "a", 2)).unwrap();
    running.recorder.until(2).await;
    server.delete(&WIDGETS, "red", "a").unwrap();
    running.recorder.until(3).await;
    assert_eq!(before.iter().map(|found| found.spec.size).collect::<Vec<_>>(), [1]);
    assert!(running.informer.indexer().projections::<Small>().unwrap().is_empty());
}

#[tokio::test(start_paused = true)]
async fn every_object_stays_decoded_whatever_the_budget() {
    let server = TestServer::new([&WIDGETS]);
    for name in ["a", "b", "c"] {
        server.create(&WIDGETS, sized("red", name, 1)).unwrap();
    }
    let running = Running::with(&server, |builder| builder.decoded::<Widget>().decoded_budget(0));
    running.synced().await;
    let made = running.informer.decode_stats().misses;
    assert_eq!(made, 3, "made with the list, before anybody asked");
    let list = || running.informer.store().list();
    let (first, second): (Vec<_>, Vec<_>) =
        (0..3).map(|n| (list()[n].get().unwrap(), list()[n].get().unwrap())).unzip();
    assert!(first.iter().zip(&second).all(|(one, other)| Arc::ptr_eq(one, other)));
    let stats = running.informer.decode_stats();
    assert_eq!((stats.misses, stats.hits, stats.repeated), (3, 6, 0));
    // Of that type only.
    let dynamic = running.informer.cast::<DynamicObject>().store().list();
    assert!(!Arc::ptr_eq(&dynamic[0].get().unwrap(), &dynamic[0].get().unwrap()));
    assert_eq!(running.informer.decode_stats().repeated, 1);
}

#[tokio::test(start_paused = true)]
async fn what_does_not_decode_is_counted_once_and_harms_nobody() {
    let server = TestServer::new([&WIDGETS]);
    server.create(&WIDGETS, sized("red", "a", 1)).unwrap();
    server.create(&WIDGETS, json!({"metadata": {"namespace": "red", "name": "odd"}, "spec": {"size": "x"}})).unwrap();
    let running = Running::with(&server, |builder| builder.project::<Small>());
    running.informer.add_index("size", IndexFunc::on_object(|small: &Small| [small.spec.size.to_string()])).unwrap();
    running.synced().await;
    assert_eq!(running.recorder.told().len(), 2);
    let projections = running.informer.indexer().projections::<Small>().unwrap();
    assert_eq!((projections.iter().count(), projections.len()), (1, 2));
    let errors: Vec<_> = projections.errors().map(ToString::to_string).collect();
    assert_eq!(errors, ["red/odd does not decode at spec.size: wrong type, expected u32"]);
    assert!(projections.get("red", "odd").is_err());
    assert_eq!(running.informer.decode_stats().failures, 1);
    assert_eq!(running.informer.indexer().by_index("size", "1").unwrap().len(), 1, "indexes read it too");

    // Asked for as another type, each time counts.
    let odd = running.informer.lister().get("red", "odd").unwrap();
    assert!(odd.get().is_err() && odd.get().is_err());
    assert_eq!(running.informer.decode_stats().failures, 3);
}

#[tokio::test(start_paused = true)]
async fn other_policies_for_one_informer_are_an_error() {
    let server = TestServer::new([&WIDGETS]);
    let factory = SharedInformerFactory::new(server.client(), std::time::Duration::ZERO);
    let first = factory.informer_for_with::<Widget>(|builder| builder.project::<Small>()).unwrap();
    let _ = factory.informer_for_with::<Widget>(|builder| builder.project::<Small>()).unwrap();
    let error = factory.informer_for_with::<Widget>(|builder| builder).unwrap_err();
    assert!(error.to_string().ends_with("with other types that are kept decoded"), "{error}");
    let error = factory.dynamic(&WIDGETS).informer_with(|builder| builder.decoded::<DynamicObject>()).unwrap_err();
    assert!(error.to_string().ends_with("with other types that are kept decoded"), "{error}");
    let plain = factory.informer_for::<Widget>(); // who has no wish takes what is there
    let stop = CancellationToken::new();
    factory.start(&stop);
    factory.wait_for_cache_sync(&stop).await.unwrap();
    assert!(plain.indexer().projections::<Small>().is_ok() && first.has_synced());
    assert_eq!(server.open_watches(), 1);
    factory.shutdown().await;
}

/// One warning, that names the remedy, and only when objects are decoded again and again.
#[tokio::test(start_paused = true)]
async fn sustained_misses_are_a_warning() {
    let log = Log::new();
    let _guard = tracing::subscriber::set_default(log.clone());
    let server = TestServer::new([&WIDGETS]);
    server.script(Script::new().list(1, Listing::at(1_000).items((1..=200).map(|n| at(&format!("red/w{n}"), n)))));
    let running = Running::with(&server, |builder| {
        builder.decoded_budget(1_000).reflector_options(|options| options.streaming_list = false)
    });
    running.synced().await;
    let scan = || running.informer.store().list().iter().filter(|object| object.get().is_ok()).count();
    let warnings = || log.text().matches("decoded again and again").count();
    for _ in 0..40 {
        assert_eq!(scan(), 200);
    }
    assert_eq!(warnings(), 0, "not at once");
    for _ in 0..40 {
        scan();
    }
    let stats = running.informer.decode_stats();
    assert!(stats.repeated > 10_000 && stats.repeated < stats.misses, "{stats:?}");
    assert_eq!(warnings(), 1);
    let log = log.text();
    let warning = log.lines().find(|line| line.contains("decoded again and again")).unwrap();
    for part in ["WARN", "widgets.v1.shop.example.test", "Widget", "decoded_budget", "project"] {
        assert!(warning.contains(part), "{part}: {warning}");
    }
}

#[derive(Debug)]
struct Touchy;

impl<'de> Deserialize<'de> for Touchy {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        let value = serde_json::Value::deserialize(input)?;
        assert!(value["spec"]["size"] != json!(13), "on purpose");
        Ok(Self)
    }
}

#[tokio::test(start_paused = true)]
async fn a_deserialize_that_panics_does_not_end_the_informer() {
    let server = TestServer::new([&WIDGETS]);
    for (name, size) in [("a", 1), ("unlucky", 13)] {
        server.create(&WIDGETS, sized("red", name, size)).unwrap();
    }
    let running = Running::with(&server, |builder| builder.project::<Touchy>());
    running.synced().await;
    server.apply(&WIDGETS, sized("red", "a", 13)).unwrap();
    running.recorder.until(3).await;
    let errors = |running: &Running| {
        let projections = running.informer.indexer().projections::<Touchy>().unwrap();
        projections.errors().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(
        errors(&running),
        ["a", "unlucky"].map(|name| format!("red/{name} does not decode at .: the type's Deserialize panicked"))
    );
    server.apply(&WIDGETS, sized("red", "unlucky", 14)).unwrap();
    running.recorder.until(4).await;
    assert_eq!(errors(&running).len(), 1);
    assert!(!running.informer.is_stopped());
}
