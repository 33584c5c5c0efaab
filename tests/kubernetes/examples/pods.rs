//! The program that every client-go tutorial begins with, line for line: a factory with a resync of 5 s, a handler that
//! prints, a list. It runs against an API server in this process.

use informer_runtime::Resource;
use kubernetes_informers::prelude::*;
use kubernetes_informers_tests::{pod, server};

type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;

#[tokio::main]
async fn main() -> Result {
    let server = server();
    let pods = Resource::new("", "v1", "Pod", "pods", true);
    for (name, node) in [("one", "node-a"), ("two", "node-b")] {
        server.create(&pods, pod(name, node))?;
    }
    program(server.client(), Duration::from_secs(11), |line| println!("{line}")).await
}

/// The program; it ends after `run_for`.
pub(crate) async fn program(
    client: kube::Client,
    run_for: Duration,
    say: impl Fn(String) + Clone + Send + Sync + 'static,
) -> Result {
    let (add, update, delete) = (say.clone(), say.clone(), say.clone());
    let factory = new_shared_informer_factory(client, Duration::from_secs(5));
    let pods = factory.core().v1().pods();
    pods.informer().add_event_handler(
        PodEventHandlerFuncs::new()
            .on_add(move |pod, _is_initial| {
                let node = pod.get().map(|pod| pod.spec.as_ref()?.node_name.clone());
                add(format!("add: {} on {node:?}", pod.name()));
            })
            .on_update(move |_old, pod| update(format!("update: {}", pod.name())))
            .on_delete(move |deleted| delete(format!("delete: {}", deleted.name()))),
    )?;
    let stop = CancellationToken::new();
    factory.start(&stop);
    factory.wait_for_cache_sync(&stop).await?;
    for pod in pods.lister().pods("default").list(&Selector::everything()) {
        say(format!("list: {}", pod.name()));
    }

    // A real program goes on until it is told to stop.
    tokio::time::sleep(run_for).await;
    stop.cancel();
    factory.shutdown().await;
    Ok(())
}
