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

    /// Files of a folder and below, by their paths from there.
    fn files(folder: &std::path::Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
        let below = |path: std::path::PathBuf| {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let below = if path.is_dir() { files(&path) } else { return vec![name] };
            below.into_iter().map(|file| format!("{name}/{file}")).collect()
        };
        let mut files: Vec<String> = entries.flat_map(below).collect();
        files.sort();
        files
    }

    #[test]
    fn h37_nothing_is_written_beside_the_sources() {
        let package = files(env!("CARGO_MANIFEST_DIR").as_ref());
        assert_eq!(package, ["Cargo.toml", "build.rs", "crds/zones.yaml", "src/main.rs"]);
        assert!(std::path::Path::new(concat!(env!("OUT_DIR"), "/shop/src/lib.rs")).is_file());
    }
}
