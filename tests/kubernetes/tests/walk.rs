//! Every row of the resource table: its accessor, `for_resource`, what it asks the server for, and its scope.
//!
//! Compiled for one Kubernetes release at a time; CI runs it for each.

use std::collections::BTreeSet;
use std::path::Path;

use informer_gen::{Input, Request};
use informer_runtime::{CancellationToken, GenericInformer, Resource, SharedInformerFactory};
use informer_test_server::{RequestKind, TestServer};
use kubernetes_informers::{RESOURCES, informers, new_filtered_shared_informer_factory, new_shared_informer_factory};
use kubernetes_informers_tests::object;
use serde_json::Value;
use std::time::Duration;

// The release that this was compiled for: k8s-openapi's word, whoever chose it.
k8s_openapi::k8s_if_1_33! { const RELEASE: &str = "1.33"; }
k8s_openapi::k8s_if_1_34! { const RELEASE: &str = "1.34"; }
k8s_openapi::k8s_if_1_35! { const RELEASE: &str = "1.35"; }
k8s_openapi::k8s_if_1_36! { const RELEASE: &str = "1.36"; }
k8s_openapi::k8s_if_1_37! { const RELEASE: &str = "1.37"; }

/// The releases that were asked for: by a feature of this package, and by the variable, which may be empty.
fn asked() -> BTreeSet<String> {
    let features = [
        ("1.33", cfg!(feature = "v1_33")),
        ("1.34", cfg!(feature = "v1_34")),
        ("1.35", cfg!(feature = "v1_35")),
        ("1.36", cfg!(feature = "v1_36")),
        ("1.37", cfg!(feature = "v1_37")),
    ];
    let features = features.into_iter().filter(|(_, on)| *on).map(|(release, _)| release.to_owned());
    let variable = std::env::var("K8S_OPENAPI_ENABLED_VERSION").ok().filter(|release| !release.is_empty());
    features.chain(variable).collect()
}

/// A server with an object of each kind, twice where kinds have namespaces; it knows no streaming lists, so that what
/// is asked is a LIST and a WATCH.
fn filled() -> TestServer {
    let server = TestServer::builder().resources(RESOURCES).streaming_lists(false).build();
    for resource in RESOURCES {
        let namespaces: &[&str] = if resource.is_namespaced() { &["red", "blue"] } else { &[""] };
        for namespace in namespaces {
            server.create(resource, object(resource, namespace, "one")).unwrap();
        }
    }
    server
}

/// Starts all informers, and gives what the server was asked: kind of request and path.
async fn synced(factory: &SharedInformerFactory, server: &TestServer) -> Vec<(RequestKind, String)> {
    factory.start(&CancellationToken::new());
    factory.wait_for_cache_sync_within(Duration::from_secs(60)).await.unwrap();
    server.wait_until(|server| server.open_watches() == RESOURCES.len()).await;
    let asked = server.requests().into_iter().filter(|request| request.kind != RequestKind::StreamingList);
    asked.map(|request| (request.kind, request.path)).collect()
}

#[tokio::test(start_paused = true)]
async fn b45_b47_plurals_and_scopes_are_those_of_the_document() {
    let row = |kind: &str| RESOURCES.iter().find(|row| row.kind() == kind && row.version() == "v1");
    for (kind, path) in [
        ("Endpoints", "/api/v1/namespaces/red/endpoints"),
        ("NetworkPolicy", "/apis/networking.k8s.io/v1/namespaces/red/networkpolicies"),
        ("EndpointSlice", "/apis/discovery.k8s.io/v1/namespaces/red/endpointslices"),
        ("Ingress", "/apis/networking.k8s.io/v1/namespaces/red/ingresses"),
        ("Lease", "/apis/coordination.k8s.io/v1/namespaces/red/leases"),
        ("Node", "/api/v1/nodes"),
        ("Namespace", "/api/v1/namespaces"),
        ("ClusterRole", "/apis/rbac.authorization.k8s.io/v1/clusterroles"),
    ] {
        let row = row(kind).unwrap();
        assert_eq!(row.path(row.is_namespaced().then_some("red")), path);
    }
    assert_eq!(row("ComponentStatus"), None, "it can't be watched");
    let factory = new_shared_informer_factory(TestServer::new(RESOURCES).client(), Duration::ZERO);
    let mut asked = row("NetworkPolicy").unwrap().group_version_resource();
    asked.resource = "networkpolicys".to_owned();
    let told = factory.for_resource(&asked).err().unwrap().to_string();
    assert!(told.contains("did you mean networking.k8s.io/v1/networkpolicies"), "{told}");
}

