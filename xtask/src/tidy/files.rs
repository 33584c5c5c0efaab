//! The files that the rules look at.

use crate::failure::{Failure, Result};
use std::path::Path;

/// One text file of the workspace.
pub(super) struct File {
    /// Path under the root, with forward slashes.
    pub(super) path: String,
    pub(super) text: String,
}

impl File {
    pub(super) fn has_extension(&self, extension: &str) -> bool {
        Path::new(&self.path).extension().is_some_and(|found| found == extension)
    }

    /// The path's last part.
    pub(super) fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    /// Written by the generator, so held to the generator's own rules. Says so in one of its first lines.
    pub(super) fn is_generated(&self) -> bool {
        self.text.lines().take(5).any(|line| line.contains(concat!("@", "generated")))
    }

    /// Inputs of tests and what is expected of them: they may look however the case needs.
    pub(super) fn is_data(&self) -> bool {
        self.path.split('/').any(|part| matches!(part, "data" | "fixtures" | "golden" | "goldens" | "snapshots"))
    }
}

/// Folders that hold nothing of ours.
const SKIPPED: &[&str] = &["target", ".git"];
/// What the rules can read.
const EXTENSIONS: &[&str] = &["rs", "toml", "md", "yaml", "yml", "json", "sh"];

/// Reads all files below the folder that a rule may have something to say on, ordered by path.
pub(super) fn read(root: &Path) -> Result<Vec<File>> {
    let mut files = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).map_err(|error| Failure::io("read", &folder, &error))?;
        for entry in entries {
            let entry = entry.map_err(|error| Failure::io("read", &folder, &error))?;
            let (path, name) = (entry.path(), entry.file_name());
            let kind = entry.file_type().map_err(|error| Failure::io("read", &path, &error))?;
            if kind.is_dir() {
                if !SKIPPED.iter().any(|skipped| name == *skipped) {
                    folders.push(path);
                }
            } else if kind.is_file() && wanted(&path) {
                let text = std::fs::read_to_string(&path).map_err(|error| Failure::io("read", &path, &error))?;
                files.push(File { path: under(root, &path), text });
            }
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

fn wanted(path: &Path) -> bool {
    let known = |extension: &std::ffi::OsStr| EXTENSIONS.iter().any(|known| extension == *known);
    path.extension().is_some_and(known) || path.ends_with(".ci/run")
}

fn under(root: &Path, path: &Path) -> String {
    let path = path.strip_prefix(root).unwrap_or(path);
    path.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/")
}
