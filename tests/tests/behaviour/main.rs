//! How an informer behaves, through the public door, against the in-process server, with time paused.

mod follow;
