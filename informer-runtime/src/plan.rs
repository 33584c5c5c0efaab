//! What an informer is made of.

use std::sync::Arc;
use std::time::Duration;

use crate::entry::EntryPolicy;
use crate::options::ReflectorOptions;
use crate::reflector::Target;
use crate::reports::ErrorHook;
use crate::transport::Transport;

/// All choices of one informer.
pub(crate) struct Plan {
    pub(crate) transport: Arc<dyn Transport>,
    pub(crate) target: Target,
    pub(crate) options: ReflectorOptions,
    pub(crate) entries: EntryPolicy,
    pub(crate) on_error: Vec<ErrorHook>,
    pub(crate) rng: fastrand::Rng,
    /// Of handlers that do not choose their own; zero for never.
    pub(crate) resync: Duration,
    /// Called when the informer has ended, by whoever shares it out.
    pub(crate) on_end: Option<Box<dyn Fn() + Send + Sync>>,
}

impl Plan {
    /// What differs between two plans for one target, if anything that matters does.
    pub(crate) fn conflict(&self, other: &Self) -> Option<&'static str> {
        if self.options != other.options {
            Some("reflector options")
        } else if self.entries.keep_managed_fields != other.entries.keep_managed_fields {
            Some("choice about managedFields")
        } else if self.entries.decoded_budget != other.entries.decoded_budget {
            Some("budget for decoded values")
        } else if self.entries.kept != other.entries.kept {
            Some("types that are kept decoded")
        } else {
            None
        }
    }
}
