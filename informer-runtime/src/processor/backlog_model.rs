//! Whatever is merged, and however a handler's pace changes: what it hears is a legal history that ends at the cache.

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;

use super::super::in_hand::{InHand, Told};
use super::{Backlog, Work};
use crate::delta::Delta;
use crate::entry::{Entry, EntryContext, EntryMaker, EntryPolicy};
use crate::head::scan_object;
use crate::json::Cursor;
use crate::resource::Resource;
use crate::store::{Applied, Notification, StoreWriter};

const KEYS: usize = 5;
const WIDGETS: Resource = Resource::new("shop.example.test", "v1", "Widget", "widgets", true);

#[derive(Debug, Clone)]
enum Step {
    /// An object changes or appears; `another` with a new uid, though nobody told of the end of the old one if it is
    /// there. Else it is the old one: it may have left what is watched, and come back.
    Put {
        key: usize,
        another: bool,
    },
    Delete {
        key: usize,
    },
    /// What happened since goes to the handler as one batch.
    Batch,
    /// The handler gets so many calls.
    Calls(usize),
    Resync,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let key = || 0..KEYS;
    let step = prop_oneof![
        6 => (key(), prop::bool::weighted(0.1)).prop_map(|(key, another)| Step::Put { key, another }),
        3 => key().prop_map(|key| Step::Delete { key }),
        3 => Just(Step::Batch),
        2 => (0_usize..8).prop_map(Step::Calls),
        1 => Just(Step::Resync),
    ];
    prop::collection::vec(step, 0..300)
}

/// The server and the store.
struct Source {
    maker: EntryMaker,
    writer: StoreWriter,
    version: u64,
    uids: [u64; KEYS],
    notifications: Vec<Notification>,
}

impl Source {
    fn new() -> Self {
        let context = Arc::new(EntryContext::new(WIDGETS, EntryPolicy::default()));
        Self {
            maker: EntryMaker::new(context, |error| panic!("{error}")),
            writer: StoreWriter::default(),
            version: 1,
            uids: [0; KEYS],
            notifications: Vec::new(),
        }
    }

    fn apply(&mut self, delta: Delta) {
        let mut applied = Applied::default();
        self.writer.apply(delta, &mut applied);
        self.notifications.append(&mut applied.notifications);
    }

    fn entry(&mut self, key: usize) -> Entry {
        self.version += 1;
        let text = format!(
            r#"{{"metadata":{{"namespace":"red","name":"w{key}","uid":"uid-{}","resourceVersion":"{}"}}}}"#,
            self.uids[key], self.version
        );
        self.maker.make(&text, &scan_object(&mut Cursor::new(&text)).unwrap()).unwrap()
    }

    fn is_there(&self, key: usize) -> bool {
        self.writer.snapshot().get("red", &format!("w{key}")).is_some()
    }

    fn put(&mut self, key: usize, another: bool) {
        if another {
            self.uids[key] = self.version; // never used before
        }
        let entry = self.entry(key);
        self.apply(Delta::Put(entry));
    }

    fn delete(&mut self, key: usize) {
        if self.is_there(key) {
            let entry = self.entry(key);
            self.apply(Delta::Delete(entry));
        }
    }
}

/// A handler's own map of what it was told.
#[derive(Default)]
struct Mirror {
    hand: InHand,
    objects: BTreeMap<String, (String, String)>,
    told: usize,
}

fn state(entry: &Entry) -> (String, String) {
    (entry.uid().to_string(), entry.resource_version().to_owned())
}

impl Mirror {
    /// One call; false if there is nothing to tell.
    fn call(&mut self, backlog: &mut Backlog) -> bool {
        let mut told = self.hand.next();
        while told.is_none() {
            let Some(work) = backlog.pop() else { return false };
            told = self.hand.take(work);
        }
        let Some(Told::Change(change)) = told else { return true };
        self.told += 1;
        let key = change.key().to_string();
        match change {
            Notification::Added { entry, .. } => assert_eq!(self.objects.insert(key, state(&entry)), None),
            Notification::Updated { old, new } => {
                assert_eq!(old.uid(), new.uid());
                assert_eq!(self.objects.insert(key, state(&new)), Some(state(&old)));
            }
            Notification::Deleted { known, .. } => assert_eq!(self.objects.remove(&key), Some(state(&known))),
        }
        true
    }
}

