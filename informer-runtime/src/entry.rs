//! One object as the cache holds it: what is known of it without decoding, and its JSON as received.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use serde::de::DeserializeOwned;
use triomphe::HeaderSlice;

use crate::decoded::DecodedTable;
use crate::error::DecodeError;
use crate::head::{LabelInterner, Labels, ScannedObject, Uid};
use crate::json::{Text, value_at};
use crate::key::ObjectKey;
use crate::resource::Resource;

/// What the entries of one informer share.
#[derive(Debug)]
pub(crate) struct EntryContext {
    pub(crate) resource: Resource,
    pub(crate) decoded: DecodedTable,
    /// Whether decoded values keep managedFields.
    pub(crate) keep_managed_fields: bool,
    next_id: AtomicU64,
}

impl EntryContext {
    pub(crate) fn new(resource: Resource, decoded_budget: usize, keep_managed_fields: bool) -> Self {
        Self { resource, decoded: DecodedTable::new(decoded_budget), keep_managed_fields, next_id: AtomicU64::new(0) }
    }
}

/// An object of the cache. Never changes; shared by the store, indexes, handlers and users. One allocation: what is
/// known of the object, and its text. How the text is kept (plain today) is known to this type alone.
#[derive(Clone)]
pub(crate) struct Entry {
    shared: triomphe::Arc<HeaderSlice<Known, str>>,
}

/// A part of an entry's text.
#[derive(Debug, Clone, Copy, Default)]
struct Span {
    start: u32,
    end: u32,
}

impl Span {
    /// `None` beyond 4 GiB, which no object reaches.
    fn new(range: Range<usize>) -> Option<Self> {
        Some(Self { start: u32::try_from(range.start).ok()?, end: u32::try_from(range.end).ok()? })
    }

    fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// What is known without reading the text.
struct Known {
    context: Arc<EntryContext>,
    namespace: Arc<str>,
    labels: Arc<Labels>,
    uid: Uid,
    id: u64,
    /// The JSON as received. Behind it stands what is written with escapes in it, if anything is.
    json: Span,
    name: Span,
    version: Span,
    /// What to cut so that the object has no managedFields; empty if it has none.
    managed_fields: Span,
    has_type_meta: bool,
    /// Whether the side table may hold values of this entry.
    decoded: AtomicBool,
}

/// Makes entries out of scanned objects, giving equal parts one place.
#[derive(Debug)]
pub(crate) struct EntryMaker {
    context: Arc<EntryContext>,
    interner: LabelInterner,
}

impl EntryMaker {
    pub(crate) fn new(context: Arc<EntryContext>) -> Self {
        Self { context, interner: LabelInterner::default() }
    }

    /// The entry of the object that `scanned` found in `text`. An object without a name has no place in a cache:
    /// `None`.
    pub(crate) fn make(&mut self, text: &str, scanned: &ScannedObject<'_>) -> Option<Entry> {
        let json = text.get(scanned.place.clone())?;
        let mut whole = Cow::Borrowed(json);
        let start = scanned.place.start;
        let name = place(scanned.name, start, &mut whole)?;
        if name.range().is_empty() {
            return None;
        }
        let version = place(scanned.resource_version, start, &mut whole)?;
        let namespace = match scanned.namespace {
            Some(namespace) if self.context.resource.is_namespaced() => namespace.value()?,
            _ => Cow::Borrowed(""),
        };
        let labels = match &scanned.labels {
            Some(place) => text.get(place.clone())?,
            None => "",
        };
        let cut = |range: &Range<usize>| Span::new(range.start - start..range.end - start);
        let known = Known {
            namespace: self.interner.namespace(&namespace),
            labels: self.interner.labels(labels),
            uid: scanned.uid.and_then(|uid| uid.value()).map_or_else(Uid::default, |uid| Uid::from(&*uid)),
            id: self.context.next_id.fetch_add(1, Ordering::Relaxed),
            json: Span::new(0..json.len())?,
            name,
            version,
            managed_fields: scanned.managed_fields.as_ref().and_then(cut).unwrap_or_default(),
            has_type_meta: scanned.kind.is_some() && scanned.api_version.is_some(),
            decoded: AtomicBool::new(false),
            context: self.context.clone(),
        };
        Some(Entry { shared: triomphe::Arc::from_header_and_str(known, &whole) })
    }
}

/// Where a string of the object stands in the entry's text, which begins with the object's JSON, itself at `start` of
/// what was received. A string that is written with escapes is put behind the JSON. Absent is empty.
fn place(text: Option<Text<'_>>, start: usize, whole: &mut Cow<'_, str>) -> Option<Span> {
    let Some(text) = text else {
        return Some(Span::default());
    };
    if let Some(place) = text.place() {
        return Span::new(place.start - start..place.end - start);
    }
    let end = whole.len();
    whole.to_mut().push_str(&text.value()?);
    Span::new(end..whole.len())
}

impl Entry {
    fn known(&self) -> &Known {
        &self.shared.header
    }

