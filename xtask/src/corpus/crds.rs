//! The CRDs of a corpus: which files there are, and what a server made of them.

use crate::failure::{Failure, Result};
use std::path::{Path, PathBuf};

/// A file with CRDs.
pub(crate) struct File {
    pub(crate) path: PathBuf,
    /// Below the corpus, with `/`.
    pub(crate) name: String,
    /// What a server said of the CRDs in it. Empty where no server was asked: then all must be generated.
    pub(crate) asked: Vec<Asked>,
}

/// A CRD that a server was asked to take.
pub(crate) struct Asked {
    /// `plural.group`.
    pub(crate) crd: String,
    pub(crate) taken: bool,
}

/// How many CRDs a quick run has.
const QUICK: usize = 60;

/// Files above this size, in bytes, are not in a quick run: they take as long as all the others.
const QUICK_BYTES: u64 = 200_000;

/// All files with CRDs, sorted by their names. Where the corpus says what a server made of them (`SERVER.tsv`), those
/// that no server was asked about are not among them.
///
/// # Errors
/// When a folder or file can't be read.
pub(crate) fn all(corpus: &Path) -> Result<Vec<File>> {
    let answers = match std::fs::read_to_string(corpus.join("SERVER.tsv")) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => return Err(Failure::io("read", &corpus.join("SERVER.tsv"), &error)),
    };
    let mut files = Vec::new();
    let mut folders = vec![corpus.join("crds")];
    while let Some(folder) = folders.pop() {
        let failed = |error: std::io::Error| Failure::io("read", &folder, &error);
        for entry in std::fs::read_dir(&folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            let extension = path.extension().and_then(|extension| extension.to_str());
            if path.is_dir() {
                folders.push(path);
            } else if matches!(extension, Some("yaml" | "yml" | "json")) {
                let name = path.strip_prefix(corpus).unwrap_or(&path).to_string_lossy().replace('\\', "/");
                let asked = answers.as_deref().map(|answers| asked(answers, &name)).unwrap_or_default();
                if answers.is_none() || !asked.is_empty() {
                    files.push(File { path, name, asked });
                }
            }
        }
    }
    files.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(files)
}

/// The rows of one file: file, CRD, status code, and what else.
fn asked(answers: &str, name: &str) -> Vec<Asked> {
    let rows = answers.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>());
    let own = rows.filter(|row| row.first() == Some(&name));
    own.filter_map(|row| Some(Asked { crd: (*row.get(1)?).to_owned(), taken: row.get(2)?.starts_with('2') })).collect()
}

/// Some of the files, always the same: those that a hash of the name puts first.
pub(crate) fn quick(mut files: Vec<File>) -> Vec<File> {
    files.retain(|file| std::fs::metadata(&file.path).is_ok_and(|data| data.len() <= QUICK_BYTES));
    files.sort_by_key(|file| hash(&file.name));
    let mut crds = 0;
    let enough = files.iter().position(|file| {
        crds += file.asked.len().max(1);
        crds >= QUICK
    });
    files.truncate(enough.map_or(files.len(), |last| last + 1));
    files.sort_by(|a, b| a.name.cmp(&b.name));
    files
}

/// FNV-1a, 64 bits: the same on every machine.
pub(crate) fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_server_was_asked_about() {
        let corpus = tempfile::tempdir().expect("a folder");
        let folder = corpus.path().join("crds/shop");
        std::fs::create_dir_all(&folder).expect("folders");
        for name in ["b.yaml", "a.yml", "c.json", "notes.md"] {
            std::fs::write(folder.join(name), "").expect("a file");
        }
        let names = |files: &[File]| files.iter().map(|file| file.name.clone()).collect::<Vec<_>>();
        let files = all(corpus.path()).expect("a list");
        assert_eq!(names(&files), ["crds/shop/a.yml", "crds/shop/b.yaml", "crds/shop/c.json"]);
        assert!(files.iter().all(|file| file.asked.is_empty()));

        let rows = "file\tCRD name\tcode\testablished\tnote\n\
                    crds/shop/b.yaml\twidgets.shop.example.test\t201\tyes\t\n\
                    crds/shop/b.yaml\tzones.shop.example.test\t422\tno\tno schema\n";
        std::fs::write(corpus.path().join("SERVER.tsv"), rows).expect("a file");
        let files = all(corpus.path()).expect("a list");
        assert_eq!(names(&files), ["crds/shop/b.yaml"]);
        let asked: Vec<_> = files[0].asked.iter().map(|asked| (asked.crd.as_str(), asked.taken)).collect();
        assert_eq!(asked, [("widgets.shop.example.test", true), ("zones.shop.example.test", false)]);
        assert_eq!(names(&quick(files)), ["crds/shop/b.yaml"]);
    }
}
