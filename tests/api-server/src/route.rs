//! What a path asks for.

use crate::query::decode;

/// The parts of a resource path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Route {
    pub(crate) group: String,
    pub(crate) version: String,
    pub(crate) namespace: Option<String>,
    pub(crate) plural: String,
    pub(crate) name: Option<String>,
    pub(crate) subresource: Option<String>,
}

impl Route {
    /// Splits a path such as `/apis/shop.example.test/v1/namespaces/red/widgets/a/status`.
    pub(crate) fn parse(path: &str) -> Option<Self> {
        let parts: Vec<String> = path.trim_matches('/').split('/').map(|part| decode(part, false)).collect();
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        let (group, version, rest) = match parts.as_slice() {
            ["api", version, rest @ ..] => ("", *version, rest),
            ["apis", group, version, rest @ ..] => (*group, *version, rest),
            _ => return None,
        };
        let (namespace, rest) = match rest {
            // Parts of a Namespace object, not a resource in it
            ["namespaces", _, "status" | "finalize"] => (None, rest),
            ["namespaces", namespace, _, ..] => (Some(*namespace), &rest[2..]),
            _ => (None, rest),
        };
        let (plural, name, subresource) = match rest {
            [plural] => (*plural, None, None),
            [plural, name] => (*plural, Some(*name), None),
            [plural, name, subresource] => (*plural, Some(*name), Some(*subresource)),
            _ => return None,
        };
        let owned = |part: &str| part.to_owned();
        Some(Self {
            group: owned(group),
            version: owned(version),
            namespace: namespace.map(owned),
            plural: owned(plural),
            name: name.map(owned),
            subresource: subresource.map(owned),
        })
    }
}
