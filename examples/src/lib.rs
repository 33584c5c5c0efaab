//! What the examples share: a cluster to run against, and objects to put into it.

use informer_test_server::TestServer;
use kube::api::{Api, PostParams};
use parts_informers::parts_example_test::v1::Gadget;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{from_value, json};
use shop_informers::shop_example_test::v1::Widget;
use std::fmt::Debug;

/// What every example returns.
pub type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// A cluster to run against: an API server in this process, or a real one.
///
/// The real one is what the kubeconfig names, if the environment has `INFORMER_EXAMPLES=kubeconfig`; for `https` the
/// feature `rustls-tls` of this package is needed. The cluster must know the example CRDs
/// (`kubectl apply -f generated/example/crds -f generated/example-parts/crds`), have the namespaces `red` and `blue`,
/// and be one in which objects may be made: the examples leave theirs behind.
pub struct Cluster {
    client: kube::Client,
    /// Serves as long as the cluster is in use.
    _server: Option<TestServer>,
}

impl Cluster {
    /// Starts the server, or reads the kubeconfig.
    ///
    /// # Errors
    /// When the kubeconfig cannot be read.
    pub async fn start() -> Result<Self> {
        if std::env::var_os("INFORMER_EXAMPLES").is_some_and(|cluster| cluster == "kubeconfig") {
            let client = informer_runtime::client(kube::Config::infer().await?)?;
            return Ok(Self { client, _server: None });
        }
        let server = TestServer::new(shop_informers::RESOURCES.iter().chain(parts_informers::RESOURCES));
        Ok(Self { client: server.client(), _server: Some(server) })
    }

    /// A client for it.
    #[must_use]
    pub fn client(&self) -> kube::Client {
        self.client.clone()
    }

    /// Creates an object in its namespace.
    ///
    /// # Errors
    /// When the server refuses it.
    pub async fn create<K>(&self, object: &K) -> Result
    where
        K: kube::Resource<DynamicType = (), Scope = kube::core::NamespaceResourceScope>,
        K: Clone + Debug + DeserializeOwned + Serialize,
    {
        let namespace = object.meta().namespace.as_deref().unwrap_or("default");
        Api::<K>::namespaced(self.client(), namespace).create(&PostParams::default(), object).await?;
        Ok(())
    }
}

/// A widget of this size, with the size as a label too, and two parts.
#[must_use]
pub fn widget(namespace: &str, name: &str, size: &str) -> Widget {
    let object = json!({
        "metadata": {"namespace": namespace, "name": name, "labels": {"size": size}},
        "spec": {"size": size, "color": null, "tags": ["example"], "parts": [{"name": "box", "count": 1}, {"name": "lid"}]},
        "status": {"phase": "Pending"},
    });
    from_value(object).expect("fits the type")
}

/// A gadget with its name as its number.
#[must_use]
pub fn gadget(namespace: &str, name: &str) -> Gadget {
    let object = json!({
        "metadata": {"namespace": namespace, "name": name},
        "spec": {"partNumber": format!("no-{name}"), "stock": 3},
    });
    from_value(object).expect("fits the type")
}
