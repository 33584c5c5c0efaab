//! What happens to objects between the server and the cache: once each, in all three ways of receiving, and what a
//! failure leaves (B34).

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use informer_runtime::{CancellationToken, SharedInformerFactory, Transform};
use informer_test_server::{Events, Listing, Script, TestServer};
use informer_tests::{Running, WIDGETS, Widget, ZONES, Zone, asked, at, settled};
use serde_json::{Value, json};

fn heavy(key: &str, version: u64) -> Value {
    let mut widget = at(key, version);
    widget["metadata"]["managedFields"] = json!([{"manager": "someone", "operation": "Update"}]);
    widget["metadata"]["annotations"] = json!({"shop.example.test/note": "long", "other": "x"});
    widget["status"] = json!({"seen": [1, 2, 3]});
    widget
}

/// What is kept of [`heavy`] by [`lean`], apart from what a stub has.
fn kept(running: &Running, name: &str) -> Value {
    let object = running.informer.lister().get("red", name).unwrap();
    serde_json::from_str(&object.raw()).unwrap()
}

fn lean() -> Transform {
    Transform::drop_managed_fields().then(Transform::remove([
        "/metadata/annotations/shop.example.test~1note",
        "/status",
        "/no/such/field",
    ]))
}

/// A list, a watch and, with a mark, a streaming list, each with objects that are all alike.
fn three_ways() -> [TestServer; 2] {
    let change = |events: Events| events.added(heavy("red/b", 11)).modified(heavy("red/a", 12));
    let plain = TestServer::new([&WIDGETS]);
    plain.script(
        Script::new()
            .list(1, Listing::at(10).items([heavy("red/a", 5), heavy("red/c", 6)]))
            .watch(1, change(Events::new()).deleted(heavy("red/c", 13)).stall()),
    );
    let streaming = TestServer::new([&WIDGETS]);
    let first = Events::new().added(heavy("red/a", 5)).added(heavy("red/c", 6)).initial_events_end(10);
    streaming.script(Script::new().watch(1, change(first).deleted(heavy("red/c", 13)).stall()));
    [plain, streaming]
}

#[tokio::test(start_paused = true)]
async fn b34_q15_fields_are_removed_in_all_ways_of_receiving() {
    for (server, streams) in three_ways().into_iter().zip([false, true]) {
        let last = Arc::new(std::sync::Mutex::new(String::new()));
        let running = Running::with(&server, |builder| {
            builder.transform(lean()).reflector_options(|options| options.streaming_list = streams)
        });
        let note = last.clone();
        let handler = running.informer.handler().on_delete(move |deleted| {
            *note.lock().unwrap() = deleted.last_known().raw().into_owned();
        });
        running.informer.add_event_handler(handler).unwrap();
        let told = running.recorder.until(5).await;
        assert_eq!(told, ["+red/a@5!", "+red/c@6!", "+red/b@11", "~red/a@5->12", "-red/c@13"], "streams: {streams}");
        let expected = |key, version| {
            let mut widget = at(key, version);
            widget["metadata"]["annotations"] = json!({"other": "x"});
            widget["kind"] = json!("Widget");
            widget["apiVersion"] = json!("shop.example.test/v1");
            widget
        };
        assert_eq!(kept(&running, "a"), expected("red/a", 12));
        assert_eq!(kept(&running, "b"), expected("red/b", 11));
        settled().await;
        let gone: Value = serde_json::from_str(&last.lock().unwrap()).unwrap();
        assert_eq!(gone, expected("red/c", 13), "the last state too");
        let a = running.informer.lister().get("red", "a").unwrap();
        assert_eq!(a.get().unwrap().spec.size, 12);
        assert!(running.errors.all().is_empty());
        running.informer.shutdown().await;
    }
}

#[tokio::test(start_paused = true)]
async fn b34_r18_q10_a_closure_runs_once_for_each_received_object() {
    for (server, streams) in three_ways().into_iter().zip([false, true]) {
        let runs = Arc::new(AtomicUsize::new(0));
        let count = runs.clone();
        let transform = Transform::json("times ten", move |mut object| {
            count.fetch_add(1, Ordering::Relaxed);
            let size = object["spec"]["size"].as_u64().ok_or("it has no size")?;
            object["spec"]["size"] = json!(size * 10);
            object["metadata"]["labels"] = json!({"size": (size * 10).to_string()});
            Ok(object)
        });
        let running = Running::with(&server, |builder| {
            builder.transform(transform).reflector_options(|options| options.streaming_list = streams)
        });
        running.recorder.until(5).await;
        assert_eq!(runs.load(Ordering::Relaxed), 5, "two at first, and three events");
        let a = running.informer.lister().get("red", "a").unwrap();
        assert_eq!((a.get().unwrap().spec.size, a.labels().get("size")), (120, Some("120")));
        assert_eq!(
            running.informer.lister().list(&"size=120".parse().unwrap()).len(),
            1,
            "its labels are those it has"
        );
        running.informer.shutdown().await;
    }
}

