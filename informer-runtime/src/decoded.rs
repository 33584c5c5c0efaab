//! Decoded values beside the cache: kept as long as a budget of raw JSON allows, shared by all who ask.

use std::any::TypeId;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::error::DecodeError;
use crate::kept::Value;

/// The default budget: an informer whose objects are at most this large in JSON keeps all that it ever decoded.
pub(crate) const DEFAULT_BUDGET: usize = 8 << 20;

/// So many values made anew, and more of them than were found, are a warning.
const SUSTAINED: u64 = 10_000;

/// Values by entry and type. Above the budget a clock hand lets go of what was not asked for since its last round.
pub(crate) struct DecodedTable {
    budget: usize,
    inner: Mutex<Inner>,
    hits: AtomicU64,
    misses: AtomicU64,
    repeated: AtomicU64,
    failures: AtomicU64,
    transform_failures: AtomicU64,
    warned: AtomicBool,
}

#[derive(Default)]
struct Inner {
    slots: Vec<Option<Slot>>,
    free: Vec<usize>,
    by_entry: HashMap<u64, Vec<(TypeId, usize)>>,
    hand: usize,
    bytes: usize,
}

struct Slot {
    entry: u64,
    of: TypeId,
    value: Value,
    bytes: usize,
    recent: bool,
}

/// How often decoded values were there, had to be made, and could not be made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct DecodeStats {
    /// Values that were still there.
    pub hits: u64,
    /// Values that were made.
    pub misses: u64,
    /// Values that were made although they had been made before, since there was no room to keep them. When they get
    /// many, one warning says so: `decoded_budget`, `decoded` or `project` of the
    /// [builder](crate::SharedInformerBuilder) is the remedy.
    pub repeated: u64,
    /// How often an object did not fit the type that it was asked as.
    pub failures: u64,
    /// Received objects that the informer's [`Transform`](crate::Transform) failed at.
    pub transform_failures: u64,
    /// The raw JSON, in bytes, of the objects whose decoded values are kept now as far as the budget allows.
    pub kept_bytes: usize,
}

impl DecodedTable {
    pub(crate) fn new(budget: usize) -> Self {
        Self {
            budget,
            inner: Mutex::default(),
            hits: AtomicU64::new(0),
            misses: AtomicU64::new(0),
            repeated: AtomicU64::new(0),
            failures: AtomicU64::new(0),
            transform_failures: AtomicU64::new(0),
            warned: AtomicBool::new(false),
        }
    }

    /// A value that is kept for its object was there.
    pub(crate) fn count_hit(&self) {
        self.hits.fetch_add(1, Ordering::Relaxed);
    }

    /// A value that is kept for its object was made.
    pub(crate) fn count_made(&self) {
        self.misses.fetch_add(1, Ordering::Relaxed);
    }

    /// A value could not be made.
    pub(crate) fn count_failure(&self) {
        self.failures.fetch_add(1, Ordering::Relaxed);
    }

    /// An object's transform failed.
    pub(crate) fn count_transform_failure(&self) {
        self.transform_failures.fetch_add(1, Ordering::Relaxed);
    }

    /// A value was made again. True, once, when that has become the rule: it is time to warn.
    pub(crate) fn count_repeated(&self) -> bool {
        let repeated = self.repeated.fetch_add(1, Ordering::Relaxed) + 1;
        repeated >= SUSTAINED
            && repeated > self.hits.load(Ordering::Relaxed)
            && !self.warned.swap(true, Ordering::Relaxed)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn get_or_decode<T: Send + Sync + 'static>(
        &self,
        entry: u64,
        bytes: usize,
        decode: impl FnOnce() -> Result<T, DecodeError>,
    ) -> Result<Arc<T>, DecodeError> {
        let of = TypeId::of::<T>();
        if let Some(value) = self.lock().get(entry, of).and_then(|value| value.downcast().ok()) {
            self.hits.fetch_add(1, Ordering::Relaxed);
            return Ok(value);
        }
        self.misses.fetch_add(1, Ordering::Relaxed);
        let value = Arc::new(decode()?); // outside the lock: others decode meanwhile
        if bytes > self.budget {
            return Ok(value); // it would push all others out, and then itself
        }
        let mut dropped = Vec::new();
        let kept = {
            let mut inner = self.lock();
            let kept = inner.insert(entry, of, value.clone(), bytes);
            inner.shrink(self.budget, &mut dropped);
            kept
        };
        drop(dropped); // values are large: their memory goes back outside the lock
        Ok(kept.downcast().unwrap_or(value))
    }

    /// Lets go of all values of an entry that is going away.
    pub(crate) fn forget(&self, entry: u64) {
        let dropped = self.lock().forget(entry);
        drop(dropped);
    }

    pub(crate) fn stats(&self) -> DecodeStats {
        DecodeStats {
            hits: self.hits.load(Ordering::Relaxed),
            misses: self.misses.load(Ordering::Relaxed),
            repeated: self.repeated.load(Ordering::Relaxed),
            failures: self.failures.load(Ordering::Relaxed),
            transform_failures: self.transform_failures.load(Ordering::Relaxed),
            kept_bytes: self.lock().bytes,
        }
    }
}

