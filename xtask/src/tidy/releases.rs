//! Rule on Kubernetes releases: whoever must name them by hand names those of `generated/specs`, and no others.

use super::Finding;
use super::files::File;
use std::collections::BTreeSet;

/// The manifests with a feature for each release.
const FEATURES: [&str; 2] = ["informer-runtime/Cargo.toml", "tests/kubernetes/Cargo.toml"];
/// The test that is compiled for one release at a time.
const WALK: &str = "tests/kubernetes/tests/walk.rs";
/// The release of the workspace: the latest.
const CONFIG: &str = ".cargo/config.toml";
const README: &str = "README.md";

pub(super) fn check(files: &[File], findings: &mut Vec<Finding>) {
    let documents = files.iter().filter_map(|file| file.path.strip_prefix("generated/specs/1.")?.strip_suffix(".json"));
    let releases: BTreeSet<u16> = documents.filter_map(|minor| minor.parse().ok()).collect();
    let (Some(first), Some(last)) = (releases.first(), releases.last()) else { return };
    for file in files {
        let mut wanted = |text: &str| {
            if !file.text.contains(text) {
                let what = format!("the releases are those of generated/specs: `{}` is missing", text.trim());
                findings.push(Finding { file: file.path.clone(), line: 0, what });
            }
        };
        match &*file.path {
            CONFIG => wanted(&format!("\nK8S_OPENAPI_ENABLED_VERSION = \"1.{last}\"\n")),
            README => {
                wanted(&format!("for Kubernetes 1.{first} to 1.{last}:"));
                wanted(&format!("features = [\"v1_{last}\"]"));
            }
            WALK => releases.iter().for_each(|minor| {
                wanted(&format!("k8s_if_1_{minor}! {{ const RELEASE: &str = \"1.{minor}\"; }}"));
                wanted(&format!("(\"1.{minor}\", cfg!(feature = \"v1_{minor}\"))"));
            }),
            path if FEATURES.contains(&path) => releases.iter().for_each(|minor| wanted(&format!("\nv1_{minor} = ["))),
            _ => {}
        }
        if FEATURES.contains(&&*file.path) || file.path == WALK {
            gone(file, &releases, findings);
        }
    }
}

/// Finds lines on releases that have no document.
fn gone(file: &File, releases: &BTreeSet<u16>, findings: &mut Vec<Finding>) {
    for (index, line) in file.text.lines().enumerate() {
        let named = line.split_once("v1_").or(line.split_once("k8s_if_1_")).map_or("", |(_, rest)| rest);
        let digits = named.find(|c: char| !c.is_ascii_digit()).map_or(named, |end| &named[..end]);
        if digits.parse().is_ok_and(|minor: u16| !releases.contains(&minor)) {
            let what = format!("generated/specs has no document of Kubernetes 1.{digits}");
            findings.push(Finding { file: file.path.clone(), line: index + 1, what });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(files: &[(&str, &str)]) -> Vec<String> {
        let specs = [("generated/specs/1.33.json", "{}"), ("generated/specs/1.34.json", "{}")];
        let files: Vec<File> = specs
            .iter()
            .chain(files)
            .map(|(path, text)| File { path: (*path).to_owned(), text: (*text).to_owned() })
            .collect();
        let mut findings = Vec::new();
        check(&files, &mut findings);
        findings
            .iter()
            .map(|finding| finding.to_string().replace("the releases are those of generated/specs: ", ""))
            .collect()
    }

    #[test]
    fn releases_that_are_named_everywhere_are_fine() {
        let walk = "k8s_if_1_33! { const RELEASE: &str = \"1.33\"; }\nk8s_if_1_34! { const RELEASE: &str = \"1.34\"; }\n\
                    (\"1.33\", cfg!(feature = \"v1_33\")),\n(\"1.34\", cfg!(feature = \"v1_34\")),\n";
        let files = [
            (CONFIG, "[env]\nK8S_OPENAPI_ENABLED_VERSION = \"1.34\"\n"),
            (README, "kinds for Kubernetes 1.33 to 1.34: features = [\"v1_34\"]"),
            (WALK, walk),
            (FEATURES[0], "[features]\nv1_33 = []\nv1_34 = []\n"),
        ];
        assert_eq!(findings(&files), [""; 0]);
    }

    #[test]
    fn a_release_that_came_or_went_is_found() {
        let files = [
            (CONFIG, "[env]\nK8S_OPENAPI_ENABLED_VERSION = \"1.33\"\n"),
            (FEATURES[1], "[features]\nv1_32 = []\nv1_33 = []\n"),
        ];
        assert_eq!(
            findings(&files),
            [
                ".cargo/config.toml: `K8S_OPENAPI_ENABLED_VERSION = \"1.34\"` is missing",
                "tests/kubernetes/Cargo.toml: `v1_34 = [` is missing",
                "tests/kubernetes/Cargo.toml:2: generated/specs has no document of Kubernetes 1.32",
            ]
        );
        assert_eq!(findings(&[(README, "for Kubernetes 1.33 to 1.34:"), (WALK, "k8s_if_1_35! {}")]).len(), 1 + 4 + 1);
    }
}
