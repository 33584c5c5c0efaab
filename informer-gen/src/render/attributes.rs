//! Serde attributes of a field: what decides that any object the server accepts decodes and comes back the same.
//!
//! | schema | Rust type | missing | null |
//! |---|---|---|---|
//! | required | `T` | default | default |
//! | required, nullable | `Option<T>` | `None`, written as null | `None` |
//! | optional | `Option<T>`, left out when `None` | `None` | `None` |
//! | optional, nullable, with a default | `Option<Option<T>>` | `None` | `Some(None)` |
//!
//! Paths are as seen in a module that uses `codegen`. A field that may hold anything tells null from absence by itself (`Value::Null`).

use proc_macro2::TokenStream;
use quote::quote;

use crate::model::{Field, Presence, Shape};

/// Whether a field is a number that must be there: the one type here without a default of its own.
pub(super) fn is_required_number(field: &Field) -> bool {
    field.shape == Shape::Number && field.presence == Presence::Required
}

/// The serde attribute of a field.
pub(super) fn field(field: &Field, ident: &str) -> TokenStream {
    let rename = (ident != field.name).then(|| {
        let name = &field.name;
        quote!(rename = #name,)
    });
    let rest = match field.presence {
        Presence::Required if is_required_number(field) => quote! {
            default = "codegen::number_zero", deserialize_with = "codegen::null_as_zero"
        },
        Presence::Required if field.shape == Shape::Any => quote!(default),
        Presence::Required => quote!(default, deserialize_with = "codegen::null_as_default"),
        Presence::RequiredNullable if field.shape == Shape::Any => {
            quote!(default, deserialize_with = "codegen::present")
        }
        // An `Option` that is missing is `None` anyway.
        Presence::RequiredNullable => quote!(),
        Presence::Optional if field.shape != Shape::Any => quote!(skip_serializing_if = "codegen::is_none"),
        Presence::Optional | Presence::ThreeStates => quote! {
            default,
            deserialize_with = "codegen::present",
            skip_serializing_if = "codegen::is_none"
        },
    };
    if rename.is_none() && rest.is_empty() { quote!() } else { quote!(#[serde(#rename #rest)]) }
}

/// The serde attribute of the field for keys that the schema does not name.
pub(super) fn extra() -> TokenStream {
    quote!(#[serde(flatten)])
}
