//! The files of an output as one value: what `render` makes and `emit` writes.

use std::collections::BTreeMap;

/// Relative path (with `/`, no `.` or `..`) to contents (lines end in `\n`), sorted by path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    files: BTreeMap<String, String>,
}

impl Tree {
    /// No files yet.
    pub fn new() -> Self {
        Tree::default()
    }

    /// Adds a file. Gives back the contents that the path had before, which a caller should take for a clash of names.
    pub fn insert(&mut self, path: impl Into<String>, contents: impl Into<String>) -> Option<String> {
        self.files.insert(path.into(), contents.into())
    }

    /// The contents of a file.
    pub fn get(&self, path: &str) -> Option<&str> {
        self.files.get(path).map(String::as_str)
    }

    /// All files, sorted by path.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().map(|(path, contents)| (path.as_str(), contents.as_str()))
    }

    /// How many files there are.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether there are no files.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }
}
