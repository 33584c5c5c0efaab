//! One object as the cache holds it: what is known of it without decoding, and its JSON as received.

mod maker;

pub(crate) use maker::EntryMaker;

use std::any::{TypeId, type_name};
use std::borrow::Cow;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use serde::de::DeserializeOwned;
use triomphe::HeaderSlice;

use crate::decoded::{DEFAULT_BUDGET, DecodedTable};
use crate::error::DecodeError;
use crate::form::Form;
use crate::head::{LabelInterner, Labels, ScannedObject, Uid};
use crate::json::{Text, value_at};
use crate::kept::{KeptType, KeptValues, Value, decode};
use crate::key::ObjectKey;
use crate::resource::Resource;
use crate::transform::Transform;
use crate::version::is_older;

/// How an informer keeps its objects.
#[derive(Debug, Clone)]
pub(crate) struct EntryPolicy {
    pub(crate) form: Form,
    /// What happens to an object before it is kept.
    pub(crate) transform: Transform,
    /// How much raw JSON the objects may have whose decoded values are kept, beside those of `kept`.
    pub(crate) decoded_budget: usize,
    /// Whether decoded values keep managedFields.
    pub(crate) keep_managed_fields: bool,
    /// The types that every object is kept decoded as.
    pub(crate) kept: Vec<KeptType>,
}

impl Default for EntryPolicy {
    fn default() -> Self {
        Self {
            form: Form::Full,
            transform: Transform::none(),
            decoded_budget: DEFAULT_BUDGET,
            keep_managed_fields: false,
            kept: Vec::new(),
        }
    }
}

/// What the entries of one informer share.
#[derive(Debug)]
pub(crate) struct EntryContext {
    pub(crate) resource: Resource,
    pub(crate) decoded: DecodedTable,
    policy: EntryPolicy,
    next_id: AtomicU64,
}

impl EntryContext {
    pub(crate) fn new(resource: Resource, policy: EntryPolicy) -> Self {
        let decoded = DecodedTable::new(policy.decoded_budget);
        Self { resource, decoded, policy, next_id: AtomicU64::new(0) }
    }

    /// Whether not even the name of a field may be told.
    fn is_secret(&self) -> bool {
        self.resource.kind() == "Secret"
    }

