//! What the owner of a handler holds.

use std::fmt;
use std::sync::{Arc, Weak};

use super::Listener;

/// A registered handler, or a stream of events. Dropping this keeps the handler; [`remove`](Self::remove),
/// [`drain`](Self::drain) and [`close`](Self::close) end it, from anywhere, any number of times.
#[derive(Debug, Clone)]
#[doc(alias = "ResourceEventHandlerRegistration")]
pub struct Registration {
    listener: Arc<Listener>,
    informer: Weak<dyn Unlist>,
}

/// The part of an informer that a registration needs.
pub(crate) trait Unlist: fmt::Debug + Send + Sync {
    /// Takes a listener out, so that nothing more is put into its queue.
    fn unlist(&self, id: u64);
}

impl Registration {
    pub(crate) fn new(listener: Arc<Listener>, informer: Weak<dyn Unlist>) -> Self {
        Self { listener, informer }
    }

    /// What errors call the handler.
    #[must_use]
    pub fn name(&self) -> &str {
        self.listener.name()
    }

    /// Whether this handler has been told of all initial objects.
    #[must_use]
    #[doc(alias = "HasSynced")]
    pub fn has_synced(&self) -> bool {
        self.listener.state().borrow().synced
    }

    /// Waits until this handler has been told of all initial objects, or can't be any more: then it gives false.
    /// Cancel safe. Driven to its end inside the handler itself it can't wait, and gives what is so far.
    pub async fn synced(&self) -> bool {
        if self.listener.is_calling() {
            return self.has_synced();
        }
        // The sender lives in the listener that we hold.
        let _ = self.listener.state().wait_for(|state| state.synced || state.closed || state.ended).await;
        self.has_synced()
    }

    /// How many changes wait for this handler, the one it is being told apart. The first objects and resyncs are
    /// there anyway, and do not count.
    #[must_use]
    pub fn backlog(&self) -> usize {
        self.listener.waiting()
    }

    /// How many changes were merged into others of the same object, as [`Delivery`](crate::Delivery) says.
    #[must_use]
    pub fn merged(&self) -> u64 {
        self.listener.merged()
    }

    /// How many calls of this handler have panicked. Each was reported through the error hook.
    #[must_use]
    pub fn panics(&self) -> u64 {
        self.listener.panics()
    }

    /// Removes the handler without waiting: no call begins after the one that may be under way, and what waited is
    /// dropped. This is how a handler ends itself from within a call.
    #[doc(alias = "RemoveEventHandler")]
    pub fn close(&self) {
        self.listener.close();
        self.unlist();
    }

    /// Removes the handler. When this returns, no call is under way and none will come; what waited is dropped.
    ///
    /// Cancel safe: once polled the removal happens even if the future is dropped.
    ///
    /// From inside the handler itself use [`close`](Self::close), or spawn this future. One that is driven to its end
    /// there (by `block_on`, say) does not deadlock: it can't wait for the very call that it is part of, so it returns
    /// at once, and that call is the last one.
    #[doc(alias = "RemoveEventHandler")]
    #[doc(alias = "ShutDownEventHandler")]
    pub async fn remove(&self) {
        self.close();
        if !self.listener.is_calling() {
            self.listener.ended().await;
        }
    }

    /// Removes the handler after it was told all that is in its queue now: initial objects, changes and resyncs.
    /// Nothing that comes later is told. When this returns, no call is under way and none will come. Gives whether
    /// all was told; false if the handler was removed or the informer stopped before that, or was never started.
    ///
    /// Of a stream: waits until it has been read to its end, which comes after what waits in it now, or dropped.
    ///
    /// Cancel safe: once polled the handler is drained and removed even if the future is dropped. From inside the
    /// handler itself spawn it; driven to its end there it returns false at once, and the draining goes on.
    pub async fn drain(&self) -> bool {
        self.listener.seal();
        if self.listener.is_calling() {
            return false;
        }
        let mut state = self.listener.state();
        if !self.listener.is_stream() && !state.borrow().running {
            self.remove().await;
            return false;
        }
        // The sender lives in the listener that we hold.
        let _ = state.wait_for(|state| state.ended || (state.closed && self.listener.is_stream())).await;
        self.unlist();
        self.listener.state().borrow().drained
    }

    fn unlist(&self) {
        if let Some(informer) = self.informer.upgrade() {
            informer.unlist(self.listener.id());
        }
    }
}
