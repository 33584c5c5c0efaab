//! A named index: widgets by the value of a label, and by a field that has to be decoded first.

use informer_examples::{Cluster, Result, widget};
use informer_runtime::IndexFunc;
use shop_informers::prelude::*;
use shop_informers::shop_example_test::v1::Widget;

#[tokio::main]
async fn main() -> Result {
    run(&Cluster::start().await?).await
}

pub(crate) async fn run(cluster: &Cluster) -> Result {
    cluster.create(&widget("red", "one", "small")).await?;
    cluster.create(&widget("red", "two", "large")).await?;
    cluster.create(&widget("blue", "three", "large")).await?;

    let factory = new_shared_informer_factory(cluster.client(), Duration::ZERO);
    let informer = factory.shop_example_test().v1().widgets().informer();
    // labels are part of the head: nothing is decoded for this one
    informer.add_index("size", IndexFunc::on_label("size"))?;
    // this one needs the object; its values are remembered, so each version is decoded once
    let part_names = |widget: &Widget| widget.spec.parts.iter().map(|part| part.name.clone()).collect::<Vec<_>>();
    informer.add_index("part", IndexFunc::on_object(part_names))?;

    let stop = CancellationToken::new();
    factory.start(&stop);
    factory.wait_for_cache_sync(&stop).await?;

    let indexer = informer.indexer();
    println!("sizes: {:?}", indexer.list_index_func_values("size")?);
    for widget in indexer.by_index("size", "large")? {
        println!("large: {}", widget.key());
    }
    println!("with a lid: {:?}", indexer.index_keys("part", "lid")?);
    match indexer.by_index("colour", "red") {
        Ok(_) => println!("an index that was never added gave an answer"),
        Err(error) => println!("error: {error}"),
    }

    stop.cancel();
    factory.shutdown().await;
    Ok(())
}