fn run(steps: &[Step], merge_above: usize) -> (Backlog, Mirror, usize) {
    let mut source = Source::new();
    let mut backlog = Backlog::merging_above(merge_above);
    let mut mirror = Mirror::default();
    backlog.push(Work::Initial { snapshot: source.writer.snapshot(), done: true }, 0);
    let mut sent = 0;
    let mut flush = |source: &mut Source, backlog: &mut Backlog, mirror: &Mirror| {
        let batch = std::mem::take(&mut source.notifications);
        sent += batch.len();
        if !batch.is_empty() {
            backlog.push(Work::Batch(batch.into()), mirror.hand.changes());
        }
    };
    for step in steps {
        match *step {
            Step::Put { key, another } => source.put(key, another),
            Step::Delete { key } => source.delete(key),
            Step::Batch => flush(&mut source, &mut backlog, &mirror),
            Step::Calls(calls) => drop((0..calls).find(|_| !mirror.call(&mut backlog))),
            Step::Resync => {
                flush(&mut source, &mut backlog, &mirror);
                backlog.push(Work::Resync(source.writer.snapshot()), mirror.hand.changes());
            }
        }
        // One for each object before a resync, and one behind it.
        assert!(backlog.changes() <= merge_above.saturating_add(2 * KEYS), "{} wait", backlog.changes());
    }
    flush(&mut source, &mut backlog, &mirror);
    while mirror.call(&mut backlog) {}
    assert_eq!(backlog.changes(), 0);
    let snapshot = source.writer.snapshot();
    let present: BTreeMap<_, _> =
        snapshot.objects.iter().map(|entry| (entry.key().to_string(), state(entry))).collect();
    assert_eq!(mirror.objects, present);
    (backlog, mirror, sent)
}

proptest! {
    #[test]
    fn what_is_merged_ends_where_all_of_it_would(steps in steps(), merge_above in 0_usize..12) {
        run(&steps, merge_above);
    }

    #[test]
    fn what_is_not_merged_is_told_whole(steps in steps()) {
        let steps: Vec<Step> = steps.into_iter().filter(|step| !matches!(step, Step::Resync)).collect();
        let (backlog, mirror, sent) = run(&steps, usize::MAX);
        prop_assert_eq!((backlog.merged(), mirror.told), (0, sent));
    }
}

/// An object that comes and goes for ever costs nothing.
#[test]
fn objects_that_came_and_went_leave_no_trace() {
    let mut source = Source::new();
    let mut backlog = Backlog::merging_above(0);
    for _ in 0..10_000 {
        source.put(0, false);
        source.delete(0);
        backlog.push(Work::Batch(std::mem::take(&mut source.notifications).into()), 0);
        assert_eq!(backlog.changes(), 0);
    }
    assert!(backlog.pop().is_none());
    assert_eq!(backlog.merged(), 10_000);
}

#[test]
fn a_sealed_queue_takes_nothing_more() {
    let mut source = Source::new();
    let mut backlog = Backlog::merging_above(0);
    source.put(0, false);
    backlog.push(Work::Batch(std::mem::take(&mut source.notifications).into()), 0);
    backlog.seal();
    source.put(1, false);
    backlog.push(Work::Batch(std::mem::take(&mut source.notifications).into()), 0);
    backlog.push(Work::Resync(source.writer.snapshot()), 0);
    assert!(matches!(backlog.pop(), Some(Work::One(_))));
    assert!(backlog.pop().is_none());
}

/// What is back as it was is nothing to tell.
#[test]
fn a_change_and_its_way_back_are_nothing() {
    let mut source = Source::new();
    source.put(0, true);
    let (first, second) = (source.entry(0), source.entry(0));
    let (old, back) = (first.clone(), first);
    let mut backlog = Backlog::merging_above(0);
    let updates = [(old, second.clone()), (second, back)].map(|(old, new)| Notification::Updated { old, new });
    let changes: Vec<Notification> = updates.into_iter().collect();
    backlog.push(Work::Batch(changes.into()), 0);
    assert_eq!(backlog.changes(), 0);
}
