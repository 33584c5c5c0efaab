//! Scripted answers: what is sent, and what goes wrong with it.

use std::time::Duration;

use bytes::Bytes;
use serde_json::Value;

use crate::body::End;
use crate::events::{self, Events};
use crate::live::{Gate, LiveEvents};
use crate::registry::Served;
use crate::render::{self, Form, Page};
use crate::status::Status;

/// The content of a scripted list.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    version: String,
    items: Vec<Value>,
    continue_token: Option<String>,
    remaining: Option<usize>,
}

impl Listing {
    /// An empty list at this version.
    #[must_use]
    pub fn at(version: u64) -> Self {
        Self { version: version.to_string(), ..Self::default() }
    }

    /// With these items, as they are. Kind and apiVersion are filled in or left out as the resource's lists have it.
    #[must_use]
    pub fn items(mut self, items: impl IntoIterator<Item = Value>) -> Self {
        self.items.extend(items);
        self
    }

    /// With a continue token.
    #[must_use]
    pub fn continue_token(mut self, token: &str) -> Self {
        self.continue_token = Some(token.to_owned());
        self
    }

    /// With `remainingItemCount`.
    #[must_use]
    pub fn remaining(mut self, count: usize) -> Self {
        self.remaining = Some(count);
        self
    }

    pub(crate) fn write(mut self, served: &Served) -> Bytes {
        let items: Vec<Bytes> = self
            .items
            .iter_mut()
            .map(|item| {
                events::complete(served, item);
                render::object(served, item, Form::Item)
            })
            .collect();
        let page = Page {
            version: &self.version,
            continue_token: self.continue_token.as_deref(),
            remaining: self.remaining,
            partial: false,
        };
        render::list(served, &page, items)
    }
}

/// One answer of a script.
///
/// A [`Listing`], [`Events`] or [`Status`] converts into it: a list, a watch, or an HTTP error with a Status body.
#[derive(Clone, Debug)]
pub struct Answer {
    pub(crate) content: Content,
    pub(crate) delay: Duration,
    pub(crate) gate: Option<Gate>,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) pieces: Option<Vec<usize>>,
    pub(crate) pace: Option<Duration>,
    pub(crate) ending: Option<(When, End)>,
    pub(crate) foreign: Option<(usize, Bytes)>,
}

#[derive(Clone, Debug)]
pub(crate) enum Content {
    State,
    Refuse,
    Never,
    Whole { code: u16, content_type: String, body: Bytes },
    Listing(Listing),
    Events(Events),
    Live(LiveEvents),
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum When {
    Chunks(usize),
    Bytes(usize),
    Time(Duration),
}

impl Answer {
    /// What the server's state says: for faults on top of true answers.
    #[must_use]
    pub fn state() -> Self {
        Self::of(Content::State)
    }

    /// No answer at all: the request hangs.
    #[must_use]
    pub fn never() -> Self {
        Self::of(Content::Never)
    }

    /// A transport error instead of an answer, as when the connection is refused.
    #[must_use]
    pub fn refused() -> Self {
        Self::of(Content::Refuse)
    }

    /// Status 200 with this JSON as it is.
    #[must_use]
    pub fn json(value: &Value) -> Self {
        Self::raw(200, "application/json", value.to_string())
    }

    /// Any status, content type and body.
    #[must_use]
    pub fn raw(code: u16, content_type: &str, body: impl Into<Bytes>) -> Self {
        Self::of(Content::Whole { code, content_type: content_type.to_owned(), body: body.into() })
    }

    /// A watch that the test feeds as it goes.
    #[must_use]
    pub fn live(events: &LiveEvents) -> Self {
        Self::of(Content::Live(events.clone()))
    }

    /// After this time, in tokio time.
    #[must_use]
    pub fn delayed(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    /// Not before the gate is open. For answers from the state: they are made after that.
    #[must_use]
    pub fn held_by(mut self, gate: &Gate) -> Self {
        self.gate = Some(gate.clone());
        self
    }

    /// With this header. What is not a valid header is left out.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// In pieces of these sizes in bytes, the last one repeated, cut anywhere. No sizes: one piece.
    #[must_use]
    pub fn in_pieces(mut self, sizes: impl IntoIterator<Item = usize>) -> Self {
        self.pieces = Some(sizes.into_iter().collect());
        self
    }

    /// With this pause before every piece: a slow body.
    #[must_use]
    pub fn paced(mut self, pause: Duration) -> Self {
        self.pace = Some(pause);
        self
    }

    /// Ends the body after this many events of a watch (of a list: it is one). Replaces an earlier end.
    #[must_use]
    pub fn ending_after_events(mut self, events: usize, end: End) -> Self {
        self.ending = Some((When::Chunks(events), end));
        self
    }

    /// Ends the body after this many bytes, wherever that is. Replaces an earlier end.
    #[must_use]
    pub fn ending_after_bytes(mut self, bytes: usize, end: End) -> Self {
        self.ending = Some((When::Bytes(bytes), end));
        self
    }

    /// With these bytes put in after so many of its own, wherever that is; a shorter body stays as it is. Replaces
    /// earlier ones.
    #[must_use]
    pub fn with_bytes_at(mut self, place: usize, bytes: impl Into<Bytes>) -> Self {
        self.foreign = Some((place, bytes.into()));
        self
    }

    /// Ends the body this long after the headers. Replaces an earlier end.
    #[must_use]
    pub fn ending_after(mut self, time: Duration, end: End) -> Self {
        self.ending = Some((When::Time(time), end));
        self
    }

    fn of(content: Content) -> Self {
        Self {
            content,
            delay: Duration::ZERO,
            gate: None,
            headers: Vec::new(),
            pieces: None,
            pace: None,
            ending: None,
            foreign: None,
        }
    }
}

impl From<Listing> for Answer {
    fn from(listing: Listing) -> Self {
        Self::of(Content::Listing(listing))
    }
}

impl From<Events> for Answer {
    fn from(events: Events) -> Self {
        Self::of(Content::Events(events))
    }
}

impl From<Status> for Answer {
    fn from(status: Status) -> Self {
        let answer = Self::raw(status.code(), "application/json", status.to_bytes());
        match status.retry_after() {
            Some(seconds) => answer.header("retry-after", &seconds.to_string()),
            None => answer,
        }
    }
}

impl From<&LiveEvents> for Answer {
    fn from(events: &LiveEvents) -> Self {
        Self::live(events)
    }
}
