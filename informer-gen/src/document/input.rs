//! Reads the inputs of a request into sources: files, folders, standard input; UTF-8 and UTF-16, any line ends.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::problem::{Problem, Problems};
use crate::request::Input;
use crate::source::{SourceId, Sources, Span};

/// Bytes that one file may have. The largest CRD known has 1.5 MB.
pub(crate) const MAX_FILE_BYTES: u64 = 64 << 20;

/// Bytes that all files of one run may have together.
pub(crate) const MAX_TOTAL_BYTES: u64 = 512 << 20;

/// Ends of the names of those files in a folder that are read.
const EXTENSIONS: [&str; 3] = ["yaml", "yml", "json"];

/// Reads everything, ordered by name whatever the order of the inputs. `stdin` is asked only for [`Input::Stdin`].
pub(crate) fn read(
    inputs: &[Input],
    stdin: &mut dyn Read,
    sources: &mut Sources,
    problems: &mut Problems,
) -> Vec<SourceId> {
    let mut files = BTreeSet::new();
    let mut texts = BTreeSet::new();
    let mut wants_stdin = false;
    for input in inputs {
        match input {
            Input::Path(path) => files_of(path, &mut files, problems),
            Input::Text { name, text } => {
                texts.insert((name.as_str(), text.as_str()));
            }
            Input::Stdin => wants_stdin = true,
        }
    }
    let mut reader = Reader { sources, problems, total: 0, ids: Vec::new() };
    if wants_stdin {
        reader.read("<stdin>", stdin);
    }
    for (name, text) in texts {
        reader.read(name, &mut text.as_bytes());
    }
    let mut seen = BTreeSet::new();
    for path in files {
        // The same file by two ways is read once.
        if !seen.insert(fs::canonicalize(&path).unwrap_or_else(|_| path.clone())) {
            continue;
        }
        let name = shown(&path);
        match fs::File::open(&path) {
            Ok(mut file) => reader.read(&name, &mut file),
            Err(error) => reader.problems.push(unreadable(&name, &error)),
        }
    }
    reader.ids
}

/// A path as messages show it: as given, with `/` on every system.
pub(crate) fn shown(path: &Path) -> String {
    let text = path.display().to_string();
    if cfg!(windows) { text.replace('\\', "/") } else { text }
}

fn unreadable(name: &str, error: &io::Error) -> Problem {
    Problem::error(format!("{name} can't be read: {error}"))
}

/// A file itself, or what a folder holds.
fn files_of(path: &Path, files: &mut BTreeSet<PathBuf>, problems: &mut Problems) {
    if !path.is_dir() {
        files.insert(path.to_owned());
        return;
    }
    let entries = match fs::read_dir(path) {
        Ok(entries) => entries,
        Err(error) => return problems.push(unreadable(&shown(path), &error)),
    };
    let (mut found, mut folders) = (false, false);
    for entry in entries {
        let entry = match entry {
            Ok(entry) => entry.path(),
            Err(error) => return problems.push(unreadable(&shown(path), &error)),
        };
        let hidden = entry.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        let extension = entry.extension().and_then(|extension| extension.to_str());
        let wanted = extension.is_some_and(|extension| EXTENSIONS.iter().any(|e| e.eq_ignore_ascii_case(extension)));
        if entry.is_dir() {
            folders = true;
        } else if wanted && !hidden {
            found = true;
            files.insert(entry);
        }
    }
    if !found {
        let problem = Problem::error(format!("{} has no *.yaml, *.yml or *.json files", shown(path)));
        problems.push(if folders { problem.hint("folders below it are not read: name each of them") } else { problem });
    }
}

struct Reader<'r> {
    sources: &'r mut Sources,
    problems: &'r mut Problems,
    total: u64,
    ids: Vec<SourceId>,
}

impl Reader<'_> {
    fn read(&mut self, name: &str, from: &mut dyn Read) {
        let mut bytes = Vec::new();
        if let Err(error) = from.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes) {
            return self.problems.push(unreadable(name, &error));
        }
        self.total += bytes.len() as u64;
        let limit = if bytes.len() as u64 > MAX_FILE_BYTES {
            Some(format!("{name} is larger than {} MiB", MAX_FILE_BYTES >> 20))
        } else if self.total > MAX_TOTAL_BYTES {
            Some(format!("{name}: the inputs together are larger than {} MiB", MAX_TOTAL_BYTES >> 20))
        } else {
            None
        };
        if let Some(message) = limit {
            return self.problems.push(Problem::error(message));
        }
        match decode(bytes) {
            Ok(text) => self.ids.push(self.sources.add(name, text)),
            Err(broken) => {
                let id = self.sources.add(name, broken.readable);
                let end = self.sources.get(id).text().len();
                let at = Span::new(id, end, end);
                let message = format!("this is no {} text", broken.what);
                self.problems.push(Problem::error(message).at(at).hint("save the file as UTF-8"));
            }
        }
    }
}

/// Bytes that are no text, with what could be read before them.
#[derive(Debug)]
struct Broken {
    readable: String,
    what: &'static str,
}

/// To UTF-8, by the byte order mark; without one it is UTF-8.
fn decode(bytes: Vec<u8>) -> Result<String, Broken> {
    let wide = |from_bytes: fn([u8; 2]) -> u16| {
        let (pairs, rest) = bytes[2..].as_chunks::<2>();
        let mut text = String::with_capacity(pairs.len());
        for unit in char::decode_utf16(pairs.iter().map(|pair| from_bytes(*pair))) {
            match unit {
                Ok(c) => text.push(c),
                Err(_) => {
                    return Err(Broken { readable: text, what: "UTF-16" });
                }
            }
        }
        if rest.is_empty() { Ok(text) } else { Err(Broken { readable: text, what: "UTF-16" }) }
    };
    match bytes.as_slice() {
        [0xff, 0xfe, ..] => wide(u16::from_le_bytes),
        [0xfe, 0xff, ..] => wide(u16::from_be_bytes),
        _ => {
            let start = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
            match std::str::from_utf8(&bytes[start..]) {
                Ok(text) => Ok(text.to_owned()),
                Err(error) => {
                    let readable = String::from_utf8_lossy(&bytes[start..start + error.valid_up_to()]);
                    Err(Broken { readable: readable.into_owned(), what: "UTF-8" })
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn byte_order_marks_choose_the_encoding() {
        for bytes in [
            b"a: \xc3\xa9".to_vec(),
            b"\xef\xbb\xbfa: \xc3\xa9".to_vec(),
            b"\xff\xfea\0:\0 \0\xe9\0".to_vec(),
            b"\xfe\xff\0a\0:\0 \0\xe9".to_vec(),
        ] {
            assert_eq!(decode(bytes).unwrap(), "a: é");
        }
    }

    #[test]
    fn what_is_no_text_is_told_with_its_place() {
        assert_eq!(decode(b"a: 1\nb: \xff".to_vec()).unwrap_err().readable, "a: 1\nb: ");
        assert_eq!(decode(b"\xff\xfea\0\x00\xd8".to_vec()).unwrap_err().what, "UTF-16");
        assert_eq!(decode(b"\xff\xfea\0b".to_vec()).unwrap_err().readable, "a");
    }
}
