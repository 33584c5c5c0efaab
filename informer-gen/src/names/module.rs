//! Modules and type names of groups, versions and kinds.

use super::{case, keyword};

/// The module of a group, which is its accessor too: the whole group in snake case, so that no group can take the
/// name of another (`shop_example_test`).
pub(crate) fn group_module(group: &str) -> String {
    if group.is_empty() { "core".to_owned() } else { keyword::safe(&separated(group)) }
}

/// The module of a group that Kubernetes itself has: the first part of its name, as in client-go (`rbac`), and `core`
/// for the core group.
pub(crate) fn built_in_group_module(group: &str) -> String {
    keyword::safe(&separated(built_in_group(group)))
}

/// What a group that Kubernetes itself has is called.
pub(crate) fn built_in_group(group: &str) -> &str {
    if group.is_empty() { "core" } else { group.split('.').next().unwrap_or(group) }
}

/// The module of a version, which is its accessor too (`v1beta1`).
pub(crate) fn version_module(version: &str) -> String {
    keyword::safe(&separated(version))
}

/// The accessor of a kind: its plural in snake case (`widgets`), out of the way of what a lister can do already.
pub(crate) fn plural_accessor(plural: &str) -> String {
    let name = keyword::safe(&separated(plural));
    if LISTER_METHODS.contains(&name.as_str()) { name + "_" } else { name }
}

/// Methods that every lister has, by itself or by delegation.
const LISTER_METHODS: &[&str] =
    &["by_namespace", "clone", "deref", "get", "indexer", "iter", "list", "list_decoded", "new"];

/// What stands beside the modules of groups.
const BESIDE_GROUPS: &[&str] = &["codegen", "prelude"];

/// Methods that every factory has: they would be called in place of a group's accessor.
const FACTORY_METHODS: &[&str] = &[
    "builder",
    "clone",
    "dynamic",
    "for_resource",
    "informer_for",
    "informer_for_with",
    "metadata",
    "new",
    "resources",
    "shutdown",
    "start",
    "wait_for_cache_sync",
    "wait_for_cache_sync_within",
];

/// Whether a group can't be called so.
pub(crate) fn is_taken_from_groups(name: &str) -> bool {
    BESIDE_GROUPS.contains(&name) || FACTORY_METHODS.contains(&name)
}

/// Whether the accessor of a kind can't be called so.
pub(crate) fn is_taken_from_plurals(name: &str) -> bool {
    LISTER_METHODS.contains(&name)
}

/// The Rust type of a kind: the kind as it is, its first letter raised. Only `-`, which no identifier can hold, goes,
/// and `Self`, which none can be, gets a word behind it (an underscore would make bad prefixes).
pub(crate) fn kind_type(kind: &str) -> String {
    let name: String = kind.split('-').map(raised).collect();
    if keyword::is_keyword(&name) { name + "Kind" } else { name }
}

/// Type name made of a group or version (`ShopExampleTest`, `V1beta1`).
pub(crate) fn accessor_type(name: &str) -> String {
    let name = if name.is_empty() { "core" } else { name };
    let text: String = name.split(['.', '-']).map(raised).collect();
    if text.starts_with(|c: char| c.is_ascii_digit()) { format!("G{text}") } else { keyword::safe(&text) }
}

/// A kind in snake case, for functions; may be a keyword.
pub(crate) fn kind_snake(kind: &str) -> String {
    case::snake(&case::words(kind))
}

fn separated(name: &str) -> String {
    name.replace(['.', '-'], "_")
}

fn raised(part: &str) -> String {
    let mut chars = part.chars();
    chars.next().map_or_else(String::new, |first| first.to_ascii_uppercase().to_string() + chars.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_and_versions() {
        for (group, module, name) in [
            ("shop.example.test", "shop_example_test", "ShopExampleTest"),
            ("my-team.example.test", "my_team_example_test", "MyTeamExampleTest"),
            ("3scale.example.test", "_3scale_example_test", "G3scaleExampleTest"),
            ("type.example.test", "type_example_test", "TypeExampleTest"),
        ] {
            assert_eq!((group_module(group).as_str(), accessor_type(group).as_str()), (module, name));
        }
        assert_eq!(version_module("v1-internal"), "v1_internal");
        assert_eq!(accessor_type("v1-internal"), "V1Internal");
        assert_eq!(version_module("self"), "self_");
        assert_eq!(accessor_type("self"), "Self_");
    }

    #[test]
    fn kinds_are_kept_as_they_are() {
        for (kind, name, snake) in [
            ("AMDGPU", "AMDGPU", "amdgpu"),
            ("HTTPRoute", "HTTPRoute", "http_route"),
            ("postgresql", "Postgresql", "postgresql"),
            ("Self", "SelfKind", "self"),
            ("My-Kind", "MyKind", "my_kind"),
            ("Mod", "Mod", "mod"),
        ] {
            assert_eq!((kind_type(kind).as_str(), kind_snake(kind).as_str()), (name, snake));
        }
    }

    #[test]
    fn plurals_are_kept_as_they_are() {
        for (plural, name) in [
            ("redis", "redis"),
            ("bitwarden-secrets", "bitwarden_secrets"),
            ("list", "list_"),
            ("types", "types"),
            ("type", "type_"),
        ] {
            assert_eq!(plural_accessor(plural), name);
        }
    }
}
