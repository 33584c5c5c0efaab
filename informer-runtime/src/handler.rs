//! What a user does with changes: a trait, closures, a filter, and the choices for each.

mod event;
mod options;

pub use event::Event;
pub use options::{Delivery, HandlerOptions};

use std::fmt;
use std::sync::Arc;

use crate::cached::Cached;
use crate::entry::Entry;
use crate::key::ObjectKey;
use crate::store::Notification;

/// Hears of every change of an informer's cache, in order, one call at a time.
///
/// The store already holds a change when it is told, and may hold later ones too. A handler runs on a task of its own:
/// if it is slow, only it is late ([`Delivery`] says what becomes of what waits). It must not block the thread for long; put keys on a
/// [`WorkQueue`](crate::WorkQueue) instead. A panic is caught, reported through the error hook, and the next change
/// is told. Semantics as client-go's `ResourceEventHandler` (`tools/cache/controller.go`).
#[doc(alias = "ResourceEventHandler")]
pub trait EventHandler<K>: Send + Sync + 'static {
    /// An object appeared. `is_initial` for those that were there when this handler began to listen.
    fn on_add(&self, object: &Cached<K>, is_initial: bool) {
        let _ = (object, is_initial);
    }

    /// An object changed; or, with a resync period, is told again (then both are the same version).
    fn on_update(&self, old: &Cached<K>, new: &Cached<K>) {
        let _ = (old, new);
    }

    /// An object is gone.
    fn on_delete(&self, deleted: &Deleted<K>) {
        let _ = deleted;
    }

    /// As [`on_delete`](Self::on_delete), with the state that this handler was told before; the last state may be
    /// another one, when the change that ended an object was told with its end. Calls `on_delete`, unless written
    /// otherwise: by a handler that passes on some objects only, as [`FilteringEventHandler`] does, to tell whoever
    /// is behind it of the end of what it was told of, and of nothing else.
    fn on_delete_of(&self, known: &Cached<K>, deleted: &Deleted<K>) {
        let _ = known;
        self.on_delete(deleted);
    }
}

/// An object that is gone. Key, namespace and name are always there; whether the object is its final state shows only
/// in the match.
#[doc(alias = "DeletedFinalStateUnknown")]
#[doc(alias = "DeletionHandlingMetaNamespaceKeyFunc")]
pub enum Deleted<K> {
    /// The last state that this handler could be told of. Nothing was missed.
    ///
    /// Usually the server told of the deletion, and this has the version of the deletion. The server tells the same if
    /// an object no longer fits the informer's selectors. Behind a [`FilteringEventHandler`] it may be an object that
    /// no longer fits the filter: then this is the last state that did, and the object lives on.
    Final(Cached<K>),
    /// The deletion was missed and found by a list: this is the last state that was seen.
    FinalStateUnknown(Cached<K>),
}

impl<K> Deleted<K> {
    pub(crate) fn new(entry: Entry, final_state: bool) -> Self {
        let object = Cached::new(entry);
        if final_state { Self::Final(object) } else { Self::FinalStateUnknown(object) }
    }

    /// Namespace and name.
    #[must_use]
    pub fn key(&self) -> ObjectKey {
        self.last_known().key()
    }

    /// The namespace; `None` for a cluster-scoped object.
    #[must_use]
    pub fn namespace(&self) -> Option<&str> {
        self.last_known().namespace()
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.last_known().name()
    }

    /// The last state that was seen, final or not.
    #[must_use]
    pub fn last_known(&self) -> &Cached<K> {
        match self {
            Self::Final(object) | Self::FinalStateUnknown(object) => object,
        }
    }

    /// Whether the deletion itself was missed.
    #[must_use]
    pub fn is_final_state_unknown(&self) -> bool {
        matches!(self, Self::FinalStateUnknown(_))
    }
}

impl<K> Clone for Deleted<K> {
    fn clone(&self) -> Self {
        match self {
            Self::Final(object) => Self::Final(object.clone()),
            Self::FinalStateUnknown(object) => Self::FinalStateUnknown(object.clone()),
        }
    }
}

impl<K> fmt::Debug for Deleted<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Final(object) => f.debug_tuple("Final").field(object).finish(),
            Self::FinalStateUnknown(object) => f.debug_tuple("FinalStateUnknown").field(object).finish(),
        }
    }
}

type OnAdd<K> = Box<dyn Fn(&Cached<K>, bool) + Send + Sync>;
type OnUpdate<K> = Box<dyn Fn(&Cached<K>, &Cached<K>) + Send + Sync>;
type OnDelete<K> = Box<dyn Fn(&Deleted<K>) + Send + Sync>;

/// A handler made of closures. What is not set does nothing.
#[doc(alias = "ResourceEventHandlerFuncs")]
#[doc(alias = "ResourceEventHandlerDetailedFuncs")]
pub struct EventHandlerFuncs<K> {
    on_add: Option<OnAdd<K>>,
    on_update: Option<OnUpdate<K>>,
    on_delete: Option<OnDelete<K>>,
}

