//! The controller of the example gets the same calls from informers as from watches of its own.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::StreamExt;
use informer_runtime::{CancellationToken, Resource, Selector, kube_bridge};
use informer_test_server::TestServer;
use kube_runtime::controller::Controller;
use kubernetes_informers::apps::v1::ReplicaSet;
use kubernetes_informers::core::v1::Pod;
use kubernetes_informers::new_shared_informer_factory;
use kubernetes_informers::prelude::*;
use kubernetes_informers_tests::{object, server};
use serde_json::{Value, json};

#[path = "../examples/kube_controller.rs"]
#[expect(dead_code, reason = "an example has a main of its own")]
mod kube_controller;

fn set(replicas: u32) -> Value {
    let mut set = object(&Resource::of::<ReplicaSet>(), "default", "web");
    set["spec"] = json!({"replicas": replicas, "selector": {"matchLabels": {"app": "web"}}});
    set
}

/// What a controller was called with, while a ReplicaSet changes and a Pod of it comes and goes.
async fn calls(server: &TestServer, controller: Controller<ReplicaSet>) -> Vec<String> {
    let (sets, pods) = (Resource::of::<ReplicaSet>(), Resource::of::<Pod>());
    let said = Arc::new(Mutex::new(Vec::new()));
    let lines = said.clone();
    let say = Arc::new(move |line| lines.lock().unwrap().push(line));
    let running = tokio::spawn(kube_controller::run(controller, say).for_each(|_| async {}));
    let pause = || tokio::time::sleep(Duration::from_secs(5));
    pause().await;
    let stored = server.update(&sets, set(2)).unwrap();
    pause().await;
    let mut pod = object(&pods, "default", "web-1");
    let uid = &stored["metadata"]["uid"];
    let owner = json!({"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web", "uid": uid, "controller": true});
    pod["metadata"]["ownerReferences"] = json!([owner]);
    server.create(&pods, pod).unwrap();
    pause().await;
    server.delete(&pods, "default", "web-1").unwrap();
    pause().await;
    running.abort();
    said.lock().unwrap().clone()
}

#[tokio::test(start_paused = true)]
async fn a_controller_hears_the_same_from_informers() {
    let mut heard = Vec::new();
    for informers in [false, true] {
        let server = server();
        server.create(&Resource::of::<ReplicaSet>(), set(1)).unwrap();
        let client = server.client();
        let controller =
            if informers { kube_controller::after(client).unwrap() } else { kube_controller::before(client) };
        heard.push(calls(&server, controller).await);
    }
    assert_eq!(heard[1], ["web wants 1", "web wants 2", "web wants 2", "web wants 2"]);
    assert_eq!(heard[0], heard[1]);
}

#[tokio::test(start_paused = true)]
async fn the_reader_has_what_the_informer_has() {
    let server = server();
    let sets = Resource::of::<ReplicaSet>();
    server.create(&sets, set(1)).unwrap();
    let factory = new_shared_informer_factory(server.client(), Duration::ZERO);
    let informer = factory.apps().v1().replicasets().informer();
    let (store, mut triggers) = kube_bridge::controller_source(&informer).unwrap();
    factory.start(&CancellationToken::new());
    let first = triggers.next().await.unwrap().unwrap();
    assert_eq!(first.metadata.name.as_deref(), Some("web"));
    server.update(&sets, set(2)).unwrap();
    let second = triggers.next().await.unwrap().unwrap();
    assert_eq!(kube_controller::replicas(&second), Some(2));
    store.wait_until_ready().await.unwrap();
    let cached = informer.lister().list(&Selector::everything()).remove(0);
    let read = store.get(&kube_bridge::object_ref(&cached)).unwrap();
    assert_eq!(*read, *cached.get().unwrap());
    server.delete(&sets, "default", "web").unwrap();
    // A deletion of the kind itself reconciles nothing.
    let nothing = tokio::time::timeout(Duration::from_secs(60), triggers.next()).await;
    assert!(nothing.is_err() && store.is_empty());
    factory.shutdown().await;
    assert!(triggers.next().await.is_none());
}
