//! What the types of a generated crate need to read and write JSON as the API server means it.
//!
//! A generated object type lists its fields in `object!`, once, with how each may be absent; all else is here. Beside
//! derived impls that is several times less code for the compiler, reads straight into the value (a derived impl keeps
//! every field of every level on the stack meanwhile), and keeps unknown keys without buffering the object.
//!
//! All of this is called by generated code only; a person may use [`IntOrString`], which stands in such types.

pub mod field;
mod int_or_string;
mod object;
mod string_enum;

pub use int_or_string::IntOrString;
pub use object::{FieldWriter, ObjectFields, read_object, read_other, write_object};

pub use crate::__informer_runtime_object as object;
pub use crate::__informer_runtime_string_enum as string_enum;

#[cfg(test)]
mod tests;
