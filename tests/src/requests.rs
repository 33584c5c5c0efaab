//! What a server was asked, short enough to compare.

use std::fmt::Write;

use informer_test_server::{RequestKind, TestServer};

/// Lists and watches so far, in order: `list rv=0 limit=500`, `list continue=k1 limit=2`, `watch rv=10`, and `stream rv=`
/// for a streaming list. Absent parameters are left out, but for the version.
#[must_use]
pub fn asked(server: &TestServer) -> Vec<String> {
    let short = |request: &informer_test_server::RequestRecord| {
        let mut text = String::from(match request.kind {
            RequestKind::List => "list",
            RequestKind::Watch => "watch",
            RequestKind::StreamingList => "stream",
            _ => return None,
        });
        match request.continue_token() {
            Some(token) => {
                let _ = write!(text, " continue={token}");
                if let Some(version) = request.resource_version() {
                    let _ = write!(text, " rv={version}");
                }
            }
            None => {
                let _ = write!(text, " rv={}", request.resource_version().unwrap_or_default());
            }
        }
        if let Some(limit) = request.limit() {
            let _ = write!(text, " limit={limit}");
        }
        Some(text)
    };
    server.requests().iter().filter_map(short).collect()
}
