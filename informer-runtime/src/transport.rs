//! The door to the network: a request goes out, a status and a stream of byte chunks come back.

use std::error::Error as StdError;
use std::fmt;
use std::io;
use std::sync::Arc;

use bytes::Bytes;
use futures::future::BoxFuture;
use futures::stream::{BoxStream, StreamExt, TryStreamExt};
use http::{HeaderMap, Request, StatusCode};

/// Sends one request and gives the answer back before its body is read.
///
/// Implemented for [`kube::Client`], whose authentication, kubeconfig and TLS are used as they are; implement it for a
/// test double or another HTTP stack. An implementation must not retry by itself, must not decode or buffer the
/// body, and must end the exchange when the future or the body is dropped.
pub trait Transport: Send + Sync + 'static {
    /// Sends `request`, which has a path and query only (no host) and no body.
    fn send(&self, request: Request<()>) -> BoxFuture<'static, Result<TransportResponse, TransportError>>;
}

/// The head of an answer, and its body as it arrives.
pub struct TransportResponse {
    /// The HTTP status. Nobody looks into the body as events or items before this says success.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The body in pieces that mean nothing by themselves: a server cuts them anywhere.
    pub body: BoxStream<'static, Result<Bytes, TransportError>>,
}

impl fmt::Debug for TransportResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TransportResponse").field("status", &self.status).finish_non_exhaustive()
    }
}

/// The exchange failed below HTTP: no connection, a connection that broke, a time limit.
#[derive(Clone)]
pub struct TransportError {
    source: Arc<dyn StdError + Send + Sync>,
}

impl TransportError {
    /// Wraps the cause.
    pub fn new(source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self { source: Arc::from(source.into()) }
    }

    /// Whether nobody listened at the other end (client-go's `IsConnectionRefused`): the server is restarting, and
    /// the same request is worth sending again.
    #[must_use]
    pub fn is_connection_refused(&self) -> bool {
        self.io_kind() == Some(io::ErrorKind::ConnectionRefused)
    }

    fn io_kind(&self) -> Option<io::ErrorKind> {
        let mut cause: Option<&(dyn StdError + 'static)> = Some(&*self.source);
        while let Some(error) = cause {
            if let Some(io) = error.downcast_ref::<io::Error>() {
                return Some(io.kind());
            }
            cause = error.source();
        }
        None
    }
}

impl fmt::Display for TransportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The whole chain: the last link ("connection refused") is the one that helps.
        write!(f, "{}", self.source)?;
        let mut seen = self.source.to_string();
        let mut cause = self.source.source();
        while let Some(error) = cause {
            let text = error.to_string();
            if !seen.contains(&text) {
                write!(f, ": {text}")?;
                seen = text;
            }
            cause = error.source();
        }
        Ok(())
    }
}

impl fmt::Debug for TransportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TransportError({self})")
    }
}

impl StdError for TransportError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        None // already part of the text
    }
}

impl Transport for kube::Client {
    fn send(&self, request: Request<()>) -> BoxFuture<'static, Result<TransportResponse, TransportError>> {
        let client = self.clone();
        let request = request.map(|()| kube::client::Body::empty());
        Box::pin(async move {
            // `send` and nothing above it: kube's `request` family logs whole bodies.
            let (head, body) = kube::Client::send(&client, request).await.map_err(TransportError::new)?.into_parts();
            Ok(TransportResponse {
                status: head.status,
                headers: head.headers,
                body: http_body_util::BodyDataStream::new(body).map_err(TransportError::new).boxed(),
            })
        })
    }
}

impl<T: Transport + ?Sized> Transport for Arc<T> {
    fn send(&self, request: Request<()>) -> BoxFuture<'static, Result<TransportResponse, TransportError>> {
        (**self).send(request)
    }
}
