//! How an informer behaves, through the public door, against the in-process server, with time paused.
//!
//! `tests/README.md` says which module holds what.

mod backlog;
mod backoff;
mod bookmarks;
mod chunks;
mod dead_connections;
mod decoding;
mod definitions;
mod error_bodies;
mod expired;
mod follow;
mod generic;
mod handlers;
mod indexes;
mod late_handler;
mod lifecycle;
mod list_shapes;
mod listers;
mod memory;
mod model;
mod paging;
mod panics;
mod reconnect;
mod spoilt_watches;
mod relist;
mod remove_handler;
mod restored;
mod resync;
mod scopes;
mod stop;
mod streaming_list;
mod sync_reasons;
mod threads;
mod versions;
mod wire;
