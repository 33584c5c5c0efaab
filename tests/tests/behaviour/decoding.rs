//! Types come in at the edges: what decodes is shared, what does not is told with its place and nothing else suffers.

use std::sync::Arc;
use std::time::Duration;

use informer_runtime::{DynamicObject, IndexFunc, Selector};
use informer_test_server::{Events, Listing, Script, TestServer};
use informer_tests::{Running, WIDGETS, Widget, Zone, at, settled, sized, widget};
use serde::Deserialize;
use serde_json::{Value, json};

fn secretive(name: &str) -> Value {
    json!({"metadata": {"namespace": "red", "name": name}, "spec": {"size": "hunter2", "color": "green"}})
}

#[tokio::test(start_paused = true)]
async fn an_object_that_does_not_decode_harms_nobody_else() {
    let server = TestServer::new([&WIDGETS]);
    server.create(&WIDGETS, sized("red", "a", 1)).unwrap();
    server.create(&WIDGETS, secretive("odd")).unwrap();
    let running = Running::streaming(&server);
    running.synced().await;
    assert_eq!(running.recorder.told(), ["+red/a@2!", "+red/odd@3!"], "who reads heads only hears of it");

    let lister = running.informer.lister();
    let odd = lister.get("red", "odd").unwrap();
    let error = odd.get().unwrap_err();
    assert_eq!((error.key().to_string().as_str(), error.path()), ("red/odd", "spec.size"));
    assert_eq!(error.to_string(), "red/odd does not decode at spec.size: wrong type, expected u32");
    assert!(!format!("{error:?}").contains("hunter2"), "no value of the object in an error");
    assert!(odd.raw().contains("hunter2"));
    assert_eq!(odd.get_as::<OnlyColor>().unwrap().spec.color, "green", "a smaller type reads the rest");
    assert_eq!(lister.get("red", "a").unwrap().get().unwrap().spec.size, 1);

    let (values, errors) = lister.list_decoded(&Selector::everything());
    assert_eq!((values.len(), errors.len()), (1, 1));
    assert_eq!(errors[0], error);
    let (values, errors) = lister.by_namespace("red").list_decoded(&Selector::everything());
    assert_eq!((values.len(), errors.len()), (1, 1));
    let error = informer_runtime::Error::from(errors[0].clone());
    assert_eq!(error.decode_error().unwrap().path(), "spec.size");

    server.apply(&WIDGETS, sized("red", "odd", 7)).unwrap();
    running.recorder.until(3).await;
    assert_eq!(lister.get("red", "odd").unwrap().get().unwrap().spec.size, 7);
    server.delete(&WIDGETS, "red", "odd").unwrap();
    running.recorder.until(4).await;
    assert!(running.errors.all().is_empty());
}

#[derive(Deserialize)]
struct OnlyColor {
    spec: Color,
}

#[derive(Deserialize)]
struct Color {
    color: String,
}

#[derive(Debug, Deserialize, PartialEq)]
struct OnlySize {
    spec: Size,
}

#[derive(Debug, Deserialize, PartialEq)]
struct Size {
    size: u32,
}

#[tokio::test(start_paused = true)]
async fn b28_decoded_values_are_made_once_and_shared() {
    let server = TestServer::new([&WIDGETS]);
    server.create(&WIDGETS, sized("red", "a", 1)).unwrap();
    let running = Running::streaming(&server);
    running.synced().await;
    let lister = running.informer.lister();
    let first = lister.get("red", "a").unwrap().get().unwrap();
    let second = lister.list(&Selector::everything())[0].get().unwrap();
    assert!(Arc::ptr_eq(&first, &second));
    let projected = lister.get("red", "a").unwrap().get_as::<OnlySize>().unwrap();
    assert_eq!(*projected, OnlySize { spec: Size { size: 1 } });
    assert!(Arc::ptr_eq(&projected, &lister.get("red", "a").unwrap().get_as::<OnlySize>().unwrap()));
    let stats = running.informer.decode_stats();
    assert_eq!((stats.hits, stats.misses), (2, 2));

    server.apply(&WIDGETS, sized("red", "a", 2)).unwrap();
    running.recorder.until(2).await;
    settled().await;
    let changed = lister.get("red", "a").unwrap().get().unwrap();
    assert_eq!((first.spec.size, changed.spec.size), (1, 2), "what somebody holds never changes");
    drop((first, second, projected));
    let kept = running.informer.decode_stats().kept_bytes;
    assert_eq!(kept, lister.get("red", "a").unwrap().raw().len(), "values of what is gone are let go");
}

#[tokio::test(start_paused = true)]
async fn beyond_the_budget_values_are_made_anew() {
    let server = TestServer::new([&WIDGETS]);
    server.create(&WIDGETS, sized("red", "a", 1)).unwrap();
    let running = Running::with(&server, |builder| builder.decoded_budget(10));
    running.synced().await;
    let a = running.informer.lister().get("red", "a").unwrap();
    assert!(!Arc::ptr_eq(&a.get().unwrap(), &a.get().unwrap()));
    assert_eq!(running.informer.decode_stats().kept_bytes, 0);
}

