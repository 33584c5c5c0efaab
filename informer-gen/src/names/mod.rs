//! Model to Rust names: groups, versions and kinds here; fields and enum values in [`scope`].
//!
//! A name depends on nothing but its own origin, so nothing that is added to the input renames it. Two origins that
//! come to the same name are an error that names both, and the flag that gives one of them another name.

pub(crate) mod case;
pub(crate) mod definition;
pub(crate) mod keyword;
pub(crate) mod module;
mod rename;
pub(crate) mod scope;

pub(crate) use definition::{DefinitionNames, ServedNames};
pub(crate) use rename::Renames;

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::model::{Api, Group, Kind, Objects, Version};
use crate::problem::{Place, Problem, Problems};
use rename::Origin;

/// The names of an [`Api`], in its order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Names {
    pub(crate) groups: Vec<GroupNames>,
    /// By the definitions' own names.
    pub(crate) definitions: BTreeMap<String, DefinitionNames>,
    /// By the definitions' own names.
    pub(crate) served: BTreeMap<String, ServedNames>,
}

/// The names of a group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct GroupNames {
    /// Module and accessor.
    pub(crate) module: String,
    /// The struct behind the accessor.
    pub(crate) accessor_type: String,
    /// The extension trait that carries the accessor.
    pub(crate) extension_trait: String,
    pub(crate) versions: Vec<VersionNames>,
}

/// The names of a version of a group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct VersionNames {
    /// Module and accessor.
    pub(crate) module: String,
    /// The struct behind the accessor.
    pub(crate) accessor_type: String,
    pub(crate) kinds: Vec<KindNames>,
}

/// The names of a kind in a version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct KindNames {
    /// The type of its objects.
    pub(crate) type_name: String,
    /// In function names; may be a keyword.
    pub(crate) snake: String,
    /// Module of the types.
    pub(crate) module: String,
    /// Module of informer and listers.
    pub(crate) informer_module: String,
    /// Accessor of the informer, and of a lister's view of one namespace.
    pub(crate) accessor: String,
}

/// Who claims a name.
#[derive(Clone)]
struct Claimant<'a> {
    /// In words.
    words: String,
    place: &'a Place,
    /// The flag that gives it another name, where there is one.
    mend: Option<String>,
}

/// What two origins must not share, with who holds it.
#[derive(Default)]
struct Claims<'a> {
    held: BTreeMap<String, Claimant<'a>>,
    refused: BTreeSet<(String, String)>,
}

impl<'a> Claims<'a> {
    /// Claims a name for an origin; a problem once for each pair of origins.
    fn claim(&mut self, name: &str, claimant: Claimant<'a>, problems: &mut Problems) {
        let Some(holder) = self.held.get(name) else {
            self.held.insert(name.to_owned(), claimant);
            return;
        };
        let (ours, theirs) = (&claimant.words, &holder.words);
        if ours != theirs && self.refused.insert((theirs.clone(), ours.clone())) {
            let hint = match claimant.mend.as_ref().or(holder.mend.as_ref()) {
                Some(flag) => format!("give one of them another name, such as: {flag}"),
                None => "make two crates, each from one of them; one factory serves both".to_owned(),
            };
            problems.push(
                Problem::error(format!("{ours} and {theirs} would both be `{name}` in Rust"))
                    .at(claimant.place.clone())
                    .related(holder.place.clone(), format!("{theirs} is declared here"))
                    .hint(hint),
            );
        }
    }
}

/// Names for everything in an [`Api`] above its types; clashes become problems.
pub(crate) fn allocate(api: &Api, renames: &Renames, problems: &mut Problems) -> Names {
    renames.check(api, problems);
    let mut claims = Claims::default();
    let groups = api.groups.iter().map(|group| {
        let (module, accessor_type) = group_names(group, renames);
        let names = GroupNames {
            extension_trait: format!("{accessor_type}Informers"),
            versions: versions(&group.versions, renames, problems),
            module,
            accessor_type,
        };
        let first = group.versions.iter().flat_map(|version| &version.kinds).next();
        if let Some(kind) = first {
            let other = case::snake(&case::spelled(&group.name));
            let claimant = Claimant {
                words: format!("group {}", group.name),
                place: &kind.place,
                mend: Some(rename::flag(&Origin::Group(group.name.clone()), &other)),
            };
            claims.claim(&names.module, claimant.clone(), problems);
            claims.claim(&names.extension_trait, claimant, problems);
        }
        names
    });
    let groups = groups.collect();
    let (definitions, served) = definition::allocate(api, renames, problems);
    Names { groups, definitions, served }
}

