//! Two generations of objects side by side.

use std::cmp::Ordering;

use super::sorted_map::{Item, SortedMap};
use crate::entry::Entry;

/// What became of one key.
pub(super) enum Change<'a> {
    Gone(&'a Entry),
    Both(&'a Entry, &'a Entry),
    New(&'a Entry),
}

/// Tells of every key of either generation, in order.
pub(super) fn walk<'a>(old: &'a SortedMap<Entry>, new: &'a SortedMap<Entry>, mut tell: impl FnMut(Change<'a>)) {
    let (mut olds, mut news) = (old.iter().peekable(), new.iter().peekable());
    loop {
        let order = match (olds.peek(), news.peek()) {
            (None, None) => return,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(one), Some(other)) => one.probe().cmp(&other.probe()),
        };
        let gone = if order.is_le() { olds.next() } else { None };
        let come = if order.is_ge() { news.next() } else { None };
        match (gone, come) {
            (Some(old), Some(new)) => tell(Change::Both(old, new)),
            (Some(old), None) => tell(Change::Gone(old)),
            (None, Some(new)) => tell(Change::New(new)),
            (None, None) => return,
        }
    }
}
