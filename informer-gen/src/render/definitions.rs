//! The module `definitions`: the types of values that kinds refer to, each once, and of objects that are several kinds.

use std::collections::{BTreeMap, BTreeSet};

use super::doc_comment::{code, inner_line, line};
use super::gate::Gates;
use super::served;
use super::types::{self, Head, Style};
use super::value_type::Local;
use crate::code::{Code, format_ident, quote};
use crate::extras::{Extras, Spot};
use crate::model::{Api, Definition, Shape, Users};
use crate::names::definition::{MODULE, SERVED};
use crate::names::{DefinitionNames, Names};
use crate::wording::{self, Sentence};

/// A definition with its own name and those that it has in Rust.
type Named<'a> = (&'a str, &'a Definition, &'a DefinitionNames);

/// Its files, each with its path in `src`; none where there is nothing in it.
pub(super) fn files(api: &Api, names: &Names, gates: Gates<'_>, extras: &Extras, style: Style) -> Vec<(String, Code)> {
    Writer { api, names, gates, extras, style }.files()
}

struct Writer<'a> {
    api: &'a Api,
    names: &'a Names,
    gates: Gates<'a>,
    extras: &'a Extras,
    style: Style,
}

impl Writer<'_> {
    fn files(&self) -> Vec<(String, Code)> {
        let (api, names) = (self.api, self.names);
        let mut modules: BTreeMap<Option<&str>, Vec<Named<'_>>> = BTreeMap::new();
        for ((name, definition), names) in api.definitions.iter().zip(names.definitions.values()) {
            modules.entry(names.module.as_deref()).or_default().push((name, definition, names));
        }
        if modules.is_empty() && api.served.is_empty() {
            return Vec::new();
        }
        let beside = modules.remove(&None).unwrap_or_default();
        let mut files = vec![(format!("{MODULE}/mod.rs"), self.root(&modules, &beside))];
        for (module, definitions) in &modules {
            let Some(module) = module else { continue };
            let beginnings: BTreeSet<&str> =
                definitions.iter().filter_map(|(name, ..)| Some(name.rsplit_once('.')?.0)).collect();
            let beginnings: Vec<String> = beginnings.into_iter().map(code).collect();
            let docs = inner_line(&format!("Definitions of {}.", beginnings.join(", ")));
            let (lints, types) = (lints(), self.types(definitions, &[MODULE, module], &Code::new()));
            files.push((format!("{MODULE}/{module}.rs"), quote!(#docs #lints #types)));
        }
        if !api.served.is_empty() {
            files.push((format!("{MODULE}/{SERVED}/mod.rs"), self.served()));
        }
        let local = Local::of(names, &[MODULE, SERVED], std::iter::empty());
        for ((name, of), names) in api.served.iter().zip(names.served.values()) {
            let spot = Spot::served(self.extras, api, name);
            let text = served::objects(name, &of.object, names, &local, &spot, self.style);
            files.push((format!("{MODULE}/{SERVED}/{}.rs", names.module), text));
        }
        files
    }

    fn root(&self, modules: &BTreeMap<Option<&str>, Vec<Named<'_>>>, beside: &[Named<'_>]) -> Code {
        let docs = inner_line("Types of values that a document defines once, and refers to wherever they are used.");
        let modules = modules.iter().filter_map(|(module, definitions)| {
            let module = format_ident!("{}", (*module)?);
            let gate = self.gate(&users(definitions));
            Some(quote!(#gate pub mod #module;))
        });
        let served = self.api.served.values().fold(Users::default(), |mut users, served| {
            users.add(&served.users);
            users
        });
        let served = (!self.api.served.is_empty()).then(|| {
            let (gate, module) = (self.gate(&served), format_ident!("{SERVED}"));
            quote!(#gate pub mod #module;)
        });
        let types = (!beside.is_empty()).then(|| self.types(beside, &[MODULE], &self.gate(&users(beside))));
        let lints = types.is_some().then(lints);
        quote!(#docs #lints #(#modules)* #served #types)
    }

    /// The types of one module.
    fn types(&self, definitions: &[Named<'_>], at: &[&str], gate: &Code) -> Code {
        let local = Local::of(self.names, at, definitions.iter().map(|(.., names)| names.type_name.clone()));
        let whole = users(definitions);
        let types = definitions.iter().map(|(name, definition, names)| {
            let ident = format_ident!("{}", names.type_name);
            let head = |docs: Option<&str>, demanded: &[Sentence]| Head {
                gate: if at.len() > 1 && definition.users == whole {
                    Code::new()
                } else {
                    self.gate(&definition.users)
                },
                docs: types::describe(self.style, docs, demanded, || format!("The definition {}.", code(name))),
            };
            let spot = Spot::definition(self.extras, self.api, name);
            match &definition.shape {
                Shape::Object(object) => {
                    let head = head(object.docs.as_deref(), &wording::sentences(&object.facts));
                    types::object_type(head, object, &ident, &names.inner, &local, &spot, self.style)
                }
                Shape::Enum(values) => {
                    types::enum_type(head(values.docs.as_deref(), &[]), values, &ident, &local, &spot)
                }
                // Nothing else becomes a definition.
                _ => Code::new(),
            }
        });
        quote! {
            #gate
            use ::informer_runtime::codegen;
            #(#types)*
        }
    }

    /// The module of definitions that are the objects of several kinds.
    fn served(&self) -> Code {
        let docs =
            inner_line("Objects that several groups or versions serve: one type each, whose parameter says which.");
        let modules = self.api.served.iter().zip(self.names.served.values()).map(|((name, of), names)| {
            let (gate, module) = (self.gate(&of.users), format_ident!("{}", names.module));
            let docs = line(&format!("The objects of definition {}.", code(name)));
            quote!(#gate #docs pub mod #module;)
        });
        quote!(#docs #(#modules)*)
    }

    fn gate(&self, users: &Users) -> Code {
        self.gates.users(users, self.api, self.names)
    }
}

fn users(definitions: &[Named<'_>]) -> Users {
    definitions.iter().fold(Users::default(), |mut users, (_, definition, _)| {
        users.add(&definition.users);
        users
    })
}

fn lints() -> Code {
    quote!(#![allow(clippy::module_inception, clippy::type_complexity)])
}
