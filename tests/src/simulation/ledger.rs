//! A handler that keeps its own map of what it was told, and notes what it should not have been told.

use std::collections::{BTreeMap, HashMap};
use std::panic::resume_unwind;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use informer_runtime::{Cached, Deleted, DynamicObject, Event, EventHandler, Events, Indexer};

use super::plan::Flavour;
use super::trace::Trace;
use super::world::World;

/// A checking handler. Clones are the same.
#[derive(Clone)]
pub(super) struct Ledger {
    book: Arc<Mutex<Book>>,
}

struct Book {
    name: String,
    flavour: Flavour,
    world: World,
    trace: Trace,
    reader: Option<Indexer<DynamicObject>>,
    /// What the handler believes is there.
    known: BTreeMap<String, Known>,
    /// The last version of each key, and how often it went back.
    versions: HashMap<String, (u64, u64)>,
    /// Something else than an initial add was told.
    beyond_initial: bool,
    /// Nothing may be told any more.
    closed: bool,
    calls: u64,
    /// Updates that changed nothing.
    resyncs: u64,
    wrongs: Vec<String>,
}

/// An object as it was told.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Known {
    version: String,
    uid: String,
    pub(super) raw: String,
}

impl Known {
    fn of(object: &Cached<DynamicObject>) -> Self {
        Self {
            version: object.resource_version().to_owned(),
            uid: object.uid().to_string(),
            raw: object.raw().into_owned(),
        }
    }
}

impl Ledger {
    pub(super) fn new(name: String, flavour: Flavour, world: World, trace: Trace) -> Self {
        let book = Book {
            name,
            flavour,
            world,
            trace,
            reader: None,
            known: BTreeMap::new(),
            versions: HashMap::new(),
            beyond_initial: false,
            closed: false,
            calls: 0,
            resyncs: 0,
            wrongs: Vec::new(),
        };
        Self { book: Arc::new(Mutex::new(book)) }
    }

    fn lock(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets the handler read the cache while it is told.
    pub(super) fn read(&self, reader: Indexer<DynamicObject>) {
        self.lock().reader = Some(reader);
    }

    /// From now on any call is wrong.
    pub(super) fn close(&self) {
        let mut book = self.lock();
        book.closed = true;
        book.reader = None;
    }

    /// Takes a stream in, event by event, to its end.
    pub(super) async fn follow(self, mut events: Events<DynamicObject>, pause: Duration) {
        while let Some(event) = events.next().await {
            match event {
                Event::Added { object, is_initial } => self.on_add(&object, is_initial),
                Event::Updated { old, new } => self.on_update(&old, &new),
                Event::Deleted(deleted) => self.on_delete(&deleted),
                Event::Synced => self.told(|book| {
                    if std::mem::replace(&mut book.beyond_initial, true) {
                        book.wrong(String::from("synced after what is not initial"));
                    }
                    String::from("synced")
                }),
            }
            tokio::time::sleep(pause).await;
        }
    }

    /// Lets go of the cache.
    pub(super) fn close_reader(&self) {
        self.lock().reader = None;
    }

    pub(super) fn calls(&self) -> u64 {
        self.lock().calls
    }

    /// Updates that changed nothing, so far.
    pub(super) fn resyncs(&self) -> u64 {
        self.lock().resyncs
    }

    pub(super) fn known(&self) -> BTreeMap<String, Known> {
        self.lock().known.clone()
    }

    pub(super) fn wrongs(&self) -> Vec<String> {
        let book = self.lock();
        book.wrongs.iter().map(|wrong| format!("handler {}: {wrong}", book.name)).collect()
    }

    /// Notes one call; panics then, if it is the kind of handler that does.
    fn told(&self, what: impl FnOnce(&mut Book) -> String) {
        let panics = {
            let mut book = self.lock();
            book.calls += 1;
            let text = what(&mut book);
            let trace = book.trace.clone();
            trace.note(format_args!("{} {text}", book.name));
            if book.closed {
                book.wrong(format!("told {text} after its end"));
            }
            book.flavour.panicking && book.calls.is_multiple_of(3)
        };
        if panics {
            // Without the hook, which would print it
            resume_unwind(Box::new("a handler's panic"));
        }
    }
}

impl Book {
    fn wrong(&mut self, what: String) {
        // One is enough to fail; a thousand would hide the first
        if self.wrongs.len() < 5 {
            self.wrongs.push(what);
        }
    }

    fn moves_to(&mut self, key: &str, version: &str) {
        let Ok(version) = version.parse::<u64>() else {
            return self.wrong(format!("{key} has the version {version:?}"));
        };
        let restores = self.world.restores();
        let (last, backward) = self.versions.entry(key.to_owned()).or_default();
        *backward += u64::from(version < *last);
        let too_often = (*backward > restores).then(|| format!("{key} went back from {last} to {version}"));
        *last = version;
        if let Some(wrong) = too_often {
            self.wrong(wrong);
        }
    }

    /// The store has what is told, or something later.
    fn is_stored(&mut self, object: &Cached<DynamicObject>) {
        let Some(reader) = self.reader.as_ref().filter(|_| self.world.restores() == 0) else { return };
        let number = |object: &Cached<DynamicObject>| object.resource_version().parse::<u64>().unwrap_or_default();
        let stored = reader.get_by_key(&object.key());
        if stored.as_ref().is_some_and(|stored| number(stored) < number(object)) {
            self.wrong(format!("told {object:?}, the store has {stored:?}"));
        }
    }
}

impl EventHandler<DynamicObject> for Ledger {
    fn on_add(&self, object: &Cached<DynamicObject>, is_initial: bool) {
        self.told(|book| {
            let key = object.key().to_string();
            let text = format!("+{object:?}{}", if is_initial { "!" } else { "" });
            if book.known.insert(key.clone(), Known::of(object)).is_some() {
                book.wrong(format!("{text} of a known object"));
            }
            if is_initial && book.beyond_initial {
                book.wrong(format!("{text} after what is not initial"));
            }
            book.beyond_initial |= !is_initial;
            book.moves_to(&key, object.resource_version());
            book.is_stored(object);
            text
        });
    }

    fn on_update(&self, old: &Cached<DynamicObject>, new: &Cached<DynamicObject>) {
        self.told(|book| {
            let key = new.key().to_string();
            let text = format!("~{old:?} -> {new:?}");
            let (before, after) = (Known::of(old), Known::of(new));
            if book.known.get(&key) != Some(&before) {
                book.wrong(format!("{text}, but the old one is not what was told"));
            }
            if before == after && book.flavour.resync.is_none() {
                book.wrong(format!("{text} without a change"));
            }
            book.resyncs += u64::from(before == after);
            book.known.insert(key.clone(), after);
            book.beyond_initial = true;
            book.moves_to(&key, new.resource_version());
            book.is_stored(new);
            text
        });
    }

    fn on_delete(&self, deleted: &Deleted<DynamicObject>) {
        self.told(|book| {
            let (last, key) = (deleted.last_known(), deleted.key().to_string());
            let text = format!("-{last:?}{}", if deleted.is_final_state_unknown() { "?" } else { "" });
            match book.known.remove(&key) {
                None => book.wrong(format!("{text} of an unknown object")),
                Some(known) if deleted.is_final_state_unknown() && known != Known::of(last) => {
                    book.wrong(format!("{text}, but it is not the last that was told"));
                }
                Some(_) => {}
            }
            book.beyond_initial = true;
            book.moves_to(&key, last.resource_version());
            text
        });
    }
}
