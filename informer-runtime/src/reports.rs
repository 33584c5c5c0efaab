//! Where all that goes wrong in one informer is told: counted, kept as the last error, given to the hooks.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

use crate::error::Error;
use crate::resource::Resource;
use crate::stats::{Counters, count};

/// Called with every error of an informer. Must not block.
pub type ErrorHook = Arc<dyn Fn(&Resource, &Error) + Send + Sync>;

/// The reports of one informer.
pub(crate) struct Reports {
    resource: Resource,
    hooks: Vec<ErrorHook>,
    last: Mutex<Option<Error>>,
    pub(crate) counters: Counters,
}

impl Reports {
    pub(crate) fn new(resource: Resource, hooks: Vec<ErrorHook>) -> Self {
        Self { resource, hooks, last: Mutex::default(), counters: Counters::default() }
    }

    /// A request, or the stream that it gave, failed: until the server serves us, this is why the cache is behind. What
    /// is of another kind, a handler or an index, is told and keeps nobody from anything.
    pub(crate) fn failed(&self, error: Error) {
        if error.is_of_server() {
            *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(error.clone());
        }
        self.tell(error);
    }

    /// The server serves us: what failed before is over.
    pub(crate) fn served(&self) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// An object had no place in the cache. All others go on.
    pub(crate) fn odd(&self, error: Error) {
        count(&self.counters.odd_objects);
        self.tell(error);
    }

    /// Something went wrong that is not why the cache is behind.
    pub(crate) fn tell(&self, error: Error) {
        tracing::debug!(resource = %self.resource, %error, "informer");
        self.counters.error(&error);
        for hook in &self.hooks {
            // A hook that panics must not take a stage of the informer with it.
            if catch_unwind(AssertUnwindSafe(|| hook(&self.resource, &error))).is_err() {
                tracing::error!(resource = %self.resource, "an error hook panicked");
            }
        }
    }

    /// Why the server does not serve us, if it does not.
    pub(crate) fn last(&self) -> Option<Error> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
