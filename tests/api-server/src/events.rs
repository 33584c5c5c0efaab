//! Scripted watch streams: events, bytes, pauses, and how it ends.

use std::time::Duration;

use bytes::Bytes;
use futures::stream::{self, Stream, StreamExt};
use serde_json::{Value, json};

use crate::body::{End, Signal};
use crate::registry::Served;
use crate::render::{self, Form, INITIAL_EVENTS_END};
use crate::status::Status;

/// What a scripted watch sends, in order.
///
/// Without [`close`](Self::close), [`cut`](Self::cut), [`dropped`](Self::dropped) or [`stall`](Self::stall) at its end,
/// the stream then stays open, silent, until the request's `timeoutSeconds`, and ends cleanly. Objects are taken as they
/// are, but kind and apiVersion are filled in where they are missing.
#[derive(Clone, Debug, Default)]
pub struct Events {
    steps: Vec<Step>,
}

#[derive(Clone, Debug)]
enum Step {
    Object(&'static str, Value),
    Bookmark(Value),
    Data(Bytes),
    Wait(Duration),
    End(End),
}

impl Events {
    /// No events yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// An ADDED event.
    #[must_use]
    pub fn added(self, object: Value) -> Self {
        self.step(Step::Object("ADDED", object))
    }

    /// A MODIFIED event.
    #[must_use]
    pub fn modified(self, object: Value) -> Self {
        self.step(Step::Object("MODIFIED", object))
    }

    /// A DELETED event.
    #[must_use]
    pub fn deleted(self, object: Value) -> Self {
        self.step(Step::Object("DELETED", object))
    }

    /// A BOOKMARK with only kind, apiVersion and this version.
    #[must_use]
    pub fn bookmark(self, version: u64) -> Self {
        self.step(Step::Bookmark(json!({"metadata": {"resourceVersion": version.to_string()}})))
    }

    /// The BOOKMARK that marks the end of the initial events.
    #[must_use]
    pub fn initial_events_end(self, version: u64) -> Self {
        self.step(Step::Bookmark(json!({"metadata": {
            "resourceVersion": version.to_string(),
            "annotations": {INITIAL_EVENTS_END: "true"},
        }})))
    }

    /// A BOOKMARK with this object.
    #[must_use]
    pub fn bookmark_object(self, object: Value) -> Self {
        self.step(Step::Bookmark(object))
    }

    /// An ERROR event with a Status.
    #[must_use]
    pub fn error(self, status: &Status) -> Self {
        self.step(Step::Data(render::error_event(status)))
    }

    /// The ERROR event of a watch from a version that is no longer known: code 410, reason Expired.
    #[must_use]
    pub fn expired(self) -> Self {
        self.error(&Status::expired())
    }

    /// One line of any text, with the line's end.
    #[must_use]
    pub fn line(self, text: &str) -> Self {
        self.step(Step::Data(Bytes::from(format!("{text}\n"))))
    }

    /// Any bytes.
    #[must_use]
    pub fn bytes(self, bytes: impl Into<Bytes>) -> Self {
        self.step(Step::Data(bytes.into()))
    }

    /// A pause, in tokio time.
    #[must_use]
    pub fn wait(self, pause: Duration) -> Self {
        self.step(Step::Wait(pause))
    }

    /// The clean end. What follows is never sent.
    #[must_use]
    pub fn close(self) -> Self {
        self.step(Step::End(End::Close))
    }

    /// The end by a transport error. What follows is never sent.
    #[must_use]
    pub fn cut(self) -> Self {
        self.step(Step::End(End::Cut))
    }

    /// The end by a connection that is closed before the last chunk. What follows is never sent.
    #[must_use]
    pub fn dropped(self) -> Self {
        self.step(Step::End(End::Drop))
    }

    /// Silence for ever, beyond any timeout. What follows is never sent.
    #[must_use]
    pub fn stall(self) -> Self {
        self.step(Step::End(End::Stall))
    }

    /// Whether it ends in silence.
    pub(crate) fn stalls(&self) -> bool {
        self.steps.iter().any(|step| matches!(step, Step::End(End::Stall)))
    }

    fn step(mut self, step: Step) -> Self {
        self.steps.push(step);
        self
    }

    /// These steps for a resource, if it is known, with their pauses.
    pub(crate) fn play(self, served: Option<Served>) -> impl Stream<Item = Signal> + Send + 'static {
        stream::iter(self.steps).filter_map(move |step| {
            let signal = match step {
                Step::Object(kind, object) => Ok(event(kind, served.as_ref(), object)),
                Step::Bookmark(object) => Ok(event("BOOKMARK", served.as_ref(), object)),
                Step::Data(bytes) => Ok(Signal::Data(bytes)),
                Step::End(end) => Ok(Signal::End(end)),
                Step::Wait(pause) => Err(pause),
            };
            async move {
                match signal {
                    Ok(signal) => Some(signal),
                    Err(pause) => {
                        tokio::time::sleep(pause).await;
                        None
                    }
                }
            }
        })
    }
}

fn event(kind: &str, served: Option<&Served>, object: Value) -> Signal {
    Signal::Data(render::event(kind, &written(served, object)))
}

fn written(served: Option<&Served>, mut object: Value) -> Bytes {
    match served {
        Some(served) => {
            complete(served, &mut object);
            render::object(served, &object, Form::Whole)
        }
        None => object.to_string().into(),
    }
}

/// Fills in kind and apiVersion where they are missing.
pub(crate) fn complete(served: &Served, object: &mut Value) {
    if let Some(root) = object.as_object_mut() {
        root.entry("kind").or_insert_with(|| json!(served.resource().kind()));
        root.entry("apiVersion").or_insert_with(|| json!(served.resource().api_version()));
    }
}
