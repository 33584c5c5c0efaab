//! A program whose informers were made while it was built: see `build.rs`. It lists the zones of a server in this
//! process.

include!(concat!(env!("OUT_DIR"), "/shop.rs"));

use informer_test_server::TestServer;
use serde_json::json;
use shop::prelude::*;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    for name in list().await? {
        println!("zone: {name}");
    }
    Ok(())
}

/// The names of two zones, by way of their informer.
async fn list() -> Result<Vec<String>, Box<dyn std::error::Error>> {
    let server = TestServer::new(shop::RESOURCES);
    let zones =
        shop::RESOURCES.iter().find(|row| row.plural() == "zones" && row.version() == "v1").ok_or("no zones")?;
    for name in ["north", "south"] {
        server.create(zones, json!({"metadata": {"name": name}}))?;
    }
    let factory = shop::new_shared_informer_factory(server.client(), Duration::ZERO);
    let zones = factory.shop_example_test().v1().zones();
    let lister = zones.lister();
    let stop = CancellationToken::new();
    factory.start(&stop);
    factory.wait_for_cache_sync(&stop).await?;
    let names = lister.list(&Selector::everything()).iter().map(|zone| zone.name().to_owned()).collect();
    factory.shutdown().await;
    Ok(names)
}

#[cfg(test)]
mod tests {
    #[tokio::test]
    async fn the_program_lists_zones() {
        assert_eq!(super::list().await.expect("it runs"), ["north", "south"]);
    }

    #[test]
    fn h37_nothing_is_written_beside_the_sources() {
        let sources = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/src")).expect("a folder");
        assert_eq!(sources.count(), 1);
        assert!(std::path::Path::new(concat!(env!("OUT_DIR"), "/shop/src/lib.rs")).is_file());
    }
}
