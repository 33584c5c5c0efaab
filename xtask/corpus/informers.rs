//! Crates made from real CRDs, in use: for one kind of each, its informer against the embedded API server, with an
//! object as people write it.
//!
//! `cargo xtask corpus` compiles this in a workspace of its own, together with the crates; they are no part of this
//! repository.

#![cfg(test)]

use argo_cd_informers::argoproj_io::v1alpha1::Application;
use cert_manager_informers::cert_manager_io::v1::Certificate;
use gateway_api_informers::gateway_networking_k8s_io::v1::HTTPRoute;
use informer_runtime::{CancellationToken, Object, Resource, Selector, SharedInformerFactory};
use informer_test_server::TestServer;
use kube::api::{Api, PostParams};
use kube::core::NamespaceResourceScope;
use prometheus_operator_informers::monitoring_coreos_com::v1::ServiceMonitor;
use serde::Serialize;
use serde_json::{Value, json};
use std::fmt::Debug;
use std::time::Duration;
use tokio::sync::mpsc;

/// Lists and decodes the object, compares the JSON, then creates a second one through `Api` and waits for its event.
async fn listed_decoded_and_created<K>(object: Value)
where
    K: Object + kube::Resource<Scope = NamespaceResourceScope> + Serialize + Clone + Debug,
{
    let resource = Resource::of::<K>();
    let server = TestServer::new([&resource]);
    let stored = server.create(&resource, object).expect("a valid object");

    let factory = SharedInformerFactory::new(server.client(), Duration::ZERO);
    let informer = factory.informer_for::<K>();
    let (adds, mut added) = mpsc::unbounded_channel();
    let handler = informer.handler().on_add(move |object, is_initial| {
        // the test may have ended already
        let _ = adds.send((object.name().to_owned(), is_initial));
    });
    informer.add_event_handler(handler).expect("it runs");
    let stop = CancellationToken::new();
    factory.start(&stop);
    factory.wait_for_cache_sync(&stop).await.expect("synced");
    assert_eq!(added.recv().await, Some(("shop".to_owned(), true)));

    let listed = informer.lister().list(&Selector::everything());
    assert_eq!(listed.len(), 1);
    let decoded = listed[0].get().expect("decodes");
    assert_eq!(serde_json::to_value(&*decoded).expect("encodes"), stored, "equal JSON back");

    let mut second = K::clone(&decoded);
    *second.meta_mut() = Default::default();
    second.meta_mut().name = Some("second".to_owned());
    let created = Api::<K>::namespaced(server.client(), "red").create(&PostParams::default(), &second).await;
    let created = created.expect("the server takes what the type writes");
    assert_eq!(created.meta().namespace.as_deref(), Some("red"));
    assert_eq!(added.recv().await, Some(("second".to_owned(), false)));
    let kept = server.get(&resource, "red", "second").expect("it is there");
    assert_eq!(kept["spec"], stored["spec"], "nothing was lost on the way");

    stop.cancel();
    factory.shutdown().await;
}

#[tokio::test]
async fn certificate_of_cert_manager() {
    listed_decoded_and_created::<Certificate>(json!({
        "apiVersion": "cert-manager.io/v1",
        "kind": "Certificate",
        "metadata": {"name": "shop", "namespace": "red", "labels": {"tier": "front"}},
        "spec": {
            "secretName": "shop-tls",
            "secretTemplate": {"labels": {"tier": "front"}, "annotations": {"note": "made by a test"}},
            "duration": "2160h0m0s",
            "renewBefore": "360h0m0s",
            "subject": {"organizations": ["Shop"], "countries": ["XX"]},
            "isCA": false,
            "privateKey": {"algorithm": "ECDSA", "size": 256, "rotationPolicy": "Always"},
            "usages": ["server auth", "client auth", "digital signature"],
            "dnsNames": ["shop.example.test", "*.shop.example.test"],
            "ipAddresses": ["192.0.2.7"],
            "uris": ["spiffe://cluster.local/ns/red/sa/shop"],
            "keystores": {"jks": {"create": true, "alias": "shop", "passwordSecretRef": {"name": "jks", "key": "password"}}},
            "additionalOutputFormats": [{"type": "CombinedPEM"}],
            "issuerRef": {"name": "house", "kind": "ClusterIssuer", "group": "cert-manager.io"}
        },
        "status": {
            "conditions": [{
                "type": "Ready", "status": "True", "reason": "Ready", "message": "Certificate is up to date",
                "lastTransitionTime": "2031-02-03T04:05:06Z", "observedGeneration": 1
            }],
            "notAfter": "2031-05-04T04:05:06Z",
            "notBefore": "2031-02-03T04:05:06Z",
            "renewalTime": "2031-04-19T04:05:06Z",
            "revision": 1
        }
    }))
    .await;
}

