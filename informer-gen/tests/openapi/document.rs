//! Documents for the tests, written as Swagger 2 and turned into OpenAPI 3.

use informer_gen::{Input, Request, generate, report};
use serde_json::{Map, Value, json};

/// A resource as the tests describe it.
#[derive(Clone, Copy)]
pub(crate) struct Resource {
    pub(crate) group: &'static str,
    pub(crate) version: &'static str,
    pub(crate) kind: &'static str,
    pub(crate) plural: &'static str,
    pub(crate) namespaced: bool,
}

pub(crate) const WIDGET: Resource =
    Resource { group: "shop.example.test", version: "v1", kind: "Widget", plural: "widgets", namespaced: true };
pub(crate) const ZONE: Resource =
    Resource { group: "shop.example.test", version: "v1", kind: "Zone", plural: "zones", namespaced: false };

impl Resource {
    /// The path of the collection over all namespaces.
    pub(crate) fn path(&self) -> String {
        format!("{}/{}", self.base(), self.plural)
    }

    /// The path of the collection within one.
    pub(crate) fn namespaced_path(&self) -> String {
        format!("{}/namespaces/{{namespace}}/{}", self.base(), self.plural)
    }

    /// The path that only watches.
    pub(crate) fn watch_path(&self) -> String {
        format!("{}/watch/{}", self.base(), self.plural)
    }

    fn base(&self) -> String {
        match self.group {
            "" => format!("/api/{}", self.version),
            group => format!("/apis/{group}/{}", self.version),
        }
    }

    /// The definition's name.
    pub(crate) fn definition(&self) -> String {
        format!("test.example.{}.{}", self.version, self.kind)
    }

    pub(crate) fn mark(&self) -> Value {
        json!({"group": self.group, "version": self.version, "kind": self.kind})
    }

    /// A list operation with all marks.
    pub(crate) fn list(&self) -> Value {
        json!({
            "x-kubernetes-action": "list",
            "x-kubernetes-group-version-kind": self.mark(),
            "parameters": [{"$ref": "#/parameters/watch"}],
            "responses": {"200": answer(&format!("{}List", self.definition())), "401": {"description": "no"}},
        })
    }

    /// A create operation with all marks.
    pub(crate) fn create(&self) -> Value {
        json!({
            "x-kubernetes-action": "post",
            "x-kubernetes-group-version-kind": self.mark(),
            "parameters": [{"name": "body", "in": "body", "schema": reference(&self.definition())}],
            "responses": {"200": answer(&self.definition())},
        })
    }
}

pub(crate) fn reference(definition: &str) -> Value {
    json!({"$ref": format!("#/definitions/{definition}")})
}

fn answer(definition: &str) -> Value {
    json!({"description": "OK", "schema": reference(definition)})
}

/// A Swagger 2 document as it grows.
#[derive(Clone, Default)]
pub(crate) struct Document {
    pub(crate) paths: Map<String, Value>,
    pub(crate) definitions: Map<String, Value>,
}

impl Document {
    /// One with these resources, all that servers say of them said.
    pub(crate) fn of(resources: &[Resource]) -> Self {
        resources.iter().fold(Document::default(), |document, resource| document.with(resource))
    }

    /// Adds a resource in full: list, create, get, watch, definitions.
    #[must_use]
    pub(crate) fn with(self, resource: &Resource) -> Self {
        let mark = resource.mark();
        let get = json!({"get": {"x-kubernetes-action": "get", "x-kubernetes-group-version-kind": mark,
            "responses": {"200": answer(&resource.definition())}}});
        let both = json!({"post": resource.create(), "get": resource.list()});
        let mut document = self.define(resource);
        let collection = if resource.namespaced {
            document = document.path(&resource.path(), json!({"get": resource.list()}));
            resource.namespaced_path()
        } else {
            resource.path()
        };
        let watch = json!({"get": {"x-kubernetes-action": "watchlist", "x-kubernetes-group-version-kind": mark,
            "responses": {"200": answer("io.k8s.apimachinery.pkg.apis.meta.v1.WatchEvent")}}});
        document
            .path(&collection, both)
            .path(&format!("{collection}/{{name}}"), get)
            .path(&resource.watch_path(), watch)
    }

    /// Adds the definitions of a resource.
    #[must_use]
    pub(crate) fn define(mut self, resource: &Resource) -> Self {
        let (name, list) = (resource.definition(), format!("{}List", resource.definition()));
        let meta = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";
        let object = json!({
            "type": "object",
            "description": format!("A {}.", resource.kind),
            "properties": {
                "apiVersion": {"type": "string"}, "kind": {"type": "string"}, "metadata": reference(meta),
                "spec": {"type": "object", "properties": {"size": {"type": "string"}}},
            },
            "x-kubernetes-group-version-kind": [resource.mark()],
        });
        let mark =
            json!([{"group": resource.group, "version": resource.version, "kind": format!("{}List", resource.kind)}]);
        let items = json!({"type": "array", "items": reference(&name)});
        let properties = json!({"apiVersion": {"type": "string"}, "items": items, "metadata": {"type": "object"}});
        self.definitions.insert(name, object);
        self.definitions
            .insert(list, json!({"type": "object", "properties": properties, "x-kubernetes-group-version-kind": mark}));
        self
    }

