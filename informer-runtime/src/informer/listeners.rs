//! The handlers of an informer, and its indexes: who comes, who goes, who is told.

use std::sync::{Arc, Weak};

use tokio::runtime::Handle;
use tokio::time::Instant;

use super::Informer;
use crate::error::{Error, Kind};
use crate::processor::{ErrorSink, Listener, ResyncTimers, Unlist};
use crate::store::{Applied, IndexFunc, NewIndex, StoreWriter};

/// How often a new index runs after the writer before the writer has to wait for it.
const ROUNDS_BESIDE_WRITER: usize = 3;

impl Informer {
    /// The store first, then the handlers: who is told of a change finds it in the store. `first` says that the first
    /// list is there now. Who adds a handler sees either all of this or nothing.
    pub(super) fn publish(&self, writer: &StoreWriter, applied: &mut Applied, first: bool) {
        let inner = self.lock();
        if std::mem::take(&mut applied.changed) {
            self.snapshot.store(Arc::new(writer.snapshot()));
            self.moved.send_replace(());
        }
        inner.processor.distribute(std::mem::take(&mut applied.notifications));
        if first {
            inner.processor.begin(&writer.snapshot());
            self.phase.send_modify(|phase| phase.synced = true);
        }
    }

    /// Waits until every bounded handler has room. Cancel safe.
    pub(super) async fn room(&self) {
        loop {
            let full = self.lock().processor.full().cloned();
            match full {
                None => return,
                Some(listener) => listener.room().await,
            }
        }
    }

    /// Tells those that are due everything again; gives when to ask next.
    pub(super) fn resync(&self, timers: &mut ResyncTimers) -> Option<Instant> {
        let inner = self.lock();
        let (due, next) = timers.due(inner.processor.listeners(), Instant::now());
        for listener in due {
            listener.push_resync((*self.snapshot()).clone());
        }
        next
    }

    pub(super) fn spawn(self: &Arc<Self>, runtime: &Handle, listener: Arc<Listener>) {
        if listener.begin() {
            let informer = Arc::downgrade(self);
            let errors: ErrorSink = {
                let informer = informer.clone();
                Arc::new(move |error| {
                    if let Some(informer) = informer.upgrade() {
                        informer.failed(error);
                    }
                })
            };
            let task = async move {
                let id = listener.id();
                listener.run(errors).await;
                // One that was drained is still listed.
                if let Some(informer) = informer.upgrade() {
                    informer.unlist(id);
                }
            };
            self.tasks.spawn_on(task, runtime);
        }
    }

    /// Lets a handler in. Waits for nobody's code.
    pub(crate) fn add_listener(self: &Arc<Self>, listener: Arc<Listener>) -> Result<(), Error> {
        let mut inner = self.lock();
        if inner.closed || self.stop.is_cancelled() {
            return Err(Kind::Stopped(self.resource().clone()).into());
        }
        // What is published is what everybody was told of.
        let (snapshot, synced) = ((*self.snapshot()).clone(), self.phase().synced);
        inner.processor.add(listener.clone(), snapshot, synced);
        if let Some(runtime) = inner.runtime.clone() {
            self.spawn(&runtime, listener);
        }
        drop(inner);
        self.listeners_changed.notify_one();
        Ok(())
    }

    /// Ends all handlers for good, without waiting for calls that are under way.
    pub(super) fn close_listeners(&self) -> Vec<Arc<Listener>> {
        let listeners = {
            let mut inner = self.lock();
            inner.closed = true;
            // A handler may hold a reader of this informer: kept here, it would hold all of it for ever.
            inner.processor.clear()
        };
        listeners.iter().for_each(|listener| listener.close());
        listeners
    }

    pub(crate) fn unlist_weak(self: &Arc<Self>) -> Weak<dyn Unlist> {
        let weak: Weak<Self> = Arc::downgrade(self);
        weak
    }

    /// Adds an index. The function sees all objects with no lock held; then it sees what changed meanwhile, again and
    /// again, until nothing has. A writer that is too quick for that is held up, but not by a lock.
    pub(crate) fn add_index(&self, name: &str, function: IndexFunc) -> Result<(), Error> {
        if IndexFunc::is_running() {
            return Err(Kind::IndexWithinIndex(name.to_owned()).into());
        }
        let mut index = NewIndex::new(name, function);
        let mut held = None;
        let mut round = 0;
        let errors = loop {
            let present = {
                let mut writer = self.writer();
                if writer.has_index(name) {
                    return Err(Kind::IndexExists(name.to_owned()).into());
                }
                if index.is_of(&writer.snapshot()) {
                    let errors = writer.install(index);
                    let _inner = self.lock();
                    self.snapshot.store(Arc::new(writer.snapshot()));
                    break errors;
                }
                writer.snapshot()
            };
            index.catch_up(&present);
            round += 1;
            if round == ROUNDS_BESIDE_WRITER {
                held = Some(self.hold_writer());
            }
        };
        drop(held);
        errors.into_iter().for_each(|error| self.failed(error));
        Ok(())
    }

    /// Keeps the store as it is while the hold lives, but for a batch that it is taking in.
    fn hold_writer(&self) -> Hold<'_> {
        self.holds.send_modify(|holds| *holds += 1);
        Hold(self)
    }

    /// Waits until nobody holds the writer. Cancel safe.
    pub(super) async fn unheld(&self) {
        if *self.holds.borrow() > 0 {
            // The sender lives as long as this borrow.
            let _ = self.holds.subscribe().wait_for(|holds| *holds == 0).await;
        }
    }
}

/// See [`Informer::hold_writer`].
struct Hold<'a>(&'a Informer);

impl Drop for Hold<'_> {
    fn drop(&mut self) {
        self.0.holds.send_modify(|holds| *holds -= 1);
    }
}

impl Unlist for Informer {
    fn unlist(&self, id: u64) {
        self.lock().processor.remove(id);
        self.listeners_changed.notify_one();
    }
}
