//! The types of one kind: the object itself with what the Kubernetes traits ask of it, and all types inside.

use super::doc_comment::{self, code};
use super::types::{self, Fields, Style};
use super::value_type::Local;
use crate::code::{Code, Ident, format_ident, quote};
use crate::extras::Spot;
use crate::model::{Kind, Object};
use crate::names::KindNames;
use crate::wording;

/// The file with the types of a kind.
pub(super) fn file(
    kind: &Kind,
    object: &Object,
    names: &KindNames,
    local: &Local<'_>,
    spot: &Spot<'_>,
    style: Style,
) -> Code {
    let ident = format_ident!("{}", names.type_name);
    let module_docs = module_docs(kind);
    let fields = Fields::of_root(object, &names.type_name);
    let local = local.within(&names.module, fields.declared().chain([names.type_name.clone()]));
    let structure = structure(kind, object, &ident, &fields, &local, spot, style);
    let traits = traits(kind, &ident);
    let ways = fields.ways();
    let types = fields.types(&local, spot, style);
    quote! {
        #module_docs
        #![allow(clippy::module_inception, clippy::type_complexity)]
        use ::informer_runtime::codegen;
        #structure
        #traits
        codegen::object! { root #ident { required metadata = "metadata", #ways } }
        #types
    }
}

/// What the module of a kind's types is.
pub(super) fn module_docs(kind: &Kind) -> Code {
    let [name, group, version] = [&kind.kind, &kind.group, &kind.version].map(|name| code(name));
    doc_comment::inner_line(&format!("Types of {name} in group {group}, version {version}."))
}

fn structure(
    kind: &Kind,
    object: &Object,
    ident: &Ident,
    fields: &Fields<'_>,
    local: &Local<'_>,
    spot: &Spot<'_>,
    style: Style,
) -> Code {
    let demanded = wording::sentences(&object.facts);
    let docs = types::describe(style, object.docs.as_deref(), &demanded, || format!("A {} object.", code(&kind.kind)));
    let deprecated = deprecated_docs(kind);
    let default_impl = fields.default_impl(ident, None, &quote!(metadata: ::std::default::Default::default(),));
    let default = default_impl.is_none().then(|| quote!(Default,));
    let declarations = fields.declarations(local, spot, style);
    let (derives, attributes) = (spot.struct_derives(object), spot.struct_attributes());
    quote! {
        #docs
        #deprecated
        #[derive(Clone, Debug, #default PartialEq #derives)]
        #attributes
        pub struct #ident {
            /// Name, namespace, labels and all else that every object has.
            pub metadata: codegen::ObjectMeta,
            #declarations
        }
        #default_impl
    }
}

/// Lines at the end of a type's docs.
pub(super) fn deprecated_docs(kind: &Kind) -> Option<Code> {
    deprecation(kind).map(|text| {
        let docs = doc_comment::line(&format!("**Deprecated**: {}", doc_comment::inline(&text)));
        quote! {
            #[doc = ""]
            #docs
        }
    })
}

/// What to tell of a deprecated version; the server's own words where there are some.
pub(super) fn deprecation(kind: &Kind) -> Option<String> {
    let deprecation = kind.deprecated.as_ref()?;
    let general = || format!("version {} of {} is deprecated", kind.version, kind.kind);
    Some(deprecation.warning.clone().unwrap_or_else(general))
}

fn traits(kind: &Kind, ident: &Ident) -> Code {
    let Kind { group, version, kind: name, plural, list_kind, .. } = kind;
    let (api_version, scope) = (api_version(kind), scope(kind));
    quote! {
        impl codegen::k8s_openapi::Resource for #ident {
            const API_VERSION: &'static str = #api_version;
            const GROUP: &'static str = #group;
            const KIND: &'static str = #name;
            const VERSION: &'static str = #version;
            const URL_PATH_SEGMENT: &'static str = #plural;
            type Scope = codegen::k8s_openapi::#scope;
        }

        impl codegen::k8s_openapi::ListableResource for #ident {
            const LIST_KIND: &'static str = #list_kind;
        }

        impl codegen::k8s_openapi::Metadata for #ident {
            type Ty = codegen::ObjectMeta;

            fn metadata(&self) -> &Self::Ty {
                &self.metadata
            }

            fn metadata_mut(&mut self) -> &mut Self::Ty {
                &mut self.metadata
            }
        }
    }
}

/// `apiVersion` of its objects.
pub(super) fn api_version(kind: &Kind) -> String {
    if kind.group.is_empty() { kind.version.clone() } else { format!("{}/{}", kind.group, kind.version) }
}

/// The type in k8s-openapi that says where its objects live.
pub(super) fn scope(kind: &Kind) -> Code {
    if kind.namespaced { quote!(NamespaceResourceScope) } else { quote!(ClusterResourceScope) }
}
