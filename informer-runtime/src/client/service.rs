//! From a request to a response, over an idle or a new connection.

use super::{body::DrivenBody, connect::Connector, link::Link, pool::Pool};
use futures::future::BoxFuture;
use http::{HeaderValue, Method, Request, Response, Uri, header::HOST, uri::PathAndQuery};
use hyper::body::Incoming;
use kube::client::Body;
use std::{
    error::Error,
    future::poll_fn,
    io::{self, ErrorKind},
    sync::Arc,
    task::{Context, Poll},
};
use tower::{BoxError, Service, ServiceExt};

/// Serves requests for one server: that of their URL, which must be the same for all.
#[derive(Clone)]
pub(super) struct Driven {
    connector: Connector,
    pool: Arc<Pool>,
}

impl Driven {
    pub(super) fn new(connector: Connector) -> Self {
        Self { connector, pool: Arc::default() }
    }

    async fn send(self, mut request: Request<Body>) -> Result<Response<DrivenBody>, BoxError> {
        let server = make_relative(&mut request)?;
        if let Some(mut link) = self.pool.take().await {
            let copy = repeatable(&request);
            match link.request(request).await {
                Ok(response) => return Ok(self.respond(response, link).await),
                Err(mut error) => {
                    let unsent = error.take_message();
                    let error = error.into_error();
                    match unsent.or_else(|| copy.filter(|_| was_closed(&error))) {
                        Some(again) => request = again,
                        None => return Err(error.into()),
                    }
                    tracing::debug!(
                        path = request.uri().path(),
                        "an idle connection was closed: sending the request anew"
                    );
                }
            }
        }
        let mut link = Link::new(self.connector.clone().oneshot(server).await?).await?;
        match link.request(request).await {
            Ok(response) => Ok(self.respond(response, link).await),
            Err(error) => Err(error.into_error().into()),
        }
    }

    async fn respond(&self, response: Response<Incoming>, link: Link) -> Response<DrivenBody> {
        let mut link = Some(link);
        let mut response = Some(response);
        poll_fn(move |cx| match (response.take(), link.take()) {
            (Some(response), Some(link)) => {
                Poll::Ready(response.map(|body| DrivenBody::new(body, link, Arc::clone(&self.pool), cx)))
            }
            // a future is not polled again once it is ready
            _ => Poll::Pending,
        })
        .await
    }
}

impl Service<Request<Body>> for Driven {
    type Response = Response<DrivenBody>;
    type Error = BoxError;
    type Future = BoxFuture<'static, Result<Self::Response, BoxError>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        Box::pin(self.clone().send(request))
    }
}

/// Leaves path and query in the request's URL, as HTTP/1.1 wants it, and names the server in `Host`.
/// Returns the URL as it was.
fn make_relative(request: &mut Request<Body>) -> Result<Uri, BoxError> {
    let path = request.uri().path_and_query().cloned().unwrap_or_else(|| PathAndQuery::from_static("/"));
    let server = std::mem::replace(request.uri_mut(), Uri::from(path));
    let host = server.host().ok_or("the request's URL has no host")?;
    let default_port = if server.scheme_str() == Some("https") { 443 } else { 80 };
    let host = match server.port_u16() {
        Some(port) if port != default_port => HeaderValue::try_from(format!("{host}:{port}"))?,
        _ => HeaderValue::from_str(host)?,
    };
    request.headers_mut().entry(HOST).or_insert(host);
    Ok(server)
}

/// A copy of a request that may reach the server twice without harm.
fn repeatable(request: &Request<Body>) -> Option<Request<Body>> {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return None;
    }
    let mut copy = Request::new(request.body().try_clone()?);
    *copy.method_mut() = request.method().clone();
    *copy.uri_mut() = request.uri().clone();
    *copy.headers_mut() = request.headers().clone();
    Some(copy)
}

/// Whether the peer closed the connection, which is no wonder for one that was idle.
fn was_closed(error: &hyper::Error) -> bool {
    let closed = |error: &io::Error| {
        matches!(
            error.kind(),
            ErrorKind::ConnectionReset
                | ErrorKind::ConnectionAborted
                | ErrorKind::BrokenPipe
                | ErrorKind::NotConnected
                | ErrorKind::UnexpectedEof
        )
    };
    error.is_incomplete_message()
        || error.is_canceled()
        || error.is_closed()
        || error.source().and_then(|cause| cause.downcast_ref::<io::Error>()).is_some_and(closed)
}
