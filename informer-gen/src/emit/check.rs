//! Tells whether a folder holds a tree, file by file. Reads only, so a read-only folder will do.

use std::fmt;
use std::path::Path;

use similar::{ChangeTag, TextDiff};

use super::manifest;
use super::plan::{Action, Present};
use crate::problem::Problems;
use crate::tree::Tree;

/// How a file differs from what would be written now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DifferenceKind {
    /// It is not there.
    Missing,
    /// It is as it was written, but now other contents would be written.
    Changed,
    /// Somebody has edited it since it was written.
    Edited,
    /// It was written once and would not be any more.
    Extra,
}

/// One file that is not as it would be written now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Path in the output folder, with `/`.
    pub path: String,
    /// How it differs.
    pub kind: DifferenceKind,
    /// Lines that writing would add, and lines that it would take away.
    pub lines: (usize, usize),
}

/// What [`check`] found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Check {
    /// All files that differ, by path. Empty: the folder is up to date.
    pub differences: Vec<Difference>,
}

impl Check {
    /// Whether writing would change nothing.
    pub fn is_clean(&self) -> bool {
        self.differences.is_empty()
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            DifferenceKind::Missing => "missing",
            DifferenceKind::Changed => "changed",
            DifferenceKind::Edited => "edited by hand",
            DifferenceKind::Extra => "no longer wanted",
        };
        let (added, removed) = self.lines;
        write!(f, "{}: {kind} (+{added} -{removed} lines)", self.path)
    }
}

/// Compares a folder with a tree, and changes nothing. Lines that end in `\r\n` instead of `\n` are no difference.
///
/// # Errors
/// The folder can't be read, or things that informer-gen did not make are where files should go.
pub fn check(tree: &Tree, out: &Path) -> Result<Check, Problems> {
    let (plan, _, folder) = super::plan(tree, out)?;
    let mut check = Check::default();
    for (path, action) in &plan.actions {
        let kind = match action {
            Action::Create => DifferenceKind::Missing,
            Action::Replace { edited: false } => DifferenceKind::Changed,
            Action::Replace { edited: true } => DifferenceKind::Edited,
            Action::Delete | Action::Abandon => DifferenceKind::Extra,
            Action::Keep => continue,
        };
        let found = match folder.get(path) {
            Some(Present::File(bytes)) => String::from_utf8_lossy(bytes),
            _ => "".into(),
        };
        let lines = count(&found, tree.get(path).unwrap_or_default());
        check.differences.push(Difference { path: path.clone(), kind, lines });
    }
    // With every file in place, only the manifest can be at fault.
    if check.is_clean() && plan.new_manifest {
        let kind = DifferenceKind::Changed;
        check.differences.push(Difference { path: manifest::PATH.to_owned(), kind, lines: (0, 0) });
    }
    Ok(check)
}

/// Lines added and removed on the way from one text to the other.
fn count(from: &str, to: &str) -> (usize, usize) {
    let from = from.replace("\r\n", "\n");
    let diff = TextDiff::from_lines(from.as_str(), to);
    let number = |tag| diff.iter_all_changes().filter(|change| change.tag() == tag).count();
    (number(ChangeTag::Insert), number(ChangeTag::Delete))
}
