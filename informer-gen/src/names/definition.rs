//! Names of definitions: the module of what stands before the last point, and the type of the last part.

use std::collections::BTreeMap;

use serde::Serialize;

use super::rename::{self, Origin};
use super::{Claimant, Claims, Renames, case, keyword, module, scope};
use crate::model::{Api, Shape};
use crate::problem::Problems;

/// The module that has them all.
pub(crate) const MODULE: &str = "definitions";

/// The module in it of definitions that are the objects of several kinds.
pub(crate) const SERVED: &str = "served";

/// The names of a definition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct DefinitionNames {
    /// The module, below [`MODULE`]; none for a name without a point.
    pub(crate) module: Option<String>,
    pub(crate) type_name: String,
    /// The module of types inside, beside the type.
    pub(crate) inner: String,
}

impl DefinitionNames {
    /// From a definition's name, and nothing else but a name on request.
    pub(crate) fn of(name: &str, renames: &Renames) -> Self {
        let (before, last) = name.rsplit_once('.').map_or((None, name), |(before, last)| (Some(before), last));
        let plain = last.starts_with(|c: char| c.is_ascii_alphabetic())
            && last.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
        let type_name = if let Some(name) = renames.get(&Origin::Definition(name.to_owned())) {
            name.to_owned()
        } else if plain && last.len() <= scope::LONGEST {
            module::kind_type(last)
        } else {
            let name = case::pascal(&scope::shortened(words(last), last));
            if name.starts_with(|c: char| c.is_ascii_digit()) { format!("V{name}") } else { name }
        };
        let inner = module_of(&words(&type_name));
        DefinitionNames { module: before.map(snake), type_name, inner }
    }

    /// The path of the type, from the root of the crate.
    pub(crate) fn path(&self) -> Vec<String> {
        let mut path = vec![MODULE.to_owned()];
        path.extend(self.module.clone());
        path.push(self.type_name.clone());
        path
    }

    /// The path of the module of types inside, from the root of the crate.
    pub(crate) fn inner_path(&self) -> String {
        let mut path = self.path();
        path.pop();
        path.push(self.inner.clone());
        path.join("::")
    }
}

/// The names of a definition that is the objects of several kinds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct ServedNames {
    /// The module, in [`SERVED`].
    pub(crate) module: String,
    pub(crate) type_name: String,
}

impl ServedNames {
    /// From a definition's name, and nothing else but a name on request.
    pub(crate) fn of(name: &str, renames: &Renames) -> Self {
        let type_name = DefinitionNames::of(name, renames).type_name;
        let module = match (renames.get(&Origin::Definition(name.to_owned())), name.rsplit_once('.')) {
            (None, _) => snake(name),
            (Some(_), Some((before, _))) => snake(&format!("{before}.{type_name}")),
            (Some(_), None) => snake(&type_name),
        };
        ServedNames { module, type_name }
    }
}

fn words(text: &str) -> Vec<String> {
    Some(case::words(text)).filter(|words| !words.is_empty()).unwrap_or_else(|| case::spelled(text))
}

fn snake(text: &str) -> String {
    module_of(&scope::shortened(words(text), text))
}

fn module_of(words: &[String]) -> String {
    module::beside_runtime(keyword::safe(&case::snake(words)))
}

/// Another name for the type of a definition.
fn other_name(name: &str, renames: &Renames) -> String {
    let whole = case::pascal(&case::spelled(name));
    if whole == DefinitionNames::of(name, renames).type_name { whole + "Definition" } else { whole }
}

/// Names for all definitions of an [`Api`]; clashes become problems.
pub(super) fn allocate(
    api: &Api,
    renames: &Renames,
    problems: &mut Problems,
) -> (BTreeMap<String, DefinitionNames>, BTreeMap<String, ServedNames>) {
    let mut claims = Claims::default();
    let mut definitions = BTreeMap::new();
    let mut served = BTreeMap::new();
    let claimant = |words: String, place| Claimant { words, place, mend: None };
    let of_definition = |name: &str, place| Claimant {
        words: format!("definition {name}"),
        place,
        mend: Some(rename::flag(&Origin::Definition(name.to_owned()), &other_name(name, renames))),
    };
    for (name, of) in &api.served {
        let names = ServedNames::of(name, renames);
        let origin = of_definition(name, &of.place);
        claims.claim(&format!("mod {SERVED}::{}", names.module), origin, problems);
        claims.claim(
            &format!("mod {SERVED}"),
            claimant("the module of kinds that are served twice".into(), &of.place),
            problems,
        );
        served.insert(name.clone(), names);
    }
    for (name, definition) in &api.definitions {
        let names = DefinitionNames::of(name, renames);
        let origin = of_definition(name, &definition.place);
        let beside = names.module.as_ref().map(|module| format!("{module}::")).unwrap_or_default();
        claims.claim(&format!("{beside}{}", names.type_name), origin.clone(), problems);
        if let Shape::Object(object) = &definition.shape
            && object.fields.iter().any(|field| field.shape.named().is_some())
        {
            claims.claim(&format!("mod {beside}{}", names.inner), origin, problems);
        }
        if let Some(module) = &names.module {
            // Two beginnings may share it, so nothing is said of them.
            let words = format!("the module {module} of definitions");
            claims.claim(&format!("mod {module}"), claimant(words, &definition.place), problems);
        }
        definitions.insert(name.clone(), names);
    }
    (definitions, served)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_part_is_the_type() {
        for (name, path) in [
            ("v1.VirtualMachineSpec", "definitions::v1::VirtualMachineSpec"),
            ("Node", "definitions::Node"),
            ("com.example.shop-parts.v1.Part", "definitions::com_example_shop_parts_v1::Part"),
            ("a.type.part_of", "definitions::a_type::PartOf"),
            ("type.Self", "definitions::type_::SelfKind"),
            ("1.2", "definitions::_1::V2"),
            (".", "definitions::empty::Empty"),
            ("a b.größe", "definitions::a_b::Gru00f6u00dfe"),
            ("codegen.Part", "definitions::codegen_::Part"),
            ("Codegen.v1.Part", "definitions::codegen_v1::Part"),
        ] {
            assert_eq!(DefinitionNames::of(name, &Renames::default()).path().join("::"), path, "{name}");
        }
        let none = Renames::default();
        assert_eq!(DefinitionNames::of("com.example.v1.Codegen", &none).inner, "codegen_");
        assert_eq!(ServedNames::of("codegen", &none).module, "codegen_");
        let asked = Renames::parse(&[("definition:v1.Part".to_owned(), "Codegen".to_owned())]).unwrap();
        assert_eq!(DefinitionNames::of("v1.Part", &asked).inner, "codegen_");
    }

    #[test]
    fn every_name_is_an_identifier_and_short() {
        for name in ["\0.\u{202e}", &"very.".repeat(5000), "a\")] pub const X: u8 = 1; //.}", "super.crate", "_._"] {
            let none = Renames::default();
            let DefinitionNames { module, type_name, inner } = DefinitionNames::of(name, &none);
            for part in module.iter().chain([&type_name, &inner, &ServedNames::of(name, &none).module]) {
                assert!(syn::parse_str::<syn::Ident>(part).is_ok() && part.len() < 120, "{name:?}: {part}");
            }
        }
    }
}