/// The stated policy: by its head alone, told of as ever, reported; nothing is lost and nothing kept that was to go.
#[tokio::test(start_paused = true)]
async fn an_object_whose_transform_fails_is_kept_by_its_head_alone() {
    let odd = |key: &str, version: u64| {
        let mut widget = heavy(key, version);
        widget["spec"] = json!({"mode": "hunter2"});
        widget
    };
    let first = Events::new().added(odd("red/a", 5)).added(heavy("red/b", 6)).initial_events_end(10);
    let events = first.modified(odd("red/b", 11)).modified(heavy("red/a", 12)).modified(odd("red/a", 13));
    let plain = TestServer::new([&WIDGETS]);
    plain.script(
        Script::new()
            .list(1, Listing::at(10).items([odd("red/a", 5), heavy("red/b", 6)]))
            .watch(1, events_after(odd("red/b", 11), heavy("red/a", 12), odd("red/a", 13)).deleted(odd("red/b", 14))),
    );
    let streaming = TestServer::new([&WIDGETS]);
    streaming.script(Script::new().watch(1, events.deleted(odd("red/b", 14)).stall()));
    for (server, streams) in [(plain, false), (streaming, true)] {
        let size = Transform::json("size", |object| match object["spec"]["size"].is_number() {
            true => Ok(object),
            false => Err("it has no size"),
        });
        let running = Running::with(&server, |builder| {
            builder.transform(size).reflector_options(|options| options.streaming_list = streams)
        });
        let told = running.recorder.until(6).await;
        assert_eq!(
            told,
            ["+red/a@5!", "+red/b@6!", "~red/b@6->11", "~red/a@5->12", "~red/a@12->13", "-red/b@14"],
            "streams: {streams}"
        );
        let a = running.informer.lister().get("red", "a").unwrap();
        assert_eq!((a.resource_version(), a.uid().to_string().is_empty()), ("13", false));
        assert!(!a.raw().contains("hunter2") && !a.raw().contains("managedFields"), "{}", a.raw());
        let error = a.get().unwrap_err();
        assert_eq!(error.to_string(), "red/a does not decode at .: its transform failed, and only its head was kept");
        assert!(a.annotations().is_err(), "they may have been what was to go");
        let errors = running.errors.until(4).await;
        assert!(errors.iter().all(|error| error.is_transform_failure()), "{errors:?}");
        assert_eq!(errors[0].to_string(), "the transform \"size\" failed for red/a: it has no size");
        assert_eq!(running.informer.decode_stats().transform_failures, 4);
        assert!(server.requests().len() <= 2, "no round ended by it: {:?}", asked(&server));
        running.informer.shutdown().await;
    }
}

fn events_after(one: Value, two: Value, three: Value) -> Events {
    Events::new().modified(one).modified(two).modified(three)
}

