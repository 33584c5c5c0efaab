//! What can go wrong with one answer.

use std::time::Duration;

use fastrand::Rng;
use informer_test_server::{Answer, End, Events, RequestRecord, Status};

/// A fault, without its numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// The connection is refused.
    Refused,
    /// No answer at all.
    Never,
    /// A late answer.
    Late,
    /// 410, as an HTTP status.
    Gone,
    /// 410, on watches as an ERROR event.
    Expired,
    /// 429 with a Retry-After.
    TooManyRequests,
    /// 503, with or without a Retry-After.
    Unavailable,
    /// 500.
    Internal,
    /// 401.
    Unauthorized,
    /// 403.
    Forbidden,
    /// 404, once as a Status and once as text.
    NotFound,
    /// 422, as for options that are not known.
    Invalid,
    /// 502 with a page for people.
    Gateway,
    /// 504: a version that is not there yet.
    TooLarge,
    /// Pieces of odd sizes.
    Pieces,
    /// A slow body.
    Slow,
    /// The end after some events.
    EndAfterEvents,
    /// The end after any number of bytes.
    EndAfterBytes,
    /// The end after some time.
    EndAfterTime,
    /// Bytes in the body that do not belong there.
    ForeignBytes,
    /// A page for people with status 200.
    Page,
    /// An answer with status 200 and nothing in it.
    Empty,
}

impl FaultKind {
    /// All of them.
    pub const ALL: [Self; 22] = [
        Self::Refused,
        Self::Never,
        Self::Late,
        Self::Gone,
        Self::Expired,
        Self::TooManyRequests,
        Self::Unavailable,
        Self::Internal,
        Self::Unauthorized,
        Self::Forbidden,
        Self::NotFound,
        Self::Invalid,
        Self::Gateway,
        Self::TooLarge,
        Self::Pieces,
        Self::Slow,
        Self::EndAfterEvents,
        Self::EndAfterBytes,
        Self::EndAfterTime,
        Self::ForeignBytes,
        Self::Page,
        Self::Empty,
    ];

    /// The status that the fault is, if it is one.
    pub(super) fn status(self, rng: &mut Rng) -> Option<Status> {
        Some(match self {
            Self::Gone if rng.bool() => Status::expired().without_reason(),
            Self::Gone | Self::Expired => Status::expired(),
            Self::TooManyRequests => Status::too_many_requests(rng.u64(1..40)),
            Self::Unavailable if rng.bool() => Status::unavailable().with_retry_after(rng.u64(1..40)),
            Self::Unavailable => Status::unavailable(),
            Self::Internal => Status::internal_error(),
            Self::Unauthorized => Status::unauthorized(),
            Self::Forbidden => Status::forbidden("things"),
            Self::NotFound => Status::unknown_resource(),
            Self::Invalid => Status::new(422, "Invalid", "not known here"),
            Self::TooLarge => Status::version_too_large(1 << 40, 1),
            _ => return None,
        })
    }
}

/// A fault of one answer.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) answer: Answer,
    /// How long the client was told to wait.
    pub(super) wait: Option<Duration>,
    /// For people.
    pub(super) text: String,
}

impl Fault {
    /// Draws the numbers.
    pub(super) fn draw(kind: FaultKind, request: &RequestRecord, rng: &mut Rng) -> Self {
        let (answer, numbers) = match kind.status(rng) {
            Some(status) => return Self::refusal(kind, &status, request, rng),
            None => body(kind, rng),
        };
        Self { answer, wait: None, text: format!("{kind:?} {numbers}") }
    }

    fn refusal(kind: FaultKind, status: &Status, request: &RequestRecord, rng: &mut Rng) -> Self {
        let in_stream = request.is_watch() && (kind == FaultKind::Expired || (kind != FaultKind::Gone && rng.bool()));
        let answer = match kind {
            _ if in_stream => Answer::from(Events::new().error(status).close()),
            FaultKind::NotFound if rng.bool() => Answer::raw(404, "text/plain", "404 page not found\n"),
            _ => Answer::from(status.clone()),
        };
        let text = format!("{kind:?} {}{}", status.code(), if in_stream { " in the stream" } else { "" });
        // A version that is not there yet may be given up for any other, at once
        let wait = status.retry_after().filter(|_| kind != FaultKind::TooLarge);
        Self { answer, wait: wait.map(Duration::from_secs), text }
    }
}

/// Faults of the body, and of having one at all; with the numbers drawn, for people.
fn body(kind: FaultKind, rng: &mut Rng) -> (Answer, String) {
    let state = Answer::state();
    // Most faults are near the beginning, where most answers end
    let bytes = |rng: &mut Rng| {
        let most = [10, 400, 5_000, 50_000][rng.usize(..4)];
        rng.usize(..most)
    };
    let end = [End::Close, End::Cut, End::Drop, End::Stall][rng.usize(..4)];
    match kind {
        FaultKind::Refused => (Answer::refused(), String::new()),
        FaultKind::Never => (Answer::never(), String::new()),
        FaultKind::Late => {
            let delay = Duration::from_millis(rng.u64(1..90_000));
            (state.delayed(delay), format!("{delay:?}"))
        }
        FaultKind::Pieces => {
            let sizes: Vec<usize> = (0..rng.usize(1..4)).map(|_| 1 + bytes(rng)).collect();
            (state.in_pieces(sizes.clone()), format!("{sizes:?}"))
        }
        FaultKind::Slow => {
            let (size, pace) = (300 + bytes(rng), Duration::from_millis(rng.u64(1..2_000)));
            (state.in_pieces([size]).paced(pace), format!("{size} bytes each {pace:?}"))
        }
        FaultKind::EndAfterEvents => {
            let events = rng.usize(..8);
            (state.ending_after_events(events, end), format!("{end:?} after {events}"))
        }
        FaultKind::EndAfterBytes => {
            let bytes = bytes(rng);
            (state.ending_after_bytes(bytes, end), format!("{end:?} after {bytes}"))
        }
        FaultKind::EndAfterTime => {
            let time = Duration::from_millis(rng.u64(..20_000));
            (state.ending_after(time, end), format!("{end:?} after {time:?}"))
        }
        FaultKind::ForeignBytes => {
            // None of them can be part of a JSON text that means something else
            let foreign: [&'static [u8]; 4] = [b"\xff\xfe", b"\n<html>\n", b"\x00", b"\n}\n{\n"];
            let (place, bytes) = (bytes(rng), foreign[rng.usize(..4)]);
            (state.with_bytes_at(place, bytes), format!("{} after {place}", bytes.escape_ascii()))
        }
        FaultKind::Gateway => (Answer::raw(502, "text/html", "<html>bad gateway</html>"), String::new()),
        FaultKind::Page => (Answer::raw(200, "text/html", "<html>please log in</html>"), String::new()),
        _ => (Answer::raw(200, "application/json", ""), String::new()),
    }
}
