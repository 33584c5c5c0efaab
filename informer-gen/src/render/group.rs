//! The module of one group: the accessor that it adds to a factory, and its versions.

use super::doc_comment::{code, group_code, inner_line, line};
use super::gate::Gates;
use crate::code::{Code, format_ident, quote};
use crate::model::{Group, Version};
use crate::names::{GroupNames, VersionNames};

/// The file `mod.rs` of a group.
pub(super) fn file(group: &Group, names: &GroupNames, gates: Gates<'_>) -> Code {
    let docs = inner_line(&format!("Group {}.", group_code(&group.name)));
    let trait_docs = line(&format!("Adds the informers of group {} to a factory.", group_code(&group.name)));
    let of_group = line(&format!("Informers of group {}.", group_code(&group.name)));
    let [ident, extension, accessor] =
        [&names.accessor_type, &names.extension_trait, &names.module].map(|name| format_ident!("{name}"));
    let versions = || group.versions.iter().zip(&names.versions);
    let modules = versions().map(|(version, names)| {
        let gate = gates.version(version, group);
        let module = format_ident!("{}", names.module);
        quote!(#gate pub mod #module;)
    });
    let accessors = versions().map(|(version, names)| {
        let gate = gates.version(version, group);
        let accessor = version_accessor(version, names);
        quote!(#gate #accessor)
    });
    quote! {
        #docs
        #(#modules)*

        #trait_docs
        pub trait #extension {
            #of_group
            #[must_use]
            fn #accessor(&self) -> #ident;
        }

        impl #extension for ::informer_runtime::codegen::SharedInformerFactory {
            fn #accessor(&self) -> #ident {
                #ident { factory: ::std::clone::Clone::clone(self), }
            }
        }

        #of_group
        #[derive(Clone)]
        pub struct #ident {
            factory: ::informer_runtime::codegen::SharedInformerFactory,
        }

        impl #ident {
            #(#accessors)*
        }
    }
}

fn version_accessor(version: &Version, names: &VersionNames) -> Code {
    let docs = line(&format!("Version {}.", code(&version.name)));
    let accessor = format_ident!("{}", names.module);
    let ident = format_ident!("{}", names.accessor_type);
    quote! {
        #docs
        #[must_use]
        pub fn #accessor(&self) -> #accessor::#ident {
            #accessor::#ident { factory: ::std::clone::Clone::clone(&self.factory), }
        }
    }
}
