//! Carries a plan out so that nothing is ever half-written.
//!
//! Every new text is written to a folder beside first; only when all of them are on the disk are they moved to their
//! places, one rename each. A failure before that leaves the output as it was.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::manifest::{self, Manifest};
use super::plan::{Action, Plan};
use crate::problem::{Problem, Problems};
use crate::tree::Tree;

/// What [`write()`] did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Files that were not there.
    pub created: usize,
    /// Files that had other contents.
    pub replaced: usize,
    /// Files of an earlier run that are gone now.
    pub deleted: usize,
    /// Files that were right already and kept their time stamp.
    pub unchanged: usize,
    /// Files of an earlier run that are no longer wanted but were edited by hand: they stay, and are no longer ours.
    pub abandoned: Vec<String>,
}

/// Makes a folder hold a tree. Files are written only if they differ; files of an earlier run that are no longer wanted
/// are deleted; files that informer-gen did not make are never touched.
///
/// # Errors
/// Things that informer-gen did not make are where files should go, or the disk refuses. All files are first written
/// beside, so the output is then as it was, unless the disk fails among the last renames.
pub fn write(tree: &Tree, out: &Path) -> Result<Written, Problems> {
    let (plan, owned, _) = super::plan(tree, out)?;
    let mut written = Written::default();
    for (path, action) in &plan.actions {
        match action {
            Action::Create => written.created += 1,
            Action::Replace { .. } => written.replaced += 1,
            Action::Delete => written.deleted += 1,
            Action::Keep => written.unchanged += 1,
            Action::Abandon => written.abandoned.push(path.clone()),
        }
    }
    if !plan.is_done() {
        let made = first_missing(out);
        carry_out(tree, &plan, &owned, out).map_err(|(path, error)| {
            if let Some(made) = made {
                remove_empty(&made);
            }
            Problem::error(format!("{} can't be written: {error}", path.display()))
        })?;
    }
    Ok(written)
}

type Failure = (PathBuf, io::Error);

fn carry_out(tree: &Tree, plan: &Plan, owned: &Manifest, out: &Path) -> Result<(), Failure> {
    fs::create_dir_all(out).map_err(at(out))?;
    let staging = Staging::new(out)?;
    let mut moves = Vec::new();
    for (path, action) in &plan.actions {
        if matches!(action, Action::Create | Action::Replace { .. })
            && let Some(contents) = tree.get(path)
        {
            moves.push((staging.put(contents)?, out.join(path)));
        }
    }
    // Until the last file is deleted the manifest names it, so a run that is cut short owns its files still.
    let manifest = Manifest::of(tree);
    let mut interim = manifest.clone();
    let deleted =
        || plan.actions.iter().filter(|(_, action)| **action == Action::Delete).map(|(path, _)| path.as_str());
    deleted().for_each(|path| interim.adopt(owned, path));
    let last = staging.put(&manifest.render())?;
    moves.insert(0, (staging.put(&interim.render())?, out.join(manifest::PATH)));

    for (from, to) in moves {
        if let Some(folder) = to.parent() {
            fs::create_dir_all(folder).map_err(at(folder))?;
        }
        fs::rename(&from, &to).map_err(at(&to))?;
    }
    for path in deleted() {
        let path = out.join(path);
        fs::remove_file(&path).map_err(at(&path))?;
        remove_empty_above(&path, out);
    }
    let to = out.join(manifest::PATH);
    fs::rename(&last, &to).map_err(at(&to))
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> Failure + use<> {
    let path = path.to_owned();
    move |error| (path, error)
}

/// A folder for texts that are not in their places yet; gone when this is dropped.
struct Staging {
    folder: PathBuf,
    next: std::cell::Cell<usize>,
}

impl Staging {
    fn new(out: &Path) -> Result<Self, Failure> {
        // In the output folder, since a rename must not leave the file system.
        let folder = out.join(format!(".informer-gen.{}.tmp", std::process::id()));
        fs::create_dir(&folder).map_err(at(&folder))?;
        Ok(Staging { folder, next: std::cell::Cell::new(0) })
    }

    fn put(&self, contents: &str) -> Result<PathBuf, Failure> {
        let path = self.folder.join(self.next.replace(self.next.get() + 1).to_string());
        fs::write(&path, contents).map_err(at(&path))?;
        Ok(path)
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // Nothing more can be done about a failure here, and the folder's name tells what it is.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// The topmost folder on the way to `out` that is not there yet.
fn first_missing(out: &Path) -> Option<PathBuf> {
    let missing = out.ancestors().take_while(|path| !path.as_os_str().is_empty() && !path.exists());
    missing.last().map(Path::to_owned)
}

/// Removes a folder and those below it that hold nothing; a few levels at most, all of them made a moment ago.
fn remove_empty(folder: &Path) {
    if let Ok(entries) = fs::read_dir(folder) {
        for entry in entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir() && !path.is_symlink()) {
            remove_empty(&entry);
        }
    }
    let _ = fs::remove_dir(folder);
}

/// Removes the folders above a deleted file that hold nothing any more, up to the output folder.
fn remove_empty_above(path: &Path, out: &Path) {
    for folder in path.ancestors().skip(1).take_while(|folder| *folder != out) {
        if fs::remove_dir(folder).is_err() {
            break;
        }
    }
}
