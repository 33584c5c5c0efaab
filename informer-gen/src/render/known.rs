//! Kinds whose type exists already: where it is, and the paths to it.

use crate::code::{Code, format_ident, quote};
use crate::model::RustPath;

/// The path of a type that exists, from wherever it is named: all that the runtime has or passes on is in its `codegen`.
pub(super) fn path(path: &RustPath) -> Code {
    match in_codegen(path) {
        Some(path) => quote!(::informer_runtime::#path),
        None => segments(path, 0),
    }
}

/// The same from a module that calls the runtime `codegen`.
pub(super) fn short_path(known: &RustPath) -> Code {
    in_codegen(known).unwrap_or_else(|| path(known))
}

fn in_codegen(path: &RustPath) -> Option<Code> {
    let segments = segments(path, usize::from(path.is_of_runtime()));
    (path.is_of_runtime() || path.is_k8s_openapi()).then(|| quote!(codegen #segments))
}

fn segments(path: &RustPath, skipped: usize) -> Code {
    let segments = path.segments().skip(skipped).map(|segment| format_ident!("{segment}"));
    segments.map(|segment| quote!(::#segment)).collect()
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
