//! The module of one version: its kinds, and the accessors of their informers.

use super::doc_comment::{code, group_code, inline, inner_line, line};
use super::gate::Gates;
use super::known;
use super::root::deprecation;
use crate::code::{Code, format_ident, quote};
use crate::model::{Kind, Objects, Version};
use crate::names::{KindNames, VersionNames};

/// The file `mod.rs` of a version.
pub(super) fn file(group: &str, version: &Version, names: &VersionNames, gates: Gates<'_>) -> Code {
    let docs = inner_line(&format!("Version {} of group {}.", code(&version.name), group_code(group)));
    let struct_docs = line(&format!("Informers of version {} of group {}.", code(&version.name), group_code(group)));
    let ident = format_ident!("{}", names.accessor_type);
    let kinds = || version.kinds.iter().zip(&names.kinds);
    let modules = kinds().map(|(kind, names)| module(kind, names, &gates.kind(kind, version)));
    let accessors = kinds().map(|(kind, names)| {
        let gate = gates.kind(kind, version);
        let accessor = accessor(kind, names);
        quote!(#gate #accessor)
    });
    quote! {
        #docs
        #(#modules)*

        #struct_docs
        #[derive(Clone)]
        pub struct #ident {
            pub(super) factory: ::informer_runtime::codegen::SharedInformerFactory,
        }

        impl #ident {
            #(#accessors)*
        }
    }
}

fn module(kind: &Kind, names: &KindNames, gate: &Code) -> Code {
    let KindNames { type_name, snake, module, informer_module, .. } = names;
    let [module, informer_module, ident] = [module, informer_module, type_name].map(|name| format_ident!("{name}"));
    if let Objects::Known(path) = &kind.objects {
        let reexport = known::reexport(path, type_name);
        return quote! {
            #gate pub mod #informer_module;
            #gate #reexport
            #gate pub use self::#informer_module::*;
        };
    }
    let mut exported = vec![
        format_ident!("{type_name}EventHandlerFuncs"),
        format_ident!("{type_name}Informer"),
        format_ident!("{type_name}Lister"),
    ];
    if kind.namespaced {
        exported.push(format_ident!("{type_name}NamespaceLister"));
    }
    exported.push(format_ident!("new_filtered_{snake}_informer"));
    exported.push(format_ident!("new_{snake}_informer"));
    quote! {
        #gate pub mod #module;
        #gate pub mod #informer_module;
        #gate pub use self::#module::#ident;
        #gate pub use self::#informer_module::{#(#exported),*};
    }
}

fn accessor(kind: &Kind, names: &KindNames) -> Code {
    let docs = line(&format!("The informer of {}.", code(&kind.plural)));
    let deprecated = deprecation(kind).map(|note| {
        let note = inline(&note);
        quote!(#[deprecated(note = #note)])
    });
    let accessor = format_ident!("{}", names.accessor);
    let informer = format_ident!("{}Informer", names.type_name);
    quote! {
        #docs
        #deprecated
        #[must_use]
        pub fn #accessor(&self) -> #informer {
            #informer::new(&self.factory)
        }
    }
}
