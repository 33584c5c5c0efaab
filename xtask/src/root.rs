//! Where things are: the root of this workspace, its target folder, a corpus that was named.

use crate::failure::{Failure, Result};
use crate::flags::CorpusFolder;
use std::path::{Path, PathBuf};

/// The folder of the root Cargo.toml.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is a folder of the workspace")
}

/// The folder that cargo builds into; the environment may have moved it.
pub(crate) fn target() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(dir) => std::path::absolute(&dir).unwrap_or_else(|_| PathBuf::from(dir)),
        None => root().join("target"),
    }
}

/// The folder of the corpus, absolute. `None` if none was named; an error if it is not one.
pub(crate) fn corpus(flags: &CorpusFolder) -> Result<Option<PathBuf>> {
    let Some(folder) = flags.folder.as_ref().filter(|folder| !folder.is_empty()).map(Path::new) else {
        return Ok(None);
    };
    if !folder.join("crds").is_dir() {
        return Err(Failure::new(format!("{} is not a corpus: it has no folder crds", folder.display())));
    }
    let folder = folder.canonicalize().map_err(|error| Failure::io("open", folder, &error))?;
    Ok(Some(folder))
}
