//! What the disk says about the output folder: relative paths, and whether a workspace has it as a member.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use crate::glob::part_matches;
use crate::problem::Problem;
use crate::request::{Input, InputNames, Request, Surroundings};

/// Looks around the output folder of a request. Reads, and changes nothing.
pub(crate) fn look(request: &Request) -> Result<Surroundings, Problem> {
    let failed = |path: &Path, error: io::Error| Problem::error(format!("{}: {error}", path.display()));
    let real = |path: &Path| real(path).map_err(|error| failed(path, error));
    let out = real(&request.out)?;
    let inputs = InputNames::of(request, |input| match input {
        Input::Path(path) => Ok(shown_from(&out, &real(path)?)),
        Input::Stdin => Ok("-".to_owned()),
        Input::Text { name, .. } => Ok(name.clone()),
    })?;
    let runtime_path = match &request.runtime_path {
        Some(path) => Some(with_slashes(&relative(&out, &real(path)?))),
        None => None,
    };
    Ok(Surroundings { workspace_member: is_member(&out), runtime_path, inputs })
}

/// An absolute path without links as far as it exists, and without `..`.
fn real(path: &Path) -> io::Result<PathBuf> {
    let path = std::path::absolute(path)?;
    let existing = path.ancestors().find(|ancestor| ancestor.exists()).unwrap_or(&path);
    let mut found = fs::canonicalize(existing)?;
    for part in path.strip_prefix(existing).into_iter().flat_map(Path::components) {
        match part {
            Component::ParentDir => drop(found.pop()),
            Component::Normal(name) => found.push(name),
            _ => {}
        }
    }
    Ok(found)
}

/// `to` as seen from `from`; both as [`real`] gives them. On another drive it stays absolute.
fn relative(from: &Path, to: &Path) -> PathBuf {
    let shared = shared_parts(from, to);
    if shared == 0 {
        return to.to_owned();
    }
    let up = from.components().skip(shared).map(|_| Component::ParentDir);
    let path: PathBuf = up.chain(to.components().skip(shared)).collect();
    if path.as_os_str().is_empty() { PathBuf::from(".") } else { path }
}

fn shared_parts(a: &Path, b: &Path) -> usize {
    a.components().zip(b.components()).take_while(|(a, b)| a == b).count()
}

/// An input as the header names it. Where it shares nothing with the output folder but the disk, a relative path would
/// tell the layout of somebody's machine, so only its last part is named.
fn shown_from(out: &Path, input: &Path) -> String {
    let shares_a_folder =
        out.components().zip(input.components()).any(|(a, b)| a == b && matches!(a, Component::Normal(_)));
    match input.file_name() {
        Some(name) if !shares_a_folder => name.to_string_lossy().into_owned(),
        _ => with_slashes(&relative(out, input)),
    }
}

fn with_slashes(path: &Path) -> String {
    let text = path.to_string_lossy();
    if cfg!(windows) { text.replace('\\', "/") } else { text.into_owned() }
}

/// Whether cargo would take the folder for a member of a workspace above it. A manifest that can't be read counts as
/// none; cargo itself tells of it.
fn is_member(out: &Path) -> bool {
    for root in out.ancestors().skip(1) {
        let Ok(text) = fs::read_to_string(root.join("Cargo.toml")) else {
            continue;
        };
        let Ok(manifest) = text.parse::<toml::Table>() else {
            continue;
        };
        if let Some(workspace) = manifest.get("workspace") {
            return lists(workspace, &with_slashes(&relative(root, out)));
        }
    }
    false
}

/// Whether a `[workspace]` table has a folder (with `/`, relative to it) among its members.
fn lists(workspace: &toml::Value, folder: &str) -> bool {
    let patterns = |key| {
        let list = workspace.get(key).and_then(toml::Value::as_array);
        list.into_iter().flatten().filter_map(toml::Value::as_str).map(|pattern| pattern.trim_end_matches('/'))
    };
    let below = |parent: &str| folder.strip_prefix(parent).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    let listed = patterns("members").any(|pattern| matches(pattern.trim_start_matches("./"), folder));
    let literal = patterns("members").any(|pattern| pattern.trim_start_matches("./") == folder);
    literal || listed && !patterns("exclude").any(below)
}

/// A path against a pattern with `*` and `?` within the parts of a path.
fn matches(pattern: &str, path: &str) -> bool {
    let (mut patterns, mut parts) = (pattern.split('/'), path.split('/'));
    loop {
        match (patterns.next(), parts.next()) {
            (None, None) => return true,
            (Some(pattern), Some(part)) if part_matches(pattern.as_bytes(), part.as_bytes()) => {}
            _ => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_seen_from_the_output_folder() {
        for (from, to, seen) in [
            ("/w/out", "/w/crds/a.yaml", "../crds/a.yaml"),
            ("/w/out", "/w/out", "."),
            ("/w/out", "/w/out/crds", "crds"),
            ("/w/a/b", "/w", "../.."),
        ] {
            assert_eq!(with_slashes(&relative(from.as_ref(), to.as_ref())), seen);
        }
        assert_eq!(shown_from("/tmp/out".as_ref(), "/srv/crds".as_ref()), "crds");
        assert_eq!(shown_from("/w/out".as_ref(), "/w/crds".as_ref()), "../crds");
    }

    #[test]
    fn members_as_cargo_sees_them() {
        let workspace = |text: &str| toml::Value::Table(text.parse().unwrap());
        let globs = workspace("members = ['tools', 'generated/*', './x/']\nexclude = ['generated/old']");
        for (folder, member) in [
            ("tools", true),
            ("x", true),
            ("generated/shop", true),
            ("generated/shop/deep", false),
            ("generated/old", false),
            ("tool", false),
            ("..", false),
        ] {
            assert_eq!(lists(&globs, folder), member, "{folder}");
        }
        assert!(!lists(&workspace(""), "a"));
    }
}
