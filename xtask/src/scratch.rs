//! A small cargo workspace of its own below the root's target folder, for what is generated, compiled and thrown away.
//!
//! It uses the root's target folder, lock file and (through `.cargo/config.toml`, which lies above it) profile, so
//! that what the root has compiled is not compiled again.

use crate::failure::{Failure, Result};
use crate::{process, root};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use tokio::process::Command;

/// The workspace; its folder is empty but for what was put in.
pub(crate) struct Scratch {
    folder: PathBuf,
}

impl Scratch {
    /// Makes `target/NAME` anew, with these members; `apart` are folders in it with a workspace of their own.
    pub(crate) fn new(name: &str, members: &[&str], apart: &[&str]) -> Result<Self> {
        // below the root in any case, even if cargo builds elsewhere: cargo looks for its settings from here upwards
        let scratch = Self { folder: root::root().join("target").join(name) };
        scratch.remove()?;
        let manifest = format!("[workspace]\nresolver = \"3\"\nmembers = {members:?}\nexclude = {apart:?}\n");
        scratch.write("Cargo.toml", &manifest)?;
        scratch.copy_lock(".")?;
        Ok(scratch)
    }

    /// Puts the root's lock file into a folder, so that the same versions are used there.
    pub(crate) fn copy_lock(&self, folder: &str) -> Result {
        self.write(&format!("{folder}/Cargo.lock"), &read(&root::root().join("Cargo.lock"))?)
    }

    /// The folder, absolute.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The text of a file that was put in.
    pub(crate) fn read(&self, path: &str) -> Result<String> {
        read(&self.folder.join(path))
    }

    /// Puts a file in, with the folders above it.
    pub(crate) fn write(&self, path: &str, text: &str) -> Result {
        let path = self.folder.join(path);
        let folder = path.parent().unwrap_or(&self.folder);
        std::fs::create_dir_all(folder).map_err(|error| Failure::io("make", folder, &error))?;
        std::fs::write(&path, text).map_err(|error| Failure::io("write", &path, &error))
    }

    /// Puts a package in: source files of the root, and a Cargo.toml with `crates` of this workspace by folder, and with
    /// `shared` dependencies in the root's own words, so that versions and features are the same.
    pub(crate) fn package(
        &self,
        name: &str,
        sources: &[Source<'_>],
        crates: &[(&str, &str)],
        shared: &[&str],
    ) -> Result {
        let manifest = read(&root::root().join("Cargo.toml"))?;
        let mut text = format!("[package]\nname = \"{name}\"\nedition = \"2024\"\npublish = false\n\n[dependencies]\n");
        for (dependency, folder) in crates {
            let path =
                if self.folder.join(folder).is_dir() { self.folder.join(folder) } else { root::root().join(folder) };
            text +=
                &format!("{dependency} = {{ path = {:?}, default-features = false }}\n", path.display().to_string());
        }
        for dependency in shared {
            let line =
                manifest.lines().find(|line| line.split('=').next().is_some_and(|key| key.trim() == *dependency));
            text += line.ok_or_else(|| Failure::new(format!("the root Cargo.toml has no dependency {dependency}")))?;
            text.push('\n');
        }
        self.write(&format!("{name}/Cargo.toml"), &text)?;
        sources.iter().try_for_each(|source| {
            self.write(&format!("{name}/{}", source.to), &read(&root::root().join(source.from))?)
        })
    }

    /// A `cargo` command in this workspace.
    pub(crate) fn cargo<I, A>(&self, args: I) -> Command
    where
        I: IntoIterator<Item = A>,
        A: AsRef<OsStr>,
    {
        process::cargo(&self.folder, args)
    }

    /// Removes the folder with all that is in it.
    pub(crate) fn remove(&self) -> Result {
        match std::fs::remove_dir_all(&self.folder) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(Failure::io("remove", &self.folder, &error))
            }
            _ => Ok(()),
        }
    }
}

/// Where a package's source file comes from, below the root, and goes to, below the package.
pub(crate) struct Source<'a> {
    pub(crate) from: &'a str,
    pub(crate) to: &'a str,
}

/// The text of a file.
pub(crate) fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).map_err(|error| Failure::io("read", path, &error))
}