#[tokio::test]
async fn http_route_of_gateway_api() {
    listed_decoded_and_created::<HTTPRoute>(json!({
        "apiVersion": "gateway.networking.k8s.io/v1",
        "kind": "HTTPRoute",
        "metadata": {"name": "shop", "namespace": "red"},
        "spec": {
            "parentRefs": [{"group": "gateway.networking.k8s.io", "kind": "Gateway", "name": "edge", "sectionName": "https"}],
            "hostnames": ["shop.example.test"],
            "rules": [{
                "matches": [
                    {"path": {"type": "PathPrefix", "value": "/v2"}, "method": "GET",
                     "headers": [{"type": "Exact", "name": "x-tier", "value": "front"}]},
                    {"path": {"type": "Exact", "value": "/healthz"}}
                ],
                "filters": [
                    {"type": "RequestHeaderModifier", "requestHeaderModifier": {
                        "set": [{"name": "x-route", "value": "shop"}], "add": [], "remove": ["x-debug"]}},
                    {"type": "URLRewrite", "urlRewrite": {
                        "path": {"type": "ReplacePrefixMatch", "replacePrefixMatch": "/"}}}
                ],
                "backendRefs": [
                    {"group": "", "kind": "Service", "name": "shop-a", "port": 8080, "weight": 90},
                    {"group": "", "kind": "Service", "name": "shop-b", "port": 8080, "weight": 10}
                ],
                "timeouts": {"request": "10s", "backendRequest": "2s"}
            }]
        },
        "status": {"parents": [{
            "controllerName": "example.test/edge",
            "parentRef": {"group": "gateway.networking.k8s.io", "kind": "Gateway", "name": "edge"},
            "conditions": [{
                "type": "Accepted", "status": "True", "reason": "Accepted", "message": "",
                "lastTransitionTime": "2031-02-03T04:05:06Z", "observedGeneration": 3
            }]
        }]}
    }))
    .await;
}

#[tokio::test]
async fn application_of_argo_cd() {
    listed_decoded_and_created::<Application>(json!({
        "apiVersion": "argoproj.io/v1alpha1",
        "kind": "Application",
        "metadata": {"name": "shop", "namespace": "red", "finalizers": ["resources-finalizer.argocd.argoproj.io"]},
        "spec": {
            "project": "default",
            "source": {
                "repoURL": "https://git.example.test/shop.git",
                "path": "deploy/overlays/red",
                "targetRevision": "HEAD",
                "kustomize": {"images": ["shop=registry.example.test/shop:1.2.3"], "commonLabels": {"tier": "front"}},
                "helm": {"parameters": [{"name": "replicas", "value": "3", "forceString": true}], "valueFiles": ["values.yaml"]}
            },
            "destination": {"server": "https://kubernetes.default.svc", "namespace": "red"},
            "syncPolicy": {
                "automated": {"prune": true, "selfHeal": true},
                "syncOptions": ["CreateNamespace=true"],
                "retry": {"limit": 5, "backoff": {"duration": "5s", "factor": 2, "maxDuration": "3m"}}
            },
            "ignoreDifferences": [{"group": "apps", "kind": "Deployment", "jsonPointers": ["/spec/replicas"]}],
            "revisionHistoryLimit": 10
        },
        "status": {
            "sync": {"status": "Synced", "revision": "0123abc"},
            "health": {"status": "Healthy"},
            "history": [{
                "id": 7, "revision": "0123abc", "deployedAt": "2031-02-03T04:05:06Z",
                "source": {"repoURL": "https://git.example.test/shop.git", "path": "deploy/overlays/red"}
            }]
        }
    }))
    .await;
}

