//! A controller of kube's runtime, before and after it gets its objects from informers.
//!
//! It counts the Pods of each ReplicaSet. Before, the controller has watches of its own; after, the same reconciler
//! gets the same objects from a factory, which shares them with all else in the program.

use std::sync::Arc;

use futures::{Stream, StreamExt};
use informer_runtime::{Resource, kube_bridge};
use kube::{Api, Client};
use kube_runtime::controller::{Action, Controller};
use kube_runtime::reflector::ObjectRef;
use kube_runtime::watcher;
use kubernetes_informers::apps::v1::ReplicaSet;
use kubernetes_informers::core::v1::Pod;
use kubernetes_informers::prelude::*;
use kubernetes_informers_tests::{object, server};
use serde_json::json;

type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// Hears of every ReplicaSet that was looked at.
type Say = Arc<dyn Fn(String) + Send + Sync>;

#[tokio::main]
async fn main() -> Result {
    let server = server();
    let sets = Resource::of::<ReplicaSet>();
    let mut set = object(&sets, "default", "web");
    set["spec"] = json!({"replicas": 1, "selector": {"matchLabels": {"app": "web"}}});
    let set = server.create(&sets, set)?;
    let pods = Resource::of::<Pod>();
    let mut pod = object(&pods, "default", "web-1");
    pod["metadata"]["ownerReferences"] = json!([{
        "apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web", "uid": set["metadata"]["uid"], "controller": true,
    }]);
    server.create(&pods, pod)?;
    for (name, controller) in [("before", before(server.client())), ("after", after(server.client())?)] {
        let say: Say = Arc::new(move |line| println!("{name}: {line}"));
        // A real controller goes on.
        let _ = tokio::time::timeout(Duration::from_secs(2), run(controller, say).for_each(|_| async {})).await;
    }
    Ok(())
}

/// With watches of its own.
pub(crate) fn before(client: Client) -> Controller<ReplicaSet> {
    let sets: Api<ReplicaSet> = Api::all(client.clone());
    let pods: Api<Pod> = Api::all(client);
    Controller::new(sets, watcher::Config::default()).owns(pods, watcher::Config::default())
}

/// With informers, which other parts of the program may use as well.
pub(crate) fn after(client: Client) -> Result<Controller<ReplicaSet>> {
    let factory = new_shared_informer_factory(client, Duration::ZERO);
    let (store, sets) = kube_bridge::controller_source(&factory.apps().v1().replicasets().informer())?;
    let pods = kube_bridge::triggers(&factory.core().v1().pods().informer())?;
    factory.start(&CancellationToken::new());
    let factory = Arc::new(factory);
    // The informers live as long as the factory, so the stream keeps it.
    let pods = pods.inspect(move |_| drop(factory.clone()));
    Ok(Controller::for_stream(sets, store).owns_stream(pods))
}

/// The rest of the program is the same in both.
pub(crate) fn run(
    controller: Controller<ReplicaSet>,
    say: Say,
) -> impl Stream<
    Item = std::result::Result<
        (ObjectRef<ReplicaSet>, Action),
        kube_runtime::controller::Error<kube::Error, watcher::Error>,
    >,
> {
    controller.run(reconcile, |_, _, _| Action::await_change(), Arc::new(say))
}

async fn reconcile(set: Arc<ReplicaSet>, say: Arc<Say>) -> std::result::Result<Action, kube::Error> {
    let name = set.metadata.name.as_deref().unwrap_or_default();
    let wanted = replicas(&set).unwrap_or_default();
    say(format!("{name} wants {wanted}"));
    Ok(Action::await_change())
}

/// How many Pods are wanted. In which releases the spec is optional differs.
pub(crate) fn replicas(set: &ReplicaSet) -> Option<i64> {
    let set = serde_json::to_value(set).ok()?;
    set["spec"]["replicas"].as_i64()
}
