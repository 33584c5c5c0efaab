//! Kinds whose type exists already: where it is, and the paths to it.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::model::RustPath;

/// The path of a type that exists, from wherever it is named: all that the runtime has or passes on is in its `codegen`.
pub(super) fn path(path: &RustPath) -> TokenStream {
    match in_codegen(path) {
        Some(path) => quote!(::informer_runtime::#path),
        None => {
            let segments = path.segments().map(|segment| format_ident!("{segment}"));
            quote!(#(::#segments)*)
        }
    }
}

/// The same from a module that calls the runtime `codegen`.
pub(super) fn short_path(known: &RustPath) -> TokenStream {
    in_codegen(known).unwrap_or_else(|| path(known))
}

fn in_codegen(path: &RustPath) -> Option<TokenStream> {
    let skipped = usize::from(path.is_of_runtime());
    let segments = path.segments().skip(skipped).map(|segment| format_ident!("{segment}"));
    (path.is_of_runtime() || path.is_k8s_openapi()).then(|| quote!(codegen #(::#segments)*))
}

/// The re-export of a type that exists, under the name that its kind has here.
pub(super) fn reexport(known: &RustPath, type_name: &str) -> TokenStream {
    let path = path(known);
    if known.segments().last() == Some(type_name) {
        return quote!(pub use #path;);
    }
    let name = format_ident!("{type_name}");
    quote!(pub use #path as #name;)
}
