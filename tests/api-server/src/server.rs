//! The server as a test sees it: its state, its controls and its records.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use informer_runtime::Resource;
use serde_json::Value;

use crate::body::End;
use crate::object;
use crate::recorder::RequestRecord;
use crate::registry::Served;
use crate::script::Script;
use crate::state::{Settings, Shared, State};
use crate::status::Status;
use crate::store::{self, Store};
use crate::write::{self, Part, Preconditions};

/// An API server in memory. Clones are the same server.
///
/// Requests reach it through [`client`](Self::client), as a [`tower::Service`], or through a socket with
/// [`listen`](Self::listen). Tests act on its state directly: that needs no runtime and is seen by open watches at
/// once.
#[derive(Clone)]
pub struct TestServer {
    pub(crate) shared: Arc<Shared>,
}

/// Without the objects.
impl fmt::Debug for TestServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.shared.read();
        let resources: Vec<_> = state.store.served().map(Served::resource).collect();
        f.debug_struct("TestServer")
            .field("resources", &resources)
            .field("resource_version", &state.store.version())
            .field("open_watches", &state.watches.len())
            .finish_non_exhaustive()
    }
}

/// Sets up a [`TestServer`].
#[derive(Clone, Debug)]
pub struct Builder {
    served: Vec<Served>,
    version: u64,
    history: usize,
    settings: Settings,
}

impl Builder {
    /// Serves a resource: a [`Resource`], or a [`Served`] with more settings.
    #[must_use]
    pub fn resource(mut self, served: impl Into<Served>) -> Self {
        self.served.push(served.into());
        self
    }

    /// Serves several resources.
    #[must_use]
    pub fn resources<S: Into<Served>>(mut self, served: impl IntoIterator<Item = S>) -> Self {
        self.served.extend(served.into_iter().map(Into::into));
        self
    }

    /// The version before the first change. Default: 1.
    #[must_use]
    pub fn resource_version(mut self, version: u64) -> Self {
        self.version = version;
        self
    }

    /// How many changes of each resource are remembered for watches and exact lists. Default: 10,000.
    #[must_use]
    pub fn history(mut self, changes: usize) -> Self {
        self.history = changes;
        self
    }

    /// How long a watch without `timeoutSeconds` stays open. Default: 30 minutes.
    #[must_use]
    pub fn watch_timeout(mut self, timeout: Duration) -> Self {
        self.settings.watch_timeout = timeout;
        self
    }

    /// Whether `sendInitialEvents` is known. If not, such watches get status 422, as from servers before 1.32, and
    /// no script sees them. Default: true.
    #[must_use]
    pub fn streaming_lists(mut self, known: bool) -> Self {
        self.settings.streaming_lists = known;
        self
    }

    /// The first part of all uids, for tests with several servers. Default: 1.
    #[must_use]
    pub fn seed(mut self, seed: u32) -> Self {
        self.settings.seed = seed;
        self
    }

    /// The server. Its clock starts now.
    #[must_use]
    pub fn build(self) -> TestServer {
        let mut store = Store::new(self.version.max(1), self.history);
        self.served.into_iter().for_each(|served| store.serve(served));
        TestServer { shared: Arc::new(Shared::new(self.settings, State::new(store))) }
    }
}

impl TestServer {
    /// Sets up a server.
    #[must_use]
    pub fn builder() -> Builder {
        Builder {
            served: Vec::new(),
            version: 1,
            history: 10_000,
            settings: Settings { seed: 1, watch_timeout: Duration::from_secs(1_800), streaming_lists: true },
        }
    }

    /// A server of these resources with default settings.
    pub fn new<S: Into<Served>>(resources: impl IntoIterator<Item = S>) -> Self {
        Self::builder().resources(resources).build()
    }
}

/// The objects.
impl TestServer {
    /// Creates an object, and returns it as stored. Kind and apiVersion may be left out.
    ///
    /// # Errors
    /// As the API: invalid, already there, not served.
    pub fn create(&self, resource: &Resource, object: Value) -> Result<Value, Status> {
        let birth = self.shared.birth();
        self.write(resource, |store| write::create(store, resource, None, object, birth))
    }

    /// Replaces an object, and returns it as stored. With a resourceVersion it must be the present one.
    ///
    /// # Errors
    /// As the API: invalid, not found, conflict, not served.
    pub fn update(&self, resource: &Resource, object: Value) -> Result<Value, Status> {
        self.write(resource, |store| write::update(store, resource, None, object, Part::Whole))
    }

