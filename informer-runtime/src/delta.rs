//! What the reflector tells the store, in order.

use std::sync::Arc;

use crate::entry::Entry;
use crate::key::ObjectKey;

/// One step from the server's past to its present.
#[derive(Debug)]
pub(crate) enum Delta {
    /// An object was added or changed.
    Put(Entry),
    /// An object was deleted; this is its last state.
    Delete(Entry),
    /// Nothing changed up to this version.
    Bookmark(Arc<str>),
    /// A list begins. What follows until its end is not visible yet. `anew`: the server may have gone back, so that one
    /// version may be two states of an object.
    ReplaceBegin { anew: bool },
    /// Some objects of the list.
    ReplacePage(Vec<PageItem>),
    /// The list is whole and takes the place of all that was there. `partial`: it lacks objects that could not be read,
    /// so what it does not show is not gone.
    ReplaceEnd { version: Arc<str>, partial: bool },
    /// The list did not get whole. All stays as it was.
    ReplaceAbort,
}

/// One step of a list that comes in.
#[derive(Debug)]
pub(crate) enum PageItem {
    /// An object of the list.
    Put(Entry),
    /// An object that was deleted while the list came in.
    Delete(ObjectKey),
}
