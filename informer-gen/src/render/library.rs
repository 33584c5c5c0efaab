//! `lib.rs` of a generated crate.

use std::collections::{BTreeMap, BTreeSet};

use super::doc_comment::{code, group_code, inner_line, line};
use super::gate::Gates;
use crate::code::{Code, format_ident, quote};
use crate::extras::Extras;
use crate::k8s_types;
use crate::model::{Api, Kind, Objects, Release};
use crate::names::definition::MODULE;
use crate::names::{GroupNames, KindNames, Names, VersionNames};

/// What generated code may call has this version; the runtime refuses another one at compile time.
const CODEGEN_VERSION: u32 = 1;

/// What the types do with an object, for a crate that has some of its own.
const KEPT: &str = "\
The types hold what the API server keeps by the schemas that they were made from: an object that is read and written
again is the same JSON, in enums too, which take values that no schema names. Keys that a schema neither names nor
preserves are not read; the cache has them (`Cached::raw`). An object that was stored before its schema became stricter
may not fit its type; `Cached::get_as` with a type of fewer fields reads the rest of it.";

/// The file `lib.rs`.
pub(super) fn file(api: &Api, names: &Names, gates: Gates<'_>, extras: &Extras) -> Code {
    // A type or field may be deprecated by an attribute; what is generated goes on to use it.
    let lints = extras.has_attributes().then(|| quote!(#![allow(deprecated)]));
    let docs = docs(api);
    let modules = api.groups.iter().zip(&names.groups).map(|(group, names)| {
        let gate = gates.group(group, &names.module);
        let module = format_ident!("{}", names.module);
        quote! {
            #gate
            #[rustfmt::skip]
            pub mod #module;
        }
    });
    let definitions = (!api.definitions.is_empty() || !api.served.is_empty()).then(|| {
        let module = format_ident!("{MODULE}");
        quote! {
            #[rustfmt::skip]
            pub mod #module;
        }
    });
    let rows = rows(api, names);
    let resources = rows.iter().map(|row| {
        let gate = gates.outside(&row.kind.releases, &row.group.module);
        let resource = resource(row);
        quote!(#gate #resource)
    });
    let informers = rows.iter().map(|row| {
        let gate = gates.outside(&row.kind.releases, &row.group.module);
        let path = row.path("Informer");
        quote!(#gate #path::boxed)
    });
    let prelude = prelude(api, names, gates);
    let earliest = earliest(api);
    let refusals = refusals(api);
    quote! {
        #docs
        #![cfg_attr(rustfmt, rustfmt_skip)]
        #lints
        #(#modules)*
        #definitions

        use ::informer_runtime::codegen;

        const _: () = codegen::requires(#CODEGEN_VERSION);
        #earliest
        #(#refusals)*

        /// Every resource of this crate: what `for_resource` of a factory can look up once its builder was given this.
        pub const RESOURCES: &[codegen::Resource] = &[#(#resources),*];

        /// Every informer of this crate in a factory, in the order of [`RESOURCES`]. Nothing is watched before one of
        /// them is asked for its informer or lister.
        #[must_use]
        pub fn informers(
            factory: &codegen::SharedInformerFactory,
        ) -> ::std::vec::Vec<::std::boxed::Box<dyn codegen::GenericInformer>> {
            codegen::informers(factory, &[#(#informers),*])
        }

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

fn docs(api: &Api) -> Code {
    let mut lines = vec!["Typed informers, listers and types of".to_owned(), String::new()];
    for group in &api.groups {
        let versions: Vec<String> = group.versions.iter().map(|version| code(&version.name)).collect();
        lines.push(format!("* {} ({})", group_code(&group.name), versions.join(", ")));
    }
    let mut kinds = api.groups.iter().flat_map(|group| &group.versions).flat_map(|version| &version.kinds);
    if kinds.any(|kind| !matches!(kind.objects, Objects::Known(_))) {
        lines.push(String::new());
        lines.extend(KEPT.lines().map(str::to_owned));
    }
    let missing = k8s_types::missing(api);
    if !missing.is_empty() {
        let fits = k8s_types::releases().iter().filter(|release| !missing.contains_key(release));
        let fits = k8s_types::words(&fits.copied().collect());
        lines.push(String::new());
        lines.push(format!("It is for Kubernetes {fits}: k8s-openapi lacks some of its types for other releases."));
    }
    let lines = lines.iter().map(|line| inner_line(line));
    quote!(#(#lines)*)
}

/// A kind with all its names.
struct Row<'a> {
    kind: &'a Kind,
    group: &'a GroupNames,
    version: &'a VersionNames,
    names: &'a KindNames,
}

impl Row<'_> {
    /// The path of the kind's type, or of what begins with its name, from the crate's root.
    fn path(&self, end: &str) -> Code {
        let [group, version] = [&self.group.module, &self.version.module].map(|name| format_ident!("{name}"));
        let name = format_ident!("{}{end}", self.names.type_name);
        quote!(self::#group::#version::#name)
    }
}

fn rows<'a>(api: &'a Api, names: &'a Names) -> Vec<Row<'a>> {
    let groups = api.groups.iter().zip(&names.groups);
    let versions = groups.flat_map(|(group, names)| {
        group.versions.iter().zip(&names.versions).map(move |(version, version_names)| (version, names, version_names))
    });
    let kinds = versions.flat_map(|(version, group, names)| {
        version.kinds.iter().zip(&names.kinds).map(move |(kind, kind_names)| Row {
            kind,
            group,
            version: names,
            names: kind_names,
        })
    });
    kinds.collect()
}

/// A row of the table. The types of k8s-openapi say the same of themselves.
fn resource(row: &Row<'_>) -> Code {
    if row.kind.is_built_in() {
        let path = row.path("");
        return quote!(codegen::resource::<#path>());
    }
    let Kind { group, version, kind, plural, namespaced, .. } = row.kind;
    quote!(codegen::Resource::new(#group, #version, #kind, #plural, #namespaced))
}

/// The refusal of releases before the first that the crate was made for.
fn earliest(api: &Api) -> Option<Code> {
    let (first, last) = (api.releases.first()?, api.releases.last()?);
    let cfg = format_ident!("{}", first.cfg());
    let message = format!(
        "this crate was made for Kubernetes {first} to {last}: choose one of these releases by the feature v1_{} to v1_{}",
        first.minor(),
        last.minor()
    );
    Some(quote! {
        #[cfg(not(#cfg))]
        ::std::compile_error!(#message);
    })
}

/// The refusal of releases that lack types which the crate names.
fn refusals(api: &Api) -> Vec<Code> {
    let Some(message) = k8s_types::needs(api) else { return Vec::new() };
    let refuse = |release: Release| {
        let only_for = format_ident!("k8s_if_1_{}", release.minor());
        quote!(codegen::k8s_openapi::#only_for! { ::std::compile_error!(#message); })
    };
    k8s_types::missing(api).into_keys().map(refuse).collect()
}

/// What a program needs by name, and the accessors without their names, so that the preludes of several crates get on.
fn prelude(api: &Api, names: &Names, gates: Gates<'_>) -> Code {
    let traits = api.groups.iter().zip(&names.groups).map(|(group, names)| {
        let gate = gates.group(group, &names.module);
        let (module, extension) = (format_ident!("{}", names.module), format_ident!("{}", names.extension_trait));
        quote!(#gate pub use super::#module::#extension as _;)
    });
    let docs = line("What a program begins with: `use …::prelude::*`.");
    let aliases = aliases(&rows(api, names), gates);
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

/// The handler aliases of kinds that only one group has, each of the version that is preferred in its release.
fn aliases(rows: &[Row<'_>], gates: Gates<'_>) -> Vec<Code> {
    let mut holders: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for row in rows {
        holders.entry(&row.names.type_name).or_default().insert(&row.group.module);
    }
    let mut covered: BTreeMap<&str, BTreeSet<Release>> = BTreeMap::new();
    let mut aliases = Vec::new();
    for row in rows.iter().filter(|row| holders[&*row.names.type_name].len() == 1) {
        // Versions come in order: the first is the preferred one.
        let first = !covered.contains_key(&*row.names.type_name);
        let known = covered.entry(&row.names.type_name).or_default();
        let releases: BTreeSet<Release> = row.kind.releases.difference(known).copied().collect();
        if !first && releases.is_empty() {
            continue;
        }
        known.extend(&releases);
        let gate = gates.outside(&releases, &row.group.module);
        let [group, version] = [&row.group.module, &row.version.module].map(|name| format_ident!("{name}"));
        let alias = format_ident!("{}EventHandlerFuncs", row.names.type_name);
        aliases.push(quote!(#gate pub use super::#group::#version::#alias;));
    }
    aliases
}
