//! Kinds whose type exists already: where it is, and the paths to it.

use crate::code::{Code, format_ident, quote};
use crate::model::RustPath;

/// The path of a type that exists, from wherever it is named: k8s-openapi is reached through the runtime.
pub(super) fn path(path: &RustPath) -> Code {
    let segments = path.segments().map(|segment| {
        let segment = format_ident!("{segment}");
        quote!(::#segment)
    });
    if path.is_k8s_openapi() { quote!(::informer_runtime::codegen #(#segments)*) } else { quote!(#(#segments)*) }
}

/// The re-export of a type that exists, under the name that its kind has here.
pub(super) fn reexport(known: &RustPath, type_name: &str) -> Code {
    let path = path(known);
    if known.segments().last() == Some(type_name) {
        return quote!(pub use #path;);
    }
    let name = format_ident!("{type_name}");
    quote!(pub use #path as #name;)
}
