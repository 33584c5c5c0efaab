//! Named indexes: a function from an object to values, and the objects by value.

use std::cell::Cell;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use kube::core::DynamicObject;
use serde::de::DeserializeOwned;

use super::Snapshot;
use super::sorted_map::{Item, SortedMap};
use super::walk::{Change, walk};
use crate::cached::Cached;
use crate::entry::Entry;
use crate::error::{Error, Kind};
use crate::key::ObjectKey;

thread_local! {
    static RUNNING: Cell<bool> = const { Cell::new(false) };
}

type Values = Result<Vec<String>, String>;

/// The object is in the index no more, for this reason.
pub(super) fn index_failed(index: &str, entry: &Entry, detail: String) -> Error {
    Kind::Index { index: index.to_owned(), key: entry.key(), detail }.into()
}

/// What an index files an object under: any number of values, none to leave it out.
///
/// A function that fails or panics leaves the object out of this index; that is reported through the informer's error
/// hook and never stops anything (client-go ends the process there).
///
/// It runs where the store is filled, and the store is as quick as it is; readers, handlers and those who come late do
/// not wait for it. It may use its informer, but for adding an index, which is refused.
#[derive(Clone)]
#[doc(alias = "Indexers")]
pub struct IndexFunc {
    function: Arc<dyn Fn(&Entry) -> Values + Send + Sync>,
}

impl IndexFunc {
    /// From what is known of an object without decoding it: namespace, name, labels, …
    pub fn on_head<V, I>(function: impl Fn(&Cached<DynamicObject>) -> I + Send + Sync + 'static) -> Self
    where
        I: IntoIterator<Item = V>,
        V: Into<String>,
    {
        Self::new(move |entry| Ok(function(&Cached::new(entry.clone())).into_iter().map(Into::into).collect()))
    }

    /// By the value of one label. Objects without the label are left out.
    #[must_use]
    pub fn on_label(label: &str) -> Self {
        let label = label.to_owned();
        Self::on_head(move |head| head.labels().get(&label).map(str::to_owned))
    }

    /// From the object decoded as `T`: the whole type, or a small struct with the fields that are needed. An object
    /// that does not decode counts as a failure.
    pub fn on_object<T, V, I>(function: impl Fn(&T) -> I + Send + Sync + 'static) -> Self
    where
        T: DeserializeOwned + Send + Sync + 'static,
        I: IntoIterator<Item = V>,
        V: Into<String>,
    {
        Self::new(move |entry| {
            let object = Cached::<T>::new(entry.clone()).get().map_err(|error| error.to_string())?;
            Ok(function(&object).into_iter().map(Into::into).collect())
        })
    }

    fn new(function: impl Fn(&Entry) -> Values + Send + Sync + 'static) -> Self {
        Self { function: Arc::new(function) }
    }

    /// Whether this thread is inside an index function.
    pub(crate) fn is_running() -> bool {
        RUNNING.get()
    }

    /// The values, each once, or what went wrong.
    fn values(&self, entry: &Entry) -> Values {
        let outer = RUNNING.replace(true);
        let values = catch_unwind(AssertUnwindSafe(|| (self.function)(entry)));
        RUNNING.set(outer);
        let mut values = values.unwrap_or_else(|_| Err(String::from("the index function panicked")))?;
        values.sort_unstable();
        values.dedup();
        Ok(values)
    }
}

impl fmt::Debug for IndexFunc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("IndexFunc")
    }
}

/// An object under one value of an index.
#[derive(Debug, Clone)]
pub(crate) struct IndexItem {
    pub(crate) value: Arc<str>,
    pub(crate) entry: Entry,
}

impl Item for IndexItem {
    type Key = (Arc<str>, ObjectKey);
    type Probe<'a> = (&'a str, &'a str, &'a str);

    fn probe(&self) -> Self::Probe<'_> {
        (&self.value, self.entry.namespace(), self.entry.name())
    }

    fn to_key(&self) -> Self::Key {
        (self.value.clone(), self.entry.key())
    }

    fn probe_key((value, key): &Self::Key) -> Self::Probe<'_> {
        (value, key.namespace(), key.name())
    }

    fn compare(one: Self::Probe<'_>, other: Self::Probe<'_>) -> Ordering {
        one.cmp(&other)
    }
}

/// The writer's side of one index: its function, and under which values each object is filed, so that an old object
/// is never looked at again.
#[derive(Debug)]
pub(crate) struct IndexValues {
    function: IndexFunc,
    filed: HashMap<ObjectKey, Box<[Arc<str>]>>,
}

impl IndexValues {
    pub(crate) fn new(function: IndexFunc) -> Self {
        Self { function, filed: HashMap::new() }
    }

    /// Files `entry` in place of what its key was filed under before. Gives what went wrong; the object is then in
    /// the index no more.
    pub(crate) fn put(&mut self, map: &mut SortedMap<IndexItem>, entry: &Entry) -> Result<(), String> {
        let values = self.function.values(entry);
        let key = entry.key();
        let old = self.filed.remove(&key).unwrap_or_default();
        for value in &old {
            // Values that stay are overwritten below.
            if !values.as_ref().is_ok_and(|values| values.iter().any(|new| **new == **value)) {
                remove(map, value, &key);
            }
        }
        let values: Box<[Arc<str>]> = values?
            .into_iter()
            .map(|new| old.iter().find(|value| ***value == *new).cloned().unwrap_or_else(|| new.into()))
            .collect();
        for value in &values {
            map.insert(IndexItem { value: value.clone(), entry: entry.clone() });
        }
        if !values.is_empty() {
            self.filed.insert(key, values);
        }
        Ok(())
    }

    pub(crate) fn remove(&mut self, map: &mut SortedMap<IndexItem>, key: &ObjectKey) {
        for value in self.filed.remove(key).unwrap_or_default() {
            remove(map, &value, key);
        }
    }
}

fn remove(map: &mut SortedMap<IndexItem>, value: &str, key: &ObjectKey) {
    map.remove((value, key.namespace(), key.name()));
}

/// An index that is made beside the writer.
#[derive(Debug)]
pub(crate) struct NewIndex {
    name: Arc<str>,
    values: IndexValues,
    map: SortedMap<IndexItem>,
    /// What it is of.
    objects: SortedMap<Entry>,
    errors: Vec<Error>,
}

impl NewIndex {
    /// Of nothing yet.
    pub(crate) fn new(name: &str, function: IndexFunc) -> Self {
        Self {
            name: name.into(),
            values: IndexValues::new(function),
            map: SortedMap::default(),
            objects: SortedMap::default(),
            errors: Vec::new(),
        }
    }

    /// Whether it is of these objects.
    pub(crate) fn is_of(&self, present: &Snapshot) -> bool {
        self.objects.is_same(&present.objects)
    }

    /// Makes it one of these objects. Runs the function for those that are not those it was of.
    pub(crate) fn catch_up(&mut self, present: &Snapshot) {
        let old = std::mem::replace(&mut self.objects, present.objects.clone());
        walk(&old, &present.objects, |change| match change {
            Change::Gone(entry) => self.values.remove(&mut self.map, &entry.key()),
            Change::Both(old, new) if old.same_entry(new) => {}
            Change::Both(_, entry) | Change::New(entry) => {
                if let Err(detail) = self.values.put(&mut self.map, entry) {
                    self.errors.push(index_failed(&self.name, entry, detail));
                }
            }
        });
    }

    pub(super) fn into_parts(self) -> (Arc<str>, IndexValues, SortedMap<IndexItem>, Vec<Error>) {
        (self.name, self.values, self.map, self.errors)
    }
}
