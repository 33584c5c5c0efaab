//! `Cargo.toml` of a generated crate, and the cargo configuration of one that stands alone.

use crate::k8s_types;
use crate::model::{Api, Release};
use crate::names::Names;
use crate::request::Request;

/// The text of `Cargo.toml`, without the header.
pub(super) fn cargo_toml(request: &Request, api: &Api, names: &Names) -> String {
    let latest = latest().map(feature).unwrap_or_default();
    let version = env!("CARGO_PKG_VERSION");
    let runtime = match request.runtime_dependency_path() {
        Some(path) => format!("{{ path = {}, version = \"{version}\", default-features = false }}", quoted(path)),
        None => format!("{{ version = \"{version}\", default-features = false }}"),
    };
    let features = k8s_types::releases().iter().copied().map(feature);
    let releases: String = features.map(|name| format!("{name} = [\"informer-runtime/{name}\"]\n")).collect();
    let groups: Vec<&str> =
        names.groups.iter().map(|group| group.module.as_str()).filter(|_| request.group_features).collect();
    let default: String = groups.iter().map(|name| format!(", \"{name}\"")).collect();
    let mut features: String = groups.iter().map(|name| format!("{name} = []\n")).collect();
    if !groups.is_empty() {
        features.insert_str(0, "# The API groups\n");
    }
    let dependencies: String = request.dependencies.iter().map(|line| format!("{line}\n")).collect();
    let build = if api.releases.is_empty() { "" } else { "build = \"build.rs\"\n" };
    let workspace = if request.is_workspace_member() { "" } else { "\n[workspace]\n" };
    format!(
        r#"[package]
name = {name}
version = "0.1.0"
edition = "2024"
rust-version = "1.89"
description = "Typed Kubernetes informers, listers and types"
exclude = [".cargo"]
{build}
[features]
default = ["rustls-tls"{default}]
# TLS for clients made from a kube::Config
rustls-tls = ["informer-runtime/rustls-tls"]
# The Kubernetes release of the built-in types; default: none, the program chooses
{releases}{features}
[dependencies]
informer-runtime = {runtime}
{dependencies}
[package.metadata.docs.rs]
features = ["{latest}"]
{workspace}"#,
        name = quoted(&request.crate_name),
    )
}

/// The text of `.cargo/config.toml`, without the header: the release that a bare `cargo check` in the folder uses.
pub(super) fn cargo_config() -> String {
    let latest = latest().map(|release| release.to_string()).unwrap_or_default();
    format!(
        "# The Kubernetes release of the built-in types while this crate is built by itself.\n[env]\nK8S_OPENAPI_ENABLED_VERSION = \"{latest}\"\n"
    )
}

fn latest() -> Option<Release> {
    k8s_types::releases().last().copied()
}

/// The cargo feature that chooses a release.
fn feature(release: Release) -> String {
    format!("v1_{}", release.minor())
}

/// A TOML string.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                quoted.push('\\');
                quoted.push(c);
            }
            c if c.is_control() => quoted.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_by_itself() {
        let mut request = Request::new("shop-informers", "out");
        request.surroundings.runtime_path = Some("../a \"b\"".into());
        let text = cargo_toml(&request, &Api::default(), &Names::default());
        assert!(text.contains("name = \"shop-informers\"\n"));
        assert!(text.contains("informer-runtime = { path = \"../a \\\"b\\\"\", version = "));
        let minor = latest().unwrap().minor();
        assert!(text.contains(&format!("\nv1_{minor} = [\"informer-runtime/v1_{minor}\"]\n")));
        assert!(text.ends_with(&format!("features = [\"v1_{minor}\"]\n\n[workspace]\n")));
        assert!(cargo_config().ends_with(&format!("[env]\nK8S_OPENAPI_ENABLED_VERSION = \"1.{minor}\"\n")));
    }

    #[test]
    fn a_member_of_a_workspace() {
        let mut request = Request::new("shop-informers", "out");
        request.surroundings.workspace_member = true;
        assert!(!cargo_toml(&request, &Api::default(), &Names::default()).contains("[workspace]"));
    }
}
