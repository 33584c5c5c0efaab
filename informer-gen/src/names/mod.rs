//! Model to Rust names: groups, versions and kinds here; fields and enum values in [`scope`].
//!
//! A name depends on nothing but its own origin, so nothing that is added to the input renames it. Two origins that
//! come to the same name are an error that names both.

pub(crate) mod case;
pub(crate) mod keyword;
pub(crate) mod module;
pub(crate) mod scope;

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::model::{Api, Kind, Objects, Version};
use crate::problem::{Place, Problem, Problems};

/// The names of an [`Api`], in its order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Names {
    pub(crate) groups: Vec<GroupNames>,
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

/// What two origins must not share, with the words for it.
#[derive(Default)]
struct Claims<'a> {
    held: BTreeMap<String, (String, &'a Place)>,
    refused: BTreeSet<(String, String)>,
}

impl<'a> Claims<'a> {
    /// Claims a name for an origin; a problem once for each pair of origins.
    fn claim(&mut self, name: &str, origin: &str, place: &'a Place, problems: &mut Problems) {
        let Some((holder, held_at)) = self.held.get(name) else {
            self.held.insert(name.to_owned(), (origin.to_owned(), place));
            return;
        };
        if holder != origin && self.refused.insert((holder.clone(), origin.to_owned())) {
            problems.push(
                Problem::error(format!("{origin} and {holder} would both be `{name}` in Rust"))
                    .at(place.clone())
                    .related((*held_at).clone(), format!("{holder} is declared here"))
                    .hint("make two crates, each from one of them (a --crate run for each); one factory serves both"),
            );
        }
    }
}

/// Names for everything in an [`Api`] above its types; clashes become problems.
pub(crate) fn allocate(api: &Api, problems: &mut Problems) -> Names {
    let mut modules = Claims::default();
    let groups = api.groups.iter().map(|group| {
        let built_in = group.versions.iter().flat_map(|version| &version.kinds).all(Kind::is_built_in);
        let short = if built_in { module::built_in_group(&group.name) } else { &group.name };
        let names = GroupNames {
            module: if built_in {
                module::built_in_group_module(&group.name)
            } else {
                module::group_module(&group.name)
            },
            accessor_type: module::accessor_type(short),
            extension_trait: module::accessor_type(short) + "Informers",
            versions: versions(&group.versions, problems),
        };
        let first = group.versions.iter().flat_map(|version| &version.kinds).next();
        if let Some(kind) = first {
            modules.claim(&names.module, &format!("group {}", group.name), &kind.place, problems);
        }
        names
    });
    Names { groups: groups.collect() }
}

fn versions(versions: &[Version], problems: &mut Problems) -> Vec<VersionNames> {
    let mut modules = Claims::default();
    let named = versions.iter().map(|version| {
        let names = VersionNames {
            module: module::version_module(&version.name),
            accessor_type: module::accessor_type(&version.name),
            kinds: version.kinds.iter().map(kind_names).collect(),
        };
        if let Some(kind) = version.kinds.first() {
            modules.claim(&names.module, &format!("version {}", version.name), &kind.place, problems);
        }
        check_version(version, &names, problems);
        names
    });
    named.collect()
}

fn kind_names(kind: &Kind) -> KindNames {
    let snake = module::kind_snake(&kind.kind);
    // Where the type is not written here, informer and listers are all that its module holds.
    let known = matches!(kind.objects, Objects::Known(_));
    KindNames {
        type_name: module::kind_type(&kind.kind),
        module: keyword::safe(&snake),
        informer_module: if known { keyword::safe(&snake) } else { format!("{snake}_informer") },
        accessor: module::plural_accessor(&kind.plural),
        snake,
    }
}

/// Everything that the kinds of one version put into the version's module.
fn check_version(version: &Version, names: &VersionNames, problems: &mut Problems) {
    let mut claims = Claims::default();
    for (kind, names) in version.kinds.iter().zip(&names.kinds) {
        let origin = format!("kind {} ({})", kind.kind, kind.plural);
        let KindNames { type_name, snake, module, informer_module, accessor } = names;
        let mut claimed = vec![type_name.clone()];
        claimed.extend(["Informer", "Lister", "EventHandlerFuncs"].map(|end| format!("{type_name}{end}")));
        if kind.namespaced {
            claimed.push(format!("{type_name}NamespaceLister"));
        }
        claimed.extend([format!("mod {module}"), format!("mod {informer_module}"), format!(".{accessor}()")]);
        claimed.extend([format!("new_{snake}_informer"), format!("new_filtered_{snake}_informer")]);
        for name in claimed {
            claims.claim(&name, &origin, &kind.place, problems);
        }
    }
    if let Some(kind) = version.kinds.first() {
        let origin = format!("the accessor of version {}", version.name);
        let place = claims.held.get(&names.accessor_type).map_or(&kind.place, |(_, place)| *place);
        claims.claim(&names.accessor_type, &origin, place, problems);
    }
}

#[cfg(test)]
mod tests;
