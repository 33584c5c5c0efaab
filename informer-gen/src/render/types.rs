//! Shapes to Rust types.
//!
//! Types that belong to a field of the root stand beside the root (`WidgetSpec`); each deeper type stands in a module
//! of the field that holds it (`spec::Template`, `spec::template::Containers`), so no name depends on what else there
//! is. Recursion follows the depth of a shape, which `lower` bounds.

use super::doc_comment;
use super::value_type::Local;
use super::ways;
use crate::code::{Code, Ident, format_ident, quote};
use crate::extras::Spot;
use crate::model::{Enum, Field, Object, Shape};
use crate::names::module;
use crate::names::scope::{self, Member, Role};
use crate::wording::{self, Sentence};

/// Identifiers that no property may take: generated modules call the runtime by this name.
const RESERVED: &[&str] = &[module::RUNTIME];
/// Further ones of a struct that keeps unknown keys.
const OPEN_RESERVED: &[&str] = &["extra"];
/// The variant for values that the schema doesn't know.
const VARIANT_RESERVED: &[&str] = &["Other"];

/// How types are written, the same all over an output.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    /// Whether descriptions become docs.
    pub(super) docs: bool,
}

/// Where the types of an object's fields are.
pub(super) enum Inner<'a> {
    /// Beside the object, with this prefix: for the root.
    Beside(&'a str),
    /// In this module beside the object.
    Module(&'a str),
}

impl Inner<'_> {
    fn name(&self, member: &Member) -> Ident {
        match self {
            Inner::Beside(prefix) => format_ident!("{prefix}{}", member.pascal),
            Inner::Module(_) => format_ident!("{}", member.pascal),
        }
    }

    fn path(&self, member: &Member) -> Code {
        let name = self.name(member);
        match self {
            Inner::Beside(_) => quote!(#name),
            Inner::Module(module) => {
                let module = format_ident!("{module}");
                quote!(#module::#name)
            }
        }
    }
}

/// An object's fields with their names.
pub(super) struct Fields<'a> {
    object: &'a Object,
    members: Vec<Member>,
    inner: Inner<'a>,
}

impl<'a> Fields<'a> {
    /// `taken`: further fields that the struct has.
    pub(super) fn of(object: &'a Object, taken: &[&str], inner: Inner<'a>) -> Self {
        let wires: Vec<&str> = object.fields.iter().map(|field| field.name.as_str()).collect();
        let reserved = [RESERVED, taken, if object.open { OPEN_RESERVED } else { &[] }].concat();
        Fields { object, members: scope::allocate(&wires, Role::Fields, &reserved), inner }
    }

    /// Those of a kind's object.
    pub(super) fn of_root(object: &'a Object, type_name: &'a str) -> Self {
        Fields::of(object, &["metadata"], Inner::Beside(type_name))
    }

    /// Those of an object that is several kinds; its type and module have further names of their own.
    pub(super) fn of_served(object: &'a Object, type_name: &'a str) -> Self {
        Fields::of(object, &["metadata", "served", "Served"], Inner::Beside(type_name))
    }

    /// Each field with its name in the struct, and that of the type that is declared for it, if any.
    pub(super) fn named(&self) -> impl Iterator<Item = (&'a Field, String, Option<String>)> {
        self.iter().map(|(field, member)| {
            let type_name = field.shape.named().map(|_| self.inner.name(member).to_string());
            (field, member.snake.clone(), type_name)
        })
    }

    fn iter(&self) -> impl Iterator<Item = (&'a Field, &Member)> {
        self.object.fields.iter().zip(&self.members)
    }

    /// The names of the types that [`Fields::types`] declares.
    pub(super) fn declared(&self) -> impl Iterator<Item = String> {
        let typed = self.iter().filter(|(field, _)| field.shape.named().is_some());
        typed.map(|(_, member)| self.inner.name(member).to_string())
    }

    /// The fields of the struct at a spot. `local` is what the names around it mean.
    pub(super) fn declarations(&self, local: &Local<'_>, spot: &Spot<'_>, style: Style) -> Code {
        let fields = self.iter().map(|(field, member)| {
            let fallback = || format!("The field {}.", doc_comment::code(&field.name));
            let docs = describe(style, field.docs.as_deref(), &wording::of_field(field), fallback);
            let ident = format_ident!("{}", member.snake);
            let ty = local.field(field.presence, &field.shape, &self.inner.path(member));
            let attributes = spot.field(&field.name).field_attributes();
            quote!(#docs #attributes pub #ident: #ty,)
        });
        let extra = self.object.open.then(|| {
            let ty = local.value(&Shape::AnyObject, &Code::new());
            quote! {
                /// Keys that the schema does not name.
                pub extra: #ty,
            }
        });
        quote!(#(#fields)* #extra)
    }

    /// The fields as Rust calls them.
    pub(super) fn idents(&self) -> impl Iterator<Item = Ident> {
        let extra = self.object.open.then(|| format_ident!("extra"));
        self.members.iter().map(|member| format_ident!("{}", member.snake)).chain(extra)
    }

    /// The fields as the runtime's `object!` wants them.
    pub(super) fn ways(&self) -> Code {
        let fields = self.iter().map(|(field, member)| {
            let (ident, way, key) = (format_ident!("{}", member.snake), ways::way(field), &field.name);
            quote!(#way #ident = #key,)
        });
        let extra = self.object.open.then(|| quote!(..extra));
        quote!(#(#fields)* #extra)
    }

    /// `impl Default` where it can't be derived; `None` where it can. `head` are fields that come before, `parameter` is
    /// that of a type with one.
    pub(super) fn default_impl(&self, name: &Ident, parameter: Option<&Ident>, head: &Code) -> Option<Code> {
        let underivable = |field: &Field| ways::is_required_number(field);
        if !self.object.fields.iter().any(underivable) {
            return None;
        }
        let values = self.iter().map(|(field, member)| {
            let ident = format_ident!("{}", member.snake);
            let value = if underivable(field) {
                quote!(codegen::field::number_zero())
            } else {
                quote!(::std::default::Default::default())
            };
            quote!(#ident: #value,)
        });
        let extra = self.object.open.then(|| quote!(extra: ::std::default::Default::default(),));
        let implemented = match parameter {
            Some(parameter) => quote!(impl<#parameter: codegen::ServedAs> codegen::Default for #name<#parameter>),
            None => quote!(impl ::std::default::Default for #name),
        };
        Some(quote! {
            #implemented {
                fn default() -> Self {
                    Self { #head #(#values)* #extra }
                }
            }
        })
    }

    /// The types of all fields that need one, in their module where they have one.
    pub(super) fn types(&self, local: &Local<'_>, spot: &Spot<'_>, style: Style) -> Code {
        let Inner::Module(module) = self.inner else { return self.all_types(local, spot, style) };
        let local = local.within(module, self.declared());
        let types = self.all_types(&local, spot, style);
        if types.is_empty() {
            return types;
        }
        let module = format_ident!("{module}");
        let docs = doc_comment::line(&format!("Types inside {}.", doc_comment::code(spot.path())));
        quote! {
            #docs
            pub mod #module {
                use ::informer_runtime::codegen;
                #types
            }
        }
    }

    fn all_types(&self, local: &Local<'_>, spot: &Spot<'_>, style: Style) -> Code {
        let types = self.iter().map(|(field, member)| {
            let Some(shape) = field.shape.named() else { return Code::new() };
            let here = spot.field(&field.name);
            let name = self.inner.name(member);
            match shape {
                Shape::Object(object) => {
                    let head = Head::of_field(style, object.docs.as_deref(), &wording::sentences(&object.facts), &here);
                    object_type(head, object, &name, &member.snake, local, &here, style)
                }
                Shape::Enum(values) => {
                    let head = Head::of_field(style, values.docs.as_deref(), &[], &here);
                    enum_type(head, values, &name, local, &here)
                }
                _ => Code::new(),
            }
        });
        types.collect()
    }
}

/// What stands before a type.
pub(super) struct Head {
    /// Its `#[cfg]`, or nothing.
    pub(super) gate: Code,
    pub(super) docs: Code,
}

impl Head {
    /// Of the type of a field: the first paragraph of its description, since the field itself tells all.
    fn of_field(style: Style, description: Option<&str>, demanded: &[Sentence], spot: &Spot<'_>) -> Self {
        let first =
            description.filter(|_| style.docs).map(doc_comment::first_paragraph).filter(|docs| !docs.is_empty());
        let docs =
            first.unwrap_or_else(|| doc_comment::line(&format!("The value of {}.", doc_comment::code(spot.path()))));
        let demanded = style.docs.then(|| doc_comment::sentences(demanded));
        Head { gate: Code::new(), docs: quote!(#docs #demanded) }
    }
}

/// The type of an object at a spot, and all types inside it, in `module` beside it.
pub(super) fn object_type(
    Head { gate, docs }: Head,
    object: &Object,
    name: &Ident,
    module: &str,
    local: &Local<'_>,
    spot: &Spot<'_>,
    style: Style,
) -> Code {
    let fields = Fields::of(object, &[], Inner::Module(module));
    let default_impl = fields.default_impl(name, None, &Code::new());
    let default = default_impl.is_none().then(|| quote!(Default,));
    let default_impl = default_impl.map(|default_impl| quote!(#gate #default_impl));
    let declarations = fields.declarations(local, spot, style);
    let ways = fields.ways();
    let types = Some(fields.types(local, spot, style)).filter(|types| !types.is_empty());
    let types = types.map(|types| quote!(#gate #types));
    let (derives, attributes) = (spot.struct_derives(object), spot.struct_attributes());
    quote! {
        #gate
        #docs
        #[derive(Clone, Debug, #default PartialEq #derives)]
        #attributes
        pub struct #name { #declarations }
        #gate
        codegen::object! { #name { #ways } }
        #default_impl
        #types
    }
}

/// The type of an enum.
pub(super) fn enum_type(
    Head { gate, docs }: Head,
    values: &Enum,
    name: &Ident,
    local: &Local<'_>,
    spot: &Spot<'_>,
) -> Code {
    let wires: Vec<&str> = values.values.iter().map(String::as_str).collect();
    let members = scope::allocate(&wires, Role::Variants, VARIANT_RESERVED);
    let both = wires.iter().zip(members.iter().map(|member| format_ident!("{}", member.pascal)));
    let variants = both.clone().map(|(wire, variant)| {
        let docs = doc_comment::line(&format!("{}.", doc_comment::code(wire)));
        quote!(#docs #variant,)
    });
    let texts = both.map(|(wire, variant)| quote!(#variant = #wire,));
    let text = local.value(&Shape::Text, &Code::new());
    let (derives, attributes) = (spot.enum_derives(), spot.enum_attributes());
    quote! {
        #gate
        #docs
        #[derive(Clone, Debug, PartialEq, Eq, Hash #derives)]
        #attributes
        pub enum #name {
            #(#variants)*
            /// A value that the schema does not name.
            Other(#text),
        }
        #gate
        codegen::string_enum! { #name { #(#texts)* } }
    }
}

/// Docs from a description, or a line of our own where there is none or none is wanted, and what is demanded.
pub(super) fn describe(
    style: Style,
    description: Option<&str>,
    demanded: &[Sentence],
    fallback: impl FnOnce() -> String,
) -> Code {
    let described = description.filter(|_| style.docs).map(doc_comment::attributes).filter(|docs| !docs.is_empty());
    let docs = described.unwrap_or_else(|| doc_comment::line(&fallback()));
    let demanded = style.docs.then(|| doc_comment::sentences(demanded));
    quote!(#docs #demanded)
}
