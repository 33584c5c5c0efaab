//! Patterns for paths: `*` and `?` within a part of a path, `**` for any folders.

use std::fs;
use std::path::{Path, PathBuf};

/// Files that a pattern may look at.
const MAX_LOOKED_AT: usize = 100_000;

/// Whether a path is a pattern. A file of that very name is no pattern; the caller looks first.
pub(crate) fn is_pattern(path: &Path) -> bool {
    path.to_string_lossy().contains(['*', '?'])
}

/// The folder that a pattern begins with, before its first part with a `*` or `?`.
pub(crate) fn base(pattern: &Path) -> PathBuf {
    let base: PathBuf = pattern.components().take_while(|part| !is_pattern(part.as_ref())).collect();
    if base.as_os_str().is_empty() { PathBuf::from(".") } else { base }
}

/// The files that a pattern names, sorted. Folders that can't be read, and files and folders whose names begin with a
/// dot, are passed over, unless the pattern has the dot.
pub(crate) fn files(pattern: &Path) -> Vec<PathBuf> {
    let parts: Vec<String> = pattern
        .components()
        .skip_while(|part| !is_pattern(part.as_ref()))
        .map(|part| part.as_os_str().to_string_lossy().into_owned())
        .collect();
    let (base, mut found, mut left) = (base(pattern), Vec::new(), MAX_LOOKED_AT);
    let mut open = vec![(base.clone(), 0)];
    while let Some((folder, at)) = open.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        let deep = parts[at] == "**";
        let last = at + 1 == parts.len();
        for entry in entries.flatten() {
            if left == 0 {
                break;
            }
            left -= 1;
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = if base == Path::new(".") && folder == base { PathBuf::from(&name) } else { folder.join(&name) };
            let is_dir = entry.file_type().is_ok_and(|kind| kind.is_dir());
            let hidden = name.starts_with('.');
            if deep {
                // Either the folder counts as one of any number, or what follows begins here.
                if is_dir && !hidden {
                    open.push((path.clone(), at));
                }
                if last && !is_dir && !hidden {
                    found.push(path.clone());
                }
                take(&parts, at + 1, &name, hidden, path, &mut open, &mut found);
            } else {
                take(&parts, at, &name, hidden, path, &mut open, &mut found);
            }
        }
    }
    found.sort();
    found.dedup();
    found
}

/// Looks at one entry with one part of the pattern.
fn take(
    parts: &[String],
    at: usize,
    name: &str,
    hidden: bool,
    path: PathBuf,
    open: &mut Vec<(PathBuf, usize)>,
    found: &mut Vec<PathBuf>,
) {
    let Some(part) = parts.get(at).filter(|part| *part != "**") else { return };
    if hidden && !part.starts_with('.') || !part_matches(part.as_bytes(), name.as_bytes()) {
        return;
    }
    if at + 1 < parts.len() {
        if path.is_dir() {
            open.push((path, at + 1));
        }
    } else if path.is_file() {
        found.push(path);
    }
}

/// A part of a path against a part of a pattern. Linear but for going back to the last `*`.
pub(crate) fn part_matches(pattern: &[u8], part: &[u8]) -> bool {
    let (mut p, mut t) = (0, 0);
    let mut star = None;
    while t < part.len() {
        match pattern.get(p) {
            Some(b'*') => {
                star = Some((p, t));
                p += 1;
            }
            Some(c) if *c == b'?' || *c == part[t] => {
                p += 1;
                t += 1;
            }
            _ => match star {
                Some((at, from)) => {
                    star = Some((at, from + 1));
                    p = at + 1;
                    t = from + 1;
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|c| *c == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_matched_with_stars() {
        for (pattern, part, matched) in
            [("*", "a", true), ("a*c", "abbc", true), ("a*c", "abcd", false), ("?", "", false), ("*a*b*", "xaxb", true)]
        {
            assert_eq!(part_matches(pattern.as_bytes(), part.as_bytes()), matched, "{pattern} {part}");
        }
    }

    #[test]
    fn folders_are_looked_through() {
        let folder = tempfile::tempdir().unwrap();
        for path in ["a/crd.yaml", "a/b/crd.yaml", "a/b/other.yaml", "a/.git/crd.yaml", "c/crd.yaml", "crd.yaml"] {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        for (pattern, expected) in [
            ("*.yaml", &["crd.yaml"][..]),
            ("*/crd.yaml", &["a/crd.yaml", "c/crd.yaml"]),
            ("**/crd.yaml", &["a/b/crd.yaml", "a/crd.yaml", "c/crd.yaml", "crd.yaml"]),
            ("a/**/*.yaml", &["a/b/crd.yaml", "a/b/other.yaml", "a/crd.yaml"]),
            ("a/?/o*", &["a/b/other.yaml"]),
            ("x*/**", &[]),
        ] {
            let found = files(&folder.path().join(pattern));
            let found: Vec<_> =
                found.iter().map(|path| path.strip_prefix(folder.path()).unwrap().to_str().unwrap()).collect();
            assert_eq!(found, expected, "{pattern}");
        }
        assert_eq!(base(Path::new("a/b*/c")), Path::new("a"));
        assert_eq!(base(Path::new("*.yaml")), Path::new("."));
    }
}
