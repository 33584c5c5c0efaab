//! What the prelude of every generated crate carries beside its own names.

pub use std::time::Duration;

pub use tokio_util::sync::CancellationToken;

pub use crate::{
    Cached, Deleted, EventHandler, EventHandlerFuncs, GenericInformer, ListOptions, ObjectKey, Selector,
    SharedInformer, SharedInformerFactory, Transform,
};
