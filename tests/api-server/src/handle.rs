//! True answers, from the server's state.

use std::time::Duration;

use bytes::Bytes;
use futures::stream;
use http::StatusCode;
use serde_json::{Value, json};

use crate::body::ResponseBody;
use crate::list;
use crate::query::{self, ListOptions, Version};
use crate::recorder::{RequestKind, RequestRecord};
use crate::registry::{Layout, Served};
use crate::render::{self, Form, Page};
use crate::reply::{Answered, json as json_answer, json_stream, page_not_found, refuse};
use crate::route::Route;
use crate::selection::Selection;
use crate::server::TestServer;
use crate::status::Status;
use crate::store;
use crate::write::{self, Part, Preconditions};

/// How long the server waits for a version that it has not reached.
const VERSION_WAIT: Duration = Duration::from_secs(3);

/// A request, its body apart.
pub(crate) struct Call {
    pub(crate) record: RequestRecord,
    pub(crate) route: Option<Route>,
    pub(crate) served: Option<Served>,
    pub(crate) content_type: String,
}

/// A request for a resource that is served.
struct Target {
    record: RequestRecord,
    served: Served,
    namespace: Option<String>,
    name: Option<String>,
    part: Part,
    partial: bool,
}

impl TestServer {
    pub(crate) async fn handle(&self, call: Call, body: Bytes) -> Answered {
        let Some(route) = call.route else {
            return crate::discovery::answer(&self.shared.read().store, &call.record.path);
        };
        // Nobody answers for a kind without a definition, only for a kind that a built-in group lacks.
        if call.served.is_none() && !self.has_built_in(&route) {
            return page_not_found();
        }
        let part = match route.subresource.as_deref() {
            None => Some(Part::Whole),
            Some("status") => Some(Part::Status),
            Some(_) => None,
        };
        let (Some(served), Some(part)) = (call.served, part) else {
            return refuse(&Status::unknown_resource());
        };
        if route.namespace.is_some() && !served.resource().is_namespaced() {
            return refuse(&Status::unknown_resource());
        }
        let target = Target {
            partial: call.record.accept.contains("as=PartialObjectMetadata"),
            namespace: route.namespace,
            name: route.name,
            record: call.record,
            served,
            part,
        };
        if self.is_initializing(target.served.resource()) {
            return refuse(&Status::initializing());
        }
        let writes_json = call.content_type.is_empty() || call.content_type.contains("json");
        let answer = match target.record.kind {
            RequestKind::List => self.answer_list(&target).await,
            RequestKind::Watch | RequestKind::StreamingList => self.answer_watch(&target).await,
            RequestKind::Get => self.answer_get(&target).await,
            RequestKind::Other => Err(Status::method_not_allowed()),
            _ if !writes_json => Err(unsupported()),
            RequestKind::Create => self.answer_create(&target, &body),
            RequestKind::Update => self.answer_update(&target, &body),
            RequestKind::Patch => self.answer_patch(&target, &call.content_type, &body),
            RequestKind::Delete => self.answer_delete(&target, &body),
            RequestKind::DeleteCollection => self.answer_delete_collection(&target),
        };
        answer.unwrap_or_else(|status| refuse(&status))
    }

    /// Whether the group and version of a path are those of built-in kinds.
    fn has_built_in(&self, route: &Route) -> bool {
        self.shared.read().store.served().any(|served| {
            served.laid_out() == Layout::BuiltIn
                && (served.resource().group(), served.resource().version()) == (&route.group, &route.version)
        })
    }

    async fn answer_list(&self, target: &Target) -> Result<Answered, Status> {
        let options = ListOptions::of(&target.record.query, false)?;
        let selection = target.selection()?;
        self.reach(options.version).await?;
        let state = self.shared.read();
        let collection = state.store.collection(target.served.resource()).ok_or_else(Status::unknown_resource)?;
        let page = list::page(collection, state.snapshot(), &selection, &options, target.partial)?;
        Ok(json_answer(StatusCode::OK, page))
    }

    async fn answer_watch(&self, target: &Target) -> Result<Answered, Status> {
        let options = ListOptions::of(&target.record.query, true)?;
        let selection = target.selection()?;
        let timeout = options.timeout.unwrap_or(self.shared.settings.watch_timeout);
        if options.initial_events
            && let Err(status) = self.reach(options.version).await
        {
            return Ok(failed_watch(&status));
        }
        let opened = self.shared.change(|state| {
            let current = state.store.version();
            let collection = state.store.collection(target.served.resource()).ok_or_else(Status::unknown_resource)?;
            Ok(state.watches.open(collection, current, selection, &options, target.partial))
        })?;
        Ok(match opened {
            Ok((id, signals)) => json_stream(ResponseBody::stream(self.watch_stream(id, signals, timeout))),
            Err(status) => failed_watch(&status),
        })
    }

    async fn answer_get(&self, target: &Target) -> Result<Answered, Status> {
        self.reach(query::version(target.record.resource_version(), false)?).await?;
        let resource = target.served.resource();
        let state = self.shared.read();
        let collection = state.store.collection(resource).ok_or_else(Status::unknown_resource)?;
        let stored = collection.get(&target.key()?).ok_or_else(|| {
            let name = target.name.as_deref().unwrap_or("");
            Status::not_found(resource.plural(), resource.group(), name)
        })?;
        Ok(json_answer(StatusCode::OK, stored.bytes(&target.served, target.form())))
    }

