//! The list of the files in an output folder that are ours, with a checksum of each as it was written.

use std::collections::BTreeMap;

use crate::tree::Tree;

/// The manifest's own path in the output folder.
pub(crate) const PATH: &str = ".informer-gen.manifest";

/// Owned paths with the checksums of their contents. Paths that leave the folder never get in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Manifest {
    files: BTreeMap<String, u64>,
}

impl Manifest {
    /// Of the files of a tree, itself left out.
    pub(crate) fn of(tree: &Tree) -> Self {
        let files = tree.iter().filter(|(path, _)| *path != PATH);
        Manifest { files: files.map(|(path, contents)| (path.to_owned(), checksum(contents.as_bytes()))).collect() }
    }

    /// Reads a manifest; lines that are none are passed over, so a damaged one owns less and not more.
    pub(crate) fn parse(text: &str) -> Self {
        let entry = |line: &str| {
            let (sum, path) = line.split_once("  ")?;
            let sum = u64::from_str_radix(sum, 16).ok()?;
            is_inside(path).then(|| (path.to_owned(), sum))
        };
        Manifest { files: text.lines().filter_map(entry).collect() }
    }

    /// The manifest as text.
    pub(crate) fn render(&self) -> String {
        let mut text = String::from(
            "# The files here that informer-gen made, with checksums. It changes and deletes no others.\n",
        );
        for (path, sum) in &self.files {
            text += &format!("{sum:016x}  {path}\n");
        }
        text
    }

    /// The checksum of an owned file.
    pub(crate) fn get(&self, path: &str) -> Option<u64> {
        self.files.get(path).copied()
    }

    /// Owned paths, sorted.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// Owns what the other owns too.
    pub(crate) fn adopt(&mut self, other: &Manifest, path: &str) {
        if let Some(sum) = other.get(path) {
            self.files.insert(path.to_owned(), sum);
        }
    }
}

/// Whether a path with `/` stays inside the folder and could come from us.
pub(crate) fn is_inside(path: &str) -> bool {
    let plain = |part: &str| !matches!(part, "" | "." | "..") && !part.contains(['\\', ':', '\0']);
    path != PATH && path.split('/').all(plain)
}

/// FNV-1a over the contents without the `\r` of line ends: to notice edits, not to withstand forgers.
pub(crate) fn checksum(contents: &[u8]) -> u64 {
    let mut sum = 0xcbf2_9ce4_8422_2325_u64;
    for (at, byte) in contents.iter().enumerate() {
        if *byte == b'\r' && contents.get(at + 1) == Some(&b'\n') {
            continue;
        }
        sum = (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_back() {
        let mut tree = Tree::new();
        tree.insert("src/lib.rs", "//! a\n");
        tree.insert(PATH, "is left out");
        let manifest = Manifest::of(&tree);
        assert_eq!(Manifest::parse(&manifest.render()), manifest);
        assert_eq!(manifest.paths().collect::<Vec<_>>(), ["src/lib.rs"]);
    }

    #[test]
    fn paths_that_leave_the_folder_are_not_ours() {
        for path in ["../a", "/etc/a", "a/../../b", "a//b", "./a", "c:/a", "a\\..\\b", PATH] {
            assert_eq!(Manifest::parse(&format!("0000000000000001  {path}\n")), Manifest::default(), "{path}");
        }
    }

    #[test]
    fn line_ends_do_not_count() {
        assert_eq!(checksum(b"a\r\nb\n"), checksum(b"a\nb\r\n"));
        assert_ne!(checksum(b"a\rb"), checksum(b"ab"));
    }
}
