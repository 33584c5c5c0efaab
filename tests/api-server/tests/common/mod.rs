//! What the tests of the server share: resources, raw requests, and bodies read step by step.

#![allow(dead_code, reason = "not every test file uses all of it")]

use std::time::Duration;

use bytes::Bytes;
use http::{Method, Request, Response};
use http_body_util::BodyExt;
use informer_runtime::Resource;
use informer_test_server::{ResponseBody, TestServer};
use kube::client::Body;
use serde_json::{Value, json};
use tower::ServiceExt;

pub(crate) const WIDGETS: Resource = Resource::new("shop.example.test", "v1", "Widget", "widgets", true);
pub(crate) const ZONES: Resource = Resource::new("shop.example.test", "v1", "Zone", "zones", false);
pub(crate) const PODS: Resource = Resource::new("", "v1", "Pod", "pods", true);

pub(crate) const ALL: &str = "/apis/shop.example.test/v1/widgets";
pub(crate) const RED: &str = "/apis/shop.example.test/v1/namespaces/red/widgets";

pub(crate) fn server() -> TestServer {
    TestServer::new([WIDGETS, ZONES, PODS])
}

pub(crate) fn widget(namespace: &str, name: &str) -> Value {
    json!({"metadata": {"namespace": namespace, "name": name}, "spec": {"size": 1}})
}

pub(crate) fn labelled(name: &str, labels: Value) -> Value {
    json!({"metadata": {"namespace": "red", "name": name, "labels": labels}})
}

/// Sends a request, and returns the answer with its body unread.
pub(crate) async fn send(
    server: &TestServer,
    method: Method,
    path: &str,
    body: Option<&Value>,
) -> Response<ResponseBody> {
    let body = body.map_or_else(Body::empty, |body| Body::from(body.to_string().into_bytes()));
    let content_type = if method == Method::PATCH { "application/merge-patch+json" } else { "application/json" };
    let request = Request::builder().method(method).uri(path).header("content-type", content_type);
    server.clone().oneshot(request.body(body).expect("a request")).await.expect("an answer")
}

/// Sends a request, and returns the code and the JSON of the answer.
pub(crate) async fn ask(server: &TestServer, method: Method, path: &str, body: Option<&Value>) -> (u16, Value) {
    let response = send(server, method, path, body).await;
    let code = response.status().as_u16();
    (code, serde_json::from_slice(&all(response).await).expect("JSON"))
}

pub(crate) async fn get(server: &TestServer, path: &str) -> (u16, Value) {
    ask(server, Method::GET, path, None).await
}

pub(crate) async fn all(response: Response<ResponseBody>) -> Bytes {
    response.into_body().collect().await.expect("a whole body").to_bytes()
}

pub(crate) fn list_names(list: &Value) -> Vec<String> {
    list["items"].as_array().expect("items").iter().map(name).collect()
}

fn name(object: &Value) -> String {
    object["metadata"]["name"].as_str().unwrap_or("").to_owned()
}

/// A watch that is read line by line.
pub(crate) struct Watch {
    body: ResponseBody,
    held: Vec<u8>,
}

/// How reading a line came out.
#[derive(Debug, PartialEq)]
pub(crate) enum Read {
    Line(Value),
    Closed,
    Cut,
    Dropped,
}

impl Watch {
    pub(crate) async fn open(server: &TestServer, path: &str) -> Self {
        let response = send(server, Method::GET, path, None).await;
        assert_eq!(response.status(), 200, "{path}");
        Self { body: response.into_body(), held: Vec::new() }
    }

    pub(crate) async fn read(&mut self) -> Read {
        loop {
            if let Some(end) = self.held.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.held.drain(..=end).collect();
                return Read::Line(serde_json::from_slice(&line).expect("JSON"));
            }
            match self.body.frame().await {
                None => return Read::Closed,
                Some(Err(error)) if error.kind() == std::io::ErrorKind::UnexpectedEof => return Read::Dropped,
                Some(Err(_)) => return Read::Cut,
                Some(Ok(frame)) => self.held.extend_from_slice(&frame.into_data().expect("data")),
            }
        }
    }

    pub(crate) async fn event(&mut self) -> Value {
        match self.read().await {
            Read::Line(event) => event,
            other => panic!("an event, not {other:?}"),
        }
    }

    /// The next event as `ADDED a@5`.
    pub(crate) async fn brief(&mut self) -> String {
        let event = self.event().await;
        let object = &event["object"];
        let version = object["metadata"]["resourceVersion"].as_str().unwrap_or("");
        format!("{} {}@{version}", event["type"].as_str().unwrap_or(""), name(object))
    }

    /// Whether nothing comes for this long.
    pub(crate) async fn is_silent_for(&mut self, seconds: u64) -> bool {
        tokio::time::timeout(Duration::from_secs(seconds), self.read()).await.is_err()
    }
}
