//! What was asked: every request that reached the server.

use std::collections::VecDeque;
use std::fmt;
use std::time::Duration;

use http::Method;
use informer_runtime::Resource;

use crate::query::Query;

/// How many requests are kept; older ones are forgotten.
const KEPT: usize = 65_536;

/// What a request asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RequestKind {
    /// A list, or one page of it.
    List,
    /// A watch without `sendInitialEvents`.
    Watch,
    /// A watch with `sendInitialEvents`, also called a watch-list.
    StreamingList,
    /// One object.
    Get,
    /// POST.
    Create,
    /// PUT.
    Update,
    /// PATCH.
    Patch,
    /// DELETE of one object.
    Delete,
    /// DELETE of a collection.
    DeleteCollection,
    /// Anything else, such as discovery.
    Other,
}

/// One request, as it came in.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RequestRecord {
    /// What it asks for.
    pub kind: RequestKind,
    /// When it came: tokio time since the server was made.
    pub at: Duration,
    /// The HTTP method.
    pub method: Method,
    /// The path, as sent.
    pub path: String,
    /// The decoded query.
    pub query: Query,
    /// The `Accept` header; empty if there was none.
    pub accept: String,
    /// The `Accept-Encoding` header; empty if there was none.
    pub accept_encoding: String,
    /// The resource, if it is served.
    pub resource: Option<Resource>,
    /// The namespace in the path.
    pub namespace: Option<String>,
    /// The object's name in the path.
    pub name: Option<String>,
}

impl RequestRecord {
    /// A query value, decoded.
    #[must_use]
    pub fn query(&self, name: &str) -> Option<&str> {
        self.query.get(name)
    }

    /// The query's `resourceVersion`; `None` if it is missing or empty.
    #[must_use]
    pub fn resource_version(&self) -> Option<&str> {
        self.query("resourceVersion").filter(|version| !version.is_empty())
    }

    /// The query's `continue`; `None` if it is missing or empty.
    #[must_use]
    pub fn continue_token(&self) -> Option<&str> {
        self.query("continue").filter(|token| !token.is_empty())
    }

    /// The query's `limit`, if it is a number.
    #[must_use]
    pub fn limit(&self) -> Option<u64> {
        self.query("limit")?.parse().ok()
    }

    /// The query's `timeoutSeconds`, if it is a number.
    #[must_use]
    pub fn timeout_seconds(&self) -> Option<u64> {
        self.query("timeoutSeconds")?.parse().ok()
    }

    /// Whether it is a list, or one page of it.
    #[must_use]
    pub fn is_list(&self) -> bool {
        self.kind == RequestKind::List
    }

    /// Whether it is a watch, with or without initial events.
    #[must_use]
    pub fn is_watch(&self) -> bool {
        matches!(self.kind, RequestKind::Watch | RequestKind::StreamingList)
    }
}

/// In one line, for assertions on sequences: the kind, the path and what was given of the options that matter to
/// lists and watches, such as `Watch /apis/shop.example.test/v1/widgets rv=10 bookmarks`.
impl fmt::Display for RequestRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {}", self.kind, self.path)?;
        for (short, name) in [
            ("rv", "resourceVersion"),
            ("match", "resourceVersionMatch"),
            ("limit", "limit"),
            ("continue", "continue"),
            ("labels", "labelSelector"),
            ("fields", "fieldSelector"),
        ] {
            if let Some(value) = self.query(name).filter(|value| !value.is_empty()) {
                write!(f, " {short}={value}")?;
            }
        }
        match self.query.flag("allowWatchBookmarks") {
            Some(true) => f.write_str(" bookmarks"),
            _ => Ok(()),
        }
    }
}

/// The requests so far.
#[derive(Debug, Default)]
pub(crate) struct Recorder {
    requests: VecDeque<RequestRecord>,
}

impl Recorder {
    pub(crate) fn record(&mut self, request: RequestRecord) {
        if self.requests.len() == KEPT {
            self.requests.pop_front();
        }
        self.requests.push_back(request);
    }

    pub(crate) fn select(&self, filter: impl Fn(&RequestRecord) -> bool) -> Vec<RequestRecord> {
        self.requests.iter().filter(|request| filter(request)).cloned().collect()
    }

    pub(crate) fn clear(&mut self) {
        self.requests.clear();
    }
}
