//! The committed documents of Kubernetes releases.

use std::path::{Path, PathBuf};

use informer_gen::Release;

/// Every release that has one, in order, with its document.
pub(crate) fn specs() -> Vec<(Release, PathBuf)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../generated/specs");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut specs: Vec<_> =
        files.map(|path| (path.file_stem().unwrap().to_str().unwrap().parse().unwrap(), path)).collect();
    specs.sort();
    specs
}
