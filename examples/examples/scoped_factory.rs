//! A factory for one namespace, with tweaked list options, and a resync of its own for one kind.
//!
//! A tweak runs once, when an informer is asked for. Its result is part of what the informer is: two scopes of one
//! kind are two informers, each with its own watch and cache.

use informer_examples::{Cluster, Result, widget};
use shop_informers::RESOURCES;
use shop_informers::prelude::*;
use shop_informers::shop_example_test::v1::Widget;
use tokio::sync::mpsc;

#[tokio::main]
async fn main() -> Result {
    run(&Cluster::start().await?).await
}

pub(crate) async fn run(cluster: &Cluster) -> Result {
    cluster.create(&widget("red", "one", "small")).await?;
    cluster.create(&widget("red", "two", "large")).await?;
    cluster.create(&widget("blue", "three", "large")).await?;

    let factory = SharedInformerFactory::builder(cluster.client())
        .resources(RESOURCES)
        .default_resync(Duration::from_secs(600))
        .namespace("red")
        .tweak_list_options(|options| options.label_selector = Some("size=large".to_owned()))
        .custom_resync::<Widget>(Duration::from_secs(1))
        .build()?;
    let widgets = factory.shop_example_test().v1().widgets();
    // the same kind in another scope: its namespace is its own, the tweak is the factory's
    let blue = factory.shop_example_test().v1().widgets().in_namespace("blue");

    let (updates, mut updated) = mpsc::unbounded_channel();
    widgets.informer().add_event_handler(WidgetEventHandlerFuncs::new().on_update(move |old, new| {
        // a resync calls with the same object twice
        let _ = updates.send((new.key(), old.resource_version() == new.resource_version()));
    }))?;
    let blue_lister = blue.lister();

    let stop = CancellationToken::new();
    factory.start(&stop);
    factory.wait_for_cache_sync(&stop).await?;
    for widget in widgets.lister().list(&Selector::everything()) {
        println!("red: {}", widget.key());
    }
    for widget in blue_lister.list(&Selector::everything()) {
        println!("blue: {}", widget.key());
    }
    if let Some((key, is_resync)) = updated.recv().await {
        println!("update: {key}, is_resync = {is_resync}");
    }

    stop.cancel();
    factory.shutdown().await;
    Ok(())
}