/// Module and accessor type of a group.
fn group_names(group: &Group, renames: &Renames) -> (String, String) {
    if let Some(name) = renames.get(&Origin::Group(group.name.clone())) {
        return (name.to_owned(), case::pascal(&case::words(name)));
    }
    (module::group_module(&group.name), module::accessor_type(module::group_name(&group.name)))
}

fn versions(versions: &[Version], renames: &Renames, problems: &mut Problems) -> Vec<VersionNames> {
    let mut modules = Claims::default();
    let named = versions.iter().map(|version| {
        let names = VersionNames {
            module: module::version_module(&version.name),
            accessor_type: module::accessor_type(&version.name),
            kinds: version.kinds.iter().map(|kind| kind_names(kind, renames)).collect(),
        };
        if let Some(kind) = version.kinds.first() {
            let words = format!("version {}", version.name);
            modules.claim(&names.module, Claimant { words, place: &kind.place, mend: None }, problems);
        }
        check_version(version, &names, problems);
        names
    });
    named.collect()
}

fn kind_names(kind: &Kind, renames: &Renames) -> KindNames {
    let type_name = renames.get(&Origin::kind(kind)).map_or_else(|| module::kind_type(&kind.kind), str::to_owned);
    let renamed = renames.get(&Origin::kind(kind)).is_some();
    let snake = module::kind_snake(if renamed { &type_name } else { &kind.kind });
    // Where the type is not written here, informer and listers are all that its module holds.
    let known = matches!(kind.objects, Objects::Known(_));
    let accessor = renames.get(&Origin::plural(kind)).map(str::to_owned);
    KindNames {
        type_name,
        module: module::kind_module(&snake),
        informer_module: if known { module::kind_module(&snake) } else { format!("{snake}_informer") },
        accessor: accessor.unwrap_or_else(|| module::plural_accessor(&kind.plural)),
        snake,
    }
}

/// Everything that the kinds of one version put into the version's module.
fn check_version(version: &Version, names: &VersionNames, problems: &mut Problems) {
    let mut claims = Claims::default();
    for (kind, names) in version.kinds.iter().zip(&names.kinds) {
        let KindNames { type_name, snake, module, informer_module, accessor } = names;
        let claimant = |mend: String| Claimant {
            words: format!("kind {} ({})", kind.kind, kind.plural),
            place: &kind.place,
            mend: Some(mend),
        };
        let mut claimed = vec![type_name.clone()];
        claimed.extend(["Informer", "Lister", "EventHandlerFuncs"].map(|end| format!("{type_name}{end}")));
        if kind.namespaced {
            claimed.push(format!("{type_name}NamespaceLister"));
        }
        claimed.extend([format!("mod {module}"), format!("mod {informer_module}")]);
        claimed.extend([format!("new_{snake}_informer"), format!("new_filtered_{snake}_informer")]);
        let by_kind = claimant(rename::flag(&Origin::kind(kind), &format!("{type_name}Kind")));
        for name in claimed {
            claims.claim(&name, by_kind.clone(), problems);
        }
        let by_plural = claimant(rename::flag(&Origin::plural(kind), &format!("{snake}_objects")));
        claims.claim(&format!(".{accessor}()"), by_plural, problems);
    }
    if let Some(kind) = version.kinds.first() {
        let words = format!("the accessor of version {}", version.name);
        let place = claims.held.get(&names.accessor_type).map_or(&kind.place, |holder| holder.place);
        claims.claim(&names.accessor_type, Claimant { words, place, mend: None }, problems);
    }
}

#[cfg(test)]
mod tests;
