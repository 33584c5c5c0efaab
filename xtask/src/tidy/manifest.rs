//! Rules on Cargo.toml files: a licence in each, versions in the root alone.

use super::Finding;
use super::files::File;

pub(super) fn check(file: &File, findings: &mut Vec<Finding>) {
    if file.name() != "Cargo.toml" || file.is_data() {
        return;
    }
    let mut found =
        |line: usize, what: &str| findings.push(Finding { file: file.path.clone(), line, what: what.to_owned() });
    let mut table = "";
    let mut is_package = false;
    let mut has_licence = false;
    for (index, line) in file.text.lines().enumerate() {
        let line = line.trim();
        if line.starts_with('[') {
            table = line;
            is_package |= table == "[package]";
            if is_dependencies(table.trim_end_matches(']').rsplit_once('.').map_or("", |(above, _)| above)) {
                found(index + 1, "a dependency has one line: `name.workspace = true`");
            }
        } else if let Some((key, value)) = line.split_once('=').filter(|_| !line.starts_with('#')) {
            let (key, value) = (key.trim(), value.trim());
            has_licence |= table == "[package]" && (key == "license" || key == "license.workspace");
            // generated crates stand alone, so their versions are the generator's business
            if is_dependencies(table.trim_end_matches(']'))
                && table != "[workspace.dependencies]"
                && !file.is_generated()
            {
                let inherits = key.ends_with(".workspace") || value.contains("workspace = true");
                if !inherits {
                    found(index + 1, "versions live in the root Cargo.toml alone: `name.workspace = true`");
                }
            }
        }
    }
    if is_package && !has_licence && !file.is_generated() {
        found(0, "no licence: `license.workspace = true`");
    }
}

/// Whether the head of a table, without its last bracket, is one of dependencies.
fn is_dependencies(table: &str) -> bool {
    ["dependencies", "dev-dependencies", "build-dependencies"]
        .iter()
        .any(|name| table.strip_suffix(name).is_some_and(|before| before.ends_with(['[', '.'])))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(text: &str) -> Vec<String> {
        let mut findings = Vec::new();
        check(&File { path: "a/Cargo.toml".to_owned(), text: text.to_owned() }, &mut findings);
        findings.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn inherited_versions_and_licence_are_fine() {
        let text = "[package]\nname = \"a\"\nlicense.workspace = true\n\n[dependencies]\nb.workspace = true\n\
                    c = { workspace = true, features = [\"d\"] }\n\n[features]\nx = [\"b/x\"]\n";
        assert_eq!(findings(text), [""; 0]);
    }

    #[test]
    fn a_version_outside_the_root_is_found() {
        let text = "[package]\nname = \"a\"\n\n[target.'cfg(unix)'.dependencies]\nb = \"1\"\n\n[dev-dependencies.c]\nversion = \"1\"\n";
        assert_eq!(
            findings(text),
            [
                "a/Cargo.toml:5: versions live in the root Cargo.toml alone: `name.workspace = true`",
                "a/Cargo.toml:7: a dependency has one line: `name.workspace = true`",
                "a/Cargo.toml: no licence: `license.workspace = true`",
            ]
        );
    }

    #[test]
    fn the_root_may_hold_versions() {
        assert_eq!(findings("[workspace]\nmembers = []\n\n[workspace.dependencies]\nb = \"1\"\n"), [""; 0]);
    }
}
