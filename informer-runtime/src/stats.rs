//! What an informer counts.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use crate::decoded::DecodeStats;
use crate::error::{Error, Kind};

macro_rules! counters {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// The counters of one informer, as they run.
        #[derive(Debug, Default)]
        pub(crate) struct Counters {
            $(pub(crate) $name: AtomicU64,)*
            /// Batches between the reflector and the store.
            pub(crate) queued: Arc<AtomicUsize>,
        }

        /// What an informer did since it was made, and what it holds now:
        /// [`SharedInformer::stats`](crate::SharedInformer::stats). With the feature `metrics` the same is published
        /// through the `metrics` crate.
        #[derive(Debug, Clone, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct InformerStats {
            $($(#[$doc])* pub $name: u64,)*
            /// Batches of changes that the reflector has read and the store has not taken in yet.
            pub queue: usize,
            /// Handlers.
            pub handlers: usize,
            /// Changes that wait for handlers, of all handlers together. First lists and resyncs are snapshots and do
            /// not count.
            pub backlog: usize,
            /// Objects in the cache.
            pub objects: usize,
            /// The version that the cache has reached; empty before the first list.
            pub resource_version: String,
            /// How often decoded values were at hand.
            pub decode: DecodeStats,
        }

        impl InformerStats {
            /// The counters, with the names that they are published under.
            #[cfg(feature = "metrics")]
            pub(crate) fn counters(&self) -> impl Iterator<Item = (&'static str, u64)> {
                [$((concat!("informer_", stringify!($name), "_total"), self.$name),)*].into_iter()
            }
        }

        impl Counters {
            pub(crate) fn stats(&self, now: Now) -> InformerStats {
                let Now { handlers, backlog, objects, resource_version, decode } = now;
                InformerStats {
                    $($name: self.$name.load(Ordering::Relaxed),)*
                    queue: self.queued.load(Ordering::Relaxed),
                    handlers,
                    backlog,
                    objects,
                    resource_version,
                    decode,
                }
            }
        }
    };
}

counters! {
    /// Plain lists that were begun; further pages do not count.
    lists,
    /// Pages of plain lists that were asked for, first ones among them.
    pages,
    /// Streaming lists that were begun.
    streaming_lists,
    /// Lists of either kind that took the place of what was there already.
    relists,
    /// Watches that were asked for. A streaming list goes on as a watch and counts as a streaming list only.
    watches,
    /// Watches that ended within a second.
    short_watches,
    /// Connections that fell silent and were given up: lists, heads of answers, refusals and watches that did not come
    /// to their end within the configured time.
    dead_connections,
    /// Streaming lists that were given up because the mark of their end did not come.
    unmarked_streams,
    /// Questions for the server's version after a silent time.
    questions,
    /// Times that the server was found at, or a list came with, an older version than was known before.
    went_back,
    /// Events of objects on watches.
    events,
    /// Bookmarks.
    bookmarks,
    /// Objects that had no place in the cache: without a name, of another kind, too large or unreadable.
    odd_objects,
    /// Answers and events that were not what they should be.
    garbage,
    /// Errors of all kinds, as the error hook hears of them.
    errors,
    /// Panics of event handlers.
    handler_panics,
    /// Failures of index functions.
    index_failures,
}

/// What an informer holds at one moment.
pub(crate) struct Now {
    pub(crate) handlers: usize,
    pub(crate) backlog: usize,
    pub(crate) objects: usize,
    pub(crate) resource_version: String,
    pub(crate) decode: DecodeStats,
}

/// One more.
pub(crate) fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}

impl Counters {
    /// Counts an error under what it is about.
    pub(crate) fn error(&self, error: &Error) {
        count(&self.errors);
        match error.kind() {
            Kind::Garbage { .. } => count(&self.garbage),
            Kind::Deadline { .. } => count(&self.dead_connections),
            Kind::NoMark { .. } => count(&self.unmarked_streams),
            Kind::Behind { .. } => count(&self.went_back),
            Kind::HandlerPanicked { .. } => count(&self.handler_panics),
            Kind::Index { .. } => count(&self.index_failures),
            _ => {}
        }
    }
}
