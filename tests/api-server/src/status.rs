//! Kubernetes `Status` objects: what the server says when it does not do what was asked.

use bytes::Bytes;
use serde::Serialize;
use serde_json::Value;

/// An error answer: an HTTP status code with a `Status` object as its body, or the object of an ERROR event.
///
/// The constructors make what a real server sends; the `with_` and `without_` methods bend that for tests of odd
/// servers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{code} {}: {message}", reason.as_deref().unwrap_or("(no reason)"))]
pub struct Status {
    metadata: Metadata,
    message: Box<str>,
    reason: Option<Box<str>>,
    details: Option<Box<Details>>,
    code: u16,
}

/// A [`Status`] as it is written, in this order.
#[derive(Serialize)]
struct Written<'a> {
    kind: &'static str,
    #[serde(rename = "apiVersion")]
    api_version: &'static str,
    metadata: &'a Metadata,
    status: &'static str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    details: Option<&'a Details>,
    code: u16,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
struct Metadata {
    #[serde(rename = "continue", skip_serializing_if = "Option::is_none")]
    continue_token: Option<Box<str>>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
struct Details {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    causes: Vec<Cause>,
    #[serde(rename = "retryAfterSeconds", skip_serializing_if = "Option::is_none")]
    retry_after_seconds: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct Cause {
    reason: String,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<String>,
}

impl Status {
    /// Any failure. An empty `reason` leaves the field out.
    pub fn new(code: u16, reason: &str, message: impl Into<String>) -> Self {
        Self {
            metadata: Metadata::default(),
            message: message.into().into(),
            reason: (!reason.is_empty()).then(|| reason.into()),
            details: None,
            code,
        }
    }

    /// 410 Expired: the asked version is no longer known.
    #[must_use]
    pub fn expired() -> Self {
        Self::new(410, "Expired", "the asked resource version is too old")
    }

    /// 410 Gone, as old servers say it.
    #[must_use]
    pub fn gone() -> Self {
        Self::new(410, "Gone", "the asked resource version is too old")
    }

    /// 504 Timeout with the cause `ResourceVersionTooLarge` and a Retry-After of one second.
    #[must_use]
    pub fn version_too_large(asked: u64, current: u64) -> Self {
        let message = format!("Timeout: Too large resource version: {asked}, current: {current}");
        Self::new(504, "Timeout", message)
            .with_cause("ResourceVersionTooLarge", "Too large resource version", None)
            .with_retry_after(1)
    }

    /// 429 TooManyRequests with a Retry-After in seconds.
    #[must_use]
    pub fn too_many_requests(seconds: u64) -> Self {
        Self::new(429, "TooManyRequests", "too many requests, try again later").with_retry_after(seconds)
    }

    /// 503 ServiceUnavailable.
    #[must_use]
    pub fn unavailable() -> Self {
        Self::new(503, "ServiceUnavailable", "the server can not serve this now")
    }

    /// 500 InternalError.
    #[must_use]
    pub fn internal_error() -> Self {
        Self::new(500, "InternalError", "internal error")
    }

    /// 401 Unauthorized.
    #[must_use]
    pub fn unauthorized() -> Self {
        Self::new(401, "Unauthorized", "Unauthorized")
    }

    /// 403 Forbidden for a plural resource name.
    #[must_use]
    pub fn forbidden(plural: &str) -> Self {
        let message = format!("{plural} is forbidden: the user may not do this");
        Self::new(403, "Forbidden", message).about(plural, "", "")
    }

    /// 404 for an object that does not exist.
    #[must_use]
    pub fn not_found(plural: &str, group: &str, name: &str) -> Self {
        let message = format!("{} \"{name}\" not found", qualified(plural, group));
        Self::new(404, "NotFound", message).about(plural, group, name)
    }

    /// 404 for a resource that the group does not have.
    #[must_use]
    pub fn unknown_resource() -> Self {
        let message = "this group has no such resource";
        Self::new(404, "NotFound", message).with_details()
    }

