//! The objects of a demo as JSON: changed in one value, and compared.

use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The object with one value of another: the first that differs. Where none does, with a label.
pub(crate) fn changed(object: &Value, other: &Value) -> Value {
    let mut changed = object.clone();
    let mut found = false;
    for (key, value) in changed.as_object_mut().into_iter().flatten().filter(|(key, _)| *key != "metadata") {
        found = found || other.get(key).is_some_and(|other| replace_first(value, other));
    }
    if !found {
        changed["metadata"]["labels"] = json!({"example.test/changed": "true"});
    }
    changed
}

/// Whether something was replaced. Both values have the same form.
fn replace_first(value: &mut Value, other: &Value) -> bool {
    match (value, other) {
        (Value::Object(fields), Value::Object(others)) => {
            fields.iter_mut().any(|(key, value)| others.get(key).is_some_and(|other| replace_first(value, other)))
        }
        (Value::Array(items), Value::Array(others)) => {
            items.iter_mut().zip(others).any(|(item, other)| replace_first(item, other))
        }
        (value, other) if value != other => {
            *value = other.clone();
            true
        }
        _ => false,
    }
}

/// The object without what every object has.
pub(crate) fn without_metadata(object: &Value) -> Value {
    let mut object = object.clone();
    if let Some(fields) = object.as_object_mut() {
        fields.remove("metadata");
    }
    object
}

/// `/spec/size was "small", now "large"`, for the first value that differs.
pub(crate) fn first_difference(old: &Value, new: &Value) -> Option<String> {
    let mut open = vec![(String::new(), Some(old), Some(new))];
    while let Some((place, old, new)) = open.pop() {
        match (old, new) {
            (Some(Value::Object(olds)), Some(Value::Object(news))) => {
                let keys: BTreeSet<&String> = olds.keys().chain(news.keys()).collect();
                open.extend(keys.into_iter().rev().map(|key| (format!("{place}/{key}"), olds.get(key), news.get(key))));
            }
            (Some(Value::Array(olds)), Some(Value::Array(news))) => {
                let most = olds.len().max(news.len());
                open.extend((0..most).rev().map(|at| (format!("{place}/{at}"), olds.get(at), news.get(at))));
            }
            (old, new) if old == new => {}
            (old, new) => {
                let shown = |value: Option<&Value>| value.map_or("absent".to_owned(), Value::to_string);
                return Some(format!("{place} was {}, now {}", shown(old), shown(new)));
            }
        }
    }
    None
}
