//! What an API server says when it does not do what it was asked (metav1.Status).

use std::fmt;
use std::time::Duration;

use serde::Deserialize;

/// How much of a server's message is kept.
const MAX_MESSAGE: usize = 1024;

/// The parts of a Status that a client acts on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Status {
    pub(crate) code: u16,
    pub(crate) reason: String,
    pub(crate) message: String,
    pub(crate) retry_after: Option<Duration>,
    too_large: bool,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Wire {
    kind: Option<String>,
    code: Option<u16>,
    reason: Option<String>,
    message: Option<String>,
    details: Option<Details>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Details {
    retry_after_seconds: Option<u32>,
    causes: Option<Vec<Cause>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Cause {
    reason: Option<String>,
    message: Option<String>,
}

/// How servers say of a watch, of a list and of a page that a version is gone, where they say it in words only.
const EXPIRED_MESSAGES: [&str; 3] = [
    "too old resource version",
    "The resourceVersion for the provided list is too old",
    "The provided continue parameter is too old",
];
/// As apimachinery names it (`meta/v1.CauseTypeResourceVersionTooLarge`).
const TOO_LARGE_CAUSE: &str = "ResourceVersionTooLarge";
/// How servers before 1.20 said the same.
const TOO_LARGE_MESSAGE: &str = "Too large resource version";

impl Status {
    /// From the body of a refused request. A body that is no Status is not repeated: it may be anything.
    pub(crate) fn from_response(code: u16, retry_after: Option<Duration>, body: &[u8]) -> Self {
        let mut status = Self::from_json(body).unwrap_or_else(|| Self {
            message: format!("an answer that is no Status, {} bytes", body.len()),
            ..Self::default()
        });
        status.code = code;
        status.retry_after = retry_after.or(status.retry_after);
        status
    }

    /// From the object of an ERROR event. One that has no code keeps 0.
    pub(crate) fn from_event(object: &str) -> Self {
        Self::from_json(object.as_bytes())
            .unwrap_or_else(|| Self { message: String::from("an ERROR event without a Status"), ..Self::default() })
    }

    /// From a line that stands where an event should.
    pub(crate) fn from_line(line: &str) -> Option<Self> {
        Self::from_json(line.as_bytes())
    }

    fn from_json(body: &[u8]) -> Option<Self> {
        let wire: Wire = serde_json::from_slice(body).ok()?;
        if wire.kind.as_deref().is_some_and(|kind| kind != "Status") {
            return None;
        }
        if wire.kind.is_none() && wire.code.is_none() && wire.reason.is_none() {
            return None;
        }
        let details = wire.details.unwrap_or_default();
        let mut message = wire.message.unwrap_or_default();
        let too_large = details.causes.unwrap_or_default().iter().any(|cause| {
            cause.reason.as_deref() == Some(TOO_LARGE_CAUSE) || cause.message.as_deref() == Some(TOO_LARGE_MESSAGE)
        }) || message.contains(TOO_LARGE_MESSAGE);
        if message.len() > MAX_MESSAGE {
            let end = (0..=MAX_MESSAGE).rev().find(|&end| message.is_char_boundary(end));
            message.truncate(end.unwrap_or(0));
            message.push('…');
        }
        Some(Self {
            code: wire.code.unwrap_or_default(),
            reason: wire.reason.unwrap_or_default(),
            message,
            retry_after: details.retry_after_seconds.map(|seconds| Duration::from_secs(seconds.into())),
            too_large,
        })
    }

    pub(crate) fn is_expired(&self) -> bool {
        self.code == 410
            || matches!(self.reason.as_str(), "Expired" | "Gone")
            || EXPIRED_MESSAGES.iter().any(|message| self.message.contains(message))
    }

    pub(crate) fn is_too_large(&self) -> bool {
        self.too_large
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.code {
            0 => f.write_str("the server reported an error")?,
            code => write!(f, "the server answered {code}")?,
        }
        if !self.reason.is_empty() {
            write!(f, " {}", self.reason)?;
        }
        if !self.message.is_empty() {
            write!(f, ": {}", self.message)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expiry_is_known_in_every_form() {
        for object in [
            r#"{"kind":"Status","code":410,"reason":"Expired"}"#,
            r#"{"kind":"Status","code":410,"reason":"Gone"}"#,
            r#"{"kind":"Status","code":410}"#,
            r#"{"kind":"Status","reason":"Expired"}"#,
            r#"{"kind":"Status","message":"too old resource version: 5 (10)"}"#,
        ] {
            assert!(Status::from_event(object).is_expired(), "{object}");
        }
        assert!(!Status::from_event(r#"{"kind":"Status","code":500}"#).is_expired());
        assert!(Status::from_response(410, None, b"gone").is_expired());
    }

    #[test]
    fn too_large_is_known_in_every_form() {
        for body in [
            r#"{"kind":"Status","reason":"Timeout","code":504,"details":{"causes":[{"reason":"ResourceVersionTooLarge"}],"retryAfterSeconds":1}}"#,
            r#"{"kind":"Status","reason":"Timeout","code":504,"details":{"causes":[{"message":"Too large resource version"}]}}"#,
            r#"{"kind":"Status","reason":"Timeout","code":504,"message":"Timeout: Too large resource version: 9, current: 5"}"#,
        ] {
            assert!(Status::from_response(504, None, body.as_bytes()).is_too_large(), "{body}");
        }
    }

    #[test]
    fn a_foreign_body_is_not_repeated() {
        let status = Status::from_response(502, None, b"{\"password\":\"hunter2\"}");
        assert!(!status.to_string().contains("hunter2"));
        let status = Status::from_event(r#"{"kind":"Secret","data":{"a":"hunter2"},"message":"hunter2"}"#);
        assert!(!status.to_string().contains("hunter2"));
    }
}
