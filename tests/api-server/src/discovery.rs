//! Which groups, versions and resources there are, for clients that ask.

use http::StatusCode;
use serde_json::{Value, json};

use crate::registry::Served;
use crate::reply::{Answered, json as json_answer, page_not_found, text};
use crate::store::Store;

/// Answers a path that is not one of a resource.
pub(crate) fn answer(store: &Store, path: &str) -> Answered {
    let parts: Vec<&str> = path.trim_matches('/').split('/').collect();
    let served: Vec<&Served> = store.served().collect();
    let document = match parts.as_slice() {
        ["version"] => Some(json!({"major": "1", "minor": "37", "gitVersion": "v1.37.0"})),
        ["healthz" | "livez" | "readyz"] => {
            return text(StatusCode::OK, "ok");
        }
        ["api"] => {
            Some(json!({"kind": "APIVersions", "versions": versions(&served, ""), "serverAddressByClientCIDRs": []}))
        }
        ["apis"] => {
            let mut groups: Vec<&str> = served.iter().map(|served| served.resource().group()).collect();
            groups.retain(|group| !group.is_empty());
            groups.sort_unstable();
            groups.dedup();
            let groups: Vec<Value> = groups.into_iter().filter_map(|name| group(&served, name)).collect();
            Some(json!({"kind": "APIGroupList", "apiVersion": "v1", "groups": groups}))
        }
        ["apis", name] => group(&served, name),
        ["api", version] => resources(&served, "", version),
        ["apis", group, version] => resources(&served, group, version),
        _ => None,
    };
    match document {
        Some(document) => json_answer(StatusCode::OK, document.to_string().into()),
        None => page_not_found(),
    }
}

fn versions(served: &[&Served], group: &str) -> Vec<String> {
    let of_group = served.iter().map(|served| served.resource()).filter(|resource| resource.group() == group);
    let mut versions: Vec<String> = of_group.map(|resource| resource.version().to_owned()).collect();
    versions.sort();
    versions.dedup();
    versions
}

fn group(served: &[&Served], name: &str) -> Option<Value> {
    let versions: Vec<Value> = versions(served, name)
        .into_iter()
        .map(|version| json!({"groupVersion": format!("{name}/{version}"), "version": version}))
        .collect();
    let preferred = versions.first()?.clone();
    Some(json!({
        "kind": "APIGroup", "apiVersion": "v1", "name": name, "versions": versions, "preferredVersion": preferred,
    }))
}

fn resources(served: &[&Served], group: &str, version: &str) -> Option<Value> {
    let of_version = served.iter().map(|served| served.resource());
    let of_version = of_version.filter(|resource| (resource.group(), resource.version()) == (group, version));
    let resources: Vec<Value> = of_version
        .map(|resource| {
            json!({
                "name": resource.plural(), "singularName": resource.kind().to_lowercase(), "kind": resource.kind(),
                "namespaced": resource.is_namespaced(),
                "verbs": ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
            })
        })
        .collect();
    let group_version = if group.is_empty() { version.to_owned() } else { format!("{group}/{version}") };
    (!resources.is_empty()).then(|| {
        json!({"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": group_version, "resources": resources})
    })
}
