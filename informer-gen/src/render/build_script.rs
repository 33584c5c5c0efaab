//! `build.rs` of a crate that serves several Kubernetes releases.

use std::collections::BTreeSet;

use crate::model::Release;

/// The text of `build.rs`, without the header.
pub(super) fn file(releases: &BTreeSet<Release>) -> String {
    let minors: Vec<String> = releases.iter().map(|release| release.minor().to_string()).collect();
    format!(
        r#"//! Tells the crate which Kubernetes release the program chose: `k8s_ge_1_N` is set for it and all before it.

const MINORS: &[u32] = &[{minors}];

fn main() {{
    println!("cargo::rerun-if-changed=build.rs");
    // informer-runtime knows the release from k8s-openapi, and tells the crates that depend on it.
    let ours = |name: &str| name.starts_with("DEP_INFORMER_RUNTIME_") && name.ends_with("_KUBERNETES");
    let told = std::env::vars().find(|(name, _)| ours(name));
    let chosen = told.and_then(|(_, release)| release.strip_prefix("1.")?.parse::<u32>().ok());
    let chosen = chosen.expect("informer-runtime says which Kubernetes release was chosen");
    for minor in MINORS {{
        println!("cargo::rustc-check-cfg=cfg(k8s_ge_1_{{minor}})");
        if chosen >= *minor {{
            println!("cargo::rustc-cfg=k8s_ge_1_{{minor}}");
        }}
    }}
}}
"#,
        minors = minors.join(", "),
    )
}
