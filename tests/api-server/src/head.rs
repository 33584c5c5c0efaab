//! What selectors look at in an object.

use serde_json::Value;

use crate::registry::Served;

/// The parts of an object by which it is selected, so that nobody decodes it for that.
#[derive(Clone, Debug)]
pub(crate) struct Head {
    pub(crate) namespace: Box<str>,
    pub(crate) name: Box<str>,
    labels: Box<[(Box<str>, Box<str>)]>,
    // In the order of the resource's selectable fields
    fields: Box<[Box<str>]>,
}

impl Head {
    pub(crate) fn of(object: &Value, served: &Served) -> Self {
        let metadata = &object["metadata"];
        let text = |field: &str| metadata[field].as_str().unwrap_or("").into();
        let labels = metadata["labels"].as_object().into_iter().flatten();
        let label = |(key, value): (&String, &Value)| Some((key.as_str().into(), value.as_str()?.into()));
        Self {
            namespace: text("namespace"),
            name: text("name"),
            labels: labels.filter_map(label).collect(),
            fields: served.fields().iter().map(|path| field(object, path)).collect(),
        }
    }

    pub(crate) fn label(&self, key: &str) -> Option<&str> {
        self.labels.iter().find(|(found, _)| **found == *key).map(|(_, value)| &**value)
    }

    /// A selectable field by its number; empty if the object lacks it.
    pub(crate) fn field(&self, number: usize) -> &str {
        self.fields.get(number).map_or("", |value| value)
    }
}

fn field(object: &Value, path: &str) -> Box<str> {
    match path.split('.').try_fold(object, |value, part| value.get(part)) {
        None | Some(Value::Null) => "".into(),
        Some(Value::String(text)) => text.as_str().into(),
        Some(other) => other.to_string().into(),
    }
}
