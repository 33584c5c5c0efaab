//! One object as the cache holds it: its head, and its JSON as received.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use serde::de::DeserializeOwned;

use crate::decoded::DecodedTable;
use crate::error::DecodeError;
use crate::head::{Head, LabelInterner, ScannedObject, Uid};
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
        Self {
            resource,
            decoded: DecodedTable::new(decoded_budget),
            keep_managed_fields,
            next_id: AtomicU64::new(0),
        }
    }
}

/// An object of the cache. Never changes; shared by the store, indexes, handlers and users.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) head: Head,
    payload: Payload,
    id: u64,
    /// Whether the side table may hold values of this entry.
    decoded: AtomicBool,
    context: Arc<EntryContext>,
}

/// The object's JSON. How it is kept (plain today) is known to this type alone.
#[derive(Debug)]
struct Payload {
    json: Box<str>,
    managed_fields: Option<(u32, u32)>,
    has_type_meta: bool,
}

impl Payload {
    fn new(object: &str, scanned: &ScannedObject<'_>) -> Self {
        let within = |range: &Range<usize>| {
            let start = u32::try_from(range.start - scanned.place.start).ok()?;
            let end = u32::try_from(range.end - scanned.place.start).ok()?;
            Some((start, end))
        };
        Self {
            json: object.into(),
            managed_fields: scanned.managed_fields.as_ref().and_then(within),
            has_type_meta: scanned.kind.is_some() && scanned.api_version.is_some(),
        }
    }

    fn json(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.json)
    }

    fn stored_bytes(&self) -> usize {
        self.json.len()
    }
}

/// Makes entries out of scanned objects, giving equal parts one place.
#[derive(Debug)]
pub(crate) struct EntryMaker {
    context: Arc<EntryContext>,
    interner: LabelInterner,
}

impl EntryMaker {
    pub(crate) fn new(context: Arc<EntryContext>) -> Self {
        Self {
            context,
            interner: LabelInterner::default(),
        }
    }

    /// The entry of the object that `scanned` found in `text`. An object without a name has no place in a cache:
    /// `None`.
    pub(crate) fn make(&mut self, text: &str, scanned: &ScannedObject<'_>) -> Option<Arc<Entry>> {
        let name = scanned.name.as_ref()?.value().filter(|name| !name.is_empty())?;
        let namespace = match &scanned.namespace {
            Some(namespace) if self.context.resource.is_namespaced() => namespace.value()?,
            _ => Cow::Borrowed(""),
        };
        let labels = match &scanned.labels {
            Some(place) => Some(text.get(place.clone())?),
            None => None,
        };
        let uid = scanned.uid.as_ref().and_then(|uid| uid.value()).unwrap_or_default();
        let version = scanned.resource_version.as_ref().and_then(|version| version.value());
        Some(Arc::new(Entry {
            head: Head {
                key: ObjectKey::from_parts(self.interner.namespace(&namespace), Arc::from(&*name)),
                uid: Uid::from(&*uid),
                resource_version: version.unwrap_or_default().into(),
                labels: self.interner.labels(labels),
            },
            payload: Payload::new(text.get(scanned.place.clone())?, scanned),
            id: self.context.next_id.fetch_add(1, Ordering::Relaxed),
            decoded: AtomicBool::new(false),
            context: self.context.clone(),
        }))
    }
}

impl Entry {
    pub(crate) fn key(&self) -> &ObjectKey {
        &self.head.key
    }

    /// The JSON as received.
    pub(crate) fn raw(&self) -> Cow<'_, str> {
        self.payload.json()
    }

    /// What the object takes in the cache apart from its head.
    pub(crate) fn stored_bytes(&self) -> usize {
        self.payload.stored_bytes()
    }

    /// The value of type `T`, from the side table if it is there.
    pub(crate) fn decoded<T>(&self) -> Result<Arc<T>, DecodeError>
    where
        T: DeserializeOwned + Send + Sync + 'static,
    {
        self.decoded.store(true, Ordering::Relaxed);
        self.context
            .decoded
            .get_or_decode(self.id, self.payload.json.len(), || self.decode())
    }

    /// A value made anew, kept nowhere.
    pub(crate) fn decode<T: DeserializeOwned>(&self) -> Result<T, DecodeError> {
        let json = self.payload.json();
        let json = self.complete(&json);
        serde_json::from_str(&json).map_err(|_| DecodeError::explain::<T>(self.key().clone(), &json))
    }

    /// The JSON as a typed reader wants it: without managedFields unless they are kept, with kind and apiVersion,
    /// which the items of built-in lists come without.
    fn complete<'a>(&self, json: &'a str) -> Cow<'a, str> {
        let cut = match self.payload.managed_fields {
            Some((start, end)) if !self.context.keep_managed_fields => start as usize..end as usize,
            _ => json.len()..json.len(),
        };
        if cut.is_empty() && self.payload.has_type_meta {
            return Cow::Borrowed(json);
        }
        let mut whole = String::with_capacity(json.len() + 128);
        let mut rest = 0;
        if !self.payload.has_type_meta {
            let resource = &self.context.resource;
            whole.push('{');
            rest = 1;
            for (pointer, value) in [
                ("/apiVersion", resource.api_version()),
                ("/kind", resource.kind().to_owned()),
            ] {
                if crate::json::value_at(json, pointer).is_none_or(|value| value == "null") {
                    let value = serde_json::Value::from(value);
                    whole.push_str(&format!("\"{}\":{value},", &pointer[1..]));
                }
            }
            if json[1..].trim_start().starts_with('}') {
                whole.pop();
            }
        }
        whole.push_str(&json[rest..cut.start]);
        whole.push_str(&json[cut.end..]);
        Cow::Owned(whole)
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        if *self.decoded.get_mut() {
            self.context.decoded.forget(self.id);
        }
    }
}
