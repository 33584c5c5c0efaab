//! The differences that are meant to be, as data: a row each in `intended.tsv`, and what ours does in `ours/`.

use std::collections::BTreeMap;

/// Why a scenario differs.
#[derive(Debug)]
pub(crate) struct Intended {
    /// The parts of the trace that differ.
    pub(crate) parts: Vec<String>,
    /// The weakness of client-go, or the surprise in its traces.
    pub(crate) id: String,
    pub(crate) reason: String,
}

/// By scenario.
///
/// # Panics
/// If a row is not `scenario, parts, id, reason`, or comes twice.
pub(crate) fn parse(text: &str) -> BTreeMap<String, Intended> {
    let mut all = BTreeMap::new();
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [scenario, parts, id, reason] = fields[..] else { panic!("not four fields: {line}") };
        let parts = parts.split(", ").map(str::to_owned).collect();
        let row = Intended { parts, id: id.to_owned(), reason: reason.to_owned() };
        assert!(!row.id.is_empty() && !row.reason.is_empty(), "without a reason: {line}");
        let before = all.insert(scenario.to_owned(), row);
        assert!(before.is_none(), "twice: {scenario}");
    }
    all
}
