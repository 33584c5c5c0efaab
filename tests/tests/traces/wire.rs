//! What is in a scenario, as it goes over the wire: byte for byte what the recorded server sent to client-go, but for
//! the order of fields.

use serde_json::{Map, Value, json};

use crate::scenario::{Event, List, Object, Scenario, Status, Step};

const API_VERSION: &str = "shop.example.test/v1";

/// Sets a field, unless it is empty.
fn set(object: &mut Map<String, Value>, name: &str, value: impl Into<Value>) {
    let value = value.into();
    let empty = match &value {
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        Value::Number(number) => number.as_u64() == Some(0),
        _ => false,
    };
    if !empty {
        object.insert(name.to_owned(), value);
    }
}

fn object(scenario: &Scenario, object: &Object) -> Value {
    let mut metadata = Map::new();
    set(&mut metadata, "name", object.name.as_str());
    set(&mut metadata, "namespace", object.ns.as_str());
    set(&mut metadata, "resourceVersion", object.rv.as_str());
    set(&mut metadata, "uid", object.uid.as_str());
    let labels: Map<String, Value> = object.labels.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
    set(&mut metadata, "labels", labels);
    let kind = if object.kind.is_empty() { scenario.kind() } else { &object.kind };
    json!({"apiVersion": API_VERSION, "kind": kind, "metadata": metadata, "spec": {"size": object.size}})
}

fn list(scenario: &Scenario, list: &List) -> Value {
    let items: Vec<Value> = list.items.iter().map(|item| object(scenario, item)).collect();
    let mut metadata = Map::from_iter([(String::from("continue"), json!(list.continue_token))]);
    set(&mut metadata, "resourceVersion", list.rv.as_str());
    json!({"apiVersion": API_VERSION, "kind": format!("{}List", scenario.kind()), "items": items, "metadata": metadata})
}

fn status(status: &Status) -> Value {
    let (mut metadata, mut details) = (Map::new(), Map::new());
    set(&mut metadata, "continue", status.continue_token.as_str());
    set(&mut details, "retryAfterSeconds", status.retry_after_s);
    set(&mut details, "causes", status.causes.clone());
    let mut object = Map::new();
    set(&mut object, "reason", status.reason.as_str());
    set(&mut object, "message", status.message.as_str());
    for (name, value) in [
        ("apiVersion", json!("v1")),
        ("kind", json!("Status")),
        ("metadata", metadata.into()),
        ("status", json!("Failure")),
        ("code", json!(status.code)),
        ("details", details.into()),
    ] {
        object.insert(name.to_owned(), value);
    }
    object.into()
}

/// The body of an answer that is no stream, and its HTTP status.
pub(crate) fn whole(scenario: &Scenario, step: &Step) -> (u16, String) {
    let code = step.code.unwrap_or(200);
    if let Some(page) = &step.list {
        return (code, list(scenario, page).to_string());
    }
    if let Some(refusal) = &step.status {
        return (refusal.code, status(refusal).to_string());
    }
    match &step.body {
        Some(Value::String(text)) => (code, text.clone()),
        Some(value) => (code, value.to_string()),
        None => (code, String::new()),
    }
}

/// The bytes of an event; `None` for a pause.
pub(crate) fn event(scenario: &Scenario, event: &Event) -> Option<String> {
    let (kind, object) = match event {
        Event::WaitMs(_) => return None,
        Event::Raw(text) => return Some(text.clone()),
        Event::Add(added) => ("ADDED", object(scenario, added)),
        Event::Modify(modified) => ("MODIFIED", object(scenario, modified)),
        Event::Delete(deleted) => ("DELETED", object(scenario, deleted)),
        Event::Error(error) => ("ERROR", status(error)),
        Event::Bookmark(bookmark) => {
            let mut metadata = Map::new();
            set(&mut metadata, "resourceVersion", bookmark.rv.as_str());
            metadata.insert(String::from("creationTimestamp"), Value::Null);
            if !bookmark.end.is_empty() {
                metadata.insert(String::from("annotations"), json!({"k8s.io/initial-events-end": bookmark.end}));
            }
            let object = json!({"apiVersion": API_VERSION, "kind": scenario.kind(), "metadata": metadata});
            ("BOOKMARK", object)
        }
    };
    Some(format!("{}\n", json!({"type": kind, "object": object})))
}
