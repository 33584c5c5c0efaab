//! One type for the objects of several kinds, and what each of the kinds makes of it.

use super::doc_comment::{self, code};
use super::root;
use super::types::{self, Fields, Style};
use super::value_type::Local;
use crate::code::{Code, format_ident, quote};
use crate::extras::Spot;
use crate::model::{Kind, Object};
use crate::names::definition::{MODULE, SERVED};
use crate::names::{KindNames, Names, ServedNames};
use crate::wording;

/// The file with the type, whose parameter says where it is served, and all types inside.
pub(super) fn objects(
    definition: &str,
    object: &Object,
    names: &ServedNames,
    local: &Local<'_>,
    spot: &Spot<'_>,
    style: Style,
) -> Code {
    let ident = format_ident!("{}", names.type_name);
    let parameter = format_ident!("{}", if names.type_name == "At" { "Place" } else { "At" });
    let module_docs = doc_comment::inner_line(&format!("Types of definition {}.", code(definition)));
    let fields = Fields::of_served(object, &names.type_name);
    let local = local.within(&names.module, fields.declared().chain([names.type_name.clone()]));
    let demanded = wording::sentences(&object.facts);
    let docs = types::describe(style, object.docs.as_deref(), &demanded, || format!("A {} object.", code(definition)));
    let head = quote!(served: ::std::default::Default::default(), metadata: ::std::default::Default::default(),);
    let default_impl = fields.default_impl(&ident, Some(&parameter), &head);
    let default = default_impl.is_none().then(|| quote!(Default,));
    let (declarations, ways, idents) = (fields.declarations(&local, spot, style), fields.ways(), fields.idents());
    let types = fields.types(&local, spot, style);
    let (derives, attributes) = (spot.struct_derives(object), spot.struct_attributes());
    quote! {
        #module_docs
        #![allow(clippy::module_inception, clippy::type_complexity)]
        use ::informer_runtime::codegen;
        #docs
        #[derive(Clone, Debug, #default PartialEq #derives)]
        #attributes
        pub struct #ident<#parameter> {
            /// The group and version that it is served in: a type and no value.
            pub served: ::std::marker::PhantomData<#parameter>,
            /// Name, namespace, labels and all else that every object has.
            pub metadata: codegen::ObjectMeta,
            #declarations
        }
        #default_impl
        codegen::object! { root #ident<#parameter> { required metadata = "metadata", #ways } }
        codegen::served_object! { #ident<#parameter> { metadata, #(#idents),* } }
        #types
    }
}

/// The file with a kind's own name for the type.
pub(super) fn kind(kind: &Kind, definition: &str, names: &KindNames, local: &Local<'_>, all: &Names) -> Code {
    let Some(served) = all.served.get(definition) else { return Code::new() };
    let module_docs = root::module_docs(kind);
    let [ident, marker] =
        [names.type_name.clone(), format!("{}Served", names.type_name)].map(|name| format_ident!("{name}"));
    let local = local.within(&names.module, std::iter::empty());
    let module = [MODULE, SERVED, &served.module].map(str::to_owned).to_vec();
    let to = |last: &str| local.path(&[module.clone(), vec![last.to_owned()]].concat());
    let (objects, module) = (to(&served.type_name), local.path(&module));
    let Kind { group, version, kind: name, plural, list_kind, .. } = kind;
    let (api_version, scope) = (root::api_version(kind), root::scope(kind));
    let docs = doc_comment::line(&format!(
        "A {} of {}. Other groups or versions serve the same definition.",
        code(name),
        code(&api_version)
    ));
    let deprecated = root::deprecated_docs(kind);
    let marker_docs = doc_comment::line(&format!("Where {} is served.", code(name)));
    quote! {
        #module_docs
        use ::informer_runtime::codegen;
        pub use #module::*;
        #docs
        #deprecated
        pub type #ident = #objects<#marker>;
        #marker_docs
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct #marker;
        impl codegen::ServedAs for #marker {
            const API_VERSION: &'static str = #api_version;
            const GROUP: &'static str = #group;
            const KIND: &'static str = #name;
            const LIST_KIND: &'static str = #list_kind;
            const PLURAL: &'static str = #plural;
            const VERSION: &'static str = #version;
            type Scope = codegen::k8s_openapi::#scope;
        }
    }
}
