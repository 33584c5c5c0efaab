//! Which objects a request is about: scope, labels and fields.

use informer_runtime::Selector;
use serde_json::Value;

use crate::query::Query;
use crate::registry::Served;
use crate::status::Status;

/// The objects that a list or watch sees.
#[derive(Clone, Debug, Default)]
pub(crate) struct Selection {
    pub(crate) namespace: Option<String>,
    labels: Selector,
    fields: Vec<Field>,
}

#[derive(Clone, Debug)]
struct Field {
    path: String,
    equal: bool,
    value: String,
}

impl Selection {
    /// Reads `labelSelector` and `fieldSelector`.
    pub(crate) fn of(query: &Query, namespace: Option<&str>, served: &Served) -> Result<Self, Status> {
        let labels = query.get("labelSelector").unwrap_or("");
        Ok(Self {
            namespace: namespace.map(str::to_owned),
            labels: labels.parse().map_err(|error| Status::bad_request(format!("{error}")))?,
            fields: fields(query.get("fieldSelector").unwrap_or(""), served)?,
        })
    }

    /// Whether it picks by more than the namespace.
    pub(crate) fn is_filtered(&self) -> bool {
        !self.labels.is_everything() || !self.fields.is_empty()
    }

    pub(crate) fn matches(&self, object: &Value) -> bool {
        let metadata = &object["metadata"];
        let in_scope = self.namespace.as_deref().is_none_or(|namespace| metadata["namespace"] == namespace);
        in_scope
            && self.labels.matches_with(|key| metadata["labels"].get(key).and_then(Value::as_str))
            && self.fields.iter().all(|field| field.matches(object))
    }
}

impl Field {
    fn matches(&self, object: &Value) -> bool {
        let found = self.path.split('.').try_fold(object, |value, part| value.get(part));
        let text = match found {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
        };
        (text == self.value) == self.equal
    }
}

fn fields(text: &str, served: &Served) -> Result<Vec<Field>, Status> {
    let parse = |part: &str| {
        let operators = [("!=", false), ("==", true), ("=", true)];
        let split = operators.iter().find_map(|(operator, equal)| Some((part.split_once(operator)?, *equal)));
        let Some(((path, value), equal)) = split else {
            return Err(Status::bad_request(format!("invalid field selector: '{part}'")));
        };
        if !served.can_select(path) {
            return Err(Status::bad_request(format!("no field selector on {path}")));
        }
        Ok(Field { path: path.to_owned(), equal, value: value.to_owned() })
    };
    text.split(',').filter(|part| !part.is_empty()).map(parse).collect()
}