    fn answer_create(&self, target: &Target, body: &[u8]) -> Result<Answered, Status> {
        let resource = target.served.resource();
        if resource.is_namespaced() && target.namespace.is_none() {
            return Err(Status::method_not_allowed());
        }
        let (object, birth) = (parse(body)?, self.shared.birth());
        let namespace = target.namespace.as_deref();
        let write = |store: &mut _| write::create(store, resource, namespace, object, birth);
        let written = self.shared.change(|state| state.write(resource, write))?;
        Ok(target.answer(StatusCode::CREATED, &written.object))
    }

    fn answer_update(&self, target: &Target, body: &[u8]) -> Result<Answered, Status> {
        let resource = target.served.resource();
        let object = parse(body)?;
        if object["metadata"]["name"].as_str() != target.name.as_deref() {
            return Err(Status::bad_request("the object has another name than the path"));
        }
        let namespace = target.namespace.as_deref();
        let write = |store: &mut _| write::update(store, resource, namespace, object, target.part);
        let written = self.shared.change(|state| state.write(resource, write))?;
        Ok(target.answer(StatusCode::OK, &written.object))
    }

    fn answer_patch(&self, target: &Target, content_type: &str, body: &[u8]) -> Result<Answered, Status> {
        let resource = target.served.resource();
        if !content_type.starts_with("application/merge-patch+json") {
            return Err(unsupported());
        }
        let (patch, key) = (parse(body)?, target.key()?);
        let write = |store: &mut _| write::patch(store, resource, &key, &patch, target.part);
        let written = self.shared.change(|state| state.write(resource, write))?;
        Ok(target.answer(StatusCode::OK, &written.object))
    }

    fn answer_delete(&self, target: &Target, body: &[u8]) -> Result<Answered, Status> {
        let resource = target.served.resource();
        let options = if body.is_empty() { Value::Null } else { parse(body)? };
        let wanted = |field: &str| options["preconditions"][field].as_str().map(str::to_owned);
        let preconditions = Preconditions { uid: wanted("uid"), version: wanted("resourceVersion") };
        let (key, time) = (target.key()?, self.shared.time());
        let write = |store: &mut _| write::delete(store, resource, &key, &preconditions, &time);
        let written = self.shared.change(|state| state.write(resource, write))?;
        if crate::object::is_held(&written.object) {
            return Ok(target.answer(StatusCode::OK, &written.object));
        }
        let success = json!({
            "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success",
            "details": {
                "name": target.name, "group": resource.group(), "kind": resource.plural(),
                "uid": written.object["metadata"]["uid"],
            },
        });
        Ok(json_answer(StatusCode::OK, success.to_string().into()))
    }

    fn answer_delete_collection(&self, target: &Target) -> Result<Answered, Status> {
        let resource = target.served.resource();
        let selection = target.selection()?;
        let time = self.shared.time();
        let (version, deleted) = self.shared.change(|state| {
            let version = state.store.version();
            let collection = state.store.collection(resource).ok_or_else(Status::unknown_resource)?;
            let found = collection.objects_at(version, selection.namespace.as_deref(), None);
            let matching = found.filter(|(_, stored)| selection.matches(&stored.head));
            let keys: Vec<String> = matching.map(|(key, _)| key.to_owned()).collect();
            let delete = |key: &String| {
                let delete = |store: &mut _| write::delete(store, resource, key, &Preconditions::default(), &time);
                let written = state.write(resource, delete)?;
                Ok(render::object(&target.served, &written.object, Form::Item))
            };
            let deleted = keys.iter().map(delete).collect::<Result<Vec<_>, Status>>()?;
            Ok((state.store.version(), deleted))
        })?;
        let version = version.to_string();
        let page = Page { version: &version, continue_token: None, remaining: None, partial: false };
        Ok(json_answer(StatusCode::OK, render::list(&target.served, &page, deleted)))
    }

    /// Waits a while for a version that has not been reached.
    async fn reach(&self, version: Version) -> Result<(), Status> {
        let Version::At(version) = version else {
            return Ok(());
        };
        let reached = self.wait_until(|server| server.resource_version() >= version);
        let waited = tokio::time::timeout(VERSION_WAIT, reached).await;
        waited.map_err(|_| Status::version_too_large(version, self.resource_version()))
    }
}

impl Target {
    fn selection(&self) -> Result<Selection, Status> {
        Selection::of(&self.record.query, self.namespace.as_deref(), &self.served)
    }

    fn key(&self) -> Result<String, Status> {
        match (self.served.resource().is_namespaced(), &self.namespace, &self.name) {
            (true, Some(namespace), Some(name)) => Ok(store::key(namespace, name)),
            (false, None, Some(name)) => Ok(name.clone()),
            _ => Err(Status::unknown_resource()),
        }
    }

    fn form(&self) -> Form {
        if self.partial { Form::Partial } else { Form::Whole }
    }

    fn answer(&self, code: StatusCode, object: &Value) -> Answered {
        json_answer(code, render::object(&self.served, object, self.form()))
    }
}

fn failed_watch(status: &Status) -> Answered {
    json_stream(ResponseBody::stream(stream::iter([Ok(render::error_event(status))])))
}

fn parse(body: &[u8]) -> Result<Value, Status> {
    serde_json::from_slice(body).map_err(|error| {
        let message = format!("the body is not JSON: line {}, column {}", error.line(), error.column());
        Status::bad_request(message)
    })
}

fn unsupported() -> Status {
    let message = "only JSON is read, and of patches only merge patches";
    Status::new(415, "UnsupportedMediaType", message)
}
