//! One informer without a factory: made by `new_filtered_widget_informer`, driven by `run`.

use informer_examples::{Cluster, Result, widget};
use shop_informers::prelude::*;
use shop_informers::shop_example_test::v1::new_filtered_widget_informer;
use tokio::sync::mpsc;

#[tokio::main]
async fn main() -> Result {
    run(&Cluster::start().await?).await
}

pub(crate) async fn run(cluster: &Cluster) -> Result {
    cluster.create(&widget("red", "one", "small")).await?;
    cluster.create(&widget("red", "two", "large")).await?;
    cluster.create(&widget("blue", "three", "large")).await?;

    // namespace red, no resync, and only what carries the label size=large
    let large = |options: &mut ListOptions| options.label_selector = Some("size=large".to_owned());
    let informer = new_filtered_widget_informer(cluster.client(), "red", Duration::ZERO, large);

    let (adds, mut added) = mpsc::unbounded_channel();
    informer.add_event_handler(informer.handler().on_add(move |widget, is_initial| {
        // nobody may be listening any more
        let _ = adds.send((widget.key(), is_initial));
    }))?;

    let stop = CancellationToken::new();
    let running = tokio::spawn({
        let (informer, stop) = (informer.clone(), stop.clone());
        async move { informer.run(stop).await }
    });

    cluster.create(&widget("red", "four", "large")).await?;
    for _ in 0..2 {
        let Some((key, is_initial)) = added.recv().await else {
            break;
        };
        println!("add: {key}, is_initial = {is_initial}");
    }
    println!("cached: {:?}", informer.store().list_keys());

    stop.cancel();
    running.await?;
    println!("stopped: {}", informer.is_stopped());
    Ok(())
}
