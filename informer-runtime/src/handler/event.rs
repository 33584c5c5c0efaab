//! A change as a value, for those who take changes one by one.

use std::fmt;

use super::Deleted;
use crate::cached::Cached;
use crate::key::ObjectKey;
use crate::store::Notification;

/// What a stream of events gives: the calls of an [`EventHandler`](super::EventHandler) as values.
pub enum Event<K> {
    /// An object appeared.
    Added {
        /// The object.
        object: Cached<K>,
        /// Whether it was there when the stream began to listen.
        is_initial: bool,
    },
    /// An object changed, or is told again by a resync (then both are the same version).
    Updated {
        /// The state told before.
        old: Cached<K>,
        /// The state now.
        new: Cached<K>,
    },
    /// An object is gone.
    Deleted(Deleted<K>),
    /// All initial objects were given: a map kept from the events is now whole. Comes once, in line with the rest.
    Synced,
}

impl<K> Event<K> {
    pub(crate) fn from_notification(notification: Notification) -> Self {
        match notification {
            Notification::Added { entry, initial } => Self::Added { object: Cached::new(entry), is_initial: initial },
            Notification::Updated { old, new } => Self::Updated { old: Cached::new(old), new: Cached::new(new) },
            Notification::Deleted { entry, final_state, .. } => Self::Deleted(Deleted::new(entry, final_state)),
        }
    }

    /// The object's namespace and name; `None` for [`Synced`](Self::Synced).
    #[must_use]
    pub fn key(&self) -> Option<ObjectKey> {
        match self {
            Self::Added { object, .. } | Self::Updated { new: object, .. } => Some(object.key()),
            Self::Deleted(deleted) => Some(deleted.key()),
            Self::Synced => None,
        }
    }
}

impl<K> Clone for Event<K> {
    fn clone(&self) -> Self {
        match self {
            Self::Added { object, is_initial } => Self::Added { object: object.clone(), is_initial: *is_initial },
            Self::Updated { old, new } => Self::Updated { old: old.clone(), new: new.clone() },
            Self::Deleted(deleted) => Self::Deleted(deleted.clone()),
            Self::Synced => Self::Synced,
        }
    }
}

/// Keys and versions, never a body.
impl<K> fmt::Debug for Event<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Added { object, is_initial } => {
                f.debug_struct("Added").field("object", object).field("is_initial", is_initial).finish()
            }
            Self::Updated { old, new } => f.debug_struct("Updated").field("old", old).field("new", new).finish(),
            Self::Deleted(deleted) => deleted.fmt(f),
            Self::Synced => f.write_str("Synced"),
        }
    }
}
