//! Passes on which Kubernetes release was chosen: k8s-openapi tells the crates that depend on it, and generated crates
//! depend on this one alone. Their build scripts find `1.37`, say, in `DEP_INFORMER_RUNTIME_…_KUBERNETES`.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let links = env::var("CARGO_MANIFEST_LINKS").unwrap_or_default();
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    assert!(links.ends_with(&format!("-{version}")), "`links = {links:?}` must end in the version, {version}");
    let told = env::vars().find(|(name, _)| name.starts_with("DEP_K8S_OPENAPI_") && name.ends_with("_VERSION"));
    // `0x10000 | minor << 8`, in decimal.
    let number: u32 = told.and_then(|(_, number)| number.parse().ok()).expect("k8s-openapi says its release");
    println!("cargo::metadata=kubernetes=1.{}", (number >> 8) & 0xff);
}