    fn text(&self, span: Span) -> &str {
        self.shared.slice.get(span.range()).unwrap_or_default()
    }

    /// Empty for a cluster-scoped object.
    pub(crate) fn namespace(&self) -> &str {
        &self.known().namespace
    }

    pub(crate) fn name(&self) -> &str {
        self.text(self.known().name)
    }

    pub(crate) fn key(&self) -> ObjectKey {
        ObjectKey::from_parts(self.known().namespace.clone(), Arc::from(self.name()))
    }

    pub(crate) fn uid(&self) -> &Uid {
        &self.known().uid
    }

    pub(crate) fn resource_version(&self) -> &str {
        self.text(self.known().version)
    }

    pub(crate) fn labels(&self) -> &Labels {
        &self.known().labels
    }

    /// Whether both are the same state of the same object.
    pub(crate) fn same_version(&self, other: &Self) -> bool {
        let version = self.resource_version();
        self.uid() == other.uid() && !version.is_empty() && version == other.resource_version()
    }

    /// Whether both are the very same entry.
    pub(crate) fn same_entry(&self, other: &Self) -> bool {
        triomphe::Arc::ptr_eq(&self.shared, &other.shared)
    }

    /// The JSON as received.
    pub(crate) fn raw(&self) -> Cow<'_, str> {
        Cow::Borrowed(self.text(self.known().json))
    }

    /// What the object takes in the cache apart from its head.
    pub(crate) fn stored_bytes(&self) -> usize {
        self.shared.slice.len()
    }

    /// The value of type `T`, from the side table if it is there.
    pub(crate) fn decoded<T>(&self) -> Result<Arc<T>, DecodeError>
    where
        T: DeserializeOwned + Send + Sync + 'static,
    {
        let known = self.known();
        known.decoded.store(true, Ordering::Relaxed);
        let bytes = known.json.range().len();
        known.context.decoded.get_or_decode(known.id, bytes, || self.decode())
    }

    /// A value made anew, kept nowhere.
    pub(crate) fn decode<T: DeserializeOwned>(&self) -> Result<T, DecodeError> {
        let json = self.raw();
        let json = self.complete(&json);
        serde_json::from_str(&json).map_err(|_| DecodeError::explain::<T>(self.key(), &json))
    }

    /// The JSON as a typed reader wants it: without managedFields unless they are kept, with kind and apiVersion,
    /// which the items of built-in lists come without.
    fn complete<'a>(&self, json: &'a str) -> Cow<'a, str> {
        let known = self.known();
        let cut = if known.context.keep_managed_fields { 0..0 } else { known.managed_fields.range() };
        if cut.is_empty() && known.has_type_meta {
            return Cow::Borrowed(json);
        }
        let mut whole = String::with_capacity(json.len() + 128);
        let mut rest = 0;
        if !known.has_type_meta {
            let resource = &known.context.resource;
            whole.push('{');
            rest = 1;
            for (pointer, value) in [("/apiVersion", resource.api_version()), ("/kind", resource.kind().to_owned())] {
                if value_at(json, pointer).is_none_or(|value| value == "null") {
                    let value = serde_json::Value::from(value);
                    whole.push_str(&format!("\"{}\":{value},", &pointer[1..]));
                }
            }
            if json[1..].trim_start().starts_with('}') {
                whole.pop();
            }
        }
        if cut.is_empty() {
            whole.push_str(&json[rest..]);
        } else {
            whole.push_str(&json[rest..cut.start]);
            whole.push_str(&json[cut.end..]);
        }
        Cow::Owned(whole)
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.key(), self.resource_version())
    }
}

impl Drop for Known {
    fn drop(&mut self) {
        if *self.decoded.get_mut() {
            self.context.decoded.forget(self.id);
        }
    }
}
