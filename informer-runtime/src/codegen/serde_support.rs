//! What the types of a generated crate need to read and write JSON as the API server means it.
//!
//! All of this is called by generated code only; a person may use [`IntOrString`], which stands in such types.

mod field;
mod int_or_string;
mod read_type_meta;
mod string_enum;
mod write_type_meta;

pub use field::{is_none, null_as_default, null_as_zero, number_zero, present};
pub use int_or_string::IntOrString;
pub use read_type_meta::CheckTypeMeta;
pub use write_type_meta::WriteTypeMeta;

pub use crate::__informer_runtime_string_enum as string_enum;

#[cfg(test)]
mod tests;
