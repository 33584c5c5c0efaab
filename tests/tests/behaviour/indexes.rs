//! Named indexes: complete when the call returns, kept up ever after, and never the end of anything (B29, S13, S18).

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use informer_runtime::{Cached, DynamicObject, IndexFunc, SharedInformer};
use informer_test_server::{Events, Listing, Script, TestServer};
use informer_tests::{Errors, Running, WIDGETS, Widget, at, settled, sized, widget};
use serde::Deserialize;
use serde_json::{Value, json};

fn owned(name: &str, owner: &str) -> Value {
    json!({"metadata": {"namespace": "red", "name": name, "labels": {"owner": owner}}})
}

fn names(informer: &SharedInformer<Widget>, index: &str, value: &str) -> Vec<String> {
    let found = informer.indexer().by_index(index, value).unwrap();
    found.iter().map(|object| object.name().to_owned()).collect()
}

#[tokio::test(start_paused = true)]
async fn s18_an_index_follows_every_change() {
    let server = TestServer::new([&WIDGETS]);
    for (name, owner) in [("a", "x"), ("b", "y"), ("c", "x")] {
        server.create(&WIDGETS, owned(name, owner)).unwrap();
    }
    let running = Running::streaming(&server);
    running.informer.add_index("owner", IndexFunc::on_label("owner")).unwrap(); // before the list
    running.synced().await;
    let indexer = running.informer.indexer();
    assert_eq!(names(&running.informer, "owner", "x"), ["a", "c"]);
    assert_eq!(indexer.index_keys("owner", "y").unwrap()[0].to_string(), "red/b");
    server.apply(&WIDGETS, owned("a", "y")).unwrap();
    server.apply(&WIDGETS, widget("red", "c")).unwrap(); // no owner any more
    server.delete(&WIDGETS, "red", "b").unwrap();
    running.recorder.until(6).await;
    assert_eq!(names(&running.informer, "owner", "y"), ["a"]);
    assert_eq!(names(&running.informer, "owner", "x"), Vec::<String>::new());
    assert_eq!(indexer.list_index_func_values("owner").unwrap(), ["y"], "no empty values stay");
    let version = |object: &Cached<Widget>| object.resource_version().to_owned();
    let indexed = &indexer.by_index("owner", "y").unwrap()[0];
    assert_eq!(version(indexed), version(&running.informer.lister().get("red", "a").unwrap()), "the newest state");
}

#[tokio::test(start_paused = true)]
async fn b29_s13_one_that_is_added_to_a_running_informer_is_complete_at_once() {
    let server = TestServer::new([&WIDGETS]);
    for number in 0..100 {
        server.create(&WIDGETS, owned(&format!("w{number:03}"), "x")).unwrap();
    }
    let running = Running::streaming(&server);
    running.synced().await;
    running.informer.add_index("owner", IndexFunc::on_label("owner")).unwrap();
    assert_eq!(names(&running.informer, "owner", "x").len(), 100);
    let error = running.informer.indexer().add_index("owner", IndexFunc::on_label("other")).unwrap_err();
    assert_eq!(error.to_string(), "there is already an index named \"owner\"");
    for number in 0..10 {
        server.apply(&WIDGETS, owned(&format!("w{number:03}"), "y")).unwrap();
        server.delete(&WIDGETS, "red", &format!("w{:03}", 50 + number)).unwrap();
    }
    running.recorder.until(120).await;
    assert_eq!((names(&running.informer, "owner", "x").len(), names(&running.informer, "owner", "y").len()), (80, 10));
    let error = running.informer.indexer().by_index("nobody", "x").unwrap_err();
    assert_eq!(error.to_string(), "there is no index named \"nobody\"");
    assert!(running.informer.indexer().list_index_func_values("nobody").is_err());
}

#[tokio::test(start_paused = true)]
async fn s18_an_object_may_be_under_no_value_or_many() {
    #[derive(Deserialize)]
    struct Tagged {
        #[serde(default)]
        spec: Tags,
    }
    #[derive(Deserialize, Default)]
    struct Tags {
        #[serde(default)]
        tags: Vec<String>,
    }
    let tagged =
        |name: &str, tags: &[&str]| json!({"metadata": {"namespace": "red", "name": name}, "spec": {"tags": tags}});
    let server = TestServer::new([&WIDGETS]);
    server.create(&WIDGETS, tagged("a", &["p", "q", "p"])).unwrap();
    server.create(&WIDGETS, tagged("b", &["q", "r"])).unwrap();
    server.create(&WIDGETS, tagged("none", &[])).unwrap();
    let running = Running::streaming(&server);
    let by_tag = IndexFunc::on_object(|tagged: &Tagged| tagged.spec.tags.clone());
    running.informer.add_index("tag", by_tag).unwrap();
    running.synced().await;
    assert_eq!(names(&running.informer, "tag", "p"), ["a"], "once, though it is named twice");
    assert_eq!(names(&running.informer, "tag", "q"), ["a", "b"]);
    assert_eq!(running.informer.indexer().list_index_func_values("tag").unwrap(), ["p", "q", "r"]);
    server.apply(&WIDGETS, tagged("a", &["r", "s"])).unwrap();
    running.recorder.until(4).await;
    assert_eq!(names(&running.informer, "tag", "r"), ["a", "b"]);
    assert_eq!(running.informer.indexer().list_index_func_values("tag").unwrap(), ["q", "r", "s"]);
}

