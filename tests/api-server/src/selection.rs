//! Which objects a request is about: scope, labels and fields.

use informer_runtime::Selector;

use crate::head::Head;
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
    subject: Subject,
    equal: bool,
    value: String,
}

#[derive(Clone, Copy, Debug)]
enum Subject {
    Name,
    Namespace,
    Other(usize),
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

    pub(crate) fn matches(&self, head: &Head) -> bool {
        let in_scope = self.namespace.as_deref().is_none_or(|namespace| *head.namespace == *namespace);
        in_scope
            && self.labels.matches_with(|key| head.label(key))
            && self.fields.iter().all(|field| field.matches(head))
    }
}

impl Field {
    fn matches(&self, head: &Head) -> bool {
        let found = match self.subject {
            Subject::Name => &head.name,
            Subject::Namespace => &head.namespace,
            Subject::Other(number) => head.field(number),
        };
        (found == self.value) == self.equal
    }
}

fn fields(text: &str, served: &Served) -> Result<Vec<Field>, Status> {
    let parse = |part: &str| {
        let operators = [("!=", false), ("==", true), ("=", true)];
        let split = operators.iter().find_map(|(operator, equal)| Some((part.split_once(operator)?, *equal)));
        let Some(((path, value), equal)) = split else {
            return Err(Status::bad_request(format!("invalid field selector: '{part}'")));
        };
        let subject = match path {
            "metadata.name" => Some(Subject::Name),
            "metadata.namespace" if served.resource().is_namespaced() => Some(Subject::Namespace),
            _ => served.fields().iter().position(|field| field == path).map(Subject::Other),
        };
        let unknown = || Status::bad_request(format!("no field selector on {path}"));
        Ok(Field { subject: subject.ok_or_else(unknown)?, equal, value: value.to_owned() })
    };
    text.split(',').filter(|part| !part.is_empty()).map(parse).collect()
}
