//! JSON at the level of bytes: well-formedness is checked once, and only what the head of an object needs is read.
//!
//! Written by hand because no crate checks a text faster than serde_json does, and this path is what a sync costs:
//! the figures are in ARCHITECTURE.md.

mod string;
mod check;
mod cursor;
mod pointer;
mod remove;
mod splitter;

pub(crate) use check::Malformed;
pub(crate) use cursor::{Cursor, Text};
pub(crate) use pointer::value_at;
pub(crate) use remove::Removal;
pub(crate) use splitter::ItemSplitter;
