//! Files of the folder `generated` that nobody asked for: not made from an input, and no input.
//!
//! The generator leaves files of others alone, for it may share a folder with its user. Here nobody else has a place.

use super::{FOLDER, Inputs, OUTPUTS, shown};
use crate::failure::{Failure, Result};
use informer_gen::Release;
use std::collections::BTreeSet;
use std::path::Path;

/// What of the folder below `root` is neither in `known` nor an input, by its path from there, sorted. Links are not
/// followed.
pub(super) fn foreign(root: &Path, known: &BTreeSet<String>) -> Result<Vec<String>> {
    let mut foreign = Vec::new();
    let mut folders = vec![FOLDER.to_owned()];
    while let Some(folder) = folders.pop() {
        let there = root.join(&folder);
        let failed = |error: std::io::Error| Failure::new(format!("{}: {error}", shown(&there)));
        for entry in std::fs::read_dir(&there).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
            if entry.file_type().map_err(failed)?.is_dir() {
                folders.push(path);
            } else if !known.contains(&path) && !is_input(&path) {
                foreign.push(path);
            }
        }
    }
    foreign.sort();
    Ok(foreign)
}

/// Whether an output reads the file, as the generator chooses among the files of a folder.
fn is_input(path: &str) -> bool {
    let Some((folder, name)) = path.rsplit_once('/') else { return false };
    OUTPUTS.iter().any(|output| match output.inputs {
        Inputs::Crds(folders) | Inputs::OpenApi(folders) => {
            folders.contains(&folder) && [".yaml", ".yml", ".json"].iter().any(|end| name.ends_with(end))
        }
        Inputs::Releases(releases) => folder == releases && release_of(name).is_some(),
    })
}

/// The release whose document has this name: `1.37.json`.
pub(super) fn release_of(name: &str) -> Option<Release> {
    name.strip_suffix(".json")?.parse().ok()
}
