//! A server that has the same two objects for every list, knows no streaming list, and never has an event.

use std::sync::{Arc, Mutex};

use futures::future::BoxFuture;
use futures::stream::{self, StreamExt};
use http::{HeaderMap, Request, StatusCode};
use informer_runtime::{Transport, TransportError, TransportResponse};

const LIST: &str = r#"{"kind":"PlaceholderList","apiVersion":"shop.example.test/v1","metadata":{"resourceVersion":"7"},"items":[
  {"metadata":{"name":"a","namespace":"red","uid":"1","resourceVersion":"5","labels":{"tier":"x"}}},
  {"metadata":{"name":"b","namespace":"blue","uid":"2","resourceVersion":"6"}}]}"#;

const NO_STREAMING_LIST: &str = r#"{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Invalid","message":"sendInitialEvents","code":422}"#;

/// The server; clones share what was asked.
#[derive(Clone, Default)]
pub(crate) struct Canned {
    lists: Arc<Mutex<Vec<String>>>,
    cluster: bool,
}

impl Canned {
    /// Objects without a namespace.
    pub(crate) fn cluster() -> Self {
        Canned { cluster: true, ..Canned::default() }
    }

    /// Paths and queries of the lists asked for.
    pub(crate) fn lists(&self) -> Vec<String> {
        self.lists.lock().unwrap().clone()
    }
}

impl Transport for Canned {
    fn send(&self, request: Request<()>) -> BoxFuture<'static, Result<TransportResponse, TransportError>> {
        let asked = request.uri().to_string();
        let answer = |status, body| TransportResponse { status, headers: HeaderMap::new(), body };
        let whole = |text: String| stream::iter([Ok(text.into())]).boxed();
        let response = if asked.contains("sendInitialEvents") {
            answer(StatusCode::UNPROCESSABLE_ENTITY, whole(NO_STREAMING_LIST.to_owned()))
        } else if asked.contains("watch=") {
            answer(StatusCode::OK, stream::pending().boxed())
        } else {
            self.lists.lock().unwrap().push(asked);
            let namespaces = [r#","namespace":"red""#, r#","namespace":"blue""#];
            let list = if self.cluster {
                namespaces.iter().fold(LIST.to_owned(), |list, namespace| list.replace(namespace, ""))
            } else {
                LIST.to_owned()
            };
            answer(StatusCode::OK, whole(list))
        };
        Box::pin(async { Ok(response) })
    }
}
