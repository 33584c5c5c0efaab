//! Modules and type names of groups, versions and kinds.

use super::{case, definition, keyword};

/// What the modules that are generated call the runtime, so that no module of theirs can be called so.
pub(crate) const RUNTIME: &str = "codegen";

/// The module of a group, which is its accessor too: the group in snake case (`shop_example_test`, `rbac`), out of the
/// way of what stands beside it and of what a factory can do already.
pub(crate) fn group_module(group: &str) -> String {
    let name = keyword::safe(&separated(group_name(group)));
    if is_taken_from_groups(&name) { name + "_" } else { name }
}

/// What a group is called, by its name alone and whatever there is of it: the whole name, so that no group can take
/// that of another; the first part, as in client-go, for the groups that Kubernetes itself has.
pub(crate) fn group_name(group: &str) -> &str {
    match group.split_once('.') {
        Some((first, _)) if KUBERNETES_GROUPS.contains(&group) => first,
        _ if group.is_empty() => "core",
        _ => group,
    }
}

/// The groups of Kubernetes itself with a point in their names, those of earlier releases too. Others below `k8s.io` are
/// products of their own (`gateway.networking.k8s.io`). One that is not here is called by its whole name, so a group is
/// added before anyone can have its informers.
const KUBERNETES_GROUPS: &[&str] = &[
    "admissionregistration.k8s.io",
    "apiextensions.k8s.io",
    "apiregistration.k8s.io",
    "auditregistration.k8s.io",
    "authentication.k8s.io",
    "authorization.k8s.io",
    "certificates.k8s.io",
    "coordination.k8s.io",
    "discovery.k8s.io",
    "events.k8s.io",
    "flowcontrol.apiserver.k8s.io",
    "internal.apiserver.k8s.io",
    "lifecycle.k8s.io",
    "networking.k8s.io",
    "node.k8s.io",
    "rbac.authorization.k8s.io",
    "resource.k8s.io",
    "scheduling.k8s.io",
    "settings.k8s.io",
    "storage.k8s.io",
    "storagemigration.k8s.io",
];

/// The module of a version, which is its accessor too (`v1beta1`).
pub(crate) fn version_module(version: &str) -> String {
    beside_runtime(keyword::safe(&separated(version)))
}

/// The module of a kind, of its name in snake case.
pub(crate) fn kind_module(snake: &str) -> String {
    beside_runtime(keyword::safe(snake))
}

/// A module's name, out of the way of [`RUNTIME`].
pub(super) fn beside_runtime(name: String) -> String {
    if name == RUNTIME { name + "_" } else { name }
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
const BESIDE_GROUPS: &[&str] = &[RUNTIME, definition::MODULE, "prelude"];

/// Methods that every factory has, by itself or by traits that are met everywhere: they would be called in place of a
/// group's accessor.
const FACTORY_METHODS: &[&str] = &[
    "builder",
    "clone",
    "clone_from",
    "clone_into",
    "dynamic",
    "for_resource",
    "informer_for",
    "informer_for_with",
    "into",
    "metadata",
    "new",
    "resources",
    "shutdown",
    "start",
    "to_owned",
    "try_into",
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
            ("", "core", "Core"),
            ("apps", "apps", "Apps"),
            ("networking.k8s.io", "networking", "Networking"),
            ("rbac.authorization.k8s.io", "rbac", "Rbac"),
            ("gateway.networking.k8s.io", "gateway_networking_k8s_io", "GatewayNetworkingK8sIo"),
            ("networking.example.test", "networking_example_test", "NetworkingExampleTest"),
            ("codegen", "codegen_", "Codegen"),
            ("codegen.test", "codegen_test", "CodegenTest"),
            ("definitions", "definitions_", "Definitions"),
            ("prelude", "prelude_", "Prelude"),
            ("start", "start_", "Start"),
            ("to-owned", "to_owned_", "ToOwned"),
        ] {
            assert_eq!((group_module(group).as_str(), accessor_type(group_name(group)).as_str()), (module, name));
        }
        assert_eq!((version_module("codegen"), kind_module("codegen")), ("codegen_".to_owned(), "codegen_".to_owned()));
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