    /// Creates an object or, if it is there, replaces it whatever its version.
    ///
    /// # Errors
    /// As the API: invalid, not served.
    pub fn apply(&self, resource: &Resource, mut object: Value) -> Result<Value, Status> {
        if let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) {
            metadata.remove("resourceVersion");
            metadata.remove("uid");
        }
        match self.update(resource, object.clone()) {
            Err(status) if status.code() == 404 => self.create(resource, object),
            result => result,
        }
    }

    /// Deletes an object; `""` is the namespace of cluster-scoped ones. One with finalizers gets a
    /// deletionTimestamp and goes when an update takes the last finalizer away.
    ///
    /// # Errors
    /// As the API: not found, not served.
    pub fn delete(&self, resource: &Resource, namespace: &str, name: &str) -> Result<Value, Status> {
        let time = self.shared.time();
        let key = store::key(namespace, name);
        self.write(resource, |store| write::delete(store, resource, &key, &Preconditions::default(), &time))
    }

    /// An object as it is now.
    #[must_use]
    pub fn get(&self, resource: &Resource, namespace: &str, name: &str) -> Option<Value> {
        let state = self.shared.read();
        let stored = state.store.collection(resource)?.get(&store::key(namespace, name))?;
        Some(stored.value())
    }

    /// All objects of a resource, in the order of their keys.
    #[must_use]
    pub fn objects(&self, resource: &Resource) -> Vec<Value> {
        let state = self.shared.read();
        let version = state.store.version();
        let collection = state.store.collection(resource).into_iter();
        collection.flat_map(|found| found.objects_at(version, None, None)).map(|(_, stored)| stored.value()).collect()
    }

    /// The newest version.
    #[must_use]
    pub fn resource_version(&self) -> u64 {
        self.shared.read().store.version()
    }

    fn write(
        &self,
        resource: &Resource,
        write: impl FnOnce(&mut Store) -> Result<write::Written, Status>,
    ) -> Result<Value, Status> {
        self.shared.change(|state| state.write(resource, write)).map(|written| written.object)
    }
}

/// Events that befall a server.
impl TestServer {
    /// Forgets the history. A watch from, and an exact list at, an older version than the present one gets 410.
    /// Open watches stay.
    pub fn compact(&self) {
        self.shared.change(|state| state.store.compact());
    }

    /// Makes all versions so far unknown, the present one too, as when a server is restored or its CRD changes: the
    /// next watch gets 410 even if nothing was missed. Open watches stay.
    pub fn expire_versions(&self) {
        self.shared.change(|state| {
            state.store.advance(1);
            state.store.compact();
        });
    }

    /// Makes everything as it was at this version and cuts all watches, as when a backup is restored: versions that
    /// were there come again, with other content. Returns `false`, and nothing happens, if the version is not
    /// remembered or still to come.
    pub fn restore(&self, version: u64) -> bool {
        self.shared.change(|state| {
            let restored = state.store.restore(version);
            if restored {
                state.cached = None;
                state.watches.end_all(End::Cut, None);
            }
            restored
        })
    }

    /// Moves the version on without a change, as changes of other resources do.
    pub fn advance_version(&self, versions: u64) {
        self.shared.change(|state| state.store.advance(versions));
    }

    /// Answers reads of any version (`resourceVersion=0`) from this older version, as a server that lags behind
    /// does. `None`: from the newest. The version must be remembered, else it has no effect.
    pub fn lag_at(&self, version: Option<u64>) {
        self.shared.change(|state| state.cached = version);
    }

    /// Ends all open watches cleanly, after the events that are on their way.
    pub fn close_watches(&self) {
        self.end_watches(End::Close);
    }

    /// Ends all open watches by a transport error, after the events that are on their way.
    pub fn cut_watches(&self) {
        self.end_watches(End::Cut);
    }

    /// Makes all open watches silent for ever, as when a connection is half open.
    pub fn stall_watches(&self) {
        self.end_watches(End::Stall);
    }

    /// Ends all open watches by an ERROR event. Scripted ones stay.
    pub fn fail_watches(&self, status: &Status) {
        self.shared.change(|state| state.watches.fail_all(status));
    }

    /// Sends a bookmark with the newest version to all open watches that take bookmarks.
    pub fn send_bookmark(&self) {
        self.shared.change(|state| state.watches.bookmark(state.store.version(), None));
    }

    /// Adds the rules of a script after those that are there.
    pub fn script(&self, script: Script) {
        self.shared.script().extend(script);
    }

    /// Removes all rules. Answers that are under way stay as they are.
    pub fn clear_script(&self) {
        *self.shared.script() = Script::new();
    }

    fn end_watches(&self, end: End) {
        self.shared.change(|state| state.watches.end_all(end, None));
    }
}

/// What the server has seen.
impl TestServer {
    /// All requests so far, in order; at most the last 65,536.
    #[must_use]
    pub fn requests(&self) -> Vec<RequestRecord> {
        self.shared.read().recorder.select(|_| true)
    }

    /// The lists so far, every page.
    #[must_use]
    pub fn lists(&self) -> Vec<RequestRecord> {
        self.shared.read().recorder.select(RequestRecord::is_list)
    }

    /// The watches so far, streaming lists among them.
    #[must_use]
    pub fn watches(&self) -> Vec<RequestRecord> {
        self.shared.read().recorder.select(RequestRecord::is_watch)
    }

    /// Forgets the requests so far.
    pub fn clear_requests(&self) {
        self.shared.change(|state| state.recorder.clear());
    }

    /// How many watches are open: answered, not at their end, and their bodies not dropped.
    #[must_use]
    pub fn open_watches(&self) -> usize {
        self.shared.read().watches.len()
    }

    /// Waits until a condition on this server holds. It is tried now and after every request, change and end of a
    /// watch. Cancel safe.
    pub async fn wait_until(&self, mut condition: impl FnMut(&Self) -> bool) {
        let mut changes = self.shared.changes();
        while !condition(self) {
            // The sender lives as long as this server
            let _ = changes.changed().await;
        }
    }
}

/// The namespace and name of an object in JSON, `""` where there is none.
#[must_use]
pub fn namespace_and_name(object: &Value) -> (&str, &str) {
    object::names(object)
}
