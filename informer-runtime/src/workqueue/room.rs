//! When a collection has more room than it needs, so that a burst leaves no memory behind.

/// The room that is kept in any case.
const KEPT: usize = 1024;

/// The capacity to shrink to, if a collection of this length uses little of its room. Over time this costs no more
/// than the growing did.
pub(super) fn better_capacity(len: usize, capacity: usize) -> Option<usize> {
    (capacity > 2 * KEPT && len < capacity / 8).then(|| KEPT.max(2 * len))
}
