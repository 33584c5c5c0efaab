//! How a field is read and written: one module for each way in which it may be absent.
//!
//! | schema | module | type | missing reads as | null reads as |
//! |---|---|---|---|---|
//! | required | [`required`], [`number`] | `T` | the default | the default |
//! | required, nullable | [`nullable`] | `Option<T>` | `None` | `None` (and is written as null) |
//! | optional | [`optional`] | `Option<T>` | `None` | `None` |
//! | optional; null differs from absence | [`present`] | `Option<T>` | `None` | `Some` of what null is as a `T` |
//!
//! A required field can be missing in an object that was stored before it was required; it reads as k8s-openapi's
//! types read it.

use serde::de::{Deserialize, MapAccess};
use serde::ser::{Serialize, SerializeMap};
use serde_json::Number;

use super::FieldWriter;

/// The number that stands for a missing one.
#[must_use]
pub fn number_zero() -> Number {
    Number::from(0)
}

/// A field that is always there and never null.
pub mod required {
    use super::*;

    /// Reads the field; null is the default.
    ///
    /// # Errors
    /// Those of `T`.
    pub fn read<'de, T, A>(field: &mut T, map: &mut A) -> Result<bool, A::Error>
    where
        T: Deserialize<'de> + Default,
        A: MapAccess<'de>,
    {
        *field = map.next_value::<Option<T>>()?.unwrap_or_default();
        Ok(true)
    }

    /// Writes the field.
    pub fn write<T: Serialize, M: SerializeMap>(field: &T, key: &'static str, fields: &mut FieldWriter<'_, M>) {
        fields.entry(key, field);
    }
}

/// [`required`] for numbers, which have no default of their own.
pub mod number {
    use super::*;

    /// Reads the field; null is zero.
    ///
    /// # Errors
    /// When there is neither null nor a number.
    pub fn read<'de, A: MapAccess<'de>>(field: &mut Number, map: &mut A) -> Result<bool, A::Error> {
        *field = map.next_value::<Option<Number>>()?.unwrap_or_else(number_zero);
        Ok(true)
    }

    pub use super::required::write;
}

/// A field that is always there and may be null.
pub mod nullable {
    use super::*;

    /// Reads the field.
    ///
    /// # Errors
    /// Those of `T`.
    pub fn read<'de, T, A>(field: &mut Option<T>, map: &mut A) -> Result<bool, A::Error>
    where
        T: Deserialize<'de>,
        A: MapAccess<'de>,
    {
        *field = map.next_value()?;
        Ok(true)
    }

    pub use super::required::write;
}

/// A field that may be left out.
pub mod optional {
    use super::*;

    pub use super::nullable::read;

    /// Writes the field if it is there.
    pub fn write<T, M>(field: &Option<T>, key: &'static str, fields: &mut FieldWriter<'_, M>)
    where
        T: Serialize,
        M: SerializeMap,
    {
        if let Some(value) = field {
            fields.entry(key, value);
        }
    }
}

/// A field that may be left out, and null is not the same.
pub mod present {
    use super::*;

    /// Reads the field; whatever is there is `Some`.
    ///
    /// # Errors
    /// Those of `T`.
    pub fn read<'de, T, A>(field: &mut Option<T>, map: &mut A) -> Result<bool, A::Error>
    where
        T: Deserialize<'de>,
        A: MapAccess<'de>,
    {
        *field = Some(map.next_value()?);
        Ok(true)
    }

    pub use super::optional::write;
}
