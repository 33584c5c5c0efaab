//! What left a handler's queue and is being told, one by one.

use std::sync::Arc;

use super::backlog::Work;
use crate::entry::Entry;
use crate::store::{Item, Notification, Snapshot};

/// How many objects of a snapshot are looked up at once.
const LOOK_UP: usize = 256;

/// One call of a handler, or the end of its initial ones.
#[derive(Debug)]
pub(crate) enum Told {
    Change(Notification),
    Synced,
}

/// The rest of one [`Work`].
#[derive(Debug, Default)]
pub(crate) enum InHand {
    #[default]
    Nothing,
    Batch {
        changes: Arc<[Notification]>,
        next: usize,
    },
    One(Notification),
    Objects(Objects),
}

/// The rest of a snapshot.
#[derive(Debug)]
pub(crate) struct Objects {
    snapshot: Snapshot,
    ready: std::vec::IntoIter<Entry>,
    last: Option<Entry>,
    resync: bool,
    /// No more initial objects come after these.
    done: bool,
}

impl InHand {
    /// Puts new work in hand; gives what is to be told at once.
    pub(super) fn take(&mut self, work: Work) -> Option<Told> {
        let objects = |snapshot, resync, done| {
            Self::Objects(Objects { snapshot, ready: Vec::new().into_iter(), last: None, resync, done })
        };
        *self = match work {
            Work::Batch(changes) => Self::Batch { changes, next: 0 },
            Work::One(waiting) => {
                *self = waiting.then.map_or(Self::Nothing, Self::One);
                return Some(Told::Change(waiting.first));
            }
            Work::Initial { snapshot, done } => objects(snapshot, false, done),
            Work::Resync(snapshot) => objects(snapshot, true, false),
        };
        self.next()
    }

    /// How many changes are left, of those that count as waiting.
    pub(super) fn changes(&self) -> usize {
        match self {
            Self::Batch { changes, next } => changes.len() - next,
            Self::One(_) => 1,
            Self::Nothing | Self::Objects(_) => 0,
        }
    }

    pub(super) fn next(&mut self) -> Option<Told> {
        let told = match self {
            Self::Nothing => None,
            Self::Batch { changes, next } => {
                let change = changes.get(*next).cloned();
                *next += usize::from(change.is_some());
                change.map(Told::Change)
            }
            Self::One(_) => match std::mem::take(self) {
                Self::One(change) => Some(Told::Change(change)),
                _ => None,
            },
            Self::Objects(objects) => objects.next(),
        };
        if told.is_none() {
            *self = Self::Nothing;
        }
        told
    }
}

impl Objects {
    fn next(&mut self) -> Option<Told> {
        if let Some(entry) = self.ready.next().or_else(|| self.look_up()) {
            return Some(Told::Change(if self.resync {
                Notification::Updated { old: entry.clone(), new: entry }
            } else {
                Notification::Added { entry, initial: true }
            }));
        }
        std::mem::take(&mut self.done).then_some(Told::Synced)
    }

    fn look_up(&mut self) -> Option<Entry> {
        let objects = &self.snapshot.objects;
        let ready: Vec<Entry> = match &self.last {
            None => objects.iter().take(LOOK_UP).cloned().collect(),
            Some(last) => objects.from(last.probe()).skip(1).take(LOOK_UP).cloned().collect(),
        };
        self.last = ready.last().cloned().or(self.last.take());
        self.ready = ready.into_iter();
        self.ready.next()
    }
}