    pub(crate) fn already_exists(plural: &str, group: &str, name: &str) -> Self {
        let message = format!("{} \"{name}\" already exists", qualified(plural, group));
        Self::new(409, "AlreadyExists", message).about(plural, group, name)
    }

    pub(crate) fn conflict(plural: &str, group: &str, name: &str, why: &str) -> Self {
        let message = format!("{} \"{name}\" can not be written: {why}", qualified(plural, group));
        Self::new(409, "Conflict", message).about(plural, group, name)
    }

    pub(crate) fn bad_request(message: impl Into<String>) -> Self {
        Self::new(400, "BadRequest", message)
    }

    pub(crate) fn method_not_allowed() -> Self {
        let message = "this method is not for this path";
        Self::new(405, "MethodNotAllowed", message).with_details()
    }

    /// 422 for list options that exclude each other.
    pub(crate) fn forbidden_option(field: &str, why: &str) -> Self {
        let message = format!("ListOptions.meta.k8s.io \"\" is invalid: {field}: Forbidden: {why}");
        let mut status = Self::new(422, "Invalid", message).with_cause(
            "FieldValueForbidden",
            &format!("Forbidden: {why}"),
            Some(field),
        );
        let details = status.details.get_or_insert_default();
        details.group = Some("meta.k8s.io".to_owned());
        details.kind = Some("ListOptions".to_owned());
        status
    }

    /// With `retryAfterSeconds` in the details; as an HTTP answer also with the header.
    #[must_use]
    pub fn with_retry_after(mut self, seconds: u64) -> Self {
        self.details.get_or_insert_default().retry_after_seconds = Some(seconds);
        self
    }

    /// With one more cause in the details.
    #[must_use]
    pub fn with_cause(mut self, reason: &str, message: &str, field: Option<&str>) -> Self {
        self.details.get_or_insert_default().causes.push(Cause {
            reason: reason.to_owned(),
            message: message.to_owned(),
            field: field.map(str::to_owned),
        });
        self
    }

    /// With `metadata.continue`, as an expired page answers.
    #[must_use]
    pub fn with_continue(mut self, token: &str) -> Self {
        self.metadata.continue_token = Some(token.into());
        self
    }

    /// With another message.
    #[must_use]
    pub fn with_message(mut self, message: impl Into<String>) -> Self {
        self.message = message.into().into();
        self
    }

    /// Without the reason, as some servers and proxies answer.
    #[must_use]
    pub fn without_reason(mut self) -> Self {
        self.reason = None;
        self
    }

    /// The HTTP status code.
    #[must_use]
    pub fn code(&self) -> u16 {
        self.code
    }

    /// The machine-readable reason, if there is one.
    #[must_use]
    pub fn reason(&self) -> Option<&str> {
        self.reason.as_deref()
    }

    /// The text for people.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Seconds after which to try again, if the server says so.
    #[must_use]
    pub fn retry_after(&self) -> Option<u64> {
        self.details.as_ref()?.retry_after_seconds
    }

    /// The object as JSON.
    #[must_use]
    pub fn to_json(&self) -> Value {
        serde_json::to_value(self.written()).expect("strings and numbers can be written")
    }

    pub(crate) fn to_bytes(&self) -> Bytes {
        serde_json::to_vec(&self.written()).expect("strings and numbers can be written").into()
    }

    fn written(&self) -> Written<'_> {
        Written {
            kind: "Status",
            api_version: "v1",
            metadata: &self.metadata,
            status: "Failure",
            message: &self.message,
            reason: self.reason.as_deref(),
            details: self.details.as_deref(),
            code: self.code,
        }
    }

    fn with_details(mut self) -> Self {
        self.details.get_or_insert_default();
        self
    }

    fn about(mut self, plural: &str, group: &str, name: &str) -> Self {
        let given = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let details = self.details.get_or_insert_default();
        (details.kind, details.group, details.name) = (given(plural), given(group), given(name));
        self
    }
}

fn qualified(plural: &str, group: &str) -> String {
    if group.is_empty() { plural.to_owned() } else { format!("{plural}.{group}") }
}
