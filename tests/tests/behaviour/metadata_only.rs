//! Informers of metadata, and of resources whose type is not known: the same factory, the same features (B34).

use std::time::Duration;

use informer_runtime::codegen::InformerAccess;
use informer_runtime::{
    CancellationToken, HandlerOptions, IndexFunc, PartialObjectMeta, Selector, SharedInformer, SharedInformerFactory,
    Transform,
};
use informer_test_server::{Answer, Rule, Script, TestServer};
use informer_tests::{Errors, Recorder, WIDGETS, Widget, ZONES, settled};
use serde_json::{Value, json};

fn labelled(namespace: &str, name: &str, tier: &str) -> Value {
    let mut object = json!({
        "metadata": {"name": name, "labels": {"tier": tier}, "annotations": {"note": "n"}},
        "spec": {"size": 7, "filler": "x".repeat(2_000)},
    });
    if !namespace.is_empty() {
        object["metadata"]["namespace"] = json!(namespace);
    }
    object
}

fn server() -> TestServer {
    let server = TestServer::new([&WIDGETS, &ZONES]);
    server.create(&WIDGETS, labelled("red", "a", "web")).unwrap();
    server.create(&WIDGETS, labelled("blue", "b", "db")).unwrap();
    server.create(&ZONES, labelled("", "z", "web")).unwrap();
    server
}

fn factory(server: &TestServer) -> SharedInformerFactory {
    SharedInformerFactory::new(server.client(), Duration::ZERO)
}

async fn run(factory: &SharedInformerFactory) -> CancellationToken {
    let stop = CancellationToken::new();
    factory.start(&stop);
    factory.wait_for_cache_sync(&stop).await.unwrap();
    stop
}

