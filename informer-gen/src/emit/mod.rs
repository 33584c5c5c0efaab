//! A tree against a folder: the one place that writes, and the check that nothing need be written.
//!
//! [`write()`] and [`check`] make the same [`plan::Plan`]; one carries it out, the other tells it.

use std::fs;
use std::io;
use std::path::Path;

mod manifest;
mod plan;
mod write;
mod check;

use crate::problem::{Problem, Problems};
use crate::tree::Tree;
pub use check::{Check, Difference, DifferenceKind, check};
use manifest::Manifest;
use plan::{Folder, Plan, Present};
pub use write::{Written, write};

/// Adds the manifest to a tree, so that a tree is all that an output needs.
pub(crate) fn with_manifest(mut tree: Tree) -> Tree {
    let text = Manifest::of(&tree).render();
    tree.insert(manifest::PATH, text);
    tree
}

/// Reads what matters of a folder and plans. Nothing is changed; a folder that is not there is an empty one.
fn plan(tree: &Tree, out: &Path) -> Result<(Plan, Manifest, Folder), Problems> {
    let broken = |path: &Path, error: &io::Error| Problem::error(format!("{}: {error}", path.display()));
    if fs::metadata(out).is_ok_and(|found| !found.is_dir()) {
        let problem = Problem::error(format!("{} is no folder", out.display()));
        return Err(problem.hint("name a folder for the output; it is made if it is not there").into());
    }
    let path = out.join(manifest::PATH);
    let owned = match fs::read(&path) {
        Ok(bytes) => Manifest::parse(&String::from_utf8_lossy(&bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Manifest::default(),
        Err(error) => return Err(broken(&path, &error).into()),
    };
    let mut folder = Folder::new();
    let mut problems = Problems::new();
    for path in tree.iter().map(|(path, _)| path).chain(owned.paths()).filter(|path| manifest::is_inside(path)) {
        match look(out, path) {
            Ok(Some(present)) => drop(folder.insert(path.to_owned(), present)),
            Ok(None) => {}
            Err(error) => problems.push(broken(&out.join(path), &error)),
        }
    }
    problems.into_result()?;
    let plan = Plan::new(tree, &owned, &folder)?;
    Ok((plan, owned, folder))
}

/// What lies at a path, without following links on the way from the output folder.
fn look(out: &Path, path: &str) -> io::Result<Option<Present>> {
    let mut at = out.to_owned();
    let mut parts = path.split('/').peekable();
    while let Some(part) = parts.next() {
        at.push(part);
        let found = match fs::symlink_metadata(&at) {
            Ok(found) => found,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let last = parts.peek().is_none();
        if last && found.is_file() {
            return fs::read(&at).map(|bytes| Some(Present::File(bytes)));
        }
        if last || !found.is_dir() {
            return Ok(Some(Present::Other));
        }
    }
    Ok(None)
}
