//! The values that are kept for every object, made before anybody is told of it.

use super::Snapshot;
use crate::delta::{Delta, PageItem};
use crate::entry::Entry;

/// Makes what is to be kept of each object once: of a list only of what the cache does not have.
pub(crate) fn make_kept(present: &Snapshot, batch: &[Delta]) {
    let is_new = |entry: &&Entry| {
        present.get(entry.namespace(), entry.name()).is_none_or(|present| !present.same_version(entry))
    };
    for delta in batch {
        match delta {
            Delta::Put(entry) => entry.make_kept(),
            Delta::ReplacePage(items) => {
                let entries = items.iter().filter_map(|item| match item {
                    PageItem::Put(entry) => Some(entry),
                    PageItem::Delete(_) => None,
                });
                entries.filter(is_new).for_each(Entry::make_kept);
            }
            _ => {}
        }
    }
}
