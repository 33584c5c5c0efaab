//! Objects read into their types and written again: what comes out must be what went in.
//!
//! `cargo xtask corpus` compiles this into crates full of generated types; they are no part of this repository.

use informer_runtime::codegen::serde::Serialize;
use informer_runtime::codegen::serde::de::DeserializeOwned;
use informer_runtime::codegen::serde_json::{self, Value};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// What of one version is written down at most.
const SHOWN: usize = 3;

/// Takes one version after the other; what it found goes into the file `report.txt`.
pub(crate) struct Rounds {
    folder: PathBuf,
    report: String,
}

impl Rounds {
    /// In the folder of the crate.
    pub(crate) fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), report: String::new() }
    }

    /// Objects of one type, from a file with one in each line: as given, and after a tab as it must be written, where
    /// it must.
    pub(crate) fn version<T: Serialize + DeserializeOwned>(&mut self, name: &str, file: &str) {
        let text = std::fs::read_to_string(self.folder.join(file)).expect("the file is there");
        let mut wrong = Vec::new();
        let mut count = 0;
        for line in text.lines() {
            let (given, written) = line.split_once('\t').unwrap_or((line, ""));
            if let Err(message) = round::<T>(given, written) {
                wrong.push(format!("object {count}: {message}"));
            }
            count += 1;
        }
        let _ = match wrong.len() {
            0 => writeln!(self.report, "ok\t{name}\t{count}"),
            bad => writeln!(
                self.report,
                "wrong\t{name}\t{bad} of {count} objects: {}",
                wrong.into_iter().take(SHOWN).collect::<Vec<_>>().join("; ")
            ),
        };
    }

    /// Writes the report.
    pub(crate) fn end(self) {
        std::fs::write(self.folder.join("report.txt"), self.report + "end\n").expect("the folder can be written");
    }
}

fn round<T: Serialize + DeserializeOwned>(given: &str, written: &str) -> Result<(), String> {
    let object: T =
        serde_json::from_str(given).map_err(|error| format!("is not read: {error}{}", near(given, &error)))?;
    let text = serde_json::to_string(&object).map_err(|error| format!("is not written: {error}"))?;
    if written.is_empty() {
        return Ok(());
    }
    let parsed = |text: &str| serde_json::from_str::<Value>(text).map_err(|error| error.to_string());
    match difference(&parsed(written)?, &parsed(&text)?, "") {
        Some(difference) => Err(format!("comes back with another value at {difference}")),
        None => Ok(()),
    }
}

/// What stands before the place of an error.
fn near(text: &str, error: &serde_json::Error) -> String {
    let end = error.column().min(text.len());
    let start = end.saturating_sub(60);
    format!(", after {:?}", text.get(start..end).unwrap_or_default())
}

/// The first difference. Samples are at most some hundred levels deep.
fn difference(expected: &Value, found: &Value, path: &str) -> Option<String> {
    match (expected, found) {
        (Value::Object(a), Value::Object(b)) => {
            let missing = a.keys().find(|key| !b.contains_key(*key)).map(|key| format!("{path}/{key}: lost"));
            let more = || b.keys().find(|key| !a.contains_key(*key)).map(|key| format!("{path}/{key}: new"));
            let inner = || a.iter().find_map(|(key, value)| difference(value, b.get(key)?, &format!("{path}/{key}")));
            missing.or_else(more).or_else(inner)
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            let mut pairs = a.iter().zip(b).enumerate();
            pairs.find_map(|(at, (a, b))| difference(a, b, &format!("{path}/{at}")))
        }
        (a, b) if a == b => None,
        (a, b) => Some(format!("{path}: {a} is now {b}")),
    }
}
