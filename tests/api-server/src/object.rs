//! What the server itself puts into objects, and small objects for tests.

use informer_runtime::Resource;
use serde_json::{Map, Value, json};

use crate::status::Status;

/// A minimal object of a resource: kind, apiVersion, and metadata with namespace, name, a uid made of both, and
/// this version. `key` is `namespace/name`, or `name` for cluster-scoped resources.
///
/// ```
/// use informer_runtime::Resource;
/// use informer_test_server::stub;
/// let widgets = Resource::new("shop.example.test", "v1", "Widget", "widgets", true);
/// let widget = stub(&widgets, "red/a", 5);
/// assert_eq!(widget["metadata"]["resourceVersion"], "5");
/// ```
#[must_use]
pub fn stub(resource: &Resource, key: &str, version: u64) -> Value {
    let (namespace, name) = key.split_once('/').unwrap_or(("", key));
    let mut object = json!({
        "apiVersion": resource.api_version(),
        "kind": resource.kind(),
        "metadata": {"name": name, "uid": format!("uid-{namespace}-{name}"), "resourceVersion": version.to_string()},
    });
    if !namespace.is_empty() {
        object["metadata"]["namespace"] = json!(namespace);
    }
    object
}

/// What the server decides about a new object.
pub(crate) struct Birth {
    pub(crate) uid: String,
    pub(crate) time: String,
    /// Appended to `generateName`.
    pub(crate) suffix: String,
}

/// The namespace and name in an object's metadata, `""` for none.
pub(crate) fn names(object: &Value) -> (&str, &str) {
    let field = |name: &str| object["metadata"][name].as_str().unwrap_or("");
    (field("namespace"), field("name"))
}

/// Checks an object against the resource and the path it is written to, and fills in kind, apiVersion and
/// namespace where they are left out.
pub(crate) fn conform(object: &mut Value, resource: &Resource, namespace: Option<&str>) -> Result<(), Status> {
    let Value::Object(root) = object else {
        return Err(Status::bad_request("the body is not a JSON object"));
    };
    for (field, expected) in [("apiVersion", resource.api_version()), ("kind", resource.kind().to_owned())] {
        let found = root.entry(field).or_insert_with(|| json!(expected));
        if *found != expected {
            let message = format!("the {field} of the object does not fit the resource, which has {expected}");
            return Err(Status::bad_request(message));
        }
    }
    let metadata = root.entry("metadata").or_insert_with(|| json!({}));
    let Value::Object(metadata) = metadata else {
        return Err(Status::bad_request("metadata is not a JSON object"));
    };
    if let Some(namespace) = namespace {
        let found = metadata.entry("namespace").or_insert_with(|| json!(namespace));
        if *found != namespace {
            let message = "the object has another namespace than the path";
            return Err(Status::bad_request(message));
        }
    }
    Ok(())
}

/// Fills in what a new object gets: a generated name, uid, creation time and generation.
pub(crate) fn give_birth(object: &mut Value, birth: Birth) {
    let metadata = &mut object["metadata"];
    if let (None, Some(prefix)) = (metadata["name"].as_str(), metadata["generateName"].as_str()) {
        metadata["name"] = json!(format!("{prefix}{}", birth.suffix));
    }
    metadata["uid"] = json!(birth.uid);
    metadata["creationTimestamp"] = json!(birth.time);
    metadata["generation"] = json!(1);
    strip_absent(metadata);
}

/// Makes `new` the successor of `old`: what the server owns is kept, and the generation counts changes outside
/// metadata and status. Returns whether anything is different.
pub(crate) fn succeed(new: &mut Value, old: &Value) -> bool {
    for field in ["uid", "creationTimestamp", "generation", "deletionTimestamp", "resourceVersion"] {
        new["metadata"][field] = old["metadata"][field].clone();
    }
    strip_absent(&mut new["metadata"]);
    let spec = |object: &Value| {
        let mut root: Map<String, Value> = object.as_object().cloned().unwrap_or_default();
        root.retain(|key, _| key != "metadata" && key != "status");
        root
    };
    if spec(new) != spec(old) {
        new["metadata"]["generation"] = json!(old["metadata"]["generation"].as_u64().unwrap_or(0) + 1);
    }
    new != old
}

/// A merge patch (RFC 7396). The depth is bounded by that of the JSON parser.
pub(crate) fn merge(target: &mut Value, patch: &Value) {
    let Value::Object(patch) = patch else {
        *target = patch.clone();
        return;
    };
    if !target.is_object() {
        *target = json!({});
    }
    for (key, value) in patch {
        if value.is_null() {
            target.as_object_mut().and_then(|target| target.remove(key));
        } else {
            merge(&mut target[key], value);
        }
    }
}

/// Whether finalizers keep an object from going.
pub(crate) fn is_held(object: &Value) -> bool {
    object["metadata"]["finalizers"].as_array().is_some_and(|finalizers| !finalizers.is_empty())
}

/// Whether an object is on its way out.
pub(crate) fn is_going(object: &Value) -> bool {
    object["metadata"]["deletionTimestamp"].is_string()
}

// Copying a field that the old object lacks leaves a null behind; clients send nulls too
fn strip_absent(metadata: &mut Value) {
    if let Some(metadata) = metadata.as_object_mut() {
        metadata.retain(|_, value| !value.is_null());
    }
}
