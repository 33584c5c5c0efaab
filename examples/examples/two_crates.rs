//! Two generated crates in one factory: each brings its table of resources and its accessors.

use informer_examples::{Cluster, Result, gadget, widget};
use informer_runtime::{CancellationToken, GroupVersionResource, Selector, SharedInformerFactory};
use parts_informers::prelude::*;
use shop_informers::prelude::*;

#[tokio::main]
async fn main() -> Result {
    run(&Cluster::start().await?).await
}

pub(crate) async fn run(cluster: &Cluster) -> Result {
    cluster.create(&widget("red", "one", "small")).await?;
    cluster.create(&gadget("red", "lid")).await?;

    let factory = SharedInformerFactory::builder(cluster.client())
        .resources(shop_informers::RESOURCES)
        .resources(parts_informers::RESOURCES)
        .build()?;
    let widgets = factory.shop_example_test().v1().widgets().lister();
    let gadgets = factory.parts_example_test().v1().gadgets().lister();
    // any resource of the two tables, by name; here the informer that `gadgets` has already
    let generic = factory.for_resource(&GroupVersionResource::gvr("parts.example.test", "v1", "gadgets"))?;

    let stop = CancellationToken::new();
    factory.start(&stop);
    factory.wait_for_cache_sync(&stop).await?;
    for widget in widgets.list(&Selector::everything()) {
        println!("widget {}", widget.key());
    }
    for gadget in gadgets.list(&Selector::everything()) {
        println!(
            "gadget {}, number {}",
            gadget.key(),
            gadget.get()?.spec.as_ref().map_or("", |spec| &spec.part_number)
        );
    }
    for object in generic.lister().list(&Selector::everything()) {
        println!("by name {}, spec {}", object.key(), object.get()?.data["spec"]);
    }
    let unknown = GroupVersionResource::gvr("parts.example.test", "v1", "gadget");
    if let Err(error) = factory.for_resource(&unknown) {
        println!("error: {error}");
    }

    stop.cancel();
    factory.shutdown().await;
    Ok(())
}
