//! What client-go did, as `tests/data/traces/client-go.jsonl` has it.

use serde::Deserialize;

/// The least and the most over all recorded runs, in seconds, to a tenth of a second.
pub(crate) type Seconds = [f64; 2];

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Golden {
    pub(crate) name: String,
    pub(crate) requests: Vec<Asked>,
    /// Connections that were refused.
    #[serde(default)]
    pub(crate) refused: Vec<Refused>,
    pub(crate) handlers: Vec<Handler>,
    pub(crate) errors: Vec<ErrorCall>,
    pub(crate) synced: Option<Seconds>,
    pub(crate) versions: Vec<String>,
    pub(crate) last_version: String,
    pub(crate) store_version: String,
    pub(crate) store: Vec<String>,
    pub(crate) returned: Option<Seconds>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Asked {
    pub(crate) t: Seconds,
    pub(crate) gap: String,
    step: usize,
    kind: String,
    path: String,
    query: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Refused {
    pub(crate) t: Seconds,
    pub(crate) gap: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Handler {
    pub(crate) name: String,
    pub(crate) added: Option<Seconds>,
    pub(crate) synced: Option<Seconds>,
    pub(crate) removed: Option<Seconds>,
    pub(crate) calls: Vec<Call>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Call {
    pub(crate) t: Seconds,
    pub(crate) call: String,
    /// Calls with one number came in differing orders.
    #[serde(default)]
    pub(crate) any_order: usize,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ErrorCall {
    pub(crate) t: Seconds,
    pub(crate) error: String,
}

impl Golden {
    /// All of a file, one a line.
    pub(crate) fn all(text: &str) -> Vec<Self> {
        let parse = |line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error} in {line}"));
        text.lines().map(parse).collect()
    }
}

impl Asked {
    /// Step, kind, path and query.
    pub(crate) fn text(&self) -> String {
        format!("step {} {} {}?{}", self.step, self.kind, self.path, self.query)
    }
}
