//! The Rust type of a value.

use std::collections::BTreeSet;

use super::known;
use crate::code::{Code, format_ident, quote};
use crate::model::{Presence, Shape, Slot};
use crate::names::Names;

/// What short names mean in one module: a kind or a field may be called `Option`, so the short names of std are used
/// only where no type of the module hides them. Whatever else a type needs is reached through `codegen`.
#[derive(Clone, Debug)]
pub(super) struct Local<'n> {
    /// The module, from the root of the crate.
    at: Vec<String>,
    hidden: BTreeSet<String>,
    names: &'n Names,
}

impl<'n> Local<'n> {
    /// In a module that declares types of these names.
    pub(super) fn of(names: &'n Names, at: &[&str], declared: impl Iterator<Item = String>) -> Self {
        Local { at: at.iter().map(|&module| module.to_owned()).collect(), hidden: declared.collect(), names }
    }

    /// In a module of this one.
    pub(super) fn within(&self, module: &str, declared: impl Iterator<Item = String>) -> Self {
        let at = self.at.iter().cloned().chain([module.to_owned()]).collect();
        Local { at, hidden: declared.collect(), names: self.names }
    }

    /// The path of something from here, by its path from the root of the crate. The crate may be a module of another
    /// one, so paths never begin at a root.
    pub(super) fn path(&self, to: &[String]) -> Code {
        let (modules, _) = to.split_at(to.len().saturating_sub(1));
        let common = self.at.iter().zip(modules).take_while(|(here, there)| here == there).count();
        let up = (common..self.at.len()).map(|_| format_ident!("super"));
        let down = to[common..].iter().map(|name| format_ident!("{name}"));
        let mut path = Code::new();
        for (at, step) in up.chain(down).enumerate() {
            if at > 0 {
                path.token("::");
            }
            path.add(&step);
        }
        path
    }

    fn definition(&self, name: &str) -> Code {
        self.names.definitions.get(name).map(|names| self.path(&names.path())).unwrap_or_default()
    }

    fn std(&self, name: &str, short: Code, full: Code) -> Code {
        if self.hidden.contains(name) { full } else { short }
    }

    fn optional(&self, value: &Code) -> Code {
        let option = self.std("Option", quote!(Option), quote!(::std::option::Option));
        quote!(#option<#value>)
    }

    /// The type of a field; `named` is the object or enum inside its value.
    pub(super) fn field(&self, presence: Presence, shape: &Shape, named: &Code) -> Code {
        let value = self.value(shape, named);
        match presence {
            Presence::Required => value,
            Presence::RequiredNullable | Presence::Optional => self.optional(&value),
            Presence::ThreeStates => self.optional(&self.optional(&value)),
        }
    }

    /// The type of a value that is there. Recursion follows the depth of a shape, which `lower` bounds.
    pub(super) fn value(&self, shape: &Shape, named: &Code) -> Code {
        match shape {
            Shape::Any => quote!(codegen::serde_json::Value),
            Shape::AnyObject => {
                let text = self.value(&Shape::Text, named);
                quote!(codegen::serde_json::Map<#text, codegen::serde_json::Value>)
            }
            Shape::Boolean => quote!(bool),
            Shape::Integer => quote!(i64),
            Shape::Number => quote!(codegen::serde_json::Number),
            Shape::Text => self.std("String", quote!(String), quote!(::std::string::String)),
            Shape::IntOrString => quote!(codegen::IntOrString),
            Shape::Enum(_) | Shape::Object(_) => named.clone(),
            Shape::Known(path) => known::short_path(path),
            Shape::Reference(reference) => {
                let path = self.definition(&reference.name);
                let boxed = self.std("Box", quote!(Box), quote!(::std::boxed::Box));
                if reference.boxed { quote!(#boxed<#path>) } else { path }
            }
            Shape::List(items) => {
                let vec = self.std("Vec", quote!(Vec), quote!(::std::vec::Vec));
                let item = self.slot(items, named);
                quote!(#vec<#item>)
            }
            Shape::Map(values) => {
                let text = self.value(&Shape::Text, named);
                let value = self.slot(values, named);
                quote!(::std::collections::BTreeMap<#text, #value>)
            }
        }
    }

    fn slot(&self, slot: &Slot, named: &Code) -> Code {
        let value = self.value(&slot.shape, named);
        // Any value is null among others.
        if slot.nullable && slot.shape != Shape::Any { self.optional(&value) } else { value }
    }
}