#[tokio::test(start_paused = true)]
async fn b34_only_metadata_is_asked_for_and_kept() {
    for streams in [true, false] {
        let server = TestServer::builder().resources([&WIDGETS, &ZONES]).streaming_lists(streams).build();
        server.create(&WIDGETS, labelled("red", "a", "web")).unwrap();
        let errors = Errors::new();
        let factory = SharedInformerFactory::builder(server.client()).build().unwrap();
        let widgets = factory.metadata(&WIDGETS).informer();
        let recorder = Recorder::new();
        widgets.add_event_handler(recorder.clone()).unwrap();
        run(&factory).await;
        server.create(&WIDGETS, labelled("red", "b", "db")).unwrap();
        server.apply(&WIDGETS, labelled("red", "a", "db")).unwrap();
        server.delete(&WIDGETS, "red", "b").unwrap();
        let told = recorder.until(4).await;
        assert_eq!(told, ["+red/a@2!", "+red/b@3", "~red/a@2->4", "-red/b@5"], "streams: {streams}");
        for request in server.requests() {
            let form = if request.is_list() { "PartialObjectMetadataList" } else { "PartialObjectMetadata" };
            let accept = format!("application/json;as={form};g=meta.k8s.io;v=v1,application/json");
            assert_eq!(request.accept, accept, "{:?}", request.kind);
        }
        let a = widgets.lister().get("red", "a").unwrap();
        assert!(!a.raw().contains("filler") && a.raw().len() < 1_000, "{}", a.raw());
        let value = a.get().unwrap();
        assert_eq!(value.metadata.annotations.as_ref().unwrap()["note"], "n");
        assert_eq!(value.types.as_ref().unwrap().kind, "PartialObjectMetadata");
        assert_eq!(a.labels().get("tier"), Some("db"));
        assert_eq!(a.annotations().unwrap()["note"], "n");
        assert!(errors.all().is_empty());
        factory.shutdown().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_sends_whole_objects_has_them_cut_as_they_come() {
    let server = server();
    let whole = |resource: &informer_runtime::Resource| {
        let mut items = server.objects(resource);
        items.iter_mut().for_each(|item| {
            item["kind"] = json!("Widget");
        });
        json!({"kind": "WidgetList", "apiVersion": "shop.example.test/v1", "metadata": {"resourceVersion": "9"}, "items": items})
    };
    server.script(Script::new().list(1, Answer::json(&whole(&WIDGETS))));
    let informer = SharedInformer::metadata_builder(server.client(), &WIDGETS)
        .reflector_options(|options| options.streaming_list = false)
        .build();
    let stop = CancellationToken::new();
    informer.start(&stop);
    informer.wait_for_cache_sync(&stop).await.unwrap();
    let objects = informer.store().list();
    assert_eq!(objects.len(), 2);
    assert!(objects.iter().all(|object| !object.raw().contains("filler")));
    assert_eq!(objects[1].get().unwrap().metadata.name.as_deref(), Some("a"));
    assert_eq!(objects[1].labels().get("tier"), Some("web"));
    informer.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn metadata_rides_on_whole_objects_and_never_the_other_way() {
    let server = server();
    let factory = self::factory(&server);
    let whole = factory.informer_for::<Widget>();
    let metadata = factory.metadata(&WIDGETS).informer();
    let zones = factory.metadata(&ZONES).informer();
    run(&factory).await;
    assert_eq!(server.open_watches(), 2);
    let a = metadata.lister().get("red", "a").unwrap();
    assert_eq!(a.get().unwrap().metadata.name.as_deref(), Some("a"));
    assert_eq!(whole.lister().get("red", "a").unwrap().get().unwrap().spec.size, 7);

    // Who wants whole zones does not get those without.
    let whole_zones = factory.dynamic(&ZONES).informer();
    assert!(!whole_zones.has_synced());
    run(&factory).await;
    assert_eq!(server.open_watches(), 3);
    assert_eq!(whole_zones.lister().get("", "z").unwrap().get().unwrap().data["spec"]["size"], 7);
    assert!(!zones.lister().get("", "z").unwrap().raw().contains("size"));
    // The one that was asked for first stays what is given.
    let again = factory.metadata(&ZONES).informer();
    assert!(!again.lister().get("", "z").unwrap().raw().contains("size"));

    // Another scope, or another transform, is another informer.
    let red = InformerAccess::<Widget>::new(&factory).in_namespace("red").metadata().informer();
    let same = factory.metadata(&WIDGETS).in_namespace("red").informer();
    let other = factory
        .metadata(&WIDGETS)
        .informer_with(|builder| builder.transform(Transform::remove(["/metadata/annotations"])))
        .unwrap();
    run(&factory).await;
    assert_eq!((red.store().len(), same.store().len(), server.open_watches()), (1, 1, 5));
    assert!(other.lister().get("red", "a").unwrap().annotations().unwrap().is_empty());
    factory.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn both_have_all_that_typed_informers_have() {
    let server = server();
    let errors = Errors::new();
    let factory = SharedInformerFactory::builder(server.client()).on_error(errors.hook()).build().unwrap();
    let metadata = factory.metadata(&WIDGETS).labels("tier=web").informer_with(|builder| {
        builder
            .project::<PartialObjectMeta>()
            .resync(Duration::from_secs(10))
            .reflector_options(|options| options.page_size = Some(1))
    });
    let metadata = metadata.unwrap();
    let dynamic =
        factory.dynamic(&WIDGETS).in_namespace("blue").informer_with(|builder| builder.resync(Duration::from_secs(10)));
    let dynamic = dynamic.unwrap();
    let (one, other) = (Recorder::new(), Recorder::new());
    metadata.add_event_handler(one.clone()).unwrap();
    dynamic.add_event_handler_with(HandlerOptions::new().name("other"), other.clone()).unwrap();
    metadata.add_index("tier", IndexFunc::on_label("tier")).unwrap();
    run(&factory).await;
    assert_eq!(metadata.indexer().by_index("tier", "web").unwrap().len(), 1);
    assert_eq!(metadata.lister().by_namespace("red").list(&Selector::everything()).len(), 1);
    assert_eq!(metadata.indexer().projections::<PartialObjectMeta>().unwrap().iter().count(), 1);
    assert_eq!(one.until(3).await, ["+red/a@2!", "~red/a@2->2", "~red/a@2->2"]);
    assert_eq!(other.until(3).await, ["+blue/b@3!", "~blue/b@3->3", "~blue/b@3->3"]);
    // A label that changes takes the object out of the selection.
    server.apply(&WIDGETS, labelled("red", "a", "db")).unwrap();
    server.wait_until(|server| server.resource_version() > 4).await;
    settled().await;
    assert!(metadata.store().is_empty());
    metadata.wait_for_resource_version_within("5", Duration::from_secs(1)).await.unwrap();
    // Errors carry the resource; a refusal does not end anything.
    server.script(
        Script::new().rule(Rule::any().of(&WIDGETS).nth(1).answer(informer_test_server::Status::unavailable())),
    );
    server.cut_watches();
    errors.until(1).await;
    assert!(errors.with_resources().iter().all(|(resource, _)| *resource == WIDGETS));
    factory.shutdown().await;
}
