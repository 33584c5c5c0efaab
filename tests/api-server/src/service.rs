//! The door: HTTP requests in, answers out.

use std::io;
use std::task::{Context, Poll};

use bytes::Bytes;
use futures::future::BoxFuture;
use http::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_TYPE, HeaderName, HeaderValue};
use http::{Method, Request};
use http_body_util::{BodyExt, LengthLimitError, Limited};

use crate::handle::Call;
use crate::query::Query;
use crate::recorder::{RequestKind, RequestRecord};
use crate::reply::{Answered, refuse};
use crate::route::Route;
use crate::script::Reply;
use crate::server::TestServer;
use crate::status::Status;

impl TestServer {
    /// A client of this server, without retries and without a socket: it works while tokio's clock is paused.
    ///
    /// # Panics
    /// Outside a tokio runtime, which the client's worker needs.
    #[must_use]
    pub fn client(&self) -> kube::Client {
        kube::Client::new(self.clone(), "default")
    }
}

impl<B> tower::Service<Request<B>> for TestServer
where
    B: http_body::Body<Data = Bytes> + Send + 'static,
    B::Error: std::error::Error + Send + Sync + 'static,
{
    type Response = Answered;
    type Error = io::Error;
    type Future = BoxFuture<'static, io::Result<Answered>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let server = self.clone();
        let (parts, body) = request.into_parts();
        let call = server.read_head(&parts);
        // Recorded here, not when first polled, so that the order of calls is the order of records
        server.shared.change(|state| state.recorder.record(call.record.clone()));
        let reply = server.reply(&call.record);
        Box::pin(async move {
            let body = match Limited::new(body, BODY_MAX).collect().await {
                Ok(body) => body.to_bytes(),
                Err(error) if error.is::<LengthLimitError>() => return Ok(refuse(&too_large())),
                Err(error) => return Err(io::Error::other(error)),
            };
            match reply {
                Some(Reply::Fixed(answer)) => server.play(*answer, call, body).await,
                Some(Reply::Made(make)) => server.play(make(&call.record), call, body).await,
                None => Ok(server.handle(call, body).await),
            }
        })
    }
}

/// The longest body of a request, in bytes.
const BODY_MAX: usize = 3 << 20;

fn too_large() -> Status {
    Status::new(413, "RequestEntityTooLarge", format!("the body is longer than {BODY_MAX} bytes"))
}

fn no_streaming_lists() -> Status {
    let why = "this server does not know streaming lists";
    Status::forbidden_option("sendInitialEvents", why)
}

impl TestServer {
    fn reply(&self, request: &RequestRecord) -> Option<Reply> {
        if request.kind == RequestKind::StreamingList && !self.shared.settings.streaming_lists {
            return Some(Reply::Fixed(Box::new(no_streaming_lists().into())));
        }
        self.shared.script().reply(request)
    }

    fn read_head(&self, parts: &http::request::Parts) -> Call {
        let header = |name: HeaderName| {
            let value = parts.headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
            value.unwrap_or("").to_owned()
        };
        let path = parts.uri.path();
        let query = Query::parse(parts.uri.query().unwrap_or(""));
        let route = Route::parse(path);
        let served = route.as_ref().and_then(|route| {
            let state = self.shared.read();
            state.store.find(&route.group, &route.version, &route.plural).map(|found| found.served.clone())
        });
        let record = RequestRecord {
            kind: kind(&parts.method, route.as_ref(), &query),
            at: self.shared.elapsed(),
            method: parts.method.clone(),
            path: path.to_owned(),
            query,
            accept: header(ACCEPT),
            accept_encoding: header(ACCEPT_ENCODING),
            resource: served.as_ref().map(|served| served.resource().clone()),
            namespace: route.as_ref().and_then(|route| route.namespace.clone()),
            name: route.as_ref().and_then(|route| route.name.clone()),
        };
        Call { record, route, served, content_type: header(CONTENT_TYPE) }
    }
}

fn kind(method: &Method, route: Option<&Route>, query: &Query) -> RequestKind {
    let Some(route) = route else {
        return RequestKind::Other;
    };
    let one = route.name.is_some();
    match method.as_str() {
        "GET" if one => RequestKind::Get,
        "GET" if !query.flag("watch").unwrap_or(false) => RequestKind::List,
        "GET" if query.flag("sendInitialEvents").unwrap_or(false) => RequestKind::StreamingList,
        "GET" => RequestKind::Watch,
        "POST" if !one => RequestKind::Create,
        "PUT" if one => RequestKind::Update,
        "PATCH" if one => RequestKind::Patch,
        "DELETE" if one => RequestKind::Delete,
        "DELETE" => RequestKind::DeleteCollection,
        _ => RequestKind::Other,
    }
}
