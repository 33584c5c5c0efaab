//! Objects with known keys.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{self, Deserialize, Deserializer, IgnoredAny, MapAccess, Unexpected, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value};

/// What an object type tells of its fields. The macro `object!` implements it.
pub trait ObjectFields: Default {
    /// apiVersion and kind, for the root of an object: written first, and checked where they are there (the items of a
    /// list come without them).
    const TYPE_META: Option<(&'static str, &'static str)>;

    /// Reads the value of a key. `false`, and nothing read, if the type has no place for the key.
    ///
    /// # Errors
    /// Those of the field.
    fn read_field<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<bool, A::Error>;

    /// Writes all fields.
    fn write_fields<M: SerializeMap>(&self, fields: &mut FieldWriter<'_, M>);
}

/// Where an object's fields are written. After an error nothing more is written, so that what is generated need not
/// look at each result: a `?` for every field would be most of what the compiler has to think of.
pub struct FieldWriter<'m, M: SerializeMap> {
    map: &'m mut M,
    done: Result<(), M::Error>,
}

impl<M: SerializeMap> FieldWriter<'_, M> {
    /// Writes a field that is there.
    pub fn entry<K: Serialize + ?Sized, T: Serialize + ?Sized>(&mut self, key: &K, value: &T) {
        if self.done.is_ok() {
            self.done = self.map.serialize_entry(key, value);
        }
    }

    /// Writes the keys that the type does not name.
    pub fn others(&mut self, others: &Map<String, Value>) {
        others.iter().for_each(|(key, value)| self.entry(key, value));
    }
}

/// Reads a key that the type does not name. Always `true`: there is a place for it.
///
/// # Errors
/// When what follows is no JSON value.
pub fn read_other<'de, A: MapAccess<'de>>(
    others: &mut Map<String, Value>,
    key: &str,
    map: &mut A,
) -> Result<bool, A::Error> {
    others.insert(key.to_owned(), map.next_value()?);
    Ok(true)
}

/// Reads an object. Fields that are missing keep their defaults; keys that the type has no place for are skipped.
///
/// # Errors
/// When there is no object, when a field can't be read, or when apiVersion or kind are those of another type.
pub fn read_object<'de, T: ObjectFields, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    deserializer.deserialize_map(ObjectVisitor(PhantomData))
}

/// Writes an object, apiVersion and kind first where it has them.
///
/// # Errors
/// Those of the serializer.
pub fn write_object<T: ObjectFields, S: Serializer>(object: &T, serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(None)?;
    if let Some((api_version, kind)) = T::TYPE_META {
        map.serialize_entry("apiVersion", api_version)?;
        map.serialize_entry("kind", kind)?;
    }
    let mut fields = FieldWriter { map: &mut map, done: Ok(()) };
    object.write_fields(&mut fields);
    fields.done?;
    map.end()
}

struct ObjectVisitor<T>(PhantomData<fn() -> T>);

impl<'de, T: ObjectFields> Visitor<'de> for ObjectVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match T::TYPE_META {
            Some((_, kind)) => write!(f, "an object of kind {kind}"),
            None => f.write_str("an object"),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<T, A::Error> {
        let mut object = T::default();
        while let Some(Text(key)) = map.next_key()? {
            let expected = T::TYPE_META.and_then(|(api_version, kind)| match &*key {
                "apiVersion" => Some(api_version),
                "kind" => Some(kind),
                _ => None,
            });
            if let Some(expected) = expected {
                let Text(found) = map.next_value()?;
                if found != expected {
                    return Err(de::Error::invalid_value(Unexpected::Str(&found), &expected));
                }
            } else if !object.read_field(&key, &mut map)? {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(object)
    }
}

/// A text, borrowed where the input can lend it.
struct Text<'de>(Cow<'de, str>);

impl<'de> Deserialize<'de> for Text<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(TextVisitor)
    }
}

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Text<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_borrowed_str<E: de::Error>(self, text: &'de str) -> Result<Text<'de>, E> {
        Ok(Text(Cow::Borrowed(text)))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Text<'de>, E> {
        Ok(Text(Cow::Owned(text.to_owned())))
    }

    fn visit_string<E: de::Error>(self, text: String) -> Result<Text<'de>, E> {
        Ok(Text(Cow::Owned(text)))
    }
}

/// Implements serde's traits for a struct from a list of its fields: `way field = "key",` for each, where the way is a
/// module of [`field`](crate::codegen::field), and `..field` at the end for the map that takes all other keys. `root`
/// in front of the name writes and checks apiVersion and kind; such a type may have a parameter, a
/// [`ServedAs`](crate::codegen::ServedAs).
#[doc(hidden)]
#[macro_export]
macro_rules! __informer_runtime_object {
    (root $name:ident $(<$at:ident>)? { $($fields:tt)* }) => {
        $crate::__informer_runtime_object! {
            @impl [$($at)?] $name,
            ::std::option::Option::Some((
                <$name $(<$at>)? as $crate::codegen::k8s_openapi::Resource>::API_VERSION,
                <$name $(<$at>)? as $crate::codegen::k8s_openapi::Resource>::KIND,
            )),
            $($fields)*
        }
    };
    ($name:ident { $($fields:tt)* }) => {
        $crate::__informer_runtime_object! { @impl [] $name, ::std::option::Option::None, $($fields)* }
    };
    (@impl [$($at:ident)?] $name:ident, $meta:expr, $($way:ident $field:ident = $key:literal,)* $(..$others:ident)?) => {
        impl $(<$at: $crate::codegen::ServedAs>)? $crate::codegen::ObjectFields for $name $(<$at>)? {
            const TYPE_META: ::std::option::Option<(&'static str, &'static str)> = $meta;

            fn read_field<'de, A>(&mut self, key: &str, map: &mut A) -> ::std::result::Result<bool, A::Error>
            where
                A: $crate::codegen::serde::de::MapAccess<'de>,
            {
                match key {
                    $($key => $crate::codegen::field::$way::read(&mut self.$field, map),)*
                    _ => {
                        $(return $crate::codegen::read_other(&mut self.$others, key, map);)?
                        #[allow(unreachable_code)]
                        ::std::result::Result::Ok(false)
                    }
                }
            }

            fn write_fields<M>(&self, fields: &mut $crate::codegen::FieldWriter<'_, M>)
            where
                M: $crate::codegen::serde::ser::SerializeMap,
            {
                $($crate::codegen::field::$way::write(&self.$field, $key, fields);)*
                $(fields.others(&self.$others);)?
            }
        }

        impl $(<$at: $crate::codegen::ServedAs>)? $crate::codegen::serde::Serialize for $name $(<$at>)? {
            fn serialize<S>(&self, serializer: S) -> ::std::result::Result<S::Ok, S::Error>
            where
                S: $crate::codegen::serde::Serializer,
            {
                $crate::codegen::write_object(self, serializer)
            }
        }

        impl<'de $(, $at: $crate::codegen::ServedAs)?> $crate::codegen::serde::Deserialize<'de> for $name $(<$at>)? {
            fn deserialize<D>(deserializer: D) -> ::std::result::Result<Self, D::Error>
            where
                D: $crate::codegen::serde::Deserializer<'de>,
            {
                $crate::codegen::read_object(deserializer)
            }
        }
    };
}
