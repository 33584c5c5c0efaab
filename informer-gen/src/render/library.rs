//! `lib.rs` of a generated crate.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::doc_comment::{code, inner_line, line};
use crate::model::{Api, Kind};
use crate::names::Names;

/// What generated code may call has this version; the runtime refuses another one at compile time.
const CODEGEN_VERSION: u32 = 1;

/// The file `lib.rs`.
pub(super) fn file(api: &Api, names: &Names) -> TokenStream {
    let docs = docs(api);
    let modules = names.groups.iter().map(|group| {
        let module = format_ident!("{}", group.module);
        quote! {
            #[rustfmt::skip]
            pub mod #module;
        }
    });
    let resources = api.kinds().map(resource);
    let prelude = prelude(api, names);
    quote! {
        #docs
        #![cfg_attr(rustfmt, rustfmt_skip)]
        #(#modules)*

        use ::informer_runtime::codegen;

        const _: () = codegen::requires(#CODEGEN_VERSION);

        /// Every resource of this crate: what `for_resource` of a factory can look up once its builder was given this.
        pub const RESOURCES: &[codegen::Resource] = &[#(#resources),*];

        /// A factory of informers that knows the [`RESOURCES`] of this crate. Handlers are told of every object again after
        /// each `default_resync`; zero means never.
        #[doc(alias = "NewSharedInformerFactory")]
        #[must_use]
        pub fn new_shared_informer_factory(
            client: impl codegen::Transport,
            default_resync: codegen::Duration,
        ) -> codegen::SharedInformerFactory {
            codegen::new_factory(client, default_resync, "", ::std::option::Option::None, RESOURCES)
        }

        /// [`new_shared_informer_factory`] for one namespace (`""` for all), with list options of your own.
        #[doc(alias = "NewFilteredSharedInformerFactory")]
        #[must_use]
        pub fn new_filtered_shared_informer_factory(
            client: impl codegen::Transport,
            default_resync: codegen::Duration,
            namespace: &str,
            tweak_list_options: impl Fn(&mut codegen::ListOptions) + Send + Sync + 'static,
        ) -> codegen::SharedInformerFactory {
            let tweak = ::std::boxed::Box::new(tweak_list_options);
            codegen::new_factory(client, default_resync, namespace, ::std::option::Option::Some(tweak), RESOURCES)
        }

        #prelude
    }
}

fn docs(api: &Api) -> TokenStream {
    let mut lines = vec!["Typed informers, listers and types of".to_owned(), String::new()];
    for group in &api.groups {
        let versions: Vec<String> = group.versions.iter().map(|version| code(&version.name)).collect();
        lines.push(format!("* {} ({})", code(&group.name), versions.join(", ")));
    }
    let lines = lines.iter().map(|line| inner_line(line));
    quote!(#(#lines)*)
}

fn resource(kind: &Kind) -> TokenStream {
    let Kind { group, version, kind, plural, namespaced, .. } = kind;
    quote!(codegen::Resource::new(#group, #version, #kind, #plural, #namespaced))
}

/// What a program needs by name, and the accessors without their names, so that the preludes of several crates get on.
fn prelude(api: &Api, names: &Names) -> TokenStream {
    let traits = names.groups.iter().map(|group| {
        let (module, extension) = (format_ident!("{}", group.module), format_ident!("{}", group.extension_trait));
        quote!(pub use super::#module::#extension as _;)
    });
    let docs = line("What a program begins with: `use …::prelude::*`.");
    let aliases = aliases(api, names);
    quote! {
        #docs
        pub mod prelude {
            #(#traits)*
            #(#aliases)*
            pub use super::{new_filtered_shared_informer_factory, new_shared_informer_factory};
            pub use ::informer_runtime::codegen::prelude::*;
        }
    }
}

/// The handler aliases of kinds that only one group has, each of its preferred version.
fn aliases(api: &Api, names: &Names) -> Vec<TokenStream> {
    let mut holders: BTreeMap<&str, Vec<(usize, TokenStream)>> = BTreeMap::new();
    for (at, (group, group_names)) in api.groups.iter().zip(&names.groups).enumerate() {
        for version_names in &group_names.versions {
            for kind in &version_names.kinds {
                let entry = holders.entry(&kind.type_name).or_default();
                // Versions come in order: the first is the preferred one.
                if entry.iter().any(|(group, _)| *group == at) {
                    continue;
                }
                let [group, version] = [&group_names.module, &version_names.module].map(|name| format_ident!("{name}"));
                let alias = format_ident!("{}EventHandlerFuncs", kind.type_name);
                entry.push((at, quote!(pub use super::#group::#version::#alias;)));
            }
        }
        debug_assert_eq!(group.versions.len(), group_names.versions.len());
    }
    let unique = holders.into_values().filter(|entry| entry.len() == 1);
    unique.flatten().map(|(_, alias)| alias).collect()
}
