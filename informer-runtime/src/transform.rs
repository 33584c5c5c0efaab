//! What happens to objects between the server and the cache.

use std::borrow::Cow;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use serde_json::Value;

use crate::json::Removal;

type Closure = Arc<dyn Fn(Value) -> Result<Value, &'static str> + Send + Sync>;

/// Changes every object before it is kept: takes away what nobody reads, or rewrites it.
///
/// It is applied once to each object that is received, in whatever way: in a list, a streaming list or a watch, and to
/// the last state of a deleted object too. What comes out is what the cache, the handlers and
/// [`Cached::raw`](crate::Cached::raw) have; what was received is dropped at once, page by page.
///
/// ```
/// use informer_runtime::Transform;
///
/// let lean = Transform::drop_managed_fields().then(Transform::remove(["/status", "/spec/template"]));
/// assert_eq!(lean.id(), "remove /metadata/managedFields, remove /status, remove /spec/template");
/// ```
///
/// # When it fails
///
/// One policy, for lists and watches alike, since neither a delete may be lost nor something kept that was to be taken
/// away: the object goes into the cache **by its head alone**. It is there with key, uid, version and labels, and
/// handlers hear of it as of any other; its [`raw`](crate::Cached::raw) has that head and nothing else, and
/// [`get`](crate::Cached::get) is a [`DecodeError`](crate::DecodeError). The failure goes to the error hook, with the
/// object's key, and is counted in [`DecodeStats`](crate::DecodeStats). The next version of the object is a new try.
/// (client-go ends the whole round at a failure in a list, and loses the object at one in a streaming list.)
///
/// It fails if the closure gives an error or panics, if the object nests too deep for a [`Value`], and if what comes
/// out is no object, or one of another namespace, name, uid or resourceVersion: those are the server's.
#[derive(Clone)]
#[doc(alias = "TransformFunc")]
#[doc(alias = "SetTransform")]
#[doc(alias = "TransformStripManagedFields")]
pub struct Transform {
    id: Cow<'static, str>,
    steps: Arc<[Step]>,
}

#[derive(Clone)]
enum Step {
    Remove(Removal),
    Json(Closure),
}

impl Transform {
    /// Leaves objects as they are. In place of a factory's default.
    #[must_use]
    pub fn none() -> Self {
        Self { id: Cow::Borrowed(""), steps: Arc::from([]) }
    }

    /// Removes `/metadata/managedFields`, which are nearly half of most objects. On the bytes; nothing is decoded.
    #[must_use]
    pub fn drop_managed_fields() -> Self {
        Self::remove(["/metadata/managedFields"])
    }

    /// Removes the fields that these JSON pointers (RFC 6901, such as `/metadata/annotations/big~1note`) name, in this
    /// order. On the bytes; nothing is decoded. A field that an object does not have is no failure.
    ///
    /// A pointer leads through an array by an index, but can't remove an item of one. What is no pointer, and the empty
    /// one, removes nothing.
    #[must_use]
    pub fn remove<P: AsRef<str>>(pointers: impl IntoIterator<Item = P>) -> Self {
        let pointers: Vec<P> = pointers.into_iter().collect();
        let id: Vec<String> = pointers.iter().map(|pointer| format!("remove {}", pointer.as_ref())).collect();
        let steps = pointers.iter().filter_map(|pointer| Removal::new(pointer.as_ref())).map(Step::Remove);
        Self { id: id.join(", ").into(), steps: steps.collect() }
    }

    /// Any change, by a closure on the object's JSON. Costs a parse and a write of every object: where fields are only
    /// to go, [`remove`](Self::remove) is many times faster.
    ///
    /// `id` says what it does, in words of yours: a factory takes two transforms with equal ids for the same one. The
    /// closure must not block. The text of an error can't hold a part of an object, since it is fixed. What is kept is
    /// compact JSON with sorted keys; numbers of more than 64 bits lose digits on the way.
    #[must_use]
    pub fn json(
        id: impl Into<String>,
        change: impl Fn(Value) -> Result<Value, &'static str> + Send + Sync + 'static,
    ) -> Self {
        let id = Some(id.into()).filter(|id| !id.is_empty()).unwrap_or_else(|| String::from("a closure"));
        Self { id: Cow::Owned(id), steps: Arc::from([Step::Json(Arc::new(change))]) }
    }

    /// This one, then another.
    #[must_use]
    pub fn then(self, next: Self) -> Self {
        if self.is_none() || next.is_none() {
            return if self.is_none() { next } else { self };
        }
        let steps = self.steps.iter().chain(next.steps.iter()).cloned().collect();
        Self { id: format!("{}, {}", self.id, next.id).into(), steps }
    }

    /// What it is known by; empty for [`none`](Self::none). Informers of one factory that differ in it are different
    /// informers.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    pub(crate) fn is_none(&self) -> bool {
        self.id.is_empty()
    }

    /// The object after all steps; `None` if no step changed it.
    pub(crate) fn apply(&self, text: &str) -> Result<Option<String>, &'static str> {
        let mut result: Option<String> = None;
        for step in &*self.steps {
            let present = result.as_deref().unwrap_or(text);
            match step {
                Step::Remove(removal) => result = removal.apply(present).or(result),
                Step::Json(closure) => result = Some(call(closure, present)?),
            }
        }
        Ok(result)
    }
}

fn call(closure: &Closure, text: &str) -> Result<String, &'static str> {
    // What was received is known to be JSON: only its depth, or half of a surrogate pair, can be in the way.
    let unreadable = |_| "the object nests too deep for a value, or has text that is no Unicode";
    let value: Value = serde_json::from_str(text).map_err(unreadable)?;
    let changed = catch_unwind(AssertUnwindSafe(|| closure(value))).unwrap_or(Err("it panicked"))?;
    if !changed.is_object() {
        return Err("what it gave is no object");
    }
    Ok(changed.to_string())
}

impl Default for Transform {
    fn default() -> Self {
        Self::none()
    }
}

impl fmt::Debug for Transform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Transform").field(&self.id).finish()
    }
}
