//! The informers of a factory: who is here, who is on the way out, who failed.

use std::collections::HashMap;
use std::sync::Arc;

use crate::form::Form;
use crate::informer::InformerHandle;
use crate::plan::Plan;
use crate::reflector::Target;
use crate::sync::{Failed, reason};

/// What requests must have in common to share an informer. Plain data.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Key {
    target: Target,
    transform: String,
}

impl Key {
    pub(super) fn of(plan: &Plan) -> Self {
        Self { target: plan.target.clone(), transform: plan.entries.transform.id().to_owned() }
    }

    /// The key of the whole objects, for one of their metadata: who reads metadata is served by them too.
    pub(super) fn whole(&self) -> Option<Self> {
        let target = Target { form: Form::Full, ..self.target.clone() };
        (self.target.form == Form::Metadata).then(|| Self { target, transform: self.transform.clone() })
    }
}

enum Slot {
    Here(Arc<InformerHandle>),
    /// It ended before its cache was filled, and nobody has asked for it since.
    Failed(Failed),
}

#[derive(Default)]
pub(super) struct Informers {
    slots: HashMap<Key, Slot>,
    /// In the order in which they were first asked for.
    order: Vec<Key>,
    /// They were told to stop, have not done so yet, and their place is another's.
    leaving: Vec<Arc<InformerHandle>>,
    pub(super) shut_down: bool,
}

impl Informers {
    /// The running or future informer of a key. One that has stopped, or was told to, has left its place.
    pub(super) fn present(&self, key: &Key) -> Option<&Arc<InformerHandle>> {
        match self.slots.get(key)? {
            Slot::Here(informer) => Some(informer).filter(|informer| !informer.is_ending()),
            Slot::Failed(_) => None,
        }
    }

    pub(super) fn insert(&mut self, key: Key, informer: Arc<InformerHandle>) {
        match self.slots.insert(key.clone(), Slot::Here(informer)) {
            Some(Slot::Here(old)) => self.leaving.push(old),
            Some(Slot::Failed(_)) => {}
            None => self.order.push(key),
        }
    }

    /// Lets go of those that have stopped, so that their caches go with the last reader. They are given back, to be
    /// dropped where nobody waits.
    #[must_use]
    pub(super) fn sweep(&mut self) -> Vec<Arc<InformerHandle>> {
        let (stopped, leaving) = std::mem::take(&mut self.leaving).into_iter().partition(|old| old.phase().stopped);
        self.leaving = leaving;
        let mut gone: Vec<Arc<InformerHandle>> = stopped;
        self.slots.retain(|_, slot| match slot {
            Slot::Here(informer) if informer.phase().stopped => {
                gone.push(informer.clone());
                let failed = (!informer.phase().synced).then(|| (informer.resource().clone(), reason(informer)));
                let failed = failed.map(Slot::Failed);
                let stays = failed.is_some();
                if let Some(failed) = failed {
                    *slot = failed;
                }
                stays
            }
            _ => true,
        });
        self.order.retain(|key| self.slots.contains_key(key));
        gone
    }

    /// Those that are here, in order.
    pub(super) fn here(&self) -> Vec<Arc<InformerHandle>> {
        let informer = |key| match self.slots.get(key)? {
            Slot::Here(informer) => Some(informer.clone()),
            Slot::Failed(_) => None,
        };
        self.order.iter().filter_map(informer).collect()
    }

    /// Those that are here or on the way out.
    pub(super) fn all(&self) -> Vec<Arc<InformerHandle>> {
        let mut all = self.here();
        all.extend(self.leaving.iter().cloned());
        all
    }

    /// Those that failed, in order.
    pub(super) fn failed(&self) -> Vec<Failed> {
        let failed = |key| match self.slots.get(key)? {
            Slot::Here(_) => None,
            Slot::Failed(failed) => Some(failed.clone()),
        };
        self.order.iter().filter_map(failed).collect()
    }
}
