//! Tells every handler of every change: each has a task and a queue of its own, so none waits for another.

mod merged;
mod backlog;
mod in_hand;
mod listener;
mod registration;
mod resync;

pub(crate) use in_hand::{InHand, Told};
pub(crate) use listener::{ErrorSink, Listener};
pub use registration::Registration;
pub(crate) use registration::Unlist;
pub(crate) use resync::ResyncTimers;

use std::sync::Arc;

use crate::store::{Notification, Snapshot};

/// The handlers of an informer.
#[derive(Debug, Default)]
pub(crate) struct Processor {
    listeners: Vec<Arc<Listener>>,
}

impl Processor {
    pub(crate) fn listeners(&self) -> &[Arc<Listener>] {
        &self.listeners
    }

    /// Lets a handler in: it hears of all that is in `snapshot`, then of everything that is distributed from now on.
    pub(crate) fn add(&mut self, listener: Arc<Listener>, snapshot: Snapshot, synced: bool) {
        listener.push_initial(snapshot, synced);
        self.listeners.push(listener);
    }

    /// One whose queue has no room, if there is any.
    pub(crate) fn full(&self) -> Option<&Arc<Listener>> {
        self.listeners.iter().find(|listener| listener.is_full())
    }

    /// How many handlers there are, and how many changes wait for them in all.
    pub(crate) fn sizes(&self) -> (usize, usize) {
        (self.listeners.len(), self.listeners.iter().map(|listener| listener.waiting()).sum())
    }

    /// Lets go of all handlers, for good.
    pub(crate) fn clear(&mut self) -> Vec<Arc<Listener>> {
        std::mem::take(&mut self.listeners)
    }

    pub(crate) fn remove(&mut self, id: u64) {
        self.listeners.retain(|listener| listener.id() != id);
    }

    /// The first list is there: every handler hears of all that is in it.
    pub(crate) fn begin(&self, snapshot: &Snapshot) {
        for listener in &self.listeners {
            listener.push_initial(snapshot.clone(), true);
        }
    }

    /// Puts a batch into every queue.
    pub(crate) fn distribute(&self, notifications: Vec<Notification>) {
        if notifications.is_empty() {
            return;
        }
        let batch: Arc<[Notification]> = notifications.into();
        for listener in &self.listeners {
            listener.push(batch.clone());
        }
    }
}
