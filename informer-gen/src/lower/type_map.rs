//! Which definitions have a Rust type already.

use crate::k8s_types;
use crate::model::{Release, RustPath};
use crate::names::keyword;
use crate::problem::Problem;

/// Kubernetes' own types under the names that Kubernetes gives them; some projects keep the domain in its usual order.
const BUILT_IN: &[(&str, &str)] = &[
    ("io.k8s.api", "k8s_openapi::api"),
    ("io.k8s.apimachinery", "k8s_openapi::apimachinery"),
    ("io.k8s.apiextensions-apiserver", "k8s_openapi::apiextensions_apiserver"),
    ("io.k8s.kube-aggregator", "k8s_openapi::kube_aggregator"),
    ("k8s.io.api", "k8s_openapi::api"),
    ("k8s.io.apimachinery", "k8s_openapi::apimachinery"),
];

/// Beginnings of definition names, each with the Rust path that stands for it; the longest one that fits wins.
#[derive(Clone, Debug)]
pub(crate) struct TypeMap {
    /// Longest first. No path: the types are generated.
    entries: Vec<(String, Option<RustPath>)>,
    /// Whether schemas that are exactly those of shared types get these.
    pub(crate) shares: bool,
}

impl TypeMap {
    /// The built-in types of Kubernetes, and what a request adds or, with an empty path, takes away.
    pub(crate) fn new(added: &[(String, String)]) -> Result<Self, Problem> {
        let mut entries: Vec<_> =
            BUILT_IN.iter().map(|(prefix, path)| ((*prefix).to_owned(), RustPath::new(path))).collect();
        for (prefix, path) in added {
            let parsed = RustPath::new(path);
            if prefix.is_empty() || (parsed.is_none() && !path.is_empty()) {
                let problem = Problem::error(format!("{prefix:?} and {path:?} make no map of types"));
                let hint = "give the beginning of definition names and a Rust path, as in \
                            com.example.api=example_types::api";
                return Err(problem.hint(hint));
            }
            entries.retain(|(known, _)| known != prefix);
            entries.push((prefix.clone(), parsed));
        }
        entries.sort_by(|(a, _), (b, _)| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        Ok(TypeMap { entries, shares: true })
    }

    /// The Rust type of a definition, if it has one already: for the release whose document this is, else for the latest.
    /// Types that k8s-openapi has no more, or not yet, are generated like unknown ones.
    pub(crate) fn resolve(&self, definition: &str, release: Option<Release>) -> Option<RustPath> {
        self.path(definition).filter(|path| k8s_types::exists(path, release))
    }

    /// Whether a definition has a Rust type already for a release; without one, for every release.
    pub(crate) fn is_always_there(&self, definition: &str, release: Option<Release>) -> bool {
        let all = k8s_types::releases();
        self.path(definition).is_some_and(|path| match release {
            Some(_) => k8s_types::exists(&path, release),
            None => all.iter().all(|release| k8s_types::exists(&path, Some(*release))),
        })
    }

    fn path(&self, definition: &str) -> Option<RustPath> {
        let (path, rest) = self.entries.iter().find_map(|(prefix, path)| {
            let rest = definition.strip_prefix(prefix.as_str())?;
            let whole = rest.is_empty() || rest.starts_with('.');
            whole.then_some((path.as_ref(), rest.trim_start_matches('.')))
        })?;
        let path = path?;
        let parts: Vec<&str> = rest.split('.').filter(|part| !part.is_empty()).collect();
        let last = parts.len().saturating_sub(1);
        let tail = parts.iter().enumerate().map(|(at, part)| match at == last {
            true => format!("::{part}"),
            false => format!("::{}", keyword::safe(&part.replace('-', "_"))),
        });
        RustPath::new(&format!("{path}{}", tail.collect::<String>()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(added: &[(&str, &str)], definition: &str) -> Option<String> {
        let added: Vec<_> = added.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
        TypeMap::new(&added).unwrap().resolve(definition, None).map(|path| path.to_string())
    }

    #[test]
    fn built_in_types_are_known_by_their_definitions() {
        for (definition, path) in [
            ("io.k8s.api.core.v1.Pod", "k8s_openapi::api::core::v1::Pod"),
            ("io.k8s.api.rbac.v1.ClusterRole", "k8s_openapi::api::rbac::v1::ClusterRole"),
            (
                "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition",
                "k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition",
            ),
            (
                "io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.APIService",
                "k8s_openapi::kube_aggregator::pkg::apis::apiregistration::v1::APIService",
            ),
        ] {
            assert_eq!(resolved(&[], definition).as_deref(), Some(path));
        }
        // A group of its own under k8s.io, one that only looks like a built-in one, and what k8s-openapi does not have.
        for definition in [
            "io.k8s.shop.v1.Widget",
            "io.k8s.api.v1.Widget",
            "io.k8s.apis.shop.v1.Widget",
            "v1.Pod",
            "io.k8s.api.core.v1.Widget",
            "io.k8s.api.extensions.v1beta1.Deployment",
        ] {
            assert_eq!(resolved(&[], definition), None, "{definition}");
        }
    }

    #[test]
    fn a_type_is_that_of_the_documents_release() {
        let map = TypeMap::new(&[]).unwrap();
        let of = |minor: Option<u16>| {
            map.resolve("io.k8s.api.storage.v1beta1.VolumeAttributesClass", minor.map(Release::new))
        };
        assert!(of(Some(33)).is_some() && of(Some(37)).is_none() && of(None).is_none());
    }

    #[test]
    fn the_longest_beginning_wins() {
        let map = [
            ("test.example.shop", "shop_types"),
            ("test.example.shop", "shop_types::all"),
            ("test.example.shop.v2", "second::v2"),
            ("io.k8s.api.core", ""),
        ];
        for (definition, path) in [
            ("test.example.shop.v1.Widget", Some("shop_types::all::v1::Widget")),
            ("test.example.shop.v2.Widget", Some("second::v2::Widget")),
            ("test.example.shop.type.Widget", Some("shop_types::all::type_::Widget")),
            ("test.example.shopping.v1.Widget", None),
            ("io.k8s.api.core.v1.Pod", None),
            ("io.k8s.api.apps.v1.Deployment", Some("k8s_openapi::api::apps::v1::Deployment")),
        ] {
            assert_eq!(resolved(&map, definition).as_deref(), path, "{definition}");
        }
    }

    #[test]
    fn nonsense_is_refused() {
        for (prefix, path) in [("", "a::b"), ("a", "a b"), ("a", "crate::b"), ("a", "::b::c"), ("a", "Vec<u8>::x")] {
            assert!(TypeMap::new(&[(prefix.to_owned(), path.to_owned())]).is_err(), "{prefix}={path}");
        }
    }
}
