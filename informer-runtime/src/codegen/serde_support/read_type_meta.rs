//! Checks apiVersion and kind of an object and hides them from the type that reads it.

use std::fmt;
use std::marker::PhantomData;

use k8s_openapi::Resource;
use serde::de::value::{BorrowedStrDeserializer, StrDeserializer};
use serde::de::{self, Deserialize, DeserializeSeed, Deserializer, MapAccess, Unexpected, Visitor};
use serde::forward_to_deserialize_any;

/// A deserializer of objects whose apiVersion and kind, where they are there, must be those of `K`. The items of a
/// list come without them.
pub struct CheckTypeMeta<D, K> {
    inner: D,
    kind: PhantomData<fn() -> K>,
}

impl<D, K> CheckTypeMeta<D, K> {
    /// In front of another deserializer.
    #[must_use]
    pub fn new(inner: D) -> Self {
        CheckTypeMeta {
            inner,
            kind: PhantomData,
        }
    }
}

impl<D, K> fmt::Debug for CheckTypeMeta<D, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CheckTypeMeta").finish_non_exhaustive()
    }
}

impl<'de, D: Deserializer<'de>, K: Resource> Deserializer<'de> for CheckTypeMeta<D, K> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.inner.deserialize_map(ObjectVisitor {
            visitor,
            kind: PhantomData::<fn() -> K>,
        })
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

struct ObjectVisitor<V, K> {
    visitor: V,
    kind: PhantomData<fn() -> K>,
}

impl<'de, V: Visitor<'de>, K: Resource> Visitor<'de> for ObjectVisitor<V, K> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an object of kind {}", K::KIND)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<V::Value, A::Error> {
        self.visitor.visit_map(OtherKeys { map, kind: self.kind })
    }
}

/// The keys of an object but for apiVersion and kind, which are checked on the way.
struct OtherKeys<A, K> {
    map: A,
    kind: PhantomData<fn() -> K>,
}

impl<'de, A: MapAccess<'de>, K: Resource> MapAccess<'de> for OtherKeys<A, K> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        let mut seed = Some(seed);
        while let Some(key) = self.map.next_key_seed(KeySeed(&mut seed))? {
            match key {
                Key::Other(value) => return Ok(Some(value)),
                Key::ApiVersion => self.map.next_value_seed(Exactly(K::API_VERSION))?,
                Key::Kind => self.map.next_value_seed(Exactly(K::KIND))?,
            }
        }
        Ok(None)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        self.map.next_value_seed(seed)
    }

    fn size_hint(&self) -> Option<usize> {
        self.map.size_hint()
    }
}

enum Key<T> {
    ApiVersion,
    Kind,
    Other(T),
}

/// Reads a key; the seed behind it is used up by the first key that is neither of the two.
struct KeySeed<'s, S>(&'s mut Option<S>);

impl<'de, S: DeserializeSeed<'de>> KeySeed<'_, S> {
    fn key<E, D>(self, text: &str, deserializer: D) -> Result<Key<S::Value>, E>
    where
        E: de::Error,
        D: Deserializer<'de, Error = E>,
    {
        match (text, self.0.take()) {
            ("apiVersion", seed) => {
                *self.0 = seed;
                Ok(Key::ApiVersion)
            }
            ("kind", seed) => {
                *self.0 = seed;
                Ok(Key::Kind)
            }
            (_, Some(seed)) => seed.deserialize(deserializer).map(Key::Other),
            (_, None) => Err(E::custom("a key was read twice")),
        }
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for KeySeed<'_, S> {
    type Value = Key<S::Value>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de, S: DeserializeSeed<'de>> Visitor<'de> for KeySeed<'_, S> {
    type Value = Key<S::Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_borrowed_str<E: de::Error>(self, text: &'de str) -> Result<Self::Value, E> {
        self.key(text, BorrowedStrDeserializer::new(text))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
        self.key(text, StrDeserializer::new(text))
    }
}

/// Reads a text that must be this one.
struct Exactly(&'static str);

impl<'de> DeserializeSeed<'de> for Exactly {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        if text == self.0 {
            return Ok(());
        }
        Err(de::Error::invalid_value(Unexpected::Str(&text), &self.0))
    }
}
