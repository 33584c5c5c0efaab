//! Informers of generated types against a server.

use std::time::Duration;

use informer_outputs::shop::prelude::*;
use informer_outputs::{groups, kinds, shop};
use informer_runtime::GroupVersionResource;
use informer_runtime::codegen::serde_json::{Value, json};
use informer_runtime::codegen::{Resource, SharedInformerFactory};
use informer_test_server::TestServer;

fn widget(name: &str, replicas: Value) -> Value {
    json!({"metadata": {"namespace": "red", "name": name}, "spec": {"size": "small", "replicas": replicas}})
}

/// The rows of a resource's stored version.
fn v1(plural: &str) -> &'static Resource {
    shop::RESOURCES.iter().find(|row| row.plural() == plural && row.version() == "v1").unwrap()
}

async fn synced(factory: &SharedInformerFactory) -> CancellationToken {
    let stop = CancellationToken::new();
    factory.start(&stop);
    factory.wait_for_cache_sync(&stop).await.unwrap();
    stop
}

#[tokio::test(start_paused = true)]
async fn h31_an_object_that_does_not_fit_its_type_stops_nothing() {
    let server = TestServer::new(shop::RESOURCES);
    server.create(v1("widgets"), widget("a", json!(1))).unwrap();
    server.create(v1("widgets"), widget("b", json!("three"))).unwrap();
    // Values that a newer schema has, or an older one had.
    server
        .create(
            v1("widgets"),
            json!({"metadata": {"namespace": "red", "name": "c"}, "spec": {"size": "giant", "replicas": null}}),
        )
        .unwrap();
    server.create(v1("widgets"), json!({"metadata": {"namespace": "red", "name": "d"}})).unwrap();
    let conditions =
        json!([{"type": "Ready", "status": "True"}, {"type": "Seen", "status": "True", "lastTransitionTime": null}]);
    let mut with_conditions = widget("e", json!(5));
    with_conditions["status"] = json!({"conditions": conditions});
    server.create(v1("widgets"), with_conditions).unwrap();
    let factory = shop::new_shared_informer_factory(server.client(), Duration::ZERO);
    let lister = factory.shop_example_test().v1().widgets().lister();
    synced(&factory).await;
    let all = lister.list(&Selector::everything());
    let names: Vec<&str> = all.iter().map(|object| object.name()).collect();
    assert_eq!(names, ["a", "b", "c", "d", "e"]);
    let failed: Vec<&str> = all.iter().filter(|object| object.get().is_err()).map(|object| object.name()).collect();
    assert_eq!(failed, ["b"]);
    let error = all[1].get().unwrap_err();
    assert_eq!((error.path(), all[0].get().unwrap().spec.replicas), ("spec.replicas", 1));
    assert!(all[1].raw().contains("three"), "and is there all the same");
    factory.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn h18_b47_a_kind_of_the_cluster_knows_no_namespaces() {
    let server = TestServer::new(shop::RESOURCES);
    server.create(v1("zones"), json!({"metadata": {"name": "north"}})).unwrap();
    server.create(v1("widgets"), widget("a", json!(1))).unwrap();
    let other = json!({"metadata": {"namespace": "blue", "name": "b"}, "spec": {"size": "small", "replicas": 1}});
    server.create(v1("widgets"), other).unwrap();
    let factory = SharedInformerFactory::builder(server.client()).namespace("red").build().unwrap();
    let (zones, widgets) =
        (factory.shop_example_test().v1().zones().lister(), factory.shop_example_test().v1().widgets().lister());
    synced(&factory).await;
    assert_eq!(zones.get("north").unwrap().name(), "north");
    assert_eq!((zones.list(&Selector::everything()).len(), widgets.list(&Selector::everything()).len()), (1, 1));
    assert_eq!(widgets.widgets("red").get("a").unwrap().name(), "a");
    let mut paths: Vec<String> = server.watches().iter().map(|request| request.path.clone()).collect();
    paths.sort();
    let wanted = ["/apis/shop.example.test/v1/namespaces/red/widgets", "/apis/shop.example.test/v1/zones"];
    assert_eq!(paths, wanted);
    let told = zones.get("south").unwrap_err().to_string();
    assert!(told.contains("zones") && told.contains("south") && !told.contains("namespace"), "{told}");
    let told = widgets.widgets("red").get("z").unwrap_err().to_string();
    assert!(told.contains("widgets") && told.contains("red/z"), "{told}");
    factory.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn b45_lookups_take_the_declared_plural_and_name_near_ones() {
    let server = TestServer::new(kinds::RESOURCES.iter().chain(groups::RESOURCES));
    let builder = SharedInformerFactory::builder(server.client());
    let factory = builder.resources(kinds::RESOURCES).resources(groups::RESOURCES).build().unwrap();
    for row in kinds::RESOURCES.iter().chain(groups::RESOURCES) {
        let namespace = if row.is_namespaced() { json!("red") } else { Value::Null };
        server.create(row, json!({"metadata": {"namespace": namespace, "name": "a"}})).unwrap();
        let informer = factory.for_resource(&row.group_version_resource()).unwrap();
        let _ = informer.lister();
    }
    synced(&factory).await;
    for row in kinds::RESOURCES.iter().chain(groups::RESOURCES) {
        let lister = factory.for_resource(&row.group_version_resource()).unwrap().lister();
        assert_eq!(lister.list(&Selector::everything()).len(), 1, "{row}");
        assert!(server.requests().iter().any(|request| request.path == row.path(None)), "{row}");
    }
    for (asked, near) in [("policys", "policies"), ("kinesises", "kinesis"), ("gateway", "gateways")] {
        let asked = GroupVersionResource::gvr("shop.example.test", "v1", asked);
        let told = factory.for_resource(&asked).err().unwrap().to_string();
        assert!(told.contains("did you mean") && told.contains(near), "{told}");
    }
    factory.shutdown().await;
}
