//! Where the types inside a kind are, for people who want to name them.

use super::types::{Fields, Inner};
use crate::model::{Field, Object, Shape};

/// A field of an object, and what it is in Rust.
pub(crate) struct Inside<'a> {
    pub(crate) field: &'a Field,
    /// The field of the struct.
    pub(crate) ident: String,
    /// The path of the type that is generated for its value, or for what is in its lists and maps.
    pub(crate) path: Option<String>,
    /// The module of the types inside that type.
    module: String,
}

impl<'a> Inside<'a> {
    /// The fields of a kind's object; `module` is that of the kind's types.
    pub(crate) fn root(object: &'a Object, type_name: &'a str, module: &str) -> Vec<Self> {
        Self::of(&Fields::of_root(object, type_name), module)
    }

    /// The same where the object is that of several kinds.
    pub(crate) fn served(object: &'a Object, type_name: &'a str, module: &str) -> Vec<Self> {
        Self::of(&Fields::of_served(object, type_name), module)
    }

    /// The fields of a definition; `module` is that of the types inside.
    pub(crate) fn definition(object: &'a Object, module: &str) -> Vec<Self> {
        Self::of(&Fields::of(object, &[], Inner::Module("")), module)
    }

    /// The fields of the object in the field's value, if there is one.
    pub(crate) fn fields(&self) -> Vec<Self> {
        match self.field.shape.named() {
            Some(Shape::Object(object)) => Self::of(&Fields::of(object, &[], Inner::Module("")), &self.module),
            _ => Vec::new(),
        }
    }

    fn of(fields: &Fields<'a>, module: &str) -> Vec<Self> {
        let inside = fields.named().map(|(field, ident, type_name)| Inside {
            field,
            path: type_name.map(|name| format!("{module}::{name}")),
            module: format!("{module}::{ident}"),
            ident,
        });
        inside.collect()
    }
}