impl<K> EventHandlerFuncs<K> {
    /// One that does nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self { on_add: None, on_update: None, on_delete: None }
    }

    /// Called with each new object, and whether it was there when the handler began to listen.
    #[must_use]
    pub fn on_add(mut self, call: impl Fn(&Cached<K>, bool) + Send + Sync + 'static) -> Self {
        self.on_add = Some(Box::new(call));
        self
    }

    /// Called with the old and the new state of an object.
    #[must_use]
    pub fn on_update(mut self, call: impl Fn(&Cached<K>, &Cached<K>) + Send + Sync + 'static) -> Self {
        self.on_update = Some(Box::new(call));
        self
    }

    /// Called with each deleted object.
    #[must_use]
    pub fn on_delete(mut self, call: impl Fn(&Deleted<K>) + Send + Sync + 'static) -> Self {
        self.on_delete = Some(Box::new(call));
        self
    }
}

impl<K> Default for EventHandlerFuncs<K> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K> fmt::Debug for EventHandlerFuncs<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventHandlerFuncs")
            .field("on_add", &self.on_add.is_some())
            .field("on_update", &self.on_update.is_some())
            .field("on_delete", &self.on_delete.is_some())
            .finish()
    }
}

impl<K: 'static> EventHandler<K> for EventHandlerFuncs<K> {
    fn on_add(&self, object: &Cached<K>, is_initial: bool) {
        if let Some(call) = &self.on_add {
            call(object, is_initial);
        }
    }

    fn on_update(&self, old: &Cached<K>, new: &Cached<K>) {
        if let Some(call) = &self.on_update {
            call(old, new);
        }
    }

    fn on_delete(&self, deleted: &Deleted<K>) {
        if let Some(call) = &self.on_delete {
            call(deleted);
        }
    }
}

/// Passes on only the objects that a filter takes. An update that enters the filter is told as an add (not an initial
/// one), one that leaves it as a delete with the last state that fitted ([`Deleted::Final`]). The end of an object is
/// passed on if its last told state fitted, whatever became of it at the end.
///
/// The filter must look at the object alone: its answer for one state must not change. It is asked again for states
/// that it was asked for before.
#[derive(Debug)]
#[doc(alias = "FilteringResourceEventHandler")]
pub struct FilteringEventHandler<F, H> {
    filter: F,
    handler: H,
}

impl<F, H> FilteringEventHandler<F, H> {
    /// `handler` behind `filter`.
    pub fn new(filter: F, handler: H) -> Self {
        Self { filter, handler }
    }
}

impl<K, F, H> EventHandler<K> for FilteringEventHandler<F, H>
where
    K: 'static,
    F: Fn(&Cached<K>) -> bool + Send + Sync + 'static,
    H: EventHandler<K>,
{
    fn on_add(&self, object: &Cached<K>, is_initial: bool) {
        if (self.filter)(object) {
            self.handler.on_add(object, is_initial);
        }
    }

    fn on_update(&self, old: &Cached<K>, new: &Cached<K>) {
        match ((self.filter)(old), (self.filter)(new)) {
            (true, true) => self.handler.on_update(old, new),
            (false, true) => self.handler.on_add(new, false),
            (true, false) => self.handler.on_delete_of(old, &Deleted::Final(old.clone())),
            (false, false) => {}
        }
    }

    fn on_delete(&self, deleted: &Deleted<K>) {
        self.on_delete_of(deleted.last_known(), deleted);
    }

    fn on_delete_of(&self, known: &Cached<K>, deleted: &Deleted<K>) {
        if (self.filter)(known) {
            self.handler.on_delete_of(known, deleted);
        }
    }
}

/// A shared handler is a handler.
impl<K, H: EventHandler<K> + ?Sized> EventHandler<K> for Arc<H> {
    fn on_add(&self, object: &Cached<K>, is_initial: bool) {
        (**self).on_add(object, is_initial);
    }

    fn on_update(&self, old: &Cached<K>, new: &Cached<K>) {
        (**self).on_update(old, new);
    }

    fn on_delete(&self, deleted: &Deleted<K>) {
        (**self).on_delete(deleted);
    }

    fn on_delete_of(&self, known: &Cached<K>, deleted: &Deleted<K>) {
        (**self).on_delete_of(known, deleted);
    }
}

/// The untyped side of a handler: the type comes in here, and nowhere below.
pub(crate) type Sink = Box<dyn Fn(&Notification) + Send + Sync>;

/// A typed handler as a sink.
pub(crate) fn sink<K: 'static>(handler: impl EventHandler<K>) -> Sink {
    Box::new(move |notification| match notification {
        Notification::Added { entry, initial } => handler.on_add(&Cached::new(entry.clone()), *initial),
        Notification::Updated { old, new } => {
            handler.on_update(&Cached::new(old.clone()), &Cached::new(new.clone()));
        }
        Notification::Deleted { entry, known, final_state } => {
            handler.on_delete_of(&Cached::new(known.clone()), &Deleted::new(entry.clone(), *final_state));
        }
    })
}
