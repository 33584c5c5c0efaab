//! URL paths of an API server: which resource a path is about, and which part of it.

/// A path below a group and version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Url<'a> {
    /// `""` for the core group.
    pub(super) group: &'a str,
    pub(super) version: &'a str,
    /// Whether it is one of the old paths that only watch.
    pub(super) watch: bool,
    /// Whether it is within one namespace.
    pub(super) namespaced: bool,
    /// The resource, as in URLs.
    pub(super) plural: &'a str,
    pub(super) part: Part<'a>,
}

/// What of a resource a path is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part<'a> {
    /// All of them.
    Collection,
    /// One of them.
    Object,
    /// Something that one of them has: `status`.
    Below(&'a str),
}

impl<'a> Url<'a> {
    /// Group, version and plural.
    pub(super) fn name(&self) -> (&'a str, &'a str, &'a str) {
        (self.group, self.version, self.plural)
    }

    /// The same collection over all namespaces, with and without a `/` behind it.
    pub(super) fn whole_paths(&self) -> [String; 2] {
        let watch = if self.watch { "/watch" } else { "" };
        let path = match self.group {
            "" => format!("/api/{}{watch}/{}", self.version, self.plural),
            group => format!("/apis/{group}/{}{watch}/{}", self.version, self.plural),
        };
        [path.clone() + "/", path]
    }

    /// The parts of a path; `None` for paths of no resource.
    pub(super) fn parse(path: &'a str) -> Option<Self> {
        let mut steps: Vec<&str> = path.trim_matches('/').split('/').collect();
        steps.reverse();
        let (group, version) = match steps.pop()? {
            "api" => ("", steps.pop()?),
            "apis" => (steps.pop()?, steps.pop()?),
            _ => return None,
        };
        let watch = steps.last() == Some(&"watch");
        if watch {
            steps.pop();
        }
        let namespaced = match steps.as_slice() {
            // `/namespaces/{name}/status` is about a namespace, `/namespaces/{namespace}/pods` about what is in one.
            [_, .., parameter, "namespaces"] if is_parameter(parameter) && *parameter != "{name}" => true,
            _ => false,
        };
        if namespaced {
            steps.truncate(steps.len() - 2);
        }
        let plural = steps.pop().filter(|plural| !is_parameter(plural))?;
        let part = match steps.as_slice() {
            [] => Part::Collection,
            [object] if is_parameter(object) => Part::Object,
            [.., below, object] if is_parameter(object) => Part::Below(below),
            _ => return None,
        };
        let named = !is_parameter(group) && !is_parameter(version) && !version.is_empty();
        named.then_some(Url { group, version, watch, namespaced, plural, part })
    }
}

fn is_parameter(step: &str) -> bool {
    step.starts_with('{')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_resources() {
        let url = |group, version, watch, namespaced, plural, part| {
            Some(Url { group, version, watch, namespaced, plural, part })
        };
        for (path, expected) in [
            ("/api/v1/pods", url("", "v1", false, false, "pods", Part::Collection)),
            ("/api/v1/namespaces/{namespace}/pods", url("", "v1", false, true, "pods", Part::Collection)),
            ("/api/v1/watch/namespaces/{namespace}/pods", url("", "v1", true, true, "pods", Part::Collection)),
            (
                "/api/v1/namespaces/{namespace}/pods/{name}/exec",
                url("", "v1", false, true, "pods", Part::Below("exec")),
            ),
            ("/api/v1/namespaces", url("", "v1", false, false, "namespaces", Part::Collection)),
            ("/api/v1/namespaces/{name}", url("", "v1", false, false, "namespaces", Part::Object)),
            ("/api/v1/namespaces/{name}/status", url("", "v1", false, false, "namespaces", Part::Below("status"))),
            ("/api/v1/watch/namespaces", url("", "v1", true, false, "namespaces", Part::Collection)),
            (
                "/apis/shop.example.test/v1/zones",
                url("shop.example.test", "v1", false, false, "zones", Part::Collection),
            ),
            (
                "/apis/shop.example.test/v1/zones/",
                url("shop.example.test", "v1", false, false, "zones", Part::Collection),
            ),
            ("/apis/shop.example.test/v1/", None),
            ("/apis/", None),
            ("/version/", None),
            ("/api/v1/proxy/nodes/{name}", None),
            ("/api/v1/workflows/{namespace}", url("", "v1", false, false, "workflows", Part::Object)),
            ("", None),
        ] {
            assert_eq!(Url::parse(path), expected, "{path}");
        }
    }
}