    /// The place of a type among those that are kept.
    pub(crate) fn kept_place(&self, of: TypeId) -> Option<usize> {
        self.policy.kept.iter().position(|kept| kept.is(of))
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
    /// The transform failed: this is the head alone.
    withheld: bool,
    kept: Option<Box<KeptValues>>,
    /// As which types the side table may hold values of this entry, a bit for each (some share one).
    decoded: AtomicU8,
}

/// One of eight bits for a type.
fn type_bit(of: TypeId) -> u8 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    1 << (hasher.finish() & 7)
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
    /// The entry of the object that `scanned` found in `text`. An object without a name has no place in a cache:
    /// `None`.
    fn build(
        context: &Arc<EntryContext>,
        interner: &mut LabelInterner,
        text: &str,
        scanned: &ScannedObject<'_>,
        withheld: bool,
    ) -> Option<Self> {
        let json = text.get(scanned.place.clone())?;
        let mut whole = Cow::Borrowed(json);
        let start = scanned.place.start;
        let name = place(scanned.name, start, &mut whole)?;
        if name.range().is_empty() {
            return None;
        }
        let version = place(scanned.resource_version, start, &mut whole)?;
        let namespace = match scanned.namespace {
            Some(namespace) if context.resource.is_namespaced() => namespace.value()?,
            _ => Cow::Borrowed(""),
        };
        let labels = match &scanned.labels {
            Some(place) => text.get(place.clone())?,
            None => "",
        };
        let cut = |range: &Range<usize>| Span::new(range.start - start..range.end - start);
        let known = Known {
            namespace: interner.namespace(&namespace),
            labels: interner.labels(labels),
            uid: scanned.uid.and_then(|uid| uid.value()).map_or_else(Uid::default, |uid| Uid::from(&*uid)),
            id: context.next_id.fetch_add(1, Ordering::Relaxed),
            json: Span::new(0..json.len())?,
            name,
            version,
            managed_fields: scanned.managed_fields.as_ref().and_then(cut).unwrap_or_default(),
            has_type_meta: scanned.kind.is_some() && scanned.api_version.is_some(),
            withheld,
            kept: KeptValues::room(context.policy.kept.len()),
            decoded: AtomicU8::new(0),
            context: context.clone(),
        };
        Some(Self { shared: triomphe::Arc::from_header_and_str(known, &whole) })
    }

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
        let same = self.uid() == other.uid() && !version.is_empty() && version == other.resource_version();
        same && self.known().withheld == other.known().withheld
    }

    /// Whether both are the same state of the same object, also where the server shows one version in two ways: after a
    /// change of a definition, its defaults and conversions. Items of built-in lists come without their type and are
    /// known by their version alone, unless `by_text`.
    pub(crate) fn same_state(&self, other: &Self, by_text: bool) -> bool {
        let alike = self.known().has_type_meta == other.known().has_type_meta;
        self.same_version(other) && (!(alike || by_text) || self.raw() == other.raw())
    }

    /// Whether this is a later state of the same object than `other`.
    pub(crate) fn succeeds(&self, other: &Self) -> bool {
        self.uid() == other.uid() && is_older(other.resource_version(), self.resource_version())
    }

    /// Whether both have a uid, and not the same one.
    pub(crate) fn is_another(&self, other: &Self) -> bool {
        self.uid() != other.uid() && !self.uid().is_empty() && !other.uid().is_empty()
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

    /// The value of type `T`: the one that is kept for every object, or from the side table if it is there.
    pub(crate) fn decoded<T>(&self) -> Result<Arc<T>, DecodeError>
    where
        T: DeserializeOwned + Send + Sync + 'static,
    {
        let known = self.known();
        let table = &known.context.decoded;
        if let Some(kept) = known.context.kept_place(TypeId::of::<T>()).and_then(|place| self.kept(place))
            && let Ok(value) = kept.clone()?.downcast()
        {
            table.count_hit();
            return Ok(value);
        }
        let bytes = known.json.range().len();
        table.get_or_decode(known.id, bytes, || {
            let bit = type_bit(TypeId::of::<T>());
            if known.decoded.fetch_or(bit, Ordering::Relaxed) & bit != 0 && table.count_repeated() {
                self.warn_of_misses::<T>();
            }
            self.decode().inspect_err(|_| table.count_failure())
        })
    }

    fn warn_of_misses<T>(&self) {
        tracing::warn!(
            resource = %self.known().context.resource,
            r#type = type_name::<T>(),
            "objects are decoded again and again, since their values exceed the budget: raise decoded_budget, keep all \
             by decoded::<T>(), or keep a small struct by project::<T>()"
        );
    }

    /// The value of a kept type, made now unless it was made before.
    pub(crate) fn kept(&self, place: usize) -> Option<&Result<Value, DecodeError>> {
        let known = self.known();
        let table = &known.context.decoded;
        let (values, of) = known.kept.as_deref().zip(known.context.policy.kept.get(place))?;
        let mut made = false;
        let value = values.get_or_make(place, || {
            made = true;
            let value = self.read(|json| of.decode(&|| self.key(), json));
            value.inspect_err(|_| table.count_failure())
        });
        if made {
            table.count_made();
        }
        Some(value)
    }

    /// Makes all kept values, so that nobody has to later.
    pub(crate) fn make_kept(&self) {
        for place in 0..self.known().context.policy.kept.len() {
            self.kept(place);
        }
    }

    /// A value made anew, kept nowhere.
    pub(crate) fn decode<T: DeserializeOwned>(&self) -> Result<T, DecodeError> {
        self.read(|json| decode(&|| self.key(), json))
    }

    fn read<R>(&self, decode: impl FnOnce(&str) -> Result<R, DecodeError>) -> Result<R, DecodeError> {
        if self.known().withheld {
            return Err(DecodeError::withheld(self.key()));
        }
        let json = self.raw();
        let json = self.complete(&json);
        decode(&json).map_err(|error| if self.known().context.is_secret() { error.without_names() } else { error })
    }

    /// The JSON as a typed reader wants it: without managedFields unless they are kept, with kind and apiVersion,
    /// which the items of built-in lists come without.
    fn complete<'a>(&self, json: &'a str) -> Cow<'a, str> {
        let known = self.known();
        let policy = &known.context.policy;
        let cut = if policy.keep_managed_fields { 0..0 } else { known.managed_fields.range() };
        if cut.is_empty() && known.has_type_meta {
            return Cow::Borrowed(json);
        }
        let mut whole = String::with_capacity(json.len() + 128);
        let mut rest = 0;
        if !known.has_type_meta {
            let (api_version, kind) = policy.form.type_of(&known.context.resource);
            whole.push('{');
            rest = 1;
            for (pointer, value) in [("/apiVersion", api_version), ("/kind", kind)] {
                if value_at(json, pointer).is_none() {
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
        if *self.decoded.get_mut() != 0 {
            self.context.decoded.forget(self.id);
        }
    }
}
