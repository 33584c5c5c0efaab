//! A value that is an integer or a text.

use std::fmt;

use serde::de::{self, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// An integer or a text, written back as it was read: a port, a percentage, a quantity.
///
/// Wider than k8s-openapi's type of this name: the server takes any integer of 64 bits where a schema says
/// `x-kubernetes-int-or-string` (a quantity of bytes needs them).
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum IntOrString {
    /// An integer.
    Int(i64),
    /// A text.
    String(String),
}

/// Zero, as k8s-openapi has it.
impl Default for IntOrString {
    fn default() -> Self {
        IntOrString::Int(0)
    }
}

/// The integer or the text, without quotes.
impl fmt::Display for IntOrString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IntOrString::Int(value) => value.fmt(f),
            IntOrString::String(value) => value.fmt(f),
        }
    }
}

impl From<i32> for IntOrString {
    fn from(value: i32) -> Self {
        IntOrString::Int(value.into())
    }
}

impl From<i64> for IntOrString {
    fn from(value: i64) -> Self {
        IntOrString::Int(value)
    }
}

impl From<&str> for IntOrString {
    fn from(value: &str) -> Self {
        IntOrString::String(value.to_owned())
    }
}

impl From<String> for IntOrString {
    fn from(value: String) -> Self {
        IntOrString::String(value)
    }
}

impl Serialize for IntOrString {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            IntOrString::Int(value) => serializer.serialize_i64(*value),
            IntOrString::String(value) => serializer.serialize_str(value),
        }
    }
}

impl<'de> Deserialize<'de> for IntOrString {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Either)
    }
}

struct Either;

impl Visitor<'_> for Either {
    type Value = IntOrString;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an integer or a string")
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<IntOrString, E> {
        Ok(IntOrString::Int(value))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<IntOrString, E> {
        match i64::try_from(value) {
            Ok(value) => Ok(IntOrString::Int(value)),
            Err(_) => Err(E::invalid_value(Unexpected::Unsigned(value), &self)),
        }
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<IntOrString, E> {
        Ok(IntOrString::String(value.to_owned()))
    }

    fn visit_string<E: de::Error>(self, value: String) -> Result<IntOrString, E> {
        Ok(IntOrString::String(value))
    }
}
