//! Beside kube (feature `kube-runtime`): what a kube `Controller` takes from watches of its own, from an informer.
//!
//! So a controller moves over kind by kind: first what triggers it, then its reads. The reader is a store of kube's own,
//! filled from the informer, so each object is kept decoded once more for as long as the bridge is in use.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures::Stream;
use futures::future::BoxFuture;
use kube_runtime::reflector::store::Writer;
use kube_runtime::reflector::{ObjectRef, Store};
use kube_runtime::watcher::{self, Event};
use tokio::sync::mpsc;

use crate::cached::Cached;
use crate::error::Error;
use crate::handler::{Deleted, EventHandler};
use crate::key::ObjectKey;
use crate::resource::Object;
use crate::shared_informer::SharedInformer;

/// The name under which kube's runtime knows an object.
#[must_use]
pub fn object_ref<K: Object>(object: &Cached<K>) -> ObjectRef<K> {
    let name = ObjectRef::new(object.name());
    match object.namespace() {
        Some(namespace) => name.within(namespace),
        None => name,
    }
}

/// What `Controller::for_stream` takes of the kind that is reconciled: the objects as they come and change, and the
/// reader. The store is ready once all initial objects are in it, and is always ahead of the stream. It is filled while
/// the stream is polled, as the controller does.
///
/// # Errors
/// If the informer has stopped.
pub fn controller_source<K: Object + Clone>(informer: &SharedInformer<K>) -> Result<(Store<K>, Triggers<K>), Error> {
    let (store, mut writer) = kube_runtime::reflector::store();
    writer.apply_watcher_event(&Event::Init);
    Ok((store, Triggers::new(informer, Some(writer))?))
}

/// What `Controller::owns_stream` and `watches_stream` take of other kinds: objects as they come, change and go.
///
/// # Errors
/// If the informer has stopped.
pub fn triggers<K: Object + Clone>(informer: &SharedInformer<K>) -> Result<Triggers<K>, Error> {
    Triggers::new(informer, None)
}

/// A stream of the objects of an informer. It ends with the informer. An object that does not fit its type is left out,
/// with a warning in the log; it comes with its next change.
#[must_use = "a stream does nothing unless polled"]
pub struct Triggers<K: Object + Clone> {
    changes: mpsc::UnboundedReceiver<Change<K>>,
    /// Ends when the initial objects are all in `changes`.
    initial: Option<BoxFuture<'static, ()>>,
    /// What has come since the store was begun, until it is complete.
    begun: BTreeMap<ObjectKey, K>,
    writer: Option<Writer<K>>,
    ready: VecDeque<K>,
}

enum Change<K> {
    Put(Cached<K>),
    Gone(Cached<K>),
}

/// Passes changes on; when nobody listens any more, it drops them.
struct Sender<K>(mpsc::UnboundedSender<Change<K>>);

impl<K: Object> EventHandler<K> for Sender<K> {
    fn on_add(&self, object: &Cached<K>, _is_initial: bool) {
        let _ = self.0.send(Change::Put(object.clone()));
    }

    fn on_update(&self, _old: &Cached<K>, new: &Cached<K>) {
        let _ = self.0.send(Change::Put(new.clone()));
    }

    fn on_delete(&self, deleted: &Deleted<K>) {
        let _ = self.0.send(Change::Gone(deleted.last_known().clone()));
    }
}

impl<K: Object + Clone> Triggers<K> {
    fn new(informer: &SharedInformer<K>, writer: Option<Writer<K>>) -> Result<Self, Error> {
        let (sender, changes) = mpsc::unbounded_channel();
        let registration = informer.add_event_handler(Sender(sender))?;
        let initial: BoxFuture<'static, ()> = Box::pin(async move {
            let _ = registration.synced().await;
        });
        Ok(Triggers { changes, initial: Some(initial), begun: BTreeMap::new(), writer, ready: VecDeque::new() })
    }

    /// Takes a change in: into the store, then into the stream.
    fn take(&mut self, change: Change<K>) {
        let (object, gone) = match change {
            Change::Put(object) => (object, false),
            Change::Gone(object) => (object, true),
        };
        let typed = match object.get() {
            Ok(typed) => K::clone(&typed),
            Err(error) => {
                tracing::warn!(object = %object.key(), %error, "left out of the stream of a kube controller");
                return;
            }
        };
        match (&mut self.writer, self.initial.is_some(), gone) {
            (None, ..) => {}
            (Some(_), true, true) => drop(self.begun.remove(&object.key())),
            (Some(_), true, false) => drop(self.begun.insert(object.key(), typed.clone())),
            (Some(writer), false, true) => writer.apply_watcher_event(&Event::Delete(typed.clone())),
            (Some(writer), false, false) => writer.apply_watcher_event(&Event::Apply(typed.clone())),
        }
        // Who reconciles a kind is told by its objects; who only follows one, by its deletions too.
        if self.writer.is_none() || !gone {
            self.ready.push_back(typed);
        }
    }

    /// All initial objects are known: the store is complete.
    fn complete(&mut self) {
        self.initial = None;
        let begun = std::mem::take(&mut self.begun);
        if let Some(writer) = &mut self.writer {
            begun.into_values().for_each(|object| writer.apply_watcher_event(&Event::InitApply(object)));
            writer.apply_watcher_event(&Event::InitDone);
        }
    }
}

impl<K: Object + Clone + Unpin> Stream for Triggers<K> {
    type Item = Result<K, watcher::Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = &mut *self;
        // Looked at before the changes: what it waits for is among them then.
        let synced = this.initial.as_mut().is_some_and(|initial| initial.as_mut().poll(context).is_ready());
        loop {
            match this.changes.poll_recv(context) {
                Poll::Ready(Some(change)) => this.take(change),
                Poll::Ready(None) => {
                    if this.initial.is_some() {
                        this.complete();
                    }
                    return Poll::Ready(this.ready.pop_front().map(Ok));
                }
                Poll::Pending => break,
            }
        }
        if synced {
            this.complete();
        }
        match this.ready.pop_front() {
            Some(object) => Poll::Ready(Some(Ok(object))),
            None => Poll::Pending,
        }
    }
}

impl<K: Object + Clone> fmt::Debug for Triggers<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Triggers").field("waiting", &self.ready.len()).finish_non_exhaustive()
    }
}
