//! Names that people ask for in place of those made here (`--rename`).

use std::collections::BTreeMap;
use std::fmt;

use super::{keyword, module};
use crate::model::{Api, Kind};
use crate::near;
use crate::problem::{Problem, Problems};

/// What can have another name, as it is written in a request.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Origin {
    /// `group:shop.example.test`
    Group(String),
    /// `kind:shop.example.test/v1/Widget`
    Kind(String),
    /// `plural:shop.example.test/v1/widgets`
    Plural(String),
    /// `definition:com.example.v1.Part`
    Definition(String),
}

impl Origin {
    /// The kind of a resource.
    pub(crate) fn kind(kind: &Kind) -> Self {
        Origin::Kind(path(kind, &kind.kind))
    }

    /// A resource by its plural.
    pub(crate) fn plural(kind: &Kind) -> Self {
        Origin::Plural(path(kind, &kind.plural))
    }

    fn parse(text: &str) -> Option<Self> {
        let (what, name) = text.split_once(':')?;
        match what {
            "group" => Some(Origin::Group(name.to_owned())),
            "kind" => Some(Origin::Kind(name.to_owned())),
            "plural" => Some(Origin::Plural(name.to_owned())),
            "definition" => Some(Origin::Definition(name.to_owned())),
            _ => None,
        }
    }

    /// Why a name can't be one for this, with what would do.
    fn refusal(&self, name: &str) -> Option<String> {
        let rest = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let snake =
            name.starts_with(|c: char| c.is_ascii_lowercase()) && !name.contains(|c: char| c.is_ascii_uppercase());
        let (case, example) = match self {
            Origin::Kind(_) | Origin::Definition(_) => {
                let raised = name.starts_with(|c: char| c.is_ascii_uppercase()) && !name.contains('_');
                (raised, "a type is called like ShopWidget")
            }
            Origin::Group(_) => (snake, "a module is called like shop_two"),
            Origin::Plural(_) => (snake, "an accessor is called like shop_widgets"),
        };
        if !case || !name.chars().all(rest) || name.len() > LONGEST {
            return Some(example.to_owned());
        }
        if keyword::is_keyword(name) {
            return Some("it is a word of Rust".to_owned());
        }
        let taken = match self {
            Origin::Kind(_) | Origin::Definition(_) => false,
            Origin::Group(_) => module::is_taken_from_groups(name),
            Origin::Plural(_) => module::is_taken_from_plurals(name),
        };
        taken.then(|| "something else that is met there has this name".to_owned())
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Group(name) => write!(f, "group:{name}"),
            Origin::Kind(name) => write!(f, "kind:{name}"),
            Origin::Plural(name) => write!(f, "plural:{name}"),
            Origin::Definition(name) => write!(f, "definition:{name}"),
        }
    }
}

fn path(kind: &Kind, name: &str) -> String {
    let Kind { group, version, .. } = kind;
    if group.is_empty() { format!("{version}/{name}") } else { format!("{group}/{version}/{name}") }
}

/// Names may be this long.
const LONGEST: usize = 100;

/// The flag that gives an origin a name, to be pasted into a command line.
pub(crate) fn flag(origin: &Origin, name: &str) -> String {
    format!("--rename {origin}={name}")
}

/// All names that a request asks for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Renames(BTreeMap<Origin, String>);

impl Renames {
    /// Reads what a request asks for.
    ///
    /// # Errors
    /// Everything that names no origin, or no name that its origin can have; and one origin with two names.
    pub(crate) fn parse(texts: &[(String, String)]) -> Result<Self, Problems> {
        let (mut renames, mut problems) = (Renames::default(), Problems::new());
        for (origin, name) in texts {
            let shown = format!("--rename {origin}={name}");
            let Some(origin) = Origin::parse(origin) else {
                let hint = "write group:…, kind:GROUP/VERSION/KIND, plural:GROUP/VERSION/PLURAL or definition:… before the `=`";
                problems.push(Problem::error(format!("{shown:?}: it does not say what gets the name")).hint(hint));
                continue;
            };
            if let Some(refusal) = origin.refusal(name) {
                problems.push(Problem::error(format!("{shown:?}: {name:?} can't be its name")).hint(refusal));
                continue;
            }
            let origin_text = origin.to_string();
            if renames.0.insert(origin, name.clone()).is_some_and(|other| other != *name) {
                problems.push(Problem::error(format!("{shown:?}: {origin_text} has another name already")));
            }
        }
        problems.into_result()?;
        Ok(renames)
    }

    /// The name that is asked for.
    pub(crate) fn get(&self, origin: &Origin) -> Option<&str> {
        self.0.get(origin).map(String::as_str)
    }

    /// Whether all of them are about something that there is; what is not becomes a problem.
    pub(crate) fn check(&self, api: &Api, problems: &mut Problems) {
        if self.0.is_empty() {
            return;
        }
        let groups = api.groups.iter().map(|group| Origin::Group(group.name.clone()));
        let kinds = api.kinds().flat_map(|kind| [Origin::kind(kind), Origin::plural(kind)]);
        let definitions = api.definitions.keys().chain(api.served.keys()).cloned().map(Origin::Definition);
        let there: Vec<Origin> = groups.chain(kinds).chain(definitions).collect();
        for origin in self.0.keys().filter(|origin| !there.contains(origin)) {
            let alike = there.iter().filter(|other| std::mem::discriminant(*other) == std::mem::discriminant(origin));
            let names: Vec<String> = alike.map(Origin::to_string).collect();
            let hint = near::hint(&origin.to_string(), names.iter().map(String::as_str));
            problems.push(Problem::error(format!("--rename: there is no {origin} in the input")).hint(hint));
        }
    }
}
