//! Derives and attributes that people add to the types (`--derive`, `--attribute`).

mod derivable;
mod resolve;
mod spot;
mod target;
mod typed;

pub(crate) use resolve::check;
pub(crate) use spot::Spot;

use syn::parse::Parser;
use syn::punctuated::Punctuated;
use target::{FORM, Target};

use crate::problem::{Problem, Problems};

/// Everything that is added, in the order in which it was asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Extras {
    rules: Vec<Rule>,
}

/// One thing to add.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Rule {
    target: Target,
    addition: Addition,
    /// As it was asked for, for messages.
    asked: String,
}

/// What is added; all texts are Rust that parses.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Addition {
    /// Paths of derives.
    Derives(Vec<String>),
    /// What stands inside of `#[…]`.
    Attribute(String),
}

impl Extras {
    /// Reads what is asked for.
    ///
    /// # Errors
    /// Everything that is no target, or no Rust.
    pub(crate) fn parse(derives: &[String], attributes: &[String]) -> Result<Self, Problems> {
        let (mut extras, mut problems) = (Extras::default(), Problems::new());
        let rules = derives.iter().map(|text| derive(text)).chain(attributes.iter().map(|text| attribute(text)));
        for rule in rules {
            match rule {
                Ok(rule) => extras.rules.push(rule),
                Err(problem) => problems.push(problem),
            }
        }
        problems.into_result()?;
        Ok(extras)
    }

    /// Whether there may be deprecated fields, which generated code still uses.
    pub(crate) fn has_attributes(&self) -> bool {
        self.rules.iter().any(|rule| matches!(rule.addition, Addition::Attribute(_)))
    }
}

fn derive(text: &str) -> Result<Rule, Problem> {
    let asked = format!("--derive {text}");
    let (target, list) = target::split(text).unwrap_or(("", text));
    let target = Target::parse(target).ok_or_else(|| no_target(&asked))?;
    let paths = Punctuated::<syn::Path, syn::Token![,]>::parse_terminated.parse_str(list);
    let plain = |path: &syn::Path| path.segments.iter().all(|segment| segment.arguments.is_none());
    match paths {
        Ok(paths) if !paths.is_empty() && paths.iter().all(plain) => {
            let name = |path: &syn::Path| {
                let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
                format!("{}{}", if path.leading_colon.is_some() { "::" } else { "" }, names.join("::"))
            };
            let names = paths.iter().map(name);
            Ok(Rule { target, addition: Addition::Derives(names.collect()), asked })
        }
        Err(error) => Err(Problem::error(format!("{asked}: {list:?} is no derive: {error}")).hint(DERIVES)),
        Ok(_) => Err(Problem::error(format!("{asked}: {list:?} is no derive")).hint(DERIVES)),
    }
}

const DERIVES: &str = "write one or more with commas between them, such as Eq or schemars::JsonSchema";

fn attribute(text: &str) -> Result<Rule, Problem> {
    let asked = format!("--attribute {text}");
    let (target, content) = target::split(text).ok_or_else(|| no_target(&asked))?;
    let target = Target::parse(target).filter(|target| *target != Target::All).ok_or_else(|| no_target(&asked))?;
    let content = content.trim();
    let content = content.strip_prefix("#[").and_then(|rest| rest.strip_suffix(']')).unwrap_or(content);
    match syn::parse_str::<syn::Meta>(content) {
        // `Code` has a NUL between tokens.
        Ok(_) if content.contains('\0') => Err(Problem::error(format!("{asked}: {content:?} is no attribute"))),
        Ok(_) => Ok(Rule { target, addition: Addition::Attribute(typed::line(content)), asked }),
        Err(error) => {
            let hint = "write what stands between #[ and ], such as deprecated or doc(alias = \"x\")";
            Err(Problem::error(format!("{asked}: {content:?} is no attribute: {error}")).hint(hint))
        }
    }
}

fn no_target(asked: &str) -> Problem {
    Problem::error(format!("{asked}: it does not say what for")).hint(FORM)
}

#[cfg(test)]
mod tests;
