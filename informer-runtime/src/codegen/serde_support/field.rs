//! How single fields are read.

use serde::{Deserialize, Deserializer};
use serde_json::Number;

/// A field that the schema requires, in an object that was stored before it did: null reads as the default, as a
/// missing field does. So k8s-openapi's types do, too.
///
/// # Errors
/// Those of `T`.
pub fn null_as_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

/// [`null_as_default`] for numbers, which have no default of their own.
///
/// # Errors
/// When there is neither null nor a number.
pub fn null_as_zero<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Number, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_else(number_zero))
}

/// The number that stands for a missing one.
#[must_use]
pub fn number_zero() -> Number {
    Number::from(0)
}

/// A field that is there, whatever it holds: null is a value of `T`, and only absence is `None`.
///
/// # Errors
/// Those of `T`.
pub fn present<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    T::deserialize(deserializer).map(Some)
}

/// Whether a field is left out.
#[must_use]
pub fn is_none<T>(value: &Option<T>) -> bool {
    value.is_none()
}
