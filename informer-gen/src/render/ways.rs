//! How each field is read and written: what decides that any object the server accepts decodes and comes back the same.
//! The ways themselves are in the runtime, `codegen::field`.

use crate::code::{Code, quote};
use crate::model::{Field, Presence, Shape};

/// Whether a field is a number that must be there: the one type here without a default of its own.
pub(super) fn is_required_number(field: &Field) -> bool {
    field.shape == Shape::Number && field.presence == Presence::Required
}

/// The way of a field, for the runtime's `object!`.
pub(super) fn way(field: &Field) -> Code {
    match field.presence {
        Presence::Required if is_required_number(field) => quote!(number),
        Presence::Required => quote!(required),
        Presence::RequiredNullable => quote!(nullable),
        // A field that may hold anything tells null from absence: null is one of its values.
        Presence::Optional if field.shape == Shape::Any => quote!(present),
        Presence::Optional => quote!(optional),
        Presence::ThreeStates => quote!(present),
    }
}
