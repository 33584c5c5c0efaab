//! Reads the inputs of a request into sources: files, folders, standard input; UTF-8 and UTF-16, any line ends; gzip.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;

use crate::glob;
use crate::problem::{Problem, Problems};
use crate::request::Input;
use crate::source::{SourceId, Sources, Span};

/// Bytes that one file may have, unpacked. The largest CRD known has 1.5 MB, the largest OpenAPI document 20 MB.
pub(crate) const MAX_FILE_BYTES: u64 = 64 << 20;

/// Bytes that all files of one run may have together.
pub(crate) const MAX_TOTAL_BYTES: u64 = 512 << 20;

/// Folders below a folder that is read whole.
const MAX_LEVELS: usize = 16;

/// Which files of a folder are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Folders {
    /// `*.yaml`, `*.yml` and `*.json`, not those in folders below: CRDs.
    Flat,
    /// The same and `*.gz` of them, folders below included: OpenAPI documents as a server lays them out.
    Deep,
}

impl Folders {
    fn wants(self, name: &str) -> bool {
        let name = name.to_ascii_lowercase();
        let name = match self {
            Folders::Flat => name.as_str(),
            Folders::Deep => name.strip_suffix(".gz").unwrap_or(&name),
        };
        !name.starts_with('.') && [".yaml", ".yml", ".json"].iter().any(|end| name.ends_with(end))
    }
}

/// One text that was read, with its path where it came from a file.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    pub(crate) id: SourceId,
    pub(crate) path: Option<PathBuf>,
}

/// Reads inputs into sources: each file once for each call, all of them within one limit.
pub(crate) struct Reader<'r> {
    sources: &'r mut Sources,
    problems: &'r mut Problems,
    total: u64,
    seen: BTreeSet<PathBuf>,
}

impl<'r> Reader<'r> {
    /// Into sources in which there may be some already.
    pub(crate) fn new(sources: &'r mut Sources, problems: &'r mut Problems) -> Self {
        Reader { total: sources.bytes(), sources, problems, seen: BTreeSet::new() }
    }

    /// Reads everything, ordered by name whatever the order of the inputs. `stdin` is asked only for
    /// [`Input::Stdin`].
    pub(crate) fn read(&mut self, inputs: &[Input], folders: Folders, stdin: &mut dyn Read) -> Vec<Text> {
        self.seen.clear();
        let (mut files, mut texts, mut wants_stdin) = (BTreeSet::new(), BTreeSet::new(), false);
        for input in inputs {
            match input {
                Input::Path(path) => files_of(path, folders, &mut files, self.problems),
                Input::Text { name, text } => {
                    texts.insert((name.as_str(), text.as_str()));
                }
                Input::Stdin => wants_stdin = true,
            }
        }
        let mut read = Vec::new();
        if wants_stdin {
            read.extend(self.text("<stdin>", stdin).map(|id| Text { id, path: None }));
        }
        for (name, text) in texts {
            read.extend(self.text(name, &mut text.as_bytes()).map(|id| Text { id, path: None }));
        }
        read.extend(files.into_iter().filter_map(|path| self.file(path)));
        read
    }

    /// Reads one file, unless it was read before: the same file by two ways is read once.
    pub(crate) fn file(&mut self, path: PathBuf) -> Option<Text> {
        if !self.seen.insert(fs::canonicalize(&path).unwrap_or_else(|_| path.clone())) {
            return None;
        }
        let name = shown(&path);
        match fs::File::open(&path) {
            Ok(mut file) => self.text(&name, &mut file).map(|id| Text { id, path: Some(path) }),
            Err(error) => {
                self.problems.push(unreadable(&name, &error));
                None
            }
        }
    }

    fn text(&mut self, name: &str, from: &mut dyn Read) -> Option<SourceId> {
        let bytes = match limited(from).and_then(unpacked) {
            Ok(bytes) => bytes,
            Err(error) => {
                self.problems.push(unreadable(name, &error));
                return None;
            }
        };
        self.total += bytes.len() as u64;
        if bytes.len() as u64 > MAX_FILE_BYTES {
            self.problems.push(Problem::error(format!("{name} is larger than {} MiB", MAX_FILE_BYTES >> 20)));
            return None;
        }
        if self.total > MAX_TOTAL_BYTES {
            let limit = MAX_TOTAL_BYTES >> 20;
            self.problems.push(Problem::error(format!("{name}: the inputs together are larger than {limit} MiB")));
            return None;
        }
        match decode(bytes) {
            Ok(text) => Some(self.sources.add(name, text)),
            Err(broken) => {
                let id = self.sources.add(name, broken.readable);
                let end = self.sources.get(id).text().len();
                let at = Span::new(id, end, end);
                let message = format!("this is no {} text", broken.what);
                self.problems.push(Problem::error(message).at(at).hint("save the file as UTF-8"));
                None
            }
        }
    }
}