#[tokio::test]
async fn service_monitor_of_prometheus_operator() {
    listed_decoded_and_created::<ServiceMonitor>(json!({
        "apiVersion": "monitoring.coreos.com/v1",
        "kind": "ServiceMonitor",
        "metadata": {"name": "shop", "namespace": "red", "labels": {"release": "house"}},
        "spec": {
            "jobLabel": "app",
            "selector": {"matchLabels": {"app": "shop"}, "matchExpressions": [{"key": "tier", "operator": "In", "values": ["front"]}]},
            "namespaceSelector": {"matchNames": ["red", "blue"]},
            "sampleLimit": 5000,
            "endpoints": [
                {
                    "port": "metrics", "path": "/metrics", "scheme": "https", "interval": "30s", "scrapeTimeout": "10s",
                    "params": {"match[]": ["{job=\"shop\"}"]},
                    "tlsConfig": {"ca": {"secret": {"name": "ca", "key": "tls.crt"}}, "serverName": "shop.example.test"},
                    "relabelings": [{
                        "sourceLabels": ["__meta_kubernetes_pod_name"], "targetLabel": "pod", "regex": "(.*)",
                        "replacement": "$1", "action": "replace"
                    }],
                    "metricRelabelings": [{"sourceLabels": ["__name__"], "regex": "go_.*", "action": "drop"}]
                },
                {"targetPort": 9090, "honorLabels": true},
                {"targetPort": "admin"}
            ]
        }
    }))
    .await;
}

/// The kind that old tutorials use, of a server that no release of k8s-openapi knows.
#[tokio::test]
async fn deployment_of_an_old_server() {
    use kubernetes_1_5_informers::extensions::v1beta1::Deployment;
    use kubernetes_1_5_informers::prelude::*;

    let deployments = Resource::of::<Deployment>();
    let server = TestServer::new([&deployments]);
    let object = |replicas: i64| {
        json!({
            "apiVersion": "extensions/v1beta1",
            "kind": "Deployment",
            "metadata": {"name": "shop", "namespace": "red"},
            "spec": {
                "replicas": replicas,
                "template": {
                    "metadata": {"labels": {"app": "shop"}},
                    "spec": {"containers": [{"name": "main", "image": "example.test/shop:1", "ports": [{"containerPort": 80}]}]}
                }
            }
        })
    };
    server.create(&deployments, object(1)).expect("a valid object");
    let factory = new_shared_informer_factory(server.client(), Duration::ZERO);
    let generic = factory.for_resource(&deployments.group_version_resource()).expect("it is in the table");
    let (events, mut heard) = mpsc::unbounded_channel();
    let (adds, updates, deletes) = (events.clone(), events.clone(), events);
    let handler = generic.informer().handler();
    let handler = handler
        .on_add(move |object, _| drop(adds.send(format!("add {}", object.name()))))
        .on_update(move |_, object| {
            let typed = object.get_as::<Deployment>().expect("decodes");
            let replicas = typed.spec.as_ref().and_then(|spec| spec.replicas);
            drop(updates.send(format!("update {} {replicas:?}", object.name())));
        })
        .on_delete(move |object| drop(deletes.send(format!("delete {}", object.name()))));
    generic.informer().add_event_handler(handler).expect("it runs");
    let stop = CancellationToken::new();
    factory.start(&stop);
    factory.wait_for_cache_sync(&stop).await.expect("synced");
    assert_eq!(heard.recv().await.as_deref(), Some("add shop"));
    let typed = factory.extensions().v1beta1().deployments().lister();
    let listed = typed.deployments("red").get("shop").expect("it is listed");
    let stored = server.get(&deployments, "red", "shop").expect("it is there");
    let decoded = serde_json::to_value(&*listed.get().expect("decodes")).expect("encodes");
    assert_eq!(decoded, stored, "equal JSON back");
    server.update(&deployments, object(3)).expect("a valid object");
    assert_eq!(heard.recv().await.as_deref(), Some("update shop Some(3)"));
    server.delete(&deployments, "red", "shop").expect("it is there");
    assert_eq!(heard.recv().await.as_deref(), Some("delete shop"));
    assert_eq!(server.requests().iter().filter(|request| request.is_watch()).count(), 1, "one watch for both");
    factory.shutdown().await;
}
