//! One factory, many ways in: by type, by resource, by a builder of one's own; and all lead to one informer.

use std::sync::{Arc, Mutex};

use informer_runtime::{
    CancellationToken, DynamicObject, GenericInformer, GroupVersionResource, Resource, Selector, SharedInformerFactory,
};
use informer_test_server::TestServer;
use informer_tests::{WIDGETS, Widget, ZONES, sized};

fn setup(tables: &[&[Resource]]) -> (TestServer, SharedInformerFactory) {
    let server = TestServer::new([&WIDGETS, &ZONES]);
    let mut builder = SharedInformerFactory::builder(server.client());
    for table in tables {
        builder = builder.resources(table);
    }
    let factory = builder.build().unwrap();
    (server, factory)
}

#[tokio::test(start_paused = true)]
async fn by_resource_and_by_type_are_one_informer() {
    let (server, factory) = setup(&[&[WIDGETS, ZONES], &[WIDGETS]]); // equal rows merge
    server.create(&WIDGETS, sized("red", "a", 3)).unwrap();
    let typed = factory.informer_for::<Widget>();
    let found = factory.for_resource(&WIDGETS.group_version_resource()).unwrap();
    let generic: Box<dyn GenericInformer> = Box::new(found);
    let seen = Arc::new(Mutex::new(Vec::new()));
    let note = seen.clone();
    let informer = generic.informer();
    let handler = informer.handler().on_add(move |object, _| {
        let dynamic: Arc<DynamicObject> = object.get().unwrap();
        note.lock().unwrap().push((dynamic.metadata.name.clone().unwrap(), dynamic.data["spec"]["size"].clone()));
    });
    let registration = informer.add_event_handler(handler).unwrap();
    let stop = CancellationToken::new();
    factory.start(&stop);
    factory.wait_for_cache_sync(&stop).await.unwrap();
    assert!(registration.synced().await);
    assert_eq!(*seen.lock().unwrap(), [(String::from("a"), serde_json::json!(3))]);
    assert_eq!(generic.resource(), &WIDGETS);
    assert_eq!(typed.lister().get("red", "a").unwrap().get().unwrap().spec.size, 3);
    let listed = generic.lister().by_namespace("red").list(&Selector::everything());
    assert_eq!(listed.len(), 1);
    assert_eq!(server.requests().len(), 1);
    assert_eq!(factory.resources().count(), 2);
    factory.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn a_scope_of_a_resource_is_that_of_its_type() {
    use informer_runtime::codegen::InformerAccess;
    let (server, factory) = setup(&[&[WIDGETS]]);
    server.create(&WIDGETS, sized("red", "a", 3)).unwrap();
    let generic = factory.dynamic(&WIDGETS).in_namespace("red").labels("app=a").fields("metadata.name=a").informer();
    let typed = InformerAccess::<Widget>::new(&factory).fields("metadata.name=a").labels("app=a").in_namespace("red");
    let typed = typed.informer();
    let stop = CancellationToken::new();
    factory.start(&stop);
    factory.wait_for_cache_sync(&stop).await.unwrap();
    assert_eq!((generic.store().len(), typed.store().len(), server.requests().len()), (1, 1, 1));
    factory.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn an_unknown_resource_lists_what_may_have_been_meant() {
    let (_server, factory) = setup(&[&[WIDGETS, ZONES]]);
    for (group, version, plural, near) in [
        ("shop.example.test", "v1", "widget", "; did you mean shop.example.test/v1/widgets?"),
        ("shop.example.test", "v1", "Zone", "; did you mean shop.example.test/v1/zones?"),
        ("shop.example.test", "v2", "widgets", "; did you mean shop.example.test/v1/widgets?"),
        ("shop.example.org", "v1", "wigdets", "; did you mean shop.example.test/v1/widgets?"),
        ("shop.example.test", "v1", "elephants", ""),
    ] {
        let wanted = GroupVersionResource::gvr(group, version, plural);
        let error = factory.for_resource(&wanted).unwrap_err();
        assert_eq!(error.to_string(), format!("no informer is registered for {group}/{version}/{plural}{near}"));
    }
}

#[test]
fn tables_that_disagree_are_an_error() {
    let zones_in_namespaces = Resource::new("shop.example.test", "v1", "Zone", "zones", true);
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let _inside = runtime.enter();
    let server = TestServer::new([&WIDGETS]);
    let builder = SharedInformerFactory::builder(server.client());
    let error = builder.resources(&[WIDGETS, ZONES]).resources(&[zones_in_namespaces]).build().unwrap_err();
    assert!(error.to_string().contains("zones.v1.shop.example.test (Zone)"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn a_builder_of_ones_own_gives_the_informer_that_is_there_or_says_what_is_different() {
    let (server, factory) = setup(&[]);
    let paged = |size| {
        factory
            .informer_for_with::<Widget>(|builder| builder.reflector_options(|options| options.page_size = Some(size)))
    };
    let first = paged(10).unwrap();
    paged(10).unwrap();
    let error = paged(20).unwrap_err();
    assert_eq!(
        error.to_string(),
        "an informer for widgets.v1.shop.example.test with the same scope exists, with other reflector options"
    );
    let error = factory
        .informer_for_with::<Widget>(|builder| {
            builder.reflector_options(|options| options.page_size = Some(10)).keep_managed_fields(true)
        })
        .unwrap_err();
    assert!(error.to_string().ends_with("with other choice about managedFields"), "{error}");
    // Another scope is another informer, with whatever options.
    let red =
        factory.informer_for_with::<Widget>(|builder| builder.namespace("red").keep_managed_fields(true)).unwrap();
    let same = factory.informer_for::<Widget>();
    let stop = CancellationToken::new();
    factory.start(&stop);
    factory.wait_for_cache_sync(&stop).await.unwrap();
    assert!(first.has_synced() && same.has_synced() && red.has_synced());
    assert_eq!(server.open_watches(), 2);
    factory.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn clones_of_a_factory_are_the_same_factory() {
    let (server, factory) = setup(&[&[WIDGETS]]);
    let _ = (factory.informer_for::<Widget>(), factory.clone().informer_for::<Widget>());
    let stop = CancellationToken::new();
    factory.clone().start(&stop);
    factory.wait_for_cache_sync(&stop).await.unwrap();
    assert_eq!(server.requests().len(), 1);
    factory.shutdown().await;
}
