//! An output whose types are in crates of the user's (`--types`).

use std::time::Duration;

use informer_outputs::mapped;
use informer_outputs::mapped::prelude::*;
use informer_runtime::codegen::serde_json::json;
use informer_test_server::TestServer;
use parts_informers::parts_example_test::v1::{Gadget, gadget::GadgetSpec};
use shop_informers::shop_example_test::v1::widget::spec::Limits;

#[tokio::test(start_paused = true)]
async fn types_of_ones_own_crates_are_listed_and_watched() {
    let server = TestServer::new(mapped::RESOURCES);
    let resource = |plural: &str| mapped::RESOURCES.iter().find(|row| row.plural() == plural).unwrap();
    let metadata = |name: &str| json!({"namespace": "red", "name": name});
    let gadget =
        |name: &str| json!({"metadata": metadata(name), "spec": {"partNumber": format!("n-{name}"), "stock": 3}});
    server.create(resource("gadgets"), gadget("a")).unwrap();
    let spec = json!({
        "gadget": {"partNumber": "n"}, "limits": {"cpu": {"amount": "2", "burst": 1}},
        "shelf": {"row": 7, "parts": [{"partNumber": "m"}]},
    });
    server.create(resource("orders"), json!({"metadata": metadata("o"), "spec": spec})).unwrap();

    let factory = mapped::new_shared_informer_factory(server.client(), Duration::ZERO);
    let gadgets = factory.parts_example_test().v1().gadgets();
    let (lister, orders) = (gadgets.lister(), factory.depot_example_test().v1().orders().lister());
    let stop = CancellationToken::new();
    factory.start(&stop);
    factory.wait_for_cache_sync(&stop).await.unwrap();
    let a: std::sync::Arc<Gadget> = lister.gadgets("red").get("a").unwrap().get().unwrap();
    assert_eq!(a.spec.as_ref().unwrap().part_number, "n-a");
    let order = orders.orders("red").get("o").unwrap().get().unwrap();
    let order_spec = order.spec.as_ref().unwrap();
    let part: &GadgetSpec = order_spec.gadget.as_ref().unwrap();
    let limits: &Limits = &order_spec.limits.as_ref().unwrap()["cpu"];
    assert_eq!((part.part_number.as_str(), limits.burst), ("n", Some(1)));
    assert_eq!(json!(&*order)["spec"], spec);
    // And one that comes by the watch.
    let mut events = gadgets.informer().events().unwrap();
    server.create(resource("gadgets"), gadget("b")).unwrap();
    while lister.gadgets("red").get("b").is_err() {
        events.next().await.unwrap();
    }
    assert_eq!(lister.gadgets("red").get("b").unwrap().get().unwrap().spec.as_ref().unwrap().stock, Some(3));
    factory.shutdown().await;
}