#[tokio::test(start_paused = true)]
async fn values_that_begin_alike_are_kept_apart() {
    let server = TestServer::new([&WIDGETS]);
    for (name, owner) in [("a", "x"), ("b", "x1"), ("c", ""), ("d", "x")] {
        server.create(&WIDGETS, owned(name, owner)).unwrap();
    }
    let running = Running::streaming(&server);
    running.informer.add_index("owner", IndexFunc::on_label("owner")).unwrap();
    running.synced().await;
    assert_eq!(names(&running.informer, "owner", "x"), ["a", "d"]);
    assert_eq!(names(&running.informer, "owner", "x1"), ["b"]);
    assert_eq!(names(&running.informer, "owner", ""), ["c"], "an empty value is a value");
}

/// B18, W14: client-go ends the process here.
#[tokio::test(start_paused = true)]
async fn b18_q11_a_function_that_panics_leaves_that_object_out_and_is_reported() {
    let server = TestServer::new([&WIDGETS]);
    for name in ["a", "b", "c"] {
        server.create(&WIDGETS, widget("red", name)).unwrap();
    }
    let errors = Errors::new();
    let running = Running::with(&server, |builder| builder.on_error(errors.hook()));
    running.synced().await;
    let picky = |head: &Cached<DynamicObject>| {
        assert!(head.name() != "b", "the index does not like b");
        [head.name().to_owned()]
    };
    running.informer.add_index("name", IndexFunc::on_head(picky)).unwrap();
    assert_eq!(running.informer.indexer().list_index_func_values("name").unwrap(), ["a", "c"]);
    assert_eq!(errors.texts(), ["the index \"name\" failed for red/b: the index function panicked"]);
    server.apply(&WIDGETS, sized("red", "b", 1)).unwrap();
    server.create(&WIDGETS, widget("red", "d")).unwrap();
    assert_eq!(running.recorder.until(5).await[3..], ["~red/b@3->5", "+red/d@6"]);
    settled().await;
    assert_eq!(running.informer.indexer().list_index_func_values("name").unwrap(), ["a", "c", "d"]);
    assert_eq!(errors.all().len(), 2);
    assert_eq!(running.cache().len(), 4, "no lock is spoilt");
}

/// An object that fits and then does not is no longer found under what it was.
#[tokio::test(start_paused = true)]
async fn an_object_that_no_longer_decodes_leaves_the_index() {
    let server = TestServer::new([&WIDGETS]);
    server.create(&WIDGETS, sized("red", "a", 1)).unwrap();
    let running = Running::streaming(&server);
    let by_size = IndexFunc::on_object(|widget: &Widget| [widget.spec.size.to_string()]);
    running.informer.add_index("size", by_size).unwrap();
    running.synced().await;
    assert_eq!(names(&running.informer, "size", "1"), ["a"]);
    server.apply(&WIDGETS, json!({"metadata": {"namespace": "red", "name": "a"}, "spec": {"size": "x"}})).unwrap();
    running.recorder.until(2).await;
    settled().await;
    assert_eq!(names(&running.informer, "size", "1"), Vec::<String>::new());
    server.apply(&WIDGETS, sized("red", "a", 2)).unwrap();
    running.recorder.until(3).await;
    assert_eq!(names(&running.informer, "size", "2"), ["a"]);
}

#[tokio::test(start_paused = true)]
async fn a_relist_leaves_the_index_as_the_list_is() {
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = calls.clone();
    let server = TestServer::new([&WIDGETS]);
    server.script(
        Script::new()
            .list(1, Listing::at(10).items([at("red/a", 5), at("red/b", 6), at("red/c", 7)]))
            .watch(1, Events::new().wait(Duration::from_secs(1)).expired().close())
            .list(2, Listing::at(20).items([at("red/a", 5), at("red/c", 15), at("red/d", 16)])),
    );
    let running = Running::plain(&server);
    let by_version = move |head: &Cached<DynamicObject>| {
        counted.fetch_add(1, Ordering::SeqCst);
        [head.resource_version().to_owned()]
    };
    running.informer.add_index("version", IndexFunc::on_head(by_version)).unwrap();
    running.synced().await;
    assert_eq!(running.informer.indexer().list_index_func_values("version").unwrap(), ["5", "6", "7"]);
    running.recorder.until(6).await;
    assert_eq!(running.informer.indexer().list_index_func_values("version").unwrap(), ["15", "16", "5"]);
    assert_eq!(names(&running.informer, "version", "15"), ["c"]);
    assert_eq!(calls.load(Ordering::SeqCst), 5, "what is the same is not looked at again");
}
