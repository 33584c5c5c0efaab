//! What the behaviour tests share: resources, types for them, a handler and an error hook that write down what they
//! are told, and an informer that runs with both.

mod errors;
mod log;
mod requests;
mod running;
pub mod simulation;

pub use errors::Errors;
pub use log::Log;
pub use requests::asked;
pub use running::{Running, settled};

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use informer_runtime::{Cached, Deleted, EventHandler, Resource};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::watch;

/// Widgets: namespaced.
pub const WIDGETS: Resource = Resource::new("shop.example.test", "v1", "Widget", "widgets", true);
/// Zones: cluster-scoped.
pub const ZONES: Resource = Resource::new("shop.example.test", "v1", "Zone", "zones", false);

macro_rules! kind {
    ($(#[$doc:meta])* $kind:ident, $plural:literal, $scope:ty, $spec:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
        pub struct $kind {
            /// Name, namespace, labels, …
            pub metadata: ObjectMeta,
            /// What is wanted.
            #[serde(default)]
            pub spec: $spec,
        }

        impl k8s_openapi::Resource for $kind {
            const API_VERSION: &'static str = "shop.example.test/v1";
            const GROUP: &'static str = "shop.example.test";
            const KIND: &'static str = stringify!($kind);
            const VERSION: &'static str = "v1";
            const URL_PATH_SEGMENT: &'static str = $plural;
            type Scope = $scope;
        }

        impl k8s_openapi::Metadata for $kind {
            type Ty = ObjectMeta;

            fn metadata(&self) -> &ObjectMeta {
                &self.metadata
            }

            fn metadata_mut(&mut self) -> &mut ObjectMeta {
                &mut self.metadata
            }
        }
    };
}

kind!(
    /// A namespaced kind.
    Widget,
    "widgets",
    k8s_openapi::NamespaceResourceScope,
    WidgetSpec
);
kind!(
    /// A cluster-scoped kind.
    Zone,
    "zones",
    k8s_openapi::ClusterResourceScope,
    ZoneSpec
);

/// The spec of a [`Widget`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct WidgetSpec {
    /// A number that changes.
    #[serde(default)]
    pub size: u32,
}

/// The spec of a [`Zone`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ZoneSpec {}

/// A widget of size 0.
#[must_use]
pub fn widget(namespace: &str, name: &str) -> Value {
    sized(namespace, name, 0)
}

/// A widget of some size.
#[must_use]
pub fn sized(namespace: &str, name: &str, size: u32) -> Value {
    json!({"metadata": {"namespace": namespace, "name": name, "labels": {"app": name}}, "spec": {"size": size}})
}

/// A widget as a script gives it: `namespace/name`, a version, and that version as its size.
#[must_use]
pub fn at(key: &str, version: u64) -> Value {
    let mut widget = informer_test_server::stub(&WIDGETS, key, version);
    widget["spec"] = json!({"size": version});
    widget
}

/// What a handler was told.
#[derive(Clone, PartialEq, Eq)]
pub enum Told {
    /// key, version, initial
    Add(String, String, bool),
    /// key, old version, new version
    Update(String, String, String),
    /// key, version, final state unknown
    Delete(String, String, bool),
}

/// `+red/a@5!` (initial), `+red/a@5`, `~red/a@5->7`, `-red/a@9`, `-red/a@5?` (final state unknown).
impl fmt::Debug for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Add(key, version, initial) => write!(f, "+{key}@{version}{}", if *initial { "!" } else { "" }),
            Self::Update(key, old, new) => write!(f, "~{key}@{old}->{new}"),
            Self::Delete(key, version, unknown) => write!(f, "-{key}@{version}{}", if *unknown { "?" } else { "" }),
        }
    }
}

/// A handler that writes down what it is told. Clones share what is written.
#[derive(Debug, Clone, Default)]
pub struct Recorder {
    told: Arc<Mutex<Vec<Told>>>,
    count: watch::Sender<usize>,
}

impl Recorder {
    /// One that was told nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn write(&self, told: Told) {
        let mut all = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        all.push(told);
        self.count.send_replace(all.len());
    }

    /// How many so far.
    #[must_use]
    pub fn told_count(&self) -> usize {
        *self.count.borrow()
    }

    /// All so far, in the notation of [`Told`].
    #[must_use]
    pub fn told(&self) -> Vec<String> {
        let all = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        all.iter().map(|told| format!("{told:?}")).collect()
    }

    /// Waits until so many were told in all, and gives them. Under a paused clock a wait that can't end ends with a
    /// panic after a (virtual) hour.
    pub async fn until(&self, count: usize) -> Vec<String> {
        let mut counted = self.count.subscribe();
        let reached = counted.wait_for(|reached| *reached >= count);
        let hour = std::time::Duration::from_secs(3600);
        if tokio::time::timeout(hour, reached).await.is_err() {
            panic!("told {:?} only, {count} expected", self.told());
        }
        self.told()
    }
}

impl<K: 'static> EventHandler<K> for Recorder {
    fn on_add(&self, object: &Cached<K>, is_initial: bool) {
        self.write(Told::Add(object.key().to_string(), object.resource_version().to_owned(), is_initial));
    }

    fn on_update(&self, old: &Cached<K>, new: &Cached<K>) {
        let (old, key) = (old.resource_version().to_owned(), new.key().to_string());
        self.write(Told::Update(key, old, new.resource_version().to_owned()));
    }

    fn on_delete(&self, deleted: &Deleted<K>) {
        let version = deleted.last_known().resource_version().to_owned();
        self.write(Told::Delete(deleted.key().to_string(), version, deleted.is_final_state_unknown()));
    }
}