impl std::fmt::Debug for DecodedTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.stats().fmt(f)
    }
}

impl Inner {
    fn place(&self, entry: u64, of: TypeId) -> Option<usize> {
        let values = self.by_entry.get(&entry)?;
        values.iter().find(|(is, _)| *is == of).map(|&(_, place)| place)
    }

    fn get(&mut self, entry: u64, of: TypeId) -> Option<Value> {
        let place = self.place(entry, of)?;
        let slot = self.slots[place].as_mut()?;
        slot.recent = true;
        Some(slot.value.clone())
    }

    /// Keeps `value`, or gives the one that somebody else made meanwhile.
    fn insert(&mut self, entry: u64, of: TypeId, value: Value, bytes: usize) -> Value {
        if let Some(there) = self.get(entry, of) {
            return there;
        }
        let slot = Some(Slot {
            entry,
            of,
            value: value.clone(),
            bytes,
            // Only what is asked for twice outlives a round: a scan of everything pushes nothing out.
            recent: false,
        });
        let place = match self.free.pop() {
            Some(place) => {
                self.slots[place] = slot;
                place
            }
            None => {
                self.slots.push(slot);
                self.slots.len() - 1
            }
        };
        self.by_entry.entry(entry).or_default().push((of, place));
        self.bytes += bytes;
        value
    }

    fn shrink(&mut self, budget: usize, dropped: &mut Vec<Value>) {
        while self.bytes > budget {
            self.hand = (self.hand + 1) % self.slots.len();
            match &mut self.slots[self.hand] {
                None => {}
                Some(slot) if slot.recent => slot.recent = false,
                Some(slot) => {
                    let (entry, of) = (slot.entry, slot.of);
                    if let Some(values) = self.by_entry.get_mut(&entry) {
                        values.retain(|(is, _)| *is != of);
                        if values.is_empty() {
                            self.by_entry.remove(&entry);
                        }
                    }
                    dropped.extend(self.vacate(self.hand));
                }
            }
        }
    }

    fn vacate(&mut self, place: usize) -> Option<Value> {
        let slot = self.slots[place].take()?;
        self.bytes -= slot.bytes;
        self.free.push(place);
        Some(slot.value)
    }

    fn forget(&mut self, entry: u64) -> Vec<Value> {
        let places = self.by_entry.remove(&entry).unwrap_or_default();
        places.into_iter().filter_map(|(_, place)| self.vacate(place)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn get(table: &DecodedTable, entry: u64, bytes: usize) -> Arc<u64> {
        table.get_or_decode(entry, bytes, || Ok(entry)).unwrap()
    }

    #[test]
    fn values_are_shared_and_typed() {
        let table = DecodedTable::new(100);
        let first = get(&table, 1, 10);
        assert!(Arc::ptr_eq(&first, &get(&table, 1, 10)));
        let text = table.get_or_decode(1, 10, || Ok(String::from("x"))).unwrap();
        assert_eq!((*first, text.as_str()), (1, "x"));
        assert_eq!(table.stats(), DecodeStats { hits: 1, misses: 2, kept_bytes: 20, ..DecodeStats::default() });
        table.forget(1);
        assert_eq!(table.stats().kept_bytes, 0);
    }

    #[test]
    fn the_budget_holds_and_what_is_asked_for_stays() {
        let table = DecodedTable::new(100);
        let hot = get(&table, 0, 10);
        for entry in 1..1000 {
            get(&table, entry, 10);
            assert!(Arc::ptr_eq(&hot, &get(&table, 0, 10)), "{entry}");
            assert!(table.stats().kept_bytes <= 100);
        }
        // Larger than the budget: given, not kept, and nothing makes room for it.
        assert_eq!(*get(&table, 5000, 1000), 5000);
        assert_eq!(table.stats().kept_bytes, 100);
        for entry in 0..6000 {
            table.forget(entry);
        }
        let inner = table.lock();
        assert_eq!((inner.by_entry.len(), inner.slots.len()), (0, inner.free.len()));
    }

    #[test]
    fn sustained_misses_are_told_once() {
        let table = DecodedTable::new(0);
        let told: Vec<u64> = (1..50_000).filter(|_| table.count_repeated()).collect();
        assert_eq!(told, [SUSTAINED]);
        let busy = DecodedTable::new(0);
        (0..20_000).for_each(|_| busy.count_hit());
        let told: Vec<u64> = (1..50_000).filter(|_| busy.count_repeated()).collect();
        assert_eq!(told, [20_001], "not as long as more are found");
    }

    #[test]
    fn a_failure_is_not_kept() {
        let table = DecodedTable::new(100);
        let error = DecodeError::explain::<u64>(crate::ObjectKey::new("", "a"), "{}");
        assert!(table.get_or_decode::<u64>(1, 10, || Err(error)).is_err());
        assert_eq!(*get(&table, 1, 10), 1);
    }
}
