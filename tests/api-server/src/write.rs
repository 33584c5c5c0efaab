//! Create, update, patch and delete: from a store and a request to a change or a refusal.

use informer_runtime::Resource;
use serde_json::Value;

use crate::object::{self, Birth};
use crate::status::Status;
use crate::store::{self, Change, Store};

/// What a write came to: the object as it is now, and the change if there was one.
#[derive(Debug)]
pub(crate) struct Written {
    pub(crate) object: Value,
    pub(crate) change: Option<Change>,
}

/// How an update treats the object that is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Whole,
    Status,
}

/// Which version or identity a deletion insists on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Preconditions {
    pub(crate) uid: Option<String>,
    pub(crate) version: Option<String>,
}

pub(crate) fn create(
    store: &mut Store,
    resource: &Resource,
    namespace: Option<&str>,
    mut value: Value,
    birth: Birth,
) -> Result<Written, Status> {
    let collection = store.collection(resource).ok_or_else(Status::unknown_resource)?;
    object::conform(&mut value, resource, namespace)?;
    if value["metadata"]["resourceVersion"].as_str().is_some_and(|version| !version.is_empty()) {
        return Err(Status::bad_request("a new object can not have a resourceVersion"));
    }
    object::give_birth(&mut value, birth);
    let key = checked_key(resource, &value)?;
    if collection.get(&key).is_some() {
        let (_, name) = object::names(&value);
        return Err(Status::already_exists(resource.plural(), resource.group(), name));
    }
    commit(store, resource, &key, Some(value))
}

pub(crate) fn update(
    store: &mut Store,
    resource: &Resource,
    namespace: Option<&str>,
    mut value: Value,
    part: Part,
) -> Result<Written, Status> {
    object::conform(&mut value, resource, namespace)?;
    let key = checked_key(resource, &value)?;
    let old = existing(store, resource, &key)?;
    let (_, name) = object::names(&value);
    let conflict = |why: &str| Status::conflict(resource.plural(), resource.group(), name, why);
    let metadata = &value["metadata"];
    let differs = |field: &str| {
        let given = metadata[field].as_str().filter(|given| !given.is_empty());
        given.is_some_and(|given| old["metadata"][field] != given)
    };
    if differs("uid") {
        return Err(conflict("it has another uid now"));
    }
    if differs("resourceVersion") {
        let why = "it has changed since that version";
        return Err(conflict(why));
    }
    if part == Part::Status {
        let status = value.get("status").cloned();
        value = old.clone();
        match (status, value.as_object_mut()) {
            (Some(status), Some(root)) => drop(root.insert("status".to_owned(), status)),
            (None, Some(root)) => drop(root.remove("status")),
            _ => {}
        }
    }
    if !object::succeed(&mut value, &old) {
        return Ok(Written { object: old, change: None });
    }
    if object::is_going(&value) && !object::is_held(&value) {
        return commit(store, resource, &key, None);
    }
    commit(store, resource, &key, Some(value))
}

pub(crate) fn patch(
    store: &mut Store,
    resource: &Resource,
    key: &str,
    patch: &Value,
    part: Part,
) -> Result<Written, Status> {
    let mut value = existing(store, resource, key)?;
    let version = value["metadata"]["resourceVersion"].clone();
    object::merge(&mut value, patch);
    if patch["metadata"]["resourceVersion"].is_null() {
        value["metadata"]["resourceVersion"] = version;
    }
    let target = checked_key(resource, &value)?;
    if target != key {
        return Err(Status::bad_request("the object has another name than the path"));
    }
    update(store, resource, None, value, part)
}

pub(crate) fn delete(
    store: &mut Store,
    resource: &Resource,
    key: &str,
    preconditions: &Preconditions,
    time: &str,
) -> Result<Written, Status> {
    let mut value = existing(store, resource, key)?;
    for (field, wanted) in [("uid", &preconditions.uid), ("resourceVersion", &preconditions.version)] {
        if wanted.as_ref().is_some_and(|wanted| value["metadata"][field] != *wanted.as_str()) {
            let (_, name) = object::names(&value);
            let why = format!("the {field} in the precondition is not the object's");
            return Err(Status::conflict(resource.plural(), resource.group(), name, &why));
        }
    }
    if !object::is_held(&value) {
        return commit(store, resource, key, None);
    }
    if object::is_going(&value) {
        return Ok(Written { object: value, change: None });
    }
    value["metadata"]["deletionTimestamp"] = time.into();
    value["metadata"]["deletionGracePeriodSeconds"] = 0.into();
    commit(store, resource, key, Some(value))
}

fn existing(store: &Store, resource: &Resource, key: &str) -> Result<Value, Status> {
    let collection = store.collection(resource).ok_or_else(Status::unknown_resource)?;
    let stored = collection.get(key).ok_or_else(|| {
        let name = key.rsplit('/').next().unwrap_or(key);
        Status::not_found(resource.plural(), resource.group(), name)
    })?;
    Ok(stored.value())
}

fn checked_key(resource: &Resource, value: &Value) -> Result<String, Status> {
    let (namespace, name) = object::names(value);
    let invalid = |message: &str| Err(Status::new(422, "Invalid", message));
    if name.is_empty() {
        return invalid("metadata.name: needed, or generateName");
    }
    if name.contains(['/', '%']) || namespace.contains(['/', '%']) {
        return invalid("metadata: names must not contain '/' or '%'");
    }
    match (resource.is_namespaced(), namespace.is_empty()) {
        (true, true) => invalid("metadata.namespace: needed for this resource"),
        (false, false) => invalid("metadata.namespace: this resource is cluster-scoped"),
        _ => Ok(store::key(namespace, name)),
    }
}

fn commit(store: &mut Store, resource: &Resource, key: &str, value: Option<Value>) -> Result<Written, Status> {
    let change = store.commit(resource, key, value).ok_or_else(Status::unknown_resource)?;
    Ok(Written { object: change.after.value(), change: Some(change) })
}
