//! A handler that writes down its calls, and one that stays in each call until it is let go.

use std::sync::{Arc, Condvar, Mutex, PoisonError};

use informer_runtime::{Cached, Deleted, Error, EventHandler};
use serde_json::Value;

use crate::trace::Log;

/// Writes down its calls as the golden traces have them.
pub(crate) struct Told {
    pub(crate) log: Arc<Log>,
    /// Its number in the scenario.
    pub(crate) number: usize,
    /// What it stays in, if it is slow.
    pub(crate) busy: Option<Arc<Busy>>,
}

impl Told {
    fn call(&self, text: String) {
        self.log.call(self.number, text);
        if let Some(busy) = &self.busy {
            busy.stay(self.log.now());
        }
    }
}

impl<K: 'static> EventHandler<K> for Told {
    fn on_add(&self, object: &Cached<K>, is_initial: bool) {
        self.call(format!("add {}{}", show(object), if is_initial { " initial" } else { "" }));
    }

    fn on_update(&self, old: &Cached<K>, new: &Cached<K>) {
        self.call(format!("update {} to {}", show(old), show(new)));
    }

    fn on_delete(&self, deleted: &Deleted<K>) {
        self.call(match deleted {
            Deleted::Final(object) => format!("delete {} final", show(object)),
            Deleted::FinalStateUnknown(object) => {
                format!("delete {} tombstone, known: {}", deleted.key(), show(object))
            }
        });
    }
}

/// Where a slow handler stays.
#[derive(Debug, Default)]
pub(crate) struct Busy {
    /// Since when, in milliseconds of the log.
    since: Mutex<Option<u64>>,
    free: Condvar,
}

impl Busy {
    fn stay(&self, now: u64) {
        let mut since = self.since.lock().unwrap_or_else(PoisonError::into_inner);
        *since = Some(now);
        while since.is_some() {
            since = self.free.wait(since).unwrap_or_else(PoisonError::into_inner);
        }
    }

    pub(crate) fn since(&self) -> Option<u64> {
        *self.since.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets the call end.
    pub(crate) fn let_go(&self) {
        *self.since.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.free.notify_all();
    }
}

/// An object on one line: key, version, size, then what else it has.
pub(crate) fn show<K>(object: &Cached<K>) -> String {
    let value: Value = serde_json::from_str(&object.raw()).expect("the cache holds JSON");
    let mut text = format!("{}@{} size={}", object.key(), object.resource_version(), value["spec"]["size"]);
    if let Some(uid) = value["metadata"]["uid"].as_str() {
        text += &format!(" uid={uid}");
    }
    for (name, label) in value["metadata"]["labels"].as_object().into_iter().flatten() {
        text += &format!(" label:{name}={}", label.as_str().unwrap_or_default());
    }
    match value["kind"].as_str() {
        None | Some("Widget" | "Zone") => {}
        Some(kind) => text += &format!(" kind={kind}"),
    }
    text
}

/// The kind of an error in a few words, as the golden traces have it.
pub(crate) fn classify(error: &Error) -> String {
    let text = error.to_string();
    if let Some(answered) = text.strip_prefix("the server answered ") {
        let status = answered.split_once(':').map_or(answered, |(status, _)| status);
        // client-go makes up a reason where there is none in the answer; ours says no more than the server.
        return if status == "404" { String::from("status 404 NotFound") } else { format!("status {status}") };
    }
    let kind = [
        ("connection refused", "connection refused"),
        ("connection reset", "connection reset"),
        ("ended before", "unexpected end"),
        ("ended within an event", "unexpected end"),
        ("within a second and without an event", "very short watch"),
    ];
    let known = kind.iter().find(|(part, _)| text.contains(part)).map(|(_, kind)| *kind);
    known.map_or_else(
        || if error.is_garbage() { String::from("other") } else { format!("other: {text}") },
        str::to_owned,
    )
}
