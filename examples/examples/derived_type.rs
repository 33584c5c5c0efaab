//! A type from `#[derive(CustomResource)]` through `informer_for`: no generated crate takes part.
//!
//! In your own crate the derive comes from kube: `use kube::CustomResource` with its feature `derive`.

use informer_examples::{Cluster, Result, widget};
use informer_runtime::{CancellationToken, Selector, SharedInformerFactory};
use kube_derive::CustomResource;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The part of a widget that this program cares about; everything else stays in the cache as JSON.
#[derive(CustomResource, Clone, Debug, Deserialize, Serialize)]
#[kube(
    group = "shop.example.test",
    version = "v1",
    kind = "Widget",
    plural = "widgets",
    namespaced,
    schema = "disabled"
)]
struct Wish {
    size: String,
    #[serde(default)]
    tags: Vec<String>,
}

#[tokio::main]
async fn main() -> Result {
    run(&Cluster::start().await?).await
}

pub(crate) async fn run(cluster: &Cluster) -> Result {
    cluster.create(&widget("red", "one", "small")).await?;
    cluster.create(&widget("blue", "two", "large")).await?;

    let factory = SharedInformerFactory::new(cluster.client(), Duration::ZERO);
    let informer = factory.informer_for::<Widget>();
    let stop = CancellationToken::new();
    factory.start(&stop);
    factory.wait_for_cache_sync(&stop).await?;
    for widget in informer.lister().list(&Selector::everything()) {
        let decoded = widget.get()?;
        println!("{}: {} {:?}", widget.key(), decoded.spec.size, decoded.spec.tags);
    }

    stop.cancel();
    factory.shutdown().await;
    Ok(())
}
