//! Objects, lists and events as the bytes that go out.

use bytes::Bytes;
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value, json};

use crate::registry::{Layout, Served};
use crate::status::Status;

/// How much of an object is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// With kind and apiVersion.
    Whole,
    /// As an item of a list, where built-in kinds leave out kind and apiVersion.
    Item,
    /// As PartialObjectMetadata.
    Partial,
}

/// The annotation on the bookmark after the last initial event.
pub(crate) const INITIAL_EVENTS_END: &str = "k8s.io/initial-events-end";

const ROOT_FIRST: &[&str] = &["kind", "apiVersion", "metadata"];
const METADATA_FIRST: &[&str] = &[
    "name",
    "generateName",
    "namespace",
    "uid",
    "resourceVersion",
    "generation",
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
    "labels",
    "annotations",
    "ownerReferences",
    "finalizers",
];

/// One object.
pub(crate) fn object(served: &Served, value: &Value, form: Form) -> Bytes {
    let Value::Object(map) = value else {
        return write(value);
    };
    let (layout, skip): (Layout, &[&str]) = match (form, served.laid_out()) {
        (Form::Partial, _) => {
            return write(&Root { map: &partial(map), layout: Layout::BuiltIn, skip: &[] });
        }
        (Form::Item, Layout::BuiltIn) => (Layout::BuiltIn, &["kind", "apiVersion"]),
        (_, layout) => (layout, &[]),
    };
    write(&Root { map, layout, skip })
}

/// An object that was written whole, in another form.
pub(crate) fn reform(served: &Served, whole: &Bytes, form: Form) -> Bytes {
    let resource = served.resource();
    match (form, served.laid_out()) {
        (Form::Whole, _) | (Form::Item, Layout::Custom) => whole.clone(),
        (Form::Item, Layout::BuiltIn) => {
            let (kind, api_version) = (json!(resource.kind()), json!(resource.api_version()));
            let start = format!(r#"{{"kind":{kind},"apiVersion":{api_version},"#);
            match whole.strip_prefix(start.as_bytes()) {
                Some(rest) => [b"{", rest].concat().into(),
                None => object(served, &read(whole), form),
            }
        }
        (Form::Partial, _) => object(served, &read(whole), form),
    }
}

/// The object in bytes that were written here.
pub(crate) fn read(whole: &[u8]) -> Value {
    serde_json::from_slice(whole).expect("what was written here is JSON")
}

/// What a page of a list says about itself.
pub(crate) struct Page<'a> {
    pub(crate) version: &'a str,
    pub(crate) continue_token: Option<&'a str>,
    pub(crate) remaining: Option<usize>,
    pub(crate) partial: bool,
}

/// A list of objects that are already written.
pub(crate) fn list(served: &Served, page: &Page<'_>, items: impl IntoIterator<Item = Bytes>) -> Bytes {
    let (kind, api_version, layout) = if page.partial {
        ("PartialObjectMetadataList".to_owned(), "meta.k8s.io/v1".to_owned(), Layout::BuiltIn)
    } else {
        let resource = served.resource();
        (format!("{}List", resource.kind()), resource.api_version(), served.laid_out())
    };
    let mut joined = Vec::new();
    for item in items {
        if !joined.is_empty() {
            joined.push(b',');
        }
        joined.extend_from_slice(&item);
    }
    let (kind, api_version) = (json!(kind), json!(api_version));
    let remaining = page.remaining.map(|count| format!(r#""remainingItemCount":{count}"#));
    let version = format!(r#""resourceVersion":{}"#, json!(page.version));
    let token = page.continue_token.map(|token| format!(r#""continue":{}"#, json!(token)));
    let fields = |list: [Option<String>; 3]| list.into_iter().flatten().collect::<Vec<_>>().join(",");
    let (before, after) = match layout {
        Layout::BuiltIn => {
            let metadata = fields([Some(version), token, remaining]);
            (
                format!(r#"{{"kind":{kind},"apiVersion":{api_version},"metadata":{{{metadata}}},"items":["#),
                "]}\n".to_owned(),
            )
        }
        Layout::Custom => {
            let token = token.unwrap_or_else(|| r#""continue":"""#.to_owned());
            let metadata = fields([Some(token), remaining, Some(version)]);
            (
                format!(r#"{{"apiVersion":{api_version},"items":["#),
                format!("],\"kind\":{kind},\"metadata\":{{{metadata}}}}}\n"),
            )
        }
    };
    [before.as_bytes(), &joined, after.as_bytes()].concat().into()
}

/// One line of a watch.
pub(crate) fn event(kind: &str, object: &[u8]) -> Bytes {
    [br#"{"type":""#, kind.as_bytes(), br#"","object":"#, object, b"}\n"].concat().into()
}

/// An ERROR event.
pub(crate) fn error_event(status: &Status) -> Bytes {
    event("ERROR", &status.to_bytes())
}

/// A BOOKMARK event; `end` marks the end of the initial events.
pub(crate) fn bookmark(served: &Served, version: u64, end: bool, partial: bool) -> Bytes {
    let resource = served.resource();
    let mut metadata = json!({"resourceVersion": version.to_string()});
    if end {
        metadata["annotations"] = json!({INITIAL_EVENTS_END: "true"});
    }
    let mut value = json!({"kind": resource.kind(), "apiVersion": resource.api_version(), "metadata": metadata});
    if resource.kind() == "Pod" && resource.group().is_empty() && !partial {
        // A real server writes the empty Go struct, with its required list as null
        value["spec"] = json!({"containers": null});
        value["status"] = json!({});
    }
    event("BOOKMARK", &object(served, &value, if partial { Form::Partial } else { Form::Whole }))
}

fn partial(map: &Map<String, Value>) -> Map<String, Value> {
    let mut partial = Map::new();
    partial.insert("kind".to_owned(), json!("PartialObjectMetadata"));
    partial.insert("apiVersion".to_owned(), json!("meta.k8s.io/v1"));
    partial.insert("metadata".to_owned(), map.get("metadata").cloned().unwrap_or_else(|| json!({})));
    partial
}

fn write(value: &impl Serialize) -> Bytes {
    serde_json::to_vec(value).expect("JSON values can be written").into()
}

/// The root of an object, its keys in the order of the layout.
struct Root<'a> {
    map: &'a Map<String, Value>,
    layout: Layout,
    skip: &'static [&'static str],
}

impl Serialize for Root<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.layout == Layout::Custom {
            return self.map.serialize(serializer);
        }
        let mut out = serializer.serialize_map(None)?;
        for (key, value) in ordered(self.map, ROOT_FIRST) {
            match (key.as_str(), value) {
                (key, _) if self.skip.contains(&key) => {}
                ("metadata", Value::Object(metadata)) => out.serialize_entry(key, &Metadata(metadata))?,
                _ => out.serialize_entry(key, value)?,
            }
        }
        out.end()
    }
}

struct Metadata<'a>(&'a Map<String, Value>);

impl Serialize for Metadata<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(ordered(self.0, METADATA_FIRST))
    }
}

fn ordered<'a>(
    map: &'a Map<String, Value>,
    first: &'static [&'static str],
) -> impl Iterator<Item = (&'a String, &'a Value)> {
    let rest = map.iter().filter(|(key, _)| !first.contains(&key.as_str()));
    first.iter().filter_map(|key| map.get_key_value(*key)).chain(rest)
}
