//! What is watched is the key: equal scopes share a watch, others don't (B25, B26).

use informer_runtime::codegen::InformerAccess;
use informer_runtime::{CancellationToken, GenericInformer, SharedInformerFactory};
use informer_test_server::{Served, TestServer};
use informer_tests::{WIDGETS, Widget, ZONES, Zone};
use serde_json::json;

fn server() -> TestServer {
    let server =
        TestServer::builder().resource(Served::new(WIDGETS).selectable_fields(["spec.color"])).resource(&ZONES).build();
    for (namespace, name, tier, color) in
        [("red", "a", "a", "x"), ("red", "b", "b", "y"), ("blue", "c", "a", "y"), ("green", "d", "b", "x")]
    {
        let metadata = json!({"namespace": namespace, "name": name, "labels": {"tier": tier, "app": "shop"}});
        server.create(&WIDGETS, json!({"metadata": metadata, "spec": {"color": color}})).unwrap();
    }
    server.create(&ZONES, json!({"metadata": {"name": "z1"}})).unwrap();
    server
}

fn names(access: &InformerAccess<Widget>) -> Vec<String> {
    access.informer().store().list().iter().map(|object| object.name().to_owned()).collect()
}

async fn run(factory: &SharedInformerFactory) -> CancellationToken {
    let stop = CancellationToken::new();
    factory.start(&stop);
    factory.wait_for_cache_sync(&stop).await.unwrap();
    stop
}

#[tokio::test(start_paused = true)]
async fn b25_other_scopes_are_other_informers_and_equal_ones_are_one() {
    let server = server();
    let factory = SharedInformerFactory::new(server.client(), std::time::Duration::ZERO);
    let access = || InformerAccess::<Widget>::new(&factory);
    let all = access();
    let (red, blue) = (access().in_namespace("red"), access().in_namespace("blue"));
    let (tier, color) = (access().labels("tier=a"), access().fields("spec.color=x"));
    let both = access().in_namespace("red").labels("tier=a");
    for access in [&all, &red, &blue, &tier, &color, &both] {
        let _ = (access.informer(), access.lister());
    }
    let _ = (
        access().in_namespace("red").informer(),
        access().in_namespace("").informer(),
        factory.informer_for::<Widget>(),
    );
    run(&factory).await;
    assert_eq!(names(&all), ["c", "d", "a", "b"]);
    assert_eq!((names(&red), names(&blue)), (vec!["a".into(), "b".into()], vec![String::from("c")]));
    assert_eq!(names(&tier), ["c", "a"]);
    assert_eq!(names(&color), ["d", "a"]);
    assert_eq!(names(&both), ["a"]);
    assert_eq!(server.open_watches(), 6);
    let watches = server.watches();
    let asked = |at: usize| {
        let request = &watches[at];
        (request.path.as_str(), request.query("labelSelector"), request.query("fieldSelector"))
    };
    let (everywhere, in_red) =
        ("/apis/shop.example.test/v1/widgets", "/apis/shop.example.test/v1/namespaces/red/widgets");
    let mut seen: Vec<_> = (0..6).map(asked).collect();
    seen.sort_unstable();
    assert_eq!(
        seen,
        [
            ("/apis/shop.example.test/v1/namespaces/blue/widgets", None, None),
            (in_red, None, None),
            (in_red, Some("tier=a"), None),
            (everywhere, None, None),
            (everywhere, None, Some("spec.color=x")),
            (everywhere, Some("tier=a"), None),
        ]
    );
    factory.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn b25_b34_selectors_are_in_lists_and_watches_alike() {
    let server = TestServer::builder().resource(&WIDGETS).streaming_lists(false).build();
    let factory = SharedInformerFactory::new(server.client(), std::time::Duration::ZERO);
    let _ = InformerAccess::<Widget>::new(&factory).labels("tier in (a,b),!old").informer();
    run(&factory).await;
    server.wait_until(|server| server.requests().len() == 3).await;
    for request in server.requests() {
        assert_eq!(request.query("labelSelector"), Some("tier in (a,b),!old"), "{:?}", request.kind);
    }
    factory.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn s22_a_scope_narrows_what_the_factory_asks_for() {
    let server = server();
    let factory = SharedInformerFactory::builder(server.client())
        .namespace("red")
        .tweak_list_options(|options| options.label_selector = Some(String::from("app=shop")))
        .build()
        .unwrap();
    let narrowed = InformerAccess::<Widget>::new(&factory).labels("tier=a");
    let elsewhere = InformerAccess::<Widget>::new(&factory).in_namespace("blue");
    let _ = (narrowed.informer(), elsewhere.informer());
    run(&factory).await;
    assert_eq!((names(&narrowed), names(&elsewhere)), (vec![String::from("a")], vec![String::from("c")]));
    let mut selectors: Vec<String> =
        server.watches().iter().map(|watch| watch.query("labelSelector").unwrap().to_owned()).collect();
    selectors.sort();
    assert_eq!(selectors, ["app=shop", "app=shop,tier=a"]);
    factory.shutdown().await;
}

/// B26.
#[tokio::test(start_paused = true)]
async fn b26_a_cluster_scoped_kind_in_a_factory_of_one_namespace() {
    let server = server();
    let factory =
        SharedInformerFactory::builder(server.client()).namespace("red").resources(&[WIDGETS, ZONES]).build().unwrap();
    let zones = factory.informer_for::<Zone>();
    let widgets = factory.informer_for::<Widget>();
    let generic = [&WIDGETS, &ZONES].map(|resource| {
        let found = factory.for_resource(&resource.group_version_resource()).unwrap();
        found.informer()
    });
    run(&factory).await;
    assert_eq!(zones.lister().get("", "z1").unwrap().key().to_string(), "z1");
    assert_eq!((widgets.store().len(), generic[0].store().len(), generic[1].store().len()), (2, 2, 1));
    let mut paths: Vec<String> = server.requests().iter().map(|request| request.path.clone()).collect();
    paths.sort();
    assert_eq!(
        paths,
        ["/apis/shop.example.test/v1/namespaces/red/widgets", "/apis/shop.example.test/v1/zones"],
        "one watch each"
    );
    factory.shutdown().await;
}

/// S22.
#[tokio::test(start_paused = true)]
async fn s22_objects_that_enter_or_leave_a_selection_appear_and_go() {
    let server = server();
    let factory = SharedInformerFactory::new(server.client(), std::time::Duration::ZERO);
    let tier = InformerAccess::<Widget>::new(&factory).labels("tier=a").in_namespace("red");
    let recorder = informer_tests::Recorder::new();
    tier.informer().add_event_handler(recorder.clone()).unwrap();
    run(&factory).await;
    let labelled =
        |name: &str, tier: &str| json!({"metadata": {"namespace": "red", "name": name, "labels": {"tier": tier}}});
    server.apply(&WIDGETS, labelled("b", "a")).unwrap();
    server.apply(&WIDGETS, labelled("a", "z")).unwrap();
    server.apply(&WIDGETS, labelled("c", "z")).unwrap();
    let told = recorder.until(3).await;
    assert_eq!(told[1..], ["+red/b@7", "-red/a@8"]);
    factory.shutdown().await;
}