#[tokio::test(start_paused = true)]
async fn a_transform_may_fail_in_many_ways_and_none_ends_anything() {
    let server = TestServer::new([&WIDGETS]);
    let deep = |mut widget: Value| {
        widget["spec"]["deep"] = serde_json::from_str(&("[".repeat(100) + &"]".repeat(100))).unwrap();
        widget
    };
    let items = ["panics", "array", "renamed", "moved", "renewed", "odd", "good"];
    let half_a_pair = r#"{"metadata":{"namespace":"red","name":"half","resourceVersion":"11"},"spec":{"a":"\ud800"}}"#;
    server.script(Script::new().list(
        1,
        Listing::at(10).items(items.iter().zip(1..).map(|(name, at)| deep(self::at(&format!("red/{name}"), at)))),
    ));
    let half_a_pair = format!(r#"{{"type":"ADDED","object":{half_a_pair}}}"#);
    server.script(Script::new().watch(1, Events::new().line(&half_a_pair).stall()));
    let transform = Transform::json("all that can go wrong", |mut object| {
        let name = object["metadata"]["name"].as_str().unwrap_or_default().to_owned();
        match name.as_str() {
            "panics" => panic!("on purpose"),
            "array" => return Ok(json!([])),
            "renamed" => object["metadata"]["name"] = json!("other"),
            "moved" => object["metadata"]["namespace"] = json!("blue"),
            "renewed" => object["metadata"]["resourceVersion"] = json!("99"),
            "odd" => object["metadata"]["name"] = json!(7),
            _ => {}
        }
        Ok(object)
    });
    let running = Running::with(&server, |builder| {
        builder.transform(transform).reflector_options(|options| options.streaming_list = false)
    });
    running.recorder.until(items.len() + 1).await;
    let texts = running.errors.texts();
    assert_eq!(texts.len(), 7, "{texts:?}");
    assert!(texts[0].ends_with("failed for red/panics: it panicked"), "{}", texts[0]);
    assert!(texts[1].ends_with("failed for red/array: what it gave is no object"), "{}", texts[1]);
    for (text, name) in texts[2..6].iter().zip(&items[2..]) {
        assert!(text.ends_with(&format!("failed for red/{name}: what it gave is no longer the same object")), "{text}");
    }
    assert!(running.informer.lister().get("red", "good").unwrap().get().is_ok());
    let half = running.informer.lister().get("red", "half").unwrap();
    assert!(!half.raw().contains("spec"), "{}", half.raw());
}

/// The next version, and the next list at the same version, are new tries.
#[tokio::test(start_paused = true)]
async fn a_transform_that_works_again_gives_the_whole_object() {
    let server = TestServer::new([&WIDGETS]);
    server.script(
        Script::new()
            .list(1, Listing::at(10).items([at("red/a", 5)]))
            .watch(1, Events::new().expired())
            .list(2, Listing::at(11).items([at("red/a", 5)])),
    );
    let runs = AtomicUsize::new(0);
    let transform = Transform::json("not at first", move |object| match runs.fetch_add(1, Ordering::Relaxed) {
        0 => Err("not yet"),
        _ => Ok(object),
    });
    let running = Running::with(&server, |builder| {
        builder.transform(transform).reflector_options(|options| options.streaming_list = false)
    });
    let told = running.recorder.until(2).await;
    assert_eq!(told, ["+red/a@5!", "~red/a@5->5"]);
    assert_eq!(running.informer.lister().get("red", "a").unwrap().get().unwrap().spec.size, 5);
}

#[tokio::test(start_paused = true)]
async fn s21_a_factory_has_one_for_all_and_another_for_some() {
    let server = TestServer::new([&WIDGETS, &ZONES]);
    server.create(&WIDGETS, heavy_to_create("red")).unwrap();
    server.create(&ZONES, heavy_to_create("")).unwrap();
    let factory = SharedInformerFactory::builder(server.client())
        .transform(Transform::remove(["/status"]))
        .custom_transform::<Zone>(Transform::none())
        .build()
        .unwrap();
    let widgets = factory.informer_for::<Widget>();
    let zones = factory.informer_for::<Zone>();
    let dynamic = factory.dynamic(&WIDGETS).informer();
    let own = factory.informer_for_with::<Widget>(|builder| builder.transform(Transform::remove(["/spec"]))).unwrap();
    let same =
        factory.informer_for_with::<Widget>(|builder| builder.transform(Transform::remove(["/status"]))).unwrap();
    let stop = CancellationToken::new();
    factory.start(&stop);
    factory.wait_for_cache_sync(&stop).await.unwrap();
    let has = |raw: std::borrow::Cow<'_, str>| [raw.contains("\"spec\""), raw.contains("\"status\"")];
    assert_eq!(has(widgets.lister().get("red", "a").unwrap().raw()), [true, false]);
    assert_eq!(has(dynamic.lister().get("red", "a").unwrap().raw()), [true, false]);
    assert_eq!(has(same.lister().get("red", "a").unwrap().raw()), [true, false]);
    assert_eq!(has(own.lister().get("red", "a").unwrap().raw()), [false, true]);
    assert_eq!(has(zones.lister().get("", "a").unwrap().raw()), [true, true]);
    assert_eq!(server.open_watches(), 3, "another transform is another informer; equal ones share");
    factory.shutdown().await;
}

fn heavy_to_create(namespace: &str) -> Value {
    let mut object = json!({"metadata": {"name": "a"}, "spec": {"size": 1}, "status": {"seen": 1}});
    if !namespace.is_empty() {
        object["metadata"]["namespace"] = json!(namespace);
    }
    object
}

/// What was received is dropped as it comes: never a whole list of untransformed objects.
#[tokio::test(start_paused = true)]
async fn b34_a_transformed_list_is_never_held_whole() {
    let server = TestServer::new([&WIDGETS]);
    let big = "x".repeat(10_000);
    server.script(Script::new().list(
        1,
        Listing::at(1_000).items((1..=500).map(|n| {
            let mut widget = at(&format!("red/w{n}"), n);
            widget["data"] = json!(big);
            widget
        })),
    ));
    let running = Running::with(&server, |builder| {
        let builder = builder.transform(Transform::remove(["/data"]));
        builder.reflector_options(|options| options.streaming_list = false)
    });
    running.synced().await;
    let kept: usize = running.informer.store().list().iter().map(|object| object.raw().len()).sum();
    assert!(kept < 500 * 400, "{kept} bytes of five million");
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert!(running.errors.all().is_empty());
}
