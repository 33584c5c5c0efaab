//! Writes apiVersion and kind in front of an object's own fields.

use std::fmt;
use std::marker::PhantomData;

use k8s_openapi::Resource;
use serde::ser::{Impossible, SerializeMap, SerializeStruct};
use serde::{Serialize, Serializer};

/// A serializer that begins the object it is given with the apiVersion and kind of `K`. It takes objects only.
pub struct WriteTypeMeta<S, K> {
    inner: S,
    kind: PhantomData<fn() -> K>,
}

impl<S, K> WriteTypeMeta<S, K> {
    /// In front of another serializer.
    #[must_use]
    pub fn new(inner: S) -> Self {
        WriteTypeMeta {
            inner,
            kind: PhantomData,
        }
    }
}

impl<S, K> fmt::Debug for WriteTypeMeta<S, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WriteTypeMeta").finish_non_exhaustive()
    }
}

/// A value that is no object can't have a kind.
macro_rules! refuse {
    ($($method:ident($($type:ty),*);)*) => {$(
        fn $method(self, $(_: $type),*) -> Result<S::Ok, S::Error> {
            Err(no_object())
        }
    )*};
}

fn no_object<E: serde::ser::Error>() -> E {
    E::custom("only an object can have apiVersion and kind")
}

impl<S: Serializer, K: Resource> Serializer for WriteTypeMeta<S, K> {
    type Ok = S::Ok;
    type Error = S::Error;
    type SerializeSeq = Impossible<S::Ok, S::Error>;
    type SerializeTuple = Impossible<S::Ok, S::Error>;
    type SerializeTupleStruct = Impossible<S::Ok, S::Error>;
    type SerializeTupleVariant = Impossible<S::Ok, S::Error>;
    type SerializeMap = S::SerializeMap;
    type SerializeStruct = S::SerializeStruct;
    type SerializeStructVariant = Impossible<S::Ok, S::Error>;

    fn serialize_struct(self, _: &'static str, len: usize) -> Result<S::SerializeStruct, S::Error> {
        let mut object = self.inner.serialize_struct(K::KIND, len + 2)?;
        object.serialize_field("apiVersion", K::API_VERSION)?;
        object.serialize_field("kind", K::KIND)?;
        Ok(object)
    }

    fn serialize_map(self, len: Option<usize>) -> Result<S::SerializeMap, S::Error> {
        let mut object = self.inner.serialize_map(len.map(|len| len + 2))?;
        object.serialize_entry("apiVersion", K::API_VERSION)?;
        object.serialize_entry("kind", K::KIND)?;
        Ok(object)
    }

    refuse! {
        serialize_bool(bool);
        serialize_i8(i8);
        serialize_i16(i16);
        serialize_i32(i32);
        serialize_i64(i64);
        serialize_u8(u8);
        serialize_u16(u16);
        serialize_u32(u32);
        serialize_u64(u64);
        serialize_f32(f32);
        serialize_f64(f64);
        serialize_char(char);
        serialize_str(&str);
        serialize_bytes(&[u8]);
        serialize_none();
        serialize_unit();
        serialize_unit_struct(&'static str);
        serialize_unit_variant(&'static str, u32, &'static str);
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<S::Ok, S::Error> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<S::Ok, S::Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<S::Ok, S::Error> {
        Err(no_object())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq, S::Error> {
        Err(no_object())
    }

    fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple, S::Error> {
        Err(no_object())
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeTupleStruct, S::Error> {
        Err(no_object())
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, S::Error> {
        Err(no_object())
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, S::Error> {
        Err(no_object())
    }
}
