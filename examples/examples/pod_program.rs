//! The program that informer tutorials begin with: a factory, one handler, a list.
//!
//! It is the Pod program of client-go, line for line, with a kind of our own in place of Pod.

use informer_examples::{Cluster, Result, widget};
use shop_informers::prelude::*;

#[tokio::main]
async fn main() -> Result {
    run(&Cluster::start().await?).await
}

pub(crate) async fn run(cluster: &Cluster) -> Result {
    cluster.create(&widget("red", "one", "small")).await?;
    cluster.create(&widget("red", "two", "large")).await?;
    cluster.create(&widget("blue", "one", "medium")).await?;
    program(cluster.client()).await
}

#[rustfmt::skip] // as in the README
async fn program(client: kube::Client) -> Result {
    let factory = new_shared_informer_factory(client, Duration::from_secs(5));
    let widgets = factory.shop_example_test().v1().widgets();
    widgets.informer().add_event_handler(
        WidgetEventHandlerFuncs::new()
            .on_add(|widget, _is_initial| println!("add: {} is {:?}", widget.name(), widget.get().map(|w| w.status.as_ref()?.phase.clone())))
            .on_update(|_old, widget| println!("update: {}", widget.name()))
            .on_delete(|deleted| println!("delete: {}", deleted.name())),
    )?;
    let stop = CancellationToken::new();
    factory.start(&stop);
    factory.wait_for_cache_sync(&stop).await?;
    for widget in widgets.lister().widgets("red").list(&Selector::everything()) {
        println!("list: {}", widget.name());
    }

    // a real program goes on until it is told to stop; this one until every widget was told again by a resync
    tokio::time::sleep(Duration::from_secs(6)).await;
    stop.cancel();
    factory.shutdown().await;
    Ok(())
}
