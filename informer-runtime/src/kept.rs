//! Which types every object is kept decoded as, and the values of one object.

use std::any::{Any, TypeId, type_name};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};

use serde::de::DeserializeOwned;

use crate::error::DecodeError;
use crate::key::ObjectKey;

/// A decoded value of some type.
pub(crate) type Value = Arc<dyn Any + Send + Sync>;

/// A type that every object of an informer is kept decoded as.
#[derive(Clone, Copy)]
pub(crate) struct KeptType {
    of: TypeId,
    name: &'static str,
    decode: fn(&dyn Fn() -> ObjectKey, &str) -> Result<Value, DecodeError>,
}

impl KeptType {
    pub(crate) fn new<T: DeserializeOwned + Send + Sync + 'static>() -> Self {
        let decode: fn(&dyn Fn() -> ObjectKey, &str) -> _ = |key, json| match decode::<T>(key, json) {
            Ok(value) => Ok(Arc::new(value) as Value),
            Err(error) => Err(error),
        };
        Self { of: TypeId::of::<T>(), name: type_name::<T>(), decode }
    }

    pub(crate) fn is(&self, of: TypeId) -> bool {
        self.of == of
    }

    /// Also called by the informer's own task, which a `Deserialize` that panics must not take along.
    pub(crate) fn decode(&self, key: &dyn Fn() -> ObjectKey, json: &str) -> Result<Value, DecodeError> {
        catch_unwind(AssertUnwindSafe(|| (self.decode)(key, json)))
            .unwrap_or_else(|_| Err(DecodeError::panicked(key())))
    }
}

impl PartialEq for KeptType {
    fn eq(&self, other: &Self) -> bool {
        self.of == other.of
    }
}

impl fmt::Debug for KeptType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// A value, or where it does not fit.
pub(crate) fn decode<T: DeserializeOwned>(key: &dyn Fn() -> ObjectKey, json: &str) -> Result<T, DecodeError> {
    serde_json::from_str(json).map_err(|_| DecodeError::explain::<T>(key(), json))
}

/// The kept values of one object, in the order of the types; made once.
pub(crate) struct KeptValues {
    slots: Box<[OnceLock<Result<Value, DecodeError>>]>,
}

impl KeptValues {
    /// Room for so many; `None` for none, which costs an object a word.
    pub(crate) fn room(types: usize) -> Option<Box<Self>> {
        (types > 0).then(|| Box::new(Self { slots: (0..types).map(|_| OnceLock::new()).collect() }))
    }

    pub(crate) fn get_or_make(
        &self,
        place: usize,
        make: impl FnOnce() -> Result<Value, DecodeError>,
    ) -> &Result<Value, DecodeError> {
        self.slots[place].get_or_init(make)
    }
}