#[tokio::test(start_paused = true)]
async fn b34_metadata_is_read_without_the_rest() {
    let server = TestServer::new([&WIDGETS]);
    server
        .create(
            &WIDGETS,
            json!({
                "metadata": {
                    "namespace": "red", "name": "a",
                    "labels": {"tier": "web", "app": "x"},
                    "annotations": {"note": "n", "empty": ""},
                    "finalizers": ["shop.example.test/keep"],
                    "ownerReferences": [{"apiVersion": "v1", "kind": "Zone", "name": "z", "uid": "u-1"}],
                },
                "spec": {"size": "does not decode"},
            }),
        )
        .unwrap();
    server.create(&WIDGETS, widget("red", "plain")).unwrap();
    server.delete(&WIDGETS, "red", "a").unwrap(); // has a finalizer
    let running = Running::streaming(&server);
    running.synced().await;
    let a = running.informer.lister().get("red", "a").unwrap();
    assert_eq!((a.namespace(), a.name(), a.key().to_string().as_str()), (Some("red"), "a", "red/a"));
    let stored = server.get(&WIDGETS, "red", "a").unwrap();
    assert_eq!(a.uid().to_string(), stored["metadata"]["uid"].as_str().unwrap());
    assert_eq!(a.resource_version(), stored["metadata"]["resourceVersion"]);
    assert_eq!(a.labels().iter().collect::<Vec<_>>(), [("app", "x"), ("tier", "web")]);
    assert_eq!(a.annotations().unwrap()["note"], "n");
    assert_eq!(a.finalizers().unwrap(), ["shop.example.test/keep"]);
    assert_eq!(a.owner_references().unwrap()[0].uid, "u-1");
    assert!(a.deletion_timestamp().unwrap().is_some());
    assert_eq!(a.generation().unwrap(), stored["metadata"]["generation"].as_i64());
    let plain = running.informer.lister().get("red", "plain").unwrap();
    assert!(plain.annotations().unwrap().is_empty() && plain.finalizers().unwrap().is_empty());
    assert!(plain.owner_references().unwrap().is_empty() && plain.deletion_timestamp().unwrap().is_none());
    assert_eq!(format!("{a:?}"), format!("red/a@{}", a.resource_version()), "never the object");
}

fn managed(version: u64) -> Value {
    let mut widget = at("red/a", version);
    widget["metadata"]["managedFields"] = json!([{"manager": "somebody", "operation": "Update"}]);
    widget
}

#[tokio::test(start_paused = true)]
async fn managed_fields_are_in_the_raw_json_and_not_in_decoded_values() {
    for keep in [false, true] {
        let server = TestServer::new([&WIDGETS]);
        server.script(Script::new().list(1, Listing::at(10).items([managed(5)])));
        let running = Running::with(&server, |builder| {
            builder.keep_managed_fields(keep).reflector_options(|options| options.streaming_list = false)
        });
        running.synced().await;
        let a = running.informer.lister().get("red", "a").unwrap();
        assert!(a.raw().contains("managedFields"));
        assert_eq!(a.get().unwrap().metadata.managed_fields.is_some(), keep);
        assert_eq!(a.get().unwrap().metadata.name.as_deref(), Some("a"));
        assert_eq!(a.get().unwrap().spec.size, 5);
    }
}

#[tokio::test(start_paused = true)]
async fn differs_compares_the_bytes_of_a_place() {
    let mut changed = at("red/a", 11);
    changed["spec"]["size"] = json!(5);
    changed["spec"]["a/b"] = json!([1, {"c": 2}]);
    let server = TestServer::new([&WIDGETS]);
    server.script(
        Script::new()
            .list(1, Listing::at(10).items([at("red/a", 5)]))
            .watch(1, Events::new().wait(Duration::from_secs(1)).modified(changed)),
    );
    let running = Running::plain(&server);
    running.synced().await;
    let old = running.informer.lister().get("red", "a").unwrap();
    running.recorder.until(2).await;
    let new = running.informer.lister().get("red", "a").unwrap();
    for (pointer, differs) in [
        ("", true),
        ("/spec", true),
        ("/spec/size", false),
        ("/spec/a~1b/1/c", true),
        ("/metadata/resourceVersion", true),
        ("/metadata/name", false),
        ("/status", false),
        ("/spec/size/none", false),
    ] {
        assert_eq!(new.differs(&old, pointer), differs, "{pointer}");
        assert!(!new.differs(&new, pointer));
    }
}

#[tokio::test(start_paused = true)]
async fn another_type_is_a_view_of_the_same_cache() {
    let server = TestServer::new([&WIDGETS]);
    server.create(&WIDGETS, sized("red", "a", 3)).unwrap();
    let running = Running::streaming(&server);
    running.synced().await;
    let dynamic = running.informer.cast::<DynamicObject>().lister().get("red", "a").unwrap().get().unwrap();
    assert_eq!(dynamic.data["spec"]["size"], 3);
    assert_eq!(dynamic.types.as_ref().unwrap().kind, "Widget");
    // No cast, so no mismatch: a type that does not fit says so.
    #[derive(Debug, Deserialize)]
    struct Strict {
        #[allow(dead_code)] // never there
        nothing: u32,
    }
    let error = running.informer.cast::<Strict>().lister().get("red", "a").unwrap().get().unwrap_err();
    assert_eq!(error.to_string(), "red/a does not decode at .: missing field `nothing`");
    assert!(running.informer.cast::<Zone>().lister().get("red", "a").unwrap().get().is_ok(), "it reads as one");
    assert_eq!(server.watches().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn an_index_over_decoded_objects_leaves_out_what_does_not_decode() {
    let server = TestServer::new([&WIDGETS]);
    server.create(&WIDGETS, secretive("odd")).unwrap();
    server.create(&WIDGETS, sized("red", "a", 1)).unwrap();
    let running = Running::streaming(&server);
    let by_size = IndexFunc::on_object(|widget: &Widget| [widget.spec.size.to_string()]);
    running.informer.add_index("size", by_size).unwrap();
    running.synced().await;
    assert_eq!(running.informer.indexer().list_index_func_values("size").unwrap(), ["1"]);
    let texts = running.errors.texts();
    assert_eq!(texts.len(), 1);
    assert!(texts[0].starts_with("the index \"size\" failed for red/odd: "), "{texts:?}");
    assert!(!texts[0].contains("hunter2"));
}