/// At most one byte more than a file may have.
fn limited(from: &mut dyn Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// What a gzip file holds, whatever its name; other bytes as they are.
fn unpacked(bytes: Vec<u8>) -> io::Result<Vec<u8>> {
    if bytes.starts_with(&[0x1f, 0x8b]) {
        let told = |error: io::Error| io::Error::new(error.kind(), format!("broken gzip data: {error}"));
        return limited(&mut MultiGzDecoder::new(bytes.as_slice())).map_err(told);
    }
    Ok(bytes)
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
fn files_of(path: &Path, folders: Folders, files: &mut BTreeSet<PathBuf>, problems: &mut Problems) {
    if !path.exists() && glob::is_pattern(path) {
        let found = glob::files(path);
        if found.is_empty() {
            problems.push(Problem::error(format!("no file is like {}", shown(path))));
        }
        files.extend(found);
        return;
    }
    if !path.is_dir() {
        files.insert(path.to_owned());
        return;
    }
    let (mut found, mut below) = (false, false);
    let mut open = vec![(path.to_owned(), 0)];
    while let Some((folder, level)) = open.pop() {
        let entries = match fs::read_dir(&folder).and_then(Iterator::collect::<io::Result<Vec<_>>>) {
            Ok(entries) => entries,
            Err(error) => {
                problems.push(unreadable(&shown(&folder), &error));
                continue;
            }
        };
        for entry in entries.into_iter().map(|entry| entry.path()) {
            let name = entry.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            if !entry.is_dir() {
                if folders.wants(&name) {
                    found = true;
                    files.insert(entry);
                }
            } else if folders == Folders::Deep && level < MAX_LEVELS && !name.starts_with('.') {
                open.push((entry, level + 1));
            } else {
                below = true;
            }
        }
    }
    if !found {
        let problem = Problem::error(format!("{} has no *.yaml, *.yml or *.json files", shown(path)));
        problems.push(if below { problem.hint("folders below it are not read: name each of them") } else { problem });
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
    use std::io::Write as _;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    /// What is told of a read, and of how many bytes each text is.
    fn read(total: u64, input: Input, stdin: &mut dyn Read) -> (Vec<String>, Vec<usize>) {
        let (mut sources, mut problems) = (Sources::default(), Problems::new());
        let mut reader = Reader::new(&mut sources, &mut problems);
        reader.total += total;
        let texts = reader.read(&[input], Folders::Flat, stdin);
        let lengths = texts.iter().map(|text| sources.get(text.id).text().len()).collect();
        (problems.iter().map(|problem| problem.message().to_owned()).collect(), lengths)
    }

    fn text(text: &str) -> Input {
        Input::Text { name: "a.yaml".into(), text: text.into() }
    }

    #[test]
    fn h32_a_file_without_end_is_refused() {
        // It never ends, so this returns only since no more is read than may be.
        let (told, lengths) = read(0, Input::Stdin, &mut io::repeat(b' '));
        assert_eq!((told, lengths), (vec!["<stdin> is larger than 64 MiB".to_owned()], vec![]));
        let (told, lengths) = read(0, Input::Stdin, &mut io::repeat(b' ').take(MAX_FILE_BYTES));
        assert_eq!((told, lengths), (vec![], vec![64 << 20]));
    }

    #[test]
    fn h32_a_gzip_bomb_is_refused_before_it_is_large() {
        // A gzip file may be several, one after the other: here 4096 of a megabyte of zeros, in 4 MB.
        let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(&vec![0; 1 << 20]).unwrap();
        let packed = packed.finish().unwrap();
        assert!(packed.len() < 10_000);
        let bomb = packed.repeat(4096);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bomb.yaml");
        fs::write(&path, &bomb).unwrap();
        let (told, lengths) = read(0, Input::Path(path.clone()), &mut io::empty());
        assert_eq!((told, lengths), (vec![format!("{} is larger than 64 MiB", shown(&path))], vec![]));
        assert_eq!(unpacked(bomb).unwrap().len() as u64, MAX_FILE_BYTES + 1);
        fs::write(&path, packed).unwrap();
        assert_eq!(read(0, Input::Path(path), &mut io::empty()), (vec![], vec![1 << 20]));
    }

    #[test]
    fn h32_all_inputs_together_have_a_limit() {
        let almost = MAX_TOTAL_BYTES - 4;
        assert_eq!(read(almost, text("a: 1"), &mut io::empty()), (vec![], vec![4]));
        let told = "a.yaml: the inputs together are larger than 512 MiB".to_owned();
        assert_eq!(read(almost, text("a: 10"), &mut io::empty()), (vec![told], vec![]));
        // What was read for another purpose counts.
        let (mut sources, mut problems) = (Sources::default(), Problems::new());
        sources.add("before.yaml", "a: 1".to_owned());
        assert_eq!(Reader::new(&mut sources, &mut problems).total, 4);
    }

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
