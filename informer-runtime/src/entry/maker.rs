//! Received objects into entries: transformed, given their head, equal parts in one place.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use serde_json::json;

use super::{Entry, EntryContext};
use crate::error::{Error, Kind};
use crate::form::Form;
use crate::head::{LabelInterner, ScannedObject, scan_object};
use crate::json::{Cursor, Text, value_at};
use crate::key::ObjectKey;

/// Told of every failure of a transform.
type Report = Box<dyn Fn(Error) + Send + Sync>;

/// Makes entries out of scanned objects, giving equal parts one place.
pub(crate) struct EntryMaker {
    context: Arc<EntryContext>,
    interner: LabelInterner,
    report: Report,
}

impl EntryMaker {
    pub(crate) fn new(context: Arc<EntryContext>, report: impl Fn(Error) + Send + Sync + 'static) -> Self {
        Self { context, interner: LabelInterner::default(), report: Box::new(report) }
    }

    /// Whether a received object of this kind is what was asked for.
    pub(crate) fn admits(&self, kind: &[u8]) -> bool {
        self.context.policy.form.admits(&self.context.resource, kind)
    }

    /// The entry of the object that `scanned` found in `text`. An object without a name has no place in a cache:
    /// `None`. The one place where objects are transformed, however they came.
    pub(crate) fn make(&mut self, text: &str, scanned: &ScannedObject<'_>) -> Option<Entry> {
        let policy = &self.context.policy;
        if policy.form == Form::Full && policy.transform.is_none() {
            return self.build(text, scanned, false);
        }
        self.make_other(text, scanned)
    }

    /// The same for what is not to be kept as it was received.
    fn make_other(&mut self, text: &str, scanned: &ScannedObject<'_>) -> Option<Entry> {
        let context = self.context.clone();
        let policy = &context.policy;
        let name = scanned.name?.value()?;
        let json = text.get(scanned.place.clone())?;
        let partial = match policy.form {
            Form::Metadata => only_metadata(json, scanned, &context),
            Form::Full => None,
        };
        let received = partial.as_deref().unwrap_or(json);
        match policy.transform.apply(received).map(|changed| changed.or(partial)) {
            Ok(None) => return self.build(text, scanned, false),
            Ok(Some(changed)) => match scan(&changed) {
                Some(after) if same_identity(scanned, &after) => return self.build(&changed, &after, false),
                _ => self.failed(scanned, &name, "what it gave is no longer the same object"),
            },
            Err(problem) => self.failed(scanned, &name, problem),
        }
        let head = head_alone(text, scanned, &context);
        self.build(&head, &scan(&head)?, true)
    }

    fn build(&mut self, text: &str, scanned: &ScannedObject<'_>, withheld: bool) -> Option<Entry> {
        Entry::build(&self.context, &mut self.interner, text, scanned, withheld)
    }

    fn failed(&self, scanned: &ScannedObject<'_>, name: &str, problem: &'static str) {
        let namespace = scanned.namespace.filter(|_| self.context.resource.is_namespaced());
        let namespace = namespace.and_then(|namespace| namespace.value()).unwrap_or_default();
        self.context.decoded.count_transform_failure();
        let transform = self.context.policy.transform.id().to_owned();
        (self.report)(Kind::Transform { transform, key: ObjectKey::new(&namespace, name), problem }.into());
    }
}

fn scan(text: &str) -> Option<ScannedObject<'_>> {
    let mut cursor = Cursor::new(text);
    let scanned = scan_object(&mut cursor).ok()?;
    cursor.end().ok()?;
    Some(scanned)
}

fn value<'a>(text: Option<Text<'a>>) -> Cow<'a, str> {
    text.and_then(|text| text.value()).unwrap_or_default()
}

/// What is the server's to choose is as it was.
fn same_identity(before: &ScannedObject<'_>, after: &ScannedObject<'_>) -> bool {
    value(before.name) == value(after.name)
        && value(before.namespace) == value(after.namespace)
        && value(before.uid) == value(after.uid)
        && value(before.resource_version) == value(after.resource_version)
}

/// An object's metadata, where a server sent all of it.
fn only_metadata(json: &str, scanned: &ScannedObject<'_>, context: &EntryContext) -> Option<String> {
    let (api_version, kind) = context.policy.form.type_of(&context.resource);
    if scanned.kind.is_some_and(|found| found.with(|found| found == kind.as_bytes())) {
        return None;
    }
    let metadata = value_at(json, "/metadata")?;
    Some(format!(r#"{{"kind":{},"apiVersion":{},"metadata":{metadata}}}"#, json!(kind), json!(api_version)))
}

/// What stands for an object whose transform failed.
fn head_alone(text: &str, scanned: &ScannedObject<'_>, context: &EntryContext) -> String {
    let (api_version, kind) = context.policy.form.type_of(&context.resource);
    let mut head = format!(r#"{{"kind":{},"apiVersion":{},"metadata":{{"#, json!(kind), json!(api_version));
    for (field, text) in [
        ("namespace", scanned.namespace),
        ("uid", scanned.uid),
        ("resourceVersion", scanned.resource_version),
        ("name", scanned.name),
    ] {
        let text = value(text);
        if !text.is_empty() {
            head.push_str(&format!(r#""{field}":{},"#, json!(text)));
        }
    }
    match scanned.labels.clone().and_then(|place| text.get(place)) {
        Some(labels) => head.push_str(&format!(r#""labels":{labels}"#)),
        None => drop(head.pop()),
    }
    head.push_str("}}");
    head
}

impl fmt::Debug for EntryMaker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EntryMaker").field("resource", &self.context.resource).finish_non_exhaustive()
    }
}
