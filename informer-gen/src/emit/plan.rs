//! What must happen to a folder so that it holds a tree: values in, values out.

use std::collections::BTreeMap;

use super::manifest::{self, Manifest};
use crate::problem::{Problem, Problems};
use crate::tree::Tree;

/// What lies at a path of the output folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Present {
    /// A file with these contents.
    File(Vec<u8>),
    /// Something that is no plain file, or lies below something that is no plain folder: a link, for instance.
    Other,
}

/// What lies in the output folder at the paths that matter; a path that is missing here is free.
pub(crate) type Folder = BTreeMap<String, Present>;

/// What to do with one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// Nothing lies there.
    Create,
    /// A file of ours has other contents; `edited`: it is not as we wrote it.
    Replace { edited: bool },
    /// A file of ours, as we wrote it, is no longer wanted.
    Delete,
    /// A file of ours is no longer wanted, but somebody has edited it: it is left alone and no longer ours.
    Abandon,
    /// It is as it should be; line ends don't count.
    Keep,
}

/// The actions for every file, by path. The manifest itself is the last step of carrying it out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Plan {
    pub(crate) actions: BTreeMap<String, Action>,
    /// Whether the manifest in the folder differs from the tree's.
    pub(crate) new_manifest: bool,
}

impl Plan {
    /// Compares. `owned` is the folder's manifest. Foreign things in the way are problems, all of them in one go.
    pub(crate) fn new(tree: &Tree, owned: &Manifest, folder: &Folder) -> Result<Plan, Problems> {
        let mut plan = Plan { new_manifest: Manifest::of(tree) != *owned, ..Plan::default() };
        let mut problems = Problems::new();
        for (path, wanted) in tree.iter().filter(|(path, _)| *path != manifest::PATH) {
            if !manifest::is_inside(path) {
                problems.push(Problem::internal(format!("{path:?} is no path within the output folder")));
                continue;
            }
            let action = match (folder.get(path), owned.get(path)) {
                (None, _) => Action::Create,
                (Some(Present::File(found)), _) if same_text(found, wanted.as_bytes()) => Action::Keep,
                (Some(Present::File(found)), Some(sum)) => Action::Replace { edited: manifest::checksum(found) != sum },
                (Some(Present::File(_)), None) => {
                    problems.push(in_the_way(path, "a file that informer-gen did not make"));
                    continue;
                }
                (Some(Present::Other), _) => {
                    problems.push(in_the_way(path, "a link or something else that is no plain file in a plain folder"));
                    continue;
                }
            };
            plan.actions.insert(path.to_owned(), action);
        }
        for path in owned.paths().filter(|path| tree.get(path).is_none()) {
            let action = match (folder.get(path), owned.get(path)) {
                (Some(Present::File(found)), Some(sum)) if manifest::checksum(found) == sum => Action::Delete,
                (Some(_), _) => Action::Abandon,
                (None, _) => continue,
            };
            plan.actions.insert(path.to_owned(), action);
        }
        problems.into_result().map(|_| plan)
    }

    /// Whether the folder is as it should be.
    pub(crate) fn is_done(&self) -> bool {
        !self.new_manifest && self.actions.values().all(|action| *action == Action::Keep)
    }
}

fn in_the_way(path: &str, what: &str) -> Problem {
    let problem = Problem::error(format!("{path}: {what} is in the way"));
    problem.hint("move or delete it, or choose another output folder")
}

/// Equal but for `\r` at line ends.
fn same_text(a: &[u8], b: &[u8]) -> bool {
    fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
        text.split(|byte| *byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line))
    }
    a == b || lines(a).eq(lines(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(files: &[(&str, &str)]) -> Tree {
        let mut tree = Tree::new();
        for (path, contents) in files {
            tree.insert(*path, *contents);
        }
        tree
    }

    fn folder(files: &[(&str, &str)]) -> Folder {
        files.iter().map(|(path, text)| ((*path).to_owned(), Present::File(text.as_bytes().to_vec()))).collect()
    }

    fn actions(wanted: &[(&str, &str)], written: &[(&str, &str)], found: &[(&str, &str)]) -> Vec<(String, Action)> {
        let plan = Plan::new(&tree(wanted), &Manifest::of(&tree(written)), &folder(found)).unwrap();
        plan.actions.into_iter().collect()
    }

    fn one(path: &str, action: Action) -> Vec<(String, Action)> {
        vec![(path.to_owned(), action)]
    }

    #[test]
    fn every_action() {
        let (a, b) = (("a.rs", "1\n"), ("a.rs", "2\n"));
        assert_eq!(actions(&[a], &[], &[]), one("a.rs", Action::Create));
        assert_eq!(actions(&[a], &[a], &[]), one("a.rs", Action::Create));
        assert_eq!(actions(&[a], &[a], &[a]), one("a.rs", Action::Keep));
        assert_eq!(actions(&[a], &[b], &[b]), one("a.rs", Action::Replace { edited: false }));
        assert_eq!(actions(&[a], &[a], &[b]), one("a.rs", Action::Replace { edited: true }));
        assert_eq!(actions(&[], &[a], &[a]), one("a.rs", Action::Delete));
        assert_eq!(actions(&[], &[a], &[b]), one("a.rs", Action::Abandon));
        assert_eq!(actions(&[], &[a], &[]), []);
    }

    #[test]
    fn foreign_files_are_left_alone_and_the_same_text_is_adopted() {
        assert_eq!(actions(&[], &[], &[("notes.md", "mine")]), []);
        assert_eq!(actions(&[("a.rs", "1\n")], &[], &[("a.rs", "1\r\n")]), one("a.rs", Action::Keep));
        let wanted = tree(&[("a.rs", "1\n"), ("b.rs", "1\n"), ("c.rs", "1\n")]);
        let mut found = folder(&[("a.rs", "mine"), ("b.rs", "mine")]);
        found.insert("c.rs".into(), Present::Other);
        let problems = Plan::new(&wanted, &Manifest::default(), &found).unwrap_err();
        assert_eq!(problems.len(), 3, "{problems:?}");
    }

    #[test]
    fn line_ends_are_no_difference() {
        let text = ("a.rs", "1\n2\n");
        let plan = Plan::new(&tree(&[text]), &Manifest::of(&tree(&[text])), &folder(&[("a.rs", "1\r\n2\r\n")]));
        assert!(plan.unwrap().is_done());
    }

    #[test]
    fn a_path_out_of_the_folder_is_never_planned() {
        let problems = Plan::new(&tree(&[("../a.rs", "")]), &Manifest::default(), &Folder::new()).unwrap_err();
        assert!(problems.is_internal());
    }
}