    /// Sets a path.
    #[must_use]
    pub(crate) fn path(mut self, path: &str, operations: Value) -> Self {
        self.paths.insert(path.to_owned(), operations);
        self
    }

    /// The same with another name for some definitions.
    #[must_use]
    pub(crate) fn renamed(self, from: &str, to: &str) -> Self {
        let text = self.v2().to_string().replace(from, to);
        let value: Value = serde_json::from_str(&text).unwrap();
        let part = |name: &str| value[name].as_object().unwrap().clone();
        Document { paths: part("paths"), definitions: part("definitions") }
    }

    /// As Swagger 2.
    pub(crate) fn v2(&self) -> Value {
        json!({
            "swagger": "2.0",
            "info": {"title": "Kubernetes", "version": "unversioned"},
            "paths": self.paths,
            "definitions": self.definitions,
            "parameters": {"watch": {"name": "watch", "in": "query", "type": "boolean"}},
        })
    }

    /// The same as OpenAPI 3.
    pub(crate) fn v3(&self) -> Value {
        let text = Value::Object(self.paths.clone()).to_string().replace("#/parameters/", "#/components/parameters/");
        let mut paths: Value = serde_json::from_str(&text).unwrap();
        for operations in paths.as_object_mut().unwrap().values_mut() {
            for operation in operations.as_object_mut().unwrap().values_mut() {
                to_v3(operation);
            }
        }
        let parameter = json!({"name": "watch", "in": "query", "schema": {"type": "boolean"}});
        let document = json!({
            "openapi": "3.0.0",
            "info": {"title": "Kubernetes", "version": "unversioned"},
            "paths": paths,
            "components": {"schemas": with_all_of(Value::Object(self.definitions.clone())), "parameters": {"watch": parameter}},
        });
        serde_json::from_str(&document.to_string().replace("#/definitions/", "#/components/schemas/")).unwrap()
    }
}

/// Bodies of an operation where OpenAPI 3 has them.
fn to_v3(operation: &mut Value) {
    let content =
        |schema: &Value| json!({"application/json": {"schema": schema}, "application/yaml": {"schema": schema}});
    let Some(operation) = operation.as_object_mut() else { return };
    for response in operation.get_mut("responses").and_then(Value::as_object_mut).into_iter().flat_map(Map::values_mut)
    {
        if let Some(schema) = response.as_object_mut().and_then(|response| response.remove("schema")) {
            response["content"] = content(&schema);
        }
    }
    let Some(parameters) = operation.get_mut("parameters").and_then(Value::as_array_mut) else { return };
    let body = parameters.iter().position(|parameter| parameter["in"] == "body").map(|at| parameters.remove(at));
    if let Some(body) = body {
        operation.insert("requestBody".to_owned(), json!({"content": content(&body["schema"])}));
    }
}

/// References as OpenAPI 3 documents of Kubernetes have them: in `allOf`, with a default beside it.
fn with_all_of(value: Value) -> Value {
    match value {
        Value::Object(map) if map.contains_key("$ref") => json!({"allOf": [Value::Object(map)], "default": {}}),
        Value::Object(map) => map.into_iter().map(|(key, value)| (key, with_all_of(value))).collect(),
        Value::Array(items) => items.into_iter().map(with_all_of).collect(),
        other => other,
    }
}

/// A request for a document.
pub(crate) fn request(document: &Value) -> Request {
    Request::new("shop-informers", "out").command("make it").openapi(text("openapi.json", document))
}

pub(crate) fn text(name: &str, document: &Value) -> Input {
    Input::Text { name: name.to_owned(), text: serde_json::to_string_pretty(document).unwrap() }
}

/// What gets an informer (`group/version/plural Kind scope type`), and what not (`Kind reason`).
pub(crate) fn coverage(request: &Request) -> (Vec<String>, Vec<String>) {
    let report = report(request).unwrap_or_else(|problems| panic!("{problems}"));
    let report: Value = serde_json::from_str(&report.json()).unwrap();
    let field = |row: &Value, key: &str| row[key].as_str().unwrap().to_owned();
    let rows = |key: &str| report[key].as_array().unwrap().clone();
    let informers = rows("informers").into_iter().map(|row| {
        let scope = if row["namespaced"] == true { "namespaced" } else { "cluster" };
        let [group, version, plural, kind, ty] =
            ["group", "version", "plural", "kind", "type"].map(|key| field(&row, key));
        format!("{group}/{version}/{plural} {kind} {scope} {ty}")
    });
    let skipped = rows("skipped").into_iter().map(|row| format!("{} {}", field(&row, "kind"), field(&row, "reason")));
    (informers.collect(), skipped.collect())
}

/// Generates, and gives one file.
pub(crate) fn file(request: &Request, path: &str) -> String {
    let generated = generate(request).unwrap_or_else(|problems| panic!("{problems}"));
    let files: Vec<&str> = generated.tree.iter().map(|(path, _)| path).collect();
    generated.tree.get(path).unwrap_or_else(|| panic!("{path} is none of {files:?}")).to_owned()
}

/// The one message of a request that fails, with where it lies.
pub(crate) fn refused(request: &Request) -> String {
    let problems = generate(request).expect_err("is refused");
    assert!(!problems.is_internal());
    let told = problems.iter().map(|problem| {
        let place = problems.location(problem).unwrap_or_default();
        format!("{place} {}", problem.message())
    });
    told.collect::<Vec<_>>().join("\n")
}
