//! Waiting changes, merged to the last state of each object.

use std::collections::{HashMap, VecDeque};

use crate::entry::Entry;
use crate::key::ObjectKey;
use crate::store::Notification;

/// So many empty places are not worth a sweep.
const SMALLEST_SWEEP: usize = 1024;

/// What waits for one object: one change, or the end of one object and the beginning of another with the same name.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) first: Notification,
    pub(super) then: Option<Notification>,
}

impl Waiting {
    fn one(first: Notification) -> Self {
        Self { first, then: None }
    }
}

/// Changes with at most one [`Waiting`] for each key, in the order in which the keys first changed.
#[derive(Debug, Default)]
pub(super) struct Merged {
    places: VecDeque<Option<Waiting>>,
    /// How many places were taken from the front.
    taken: usize,
    /// Where each key waits, counted with those that were taken.
    at: HashMap<ObjectKey, usize>,
}

impl Merged {
    /// For how many objects something waits.
    pub(super) fn len(&self) -> usize {
        self.at.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.at.is_empty()
    }

    /// Takes changes in; gives how many were merged away.
    pub(super) fn take_in(&mut self, changes: &[Notification]) -> u64 {
        let mut merged = 0;
        for change in changes {
            let key = change.key();
            let Some(&place) = self.at.get(&key) else {
                self.at.insert(key, self.taken + self.places.len());
                self.places.push_back(Some(Waiting::one(change.clone())));
                continue;
            };
            merged += 1;
            let place = &mut self.places[place - self.taken];
            *place = match place.take() {
                Some(waiting) => join(waiting, change.clone()),
                None => Some(Waiting::one(change.clone())),
            };
            if place.is_none() {
                self.at.remove(&key);
            }
        }
        // Objects that came and went leave their places empty: they must not add up.
        if self.places.len() > 2 * self.at.len() + SMALLEST_SWEEP {
            self.places.retain(Option::is_some);
            self.taken = 0;
            self.at = self.places.iter().flatten().zip(0..).map(|(one, place)| (one.first.key(), place)).collect();
        }
        merged
    }

    /// What waits for the key that has waited longest.
    pub(super) fn pop(&mut self) -> Option<Waiting> {
        while let Some(place) = self.places.pop_front() {
            self.taken += 1;
            if let Some(waiting) = place {
                self.at.remove(&waiting.first.key());
                return Some(waiting);
            }
        }
        None
    }
}

/// Two changes of one key as one; `None` if the handler need not hear of the object at all.
fn join(waiting: Waiting, next: Notification) -> Option<Waiting> {
    use Notification::{Added, Deleted, Updated};
    let Waiting { first, then } = waiting;
    if then.is_some() {
        // The second object is news to the handler whatever it went through; gone again, it was never there.
        return match next {
            Added { entry, .. } | Updated { new: entry, .. } => again(first, entry),
            Deleted { .. } => Some(Waiting::one(first)),
        };
    }
    let joined = match (first, next) {
        (Added { initial, .. }, Updated { new: entry, .. } | Added { entry, .. }) => Added { entry, initial },
        (Added { .. }, Deleted { .. }) => return None,
        (Updated { old, .. }, Updated { new, .. } | Added { entry: new, .. }) => return updated(old, new),
        (first @ Deleted { .. }, Added { entry, .. } | Updated { new: entry, .. }) => return again(first, entry),
        // Whoever is told knows the state that it was told, not those that it was not.
        (Updated { old: known, .. } | Deleted { known, .. }, Deleted { entry, final_state, .. }) => {
            Deleted { entry, known, final_state }
        }
    };
    Some(Waiting::one(joined))
}

/// An object that is there again. The same one (it left a selector, and came back) has changed, nothing more.
fn again(gone: Notification, entry: Entry) -> Option<Waiting> {
    match gone {
        Notification::Deleted { known: old, .. } if !old.is_another(&entry) => updated(old, entry),
        first => Some(Waiting { first, then: Some(Notification::Added { entry, initial: false }) }),
    }
}

/// What went and came back as it was (after a restore of the server, say) is nothing to tell.
fn updated(old: Entry, new: Entry) -> Option<Waiting> {
    let changed = !old.same_state(&new, true);
    changed.then(|| Waiting::one(Notification::Updated { old, new }))
}
