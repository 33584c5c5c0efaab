//! The list and watch protocol around the Pods: lines of a watch, a list, and their chunks on the wire.

use crate::pods::{Form, key, pod};
use std::fmt::Write;

/// The version of the whole collection in the first list, later than that of any Pod.
pub(crate) const COLLECTION_VERSION: u64 = 1_000_000;
/// The largest HTTP chunk, as a kube-apiserver sends it.
pub(crate) const CHUNK: usize = 2048;

/// A number of Pods, each as its JSON, by namespace and name: the order in which an API server has them.
pub(crate) fn pods(form: Form, count: usize) -> impl Iterator<Item = String> {
    let mut numbers: Vec<usize> = (0..count).collect();
    numbers.sort_by_cached_key(|number| key(form, *number));
    numbers.into_iter().map(move |number| pod(form, number, 1000 + number as u64))
}

/// The line of a watch that says that `pod` is there.
pub(crate) fn added(pod: &str) -> String {
    format!("{{\"type\":\"ADDED\",\"object\":{pod}}}\n")
}

/// The line that ends the initial events of a streaming list; the version moves on with every such list.
pub(crate) fn initial_events_end(list: u64) -> String {
    format!(
        concat!(
            r#"{{"type":"BOOKMARK","object":{{"kind":"Pod","apiVersion":"v1","metadata":{{"resourceVersion":"{}","#,
            r#""creationTimestamp":null,"annotations":{{"k8s.io/initial-events-end":"true"}}}},"#,
            r#""spec":{{"containers":null}},"status":{{}}}}}}"#,
            "\n"
        ),
        COLLECTION_VERSION + list
    )
}

/// The line after which a watch ends and everything has to be listed again.
pub(crate) fn expired() -> &'static str {
    concat!(
        r#"{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","#,
        r#""message":"too old resource version","reason":"Expired","code":410}}"#,
        "\n"
    )
}

/// A page of a list: the Pods from `start` on, `limit` at most.
pub(crate) fn page(pods: &[String], start: usize, limit: usize) -> String {
    let end = pods.len().min(start.saturating_add(limit));
    let next = if end < pods.len() { end.to_string() } else { String::new() };
    let mut json = String::new();
    let _ = write!(
        json,
        r#"{{"kind":"PodList","apiVersion":"v1","metadata":{{"resourceVersion":"{COLLECTION_VERSION}","continue":"{next}"}},"items":["#
    );
    json.push_str(&pods[start.min(end)..end].join(","));
    json.push_str("]}\n");
    json
}

/// Appends `data` as one HTTP chunk, or several if it is larger than [`CHUNK`].
pub(crate) fn encode_chunks(wire: &mut Vec<u8>, data: &[u8]) {
    for piece in data.chunks(CHUNK) {
        wire.extend_from_slice(format!("{:x}\r\n", piece.len()).as_bytes());
        wire.extend_from_slice(piece);
        wire.extend_from_slice(b"\r\n");
    }
}

/// What ends a chunked body.
pub(crate) const LAST_CHUNK: &[u8] = b"0\r\n\r\n";
