//! What the tests of `kubernetes-informers` share with its example: a server that has every built-in kind.

use informer_runtime::Resource;
use informer_test_server::TestServer;
use serde_json::{Value, json};

/// A server of all kinds of the chosen release, without objects.
#[must_use]
pub fn server() -> TestServer {
    TestServer::new(kubernetes_informers::RESOURCES)
}

/// An object of a kind, in a namespace where it has one.
#[must_use]
pub fn object(resource: &Resource, namespace: &str, name: &str) -> Value {
    let metadata =
        if resource.is_namespaced() { json!({"namespace": namespace, "name": name}) } else { json!({"name": name}) };
    json!({"apiVersion": resource.api_version(), "kind": resource.kind(), "metadata": metadata})
}

/// A Pod of the namespace `default` on a node.
#[must_use]
pub fn pod(name: &str, node: &str) -> Value {
    json!({
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"namespace": "default", "name": name},
        "spec": {"nodeName": node, "containers": [{"name": "main", "image": "example.test/main:1"}]},
    })
}
