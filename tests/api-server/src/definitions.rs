//! What happens to the resources of custom kinds when their definitions come, change and go.

use informer_runtime::Resource;

use crate::registry::Served;
use crate::server::TestServer;
use crate::status::Status;

/// Definitions of kinds.
impl TestServer {
    /// Serves one more resource, or again one that was not served for a while, or one in another way. Its history
    /// starts now; a resource that was only [unserved](Self::unserve_resource) has its objects still.
    pub fn serve_resource(&self, served: impl Into<Served>) {
        self.shared.change(|state| state.store.serve(served.into()));
    }

    /// Changes the definition of a resource, its schema for instance: its watches end cleanly a second later, without
    /// an event, and versions from before are expired, the newest one too.
    pub fn change_definition(&self, resource: &Resource) {
        self.shared.change(|state| {
            state.store.advance(1);
            state.store.forget_history(resource);
            state.watches.retire(resource);
        });
    }

    /// Stops serving a resource, but keeps its objects, as when its version is no longer served: its watches end
    /// cleanly a second later, without an event, and requests get a 404 in plain text.
    pub fn unserve_resource(&self, resource: &Resource) {
        self.shared.change(|state| {
            state.store.advance(1);
            state.store.unserve(resource);
            state.watches.retire(resource);
        });
    }

    /// Stops serving a resource, as when its definition is deleted: its objects are deleted, its watches hear of that
    /// and end cleanly a second later, and requests get a 404 in plain text.
    pub fn remove_resource(&self, resource: &Resource) {
        self.shared.change(|state| {
            let keys: Vec<_> =
                state.store.collection(resource).into_iter().flat_map(|found| found.keys().cloned()).collect();
            for key in keys {
                if let Some(change) = state.store.commit(resource, &key, None) {
                    state.watches.publish(resource, &change);
                }
            }
            state.watches.retire(resource);
            state.store.stop_serving(resource);
        });
    }

    /// Answers the next so many requests for a resource with [`Status::initializing`], as servers do now and then when
    /// a definition is new or has changed.
    pub fn initialize_storage(&self, resource: &Resource, requests: usize) {
        self.shared.change(|state| state.initializing.push((resource.clone(), requests)));
    }

    /// Whether this request is one of those that come too early. Counts it.
    pub(crate) fn is_initializing(&self, resource: &Resource) -> bool {
        let mut state = self.shared.read();
        let waiting = state.initializing.iter_mut().find(|(of, left)| of == resource && *left > 0);
        waiting.is_some_and(|(_, left)| {
            *left -= 1;
            true
        })
    }
}

impl Status {
    /// 429 with a Retry-After of one second: the storage of a kind is being set up.
    #[must_use]
    pub fn initializing() -> Self {
        Self::too_many_requests(1).with_message("storage is (re)initializing")
    }
}