#[test]
fn the_release_is_the_one_that_was_asked_for() {
    assert_eq!(asked(), BTreeSet::from([RELEASE.to_owned()]));
}

#[test]
fn b48_the_table_is_what_the_document_of_the_release_says() {
    let specs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../generated/specs");
    let request = Request::new("x", "x").openapi(Input::Path(specs.join(format!("{RELEASE}.json"))));
    let report: Value = serde_json::from_str(&informer_gen::report(&request).unwrap().json()).unwrap();
    let text = |row: &Value, key: &str| row[key].as_str().unwrap().to_owned();
    let declared: BTreeSet<Resource> = report["informers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            let [group, version, kind, plural] = ["group", "version", "kind", "plural"].map(|key| text(row, key));
            Resource::dynamic(group, version, kind, plural, row["namespaced"].as_bool().unwrap())
        })
        .collect();
    assert_eq!(RESOURCES.iter().cloned().collect::<BTreeSet<_>>(), declared);
}

/// Lines of the Rust files in a folder and below, and how many files there are that are a kind's own.
fn size(folder: &Path) -> (usize, usize) {
    let (mut lines, mut kinds) = (0, 0);
    for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            let below = size(&path);
            (lines, kinds) = (lines + below.0, kinds + below.1);
        } else {
            let text = std::fs::read_to_string(&path).unwrap();
            lines += text.lines().count();
            kinds += usize::from(text.contains("codegen::namespaced_kind!") || text.contains("codegen::cluster_kind!"));
        }
    }
    (lines, kinds)
}

#[test]
fn a_kind_takes_few_lines() {
    let (lines, kinds) = size(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../generated/kubernetes/src"));
    assert!(kinds > 100 && lines <= kinds * 60, "{lines} lines for {kinds} kinds");
}

#[tokio::test(start_paused = true)]
async fn every_informer_lists_and_watches_its_own_path_and_is_shared() {
    let server = filled();
    let factory = new_shared_informer_factory(server.client(), Duration::ZERO);
    let typed = informers(&factory);
    assert_eq!(typed.iter().map(|informer| informer.resource().clone()).collect::<Vec<_>>(), RESOURCES);
    let generic: Vec<_> =
        RESOURCES.iter().map(|resource| factory.for_resource(&resource.group_version_resource()).unwrap()).collect();
    for (typed, generic) in typed.iter().zip(&generic) {
        assert_eq!(typed.resource(), generic.resource());
        drop((typed.informer(), generic.informer()));
    }
    let asked = synced(&factory, &server).await;
    for ((resource, typed), generic) in RESOURCES.iter().zip(&typed).zip(&generic) {
        let of_path =
            |kind| asked.iter().filter(|(asked, path)| (*asked, path) == (kind, &resource.path(None))).count();
        // One of each: both accessors share a watch and a cache.
        assert_eq!((of_path(RequestKind::List), of_path(RequestKind::Watch)), (1, 1), "{resource}");
        let expected = if resource.is_namespaced() { 2 } else { 1 };
        for lister in [typed.lister(), generic.lister()] {
            assert_eq!(lister.list(&"".parse().unwrap()).len(), expected, "{resource}");
        }
    }
    assert_eq!(asked.len(), RESOURCES.len() * 2);
    factory.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn a_namespaced_factory_narrows_what_has_namespaces_and_nothing_else() {
    let server = filled();
    let factory = new_filtered_shared_informer_factory(server.client(), Duration::ZERO, "red", |_| {});
    let typed = informers(&factory);
    typed.iter().for_each(|informer| drop(informer.informer()));
    let asked = synced(&factory, &server).await;
    for (resource, typed) in RESOURCES.iter().zip(&typed) {
        let path = resource.path(Some("red"));
        assert_eq!(path.contains("/namespaces/red/"), resource.is_namespaced());
        let of_path = |kind| asked.iter().filter(|(asked, there)| (*asked, there) == (kind, &path)).count();
        assert_eq!((of_path(RequestKind::List), of_path(RequestKind::Watch)), (1, 1), "{resource}");
        let namespace = if resource.is_namespaced() { "red" } else { "" };
        let lister = typed.lister();
        assert_eq!(lister.list(&"".parse().unwrap()).len(), 1, "{resource}");
        let found = lister.get(namespace, "one").unwrap();
        let dynamic = found.get().unwrap();
        let types = dynamic.types.as_ref().unwrap();
        assert_eq!((&*types.api_version, &*types.kind), (&*resource.api_version(), resource.kind()));
    }
    assert_eq!(asked.len(), RESOURCES.len() * 2);
    factory.shutdown().await;
}
