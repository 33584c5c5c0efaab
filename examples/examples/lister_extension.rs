//! Methods of your own on generated listers, by extension traits.

use informer_examples::{Cluster, Result, widget};
use informer_runtime::{Cached, DecodeError};
use shop_informers::prelude::*;
use shop_informers::shop_example_test::v1::{Widget, WidgetLister, WidgetNamespaceLister};

/// What this program wants to ask of all widgets.
trait WidgetListerExpansion {
    /// The widgets with a part of this name. Objects that don't decode are errors of the caller's to judge.
    fn with_part(&self, part: &str) -> Vec<std::result::Result<Cached<Widget>, DecodeError>>;
}

impl WidgetListerExpansion for WidgetLister {
    fn with_part(&self, part: &str) -> Vec<std::result::Result<Cached<Widget>, DecodeError>> {
        let has_part = |widget: &Cached<Widget>| -> std::result::Result<bool, DecodeError> {
            Ok(widget.get()?.spec.parts.iter().any(|found| found.name == part))
        };
        self.list(&Selector::everything())
            .into_iter()
            .filter_map(|widget| match has_part(&widget) {
                Ok(false) => None,
                Ok(true) => Some(Ok(widget)),
                Err(error) => Some(Err(error)),
            })
            .collect()
    }
}

/// What it wants to ask of the widgets of one namespace.
trait WidgetNamespaceListerExpansion {
    /// How many there are of this size.
    fn count_of_size(&self, size: &str) -> usize;
}

impl WidgetNamespaceListerExpansion for WidgetNamespaceLister {
    fn count_of_size(&self, size: &str) -> usize {
        self.list(&Selector::from_set([("size", size)])).len()
    }
}

#[tokio::main]
async fn main() -> Result {
    run(&Cluster::start().await?).await
}

pub(crate) async fn run(cluster: &Cluster) -> Result {
    cluster.create(&widget("red", "one", "small")).await?;
    cluster.create(&widget("red", "two", "large")).await?;
    cluster.create(&widget("blue", "three", "large")).await?;

    let factory = new_shared_informer_factory(cluster.client(), Duration::ZERO);
    let lister = factory.shop_example_test().v1().widgets().lister();
    let stop = CancellationToken::new();
    factory.start(&stop);
    factory.wait_for_cache_sync(&stop).await?;
    for widget in lister.with_part("lid") {
        println!("with a lid: {}", widget?.key());
    }
    println!("large ones in red: {}", lister.widgets("red").count_of_size("large"));

    stop.cancel();
    factory.shutdown().await;
    Ok(())
}
