//! What can go wrong: one error type with questions to ask it. No message ever holds an object or a part of one.

mod decode;
mod status;

pub use decode::DecodeError;
pub(crate) use status::Status;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::key::ObjectKey;
use crate::resource::{GroupVersionResource, Resource};
use crate::transport::TransportError;

/// The error of this crate. Cheap to clone, so that every waiter and every hook gets the same one.
#[derive(Clone)]
pub struct Error {
    kind: Arc<Kind>,
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum Kind {
    #[error("{0}")]
    Api(Status),
    #[error("{0}")]
    Transport(TransportError),
    #[error("the server sent {what}: {detail}")]
    Garbage { what: &'static str, detail: String },
    #[error("{what} did not come within {after:?}")]
    Deadline { what: &'static str, after: Duration },
    #[error("the end of the initial events did not come within {after:?}")]
    NoMark { after: Duration },
    #[error("the server has version {theirs} only, where {ours} was known")]
    Behind { ours: String, theirs: String },
    #[error("the watch ended within a second and without an event")]
    VeryShortWatch,
    #[error("{} {:?} not found", resource_name(.resource), .key.to_string())]
    NotFound { resource: Resource, key: ObjectKey },
    #[error("{0}")]
    Decode(DecodeError),
    #[error("the informer for {0} has stopped")]
    Stopped(Resource),
    #[error("there is no index named {0:?}")]
    UnknownIndex(String),
    #[error("there is already an index named {0:?}")]
    IndexExists(String),
    #[error("an index function can't add the index {0:?}")]
    IndexWithinIndex(String),
    #[error("the index {index:?} failed for {key}: {detail}")]
    Index { index: String, key: ObjectKey, detail: String },
    #[error("the transform {transform:?} failed for {key}: {problem}")]
    Transform { transform: String, key: ObjectKey, problem: &'static str },
    #[error("the event handler {handler} panicked at {key}")]
    HandlerPanicked { handler: String, key: ObjectKey },
    #[error("{}", unknown_resource(.wanted, .near))]
    UnknownResource { wanted: GroupVersionResource, near: Vec<String> },
    #[error("the registered tables disagree about {first:?}: {second:?}")]
    ResourceConflict { first: Resource, second: Resource },
    #[error("an informer for {resource} with the same scope exists, with other {what}")]
    InformerConflict { resource: Resource, what: &'static str },
    #[error("{}", not_synced(.waiting))]
    NotSynced { waiting: Vec<(String, Option<Error>)>, end: WaitEnd },
    #[error("{}", version_not_reached(.resource, .wanted, .reached, .reason.as_ref()))]
    VersionNotReached { resource: Resource, wanted: String, reached: String, reason: Option<Error>, end: WaitEnd },
    #[error("{0:?} is no resource version that can be compared")]
    InvalidVersion(String),
    #[error("no {type_name} of every object of {resource} is kept: build the informer with `project` or `decoded`")]
    NotKept { resource: Resource, type_name: &'static str },
    #[error("{0:?} is no path of a URL")]
    InvalidPath(String),
}

/// Why a wait ended before what was waited for had come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WaitEnd {
    Cancelled,
    Deadline,
    /// An informer stopped.
    Stopped,
}

fn version_not_reached(resource: &Resource, wanted: &str, reached: &str, reason: Option<&Error>) -> String {
    let reached = if reached.is_empty() { String::from("no version yet") } else { format!("version {reached}") };
    let why = reason.map(|reason| format!(" ({reason})")).unwrap_or_default();
    format!("the cache of {resource} has reached {reached}, not {wanted}{why}")
}

fn resource_name(resource: &Resource) -> String {
    if resource.group().is_empty() {
        resource.plural().to_owned()
    } else {
        format!("{}.{}", resource.plural(), resource.group())
    }
}

fn unknown_resource(wanted: &GroupVersionResource, near: &[String]) -> String {
    let mut text = format!("no informer is registered for {}/{}/{}", wanted.group, wanted.version, wanted.resource);
    if !near.is_empty() {
        text.push_str("; did you mean ");
        text.push_str(&near.join(" or "));
        text.push('?');
    }
    text
}

fn not_synced(waiting: &[(String, Option<Error>)]) -> String {
    let mut text = String::from("not synced: ");
    for (place, (name, reason)) in waiting.iter().enumerate() {
        if place > 0 {
            text.push_str("; ");
        }
        text.push_str(name);
        match reason {
            Some(reason) => text.push_str(&format!(" ({reason})")),
            None => text.push_str(" (no answer yet)"),
        }
    }
    text
}

impl From<Kind> for Error {
    fn from(kind: Kind) -> Self {
        Self { kind: Arc::new(kind) }
    }
}

impl From<TransportError> for Error {
    fn from(error: TransportError) -> Self {
        Kind::Transport(error).into()
    }
}

impl From<DecodeError> for Error {
    fn from(error: DecodeError) -> Self {
        Kind::Decode(error).into()
    }
}

impl Error {
    pub(crate) fn kind(&self) -> &Kind {
        &self.kind
    }

    fn status(&self) -> Option<&Status> {
        match self.kind() {
            Kind::Api(status) => Some(status),
            _ => None,
        }
    }

    /// Whether the server, or the way to it, is to blame, not code of the program.
    pub(crate) fn is_of_server(&self) -> bool {
        !matches!(self.kind(), Kind::HandlerPanicked { .. } | Kind::Index { .. } | Kind::Decode(_))
    }

    /// The HTTP code of the API server's answer, if it was an answer.
    #[must_use]
    pub fn code(&self) -> Option<u16> {
        self.status().map(|status| status.code)
    }

    /// The version asked for is no longer there: HTTP 410, or reason `Expired` or `Gone`, in whatever way it came.
    #[must_use]
    #[doc(alias = "IsResourceExpired")]
    #[doc(alias = "IsGone")]
    pub fn is_expired(&self) -> bool {
        self.status().is_some_and(Status::is_expired)
    }

    /// The version asked for is one that the server has not reached.
    #[must_use]
    #[doc(alias = "IsTooLargeResourceVersion")]
    pub fn is_too_large_resource_version(&self) -> bool {
        self.status().is_some_and(Status::is_too_large) || self.is_version_behind()
    }

    /// The server went back: it gave an older version than one that was known before, as after a restore or from a
    /// copy that lags behind.
    #[must_use]
    pub fn is_version_behind(&self) -> bool {
        matches!(self.kind(), Kind::Behind { .. })
    }

    /// The server knows who asks and says no (403).
    #[must_use]
    pub fn is_forbidden(&self) -> bool {
        self.code() == Some(403)
    }

    /// The server does not know who asks (401).
    #[must_use]
    pub fn is_unauthorized(&self) -> bool {
        self.code() == Some(401)
    }

    /// A lister did not find the object, or the server does not serve the resource (404).
    #[must_use]
    #[doc(alias = "IsNotFound")]
    pub fn is_not_found(&self) -> bool {
        self.code() == Some(404) || matches!(self.kind(), Kind::NotFound { .. })
    }

    /// The server asks for fewer requests (429).
    #[must_use]
    pub fn is_too_many_requests(&self) -> bool {
        self.code() == Some(429)
    }

    /// No HTTP answer came, or it broke off.
    #[must_use]
    pub fn is_transport(&self) -> bool {
        matches!(self.kind(), Kind::Transport(_))
    }

    /// Nobody listened at the server's address.
    #[must_use]
    pub fn is_connection_refused(&self) -> bool {
        matches!(self.kind(), Kind::Transport(error) if error.is_connection_refused())
    }

    /// The server did not answer, or fell silent, within a configured time.
    #[must_use]
    pub fn is_timeout(&self) -> bool {
        matches!(self.kind(), Kind::Deadline { .. } | Kind::NoMark { .. })
    }

    /// The server sent something that is not what was asked for.
    #[must_use]
    pub fn is_garbage(&self) -> bool {
        matches!(self.kind(), Kind::Garbage { .. })
    }

    /// The informer has stopped; ask its factory for a new one.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        matches!(self.kind(), Kind::Stopped(_))
    }

    /// An informer's [`Transform`](crate::Transform) failed at an object, which was kept by its head alone.
    #[must_use]
    pub fn is_transform_failure(&self) -> bool {
        matches!(self.kind(), Kind::Transform { .. })
    }

    /// An event handler panicked.
    #[must_use]
    pub fn is_handler_panic(&self) -> bool {
        matches!(self.kind(), Kind::HandlerPanicked { .. })
    }

    /// An object does not fit the type it was asked as.
    #[must_use]
    pub fn decode_error(&self) -> Option<&DecodeError> {
        match self.kind() {
            Kind::Decode(error) => Some(error),
            _ => None,
        }
    }

    /// After a wait that ended early: each informer that was not synced, and its last error if it had one.
    pub fn not_synced(&self) -> impl Iterator<Item = (&str, Option<&Error>)> {
        let waiting = match self.kind() {
            Kind::NotSynced { waiting, .. } => waiting.as_slice(),
            _ => &[],
        };
        waiting.iter().map(|(name, reason)| (&**name, reason.as_ref()))
    }

    /// Whether a wait ended because its token was cancelled.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.wait_end() == Some(WaitEnd::Cancelled)
    }

    /// Whether a wait ended because its time was over.
    #[must_use]
    pub fn is_deadline_exceeded(&self) -> bool {
        self.wait_end() == Some(WaitEnd::Deadline)
    }

    fn wait_end(&self) -> Option<WaitEnd> {
        match self.kind() {
            Kind::NotSynced { end, .. } | Kind::VersionNotReached { end, .. } => Some(*end),
            _ => None,
        }
    }

    /// After a wait for a version that ended early: the version that the cache has reached, empty before the first
    /// list.
    #[must_use]
    pub fn reached_version(&self) -> Option<&str> {
        match self.kind() {
            Kind::VersionNotReached { reached, .. } => Some(reached),
            _ => None,
        }
    }

    /// How long the server asks to wait before the next try.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        self.status().and_then(|status| status.retry_after)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error({self})")
    }
}

impl std::error::Error for Error {}
