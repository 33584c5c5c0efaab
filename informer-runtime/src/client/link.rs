//! One HTTP/1.1 connection, polled by whoever waits for something of it.

use super::connect::Socket;
use futures::future::BoxFuture;
use http::{Request, Response};
use hyper::{
    body::Incoming,
    client::conn::{
        TrySendError,
        http1::{Builder, SendRequest},
    },
};
use kube::client::Body;
use std::{future::poll_fn, pin::pin, task::Context};

/// Ends with the connection, or when its socket was handed over to another protocol.
type Connection = BoxFuture<'static, hyper::Result<()>>;

/// A connection and the handle that puts requests on it. Dropping it closes the socket.
pub(super) struct Link {
    /// `None` once it has ended.
    connection: Option<Connection>,
    requests: SendRequest<Body>,
}

impl Link {
    /// Speaks HTTP/1.1 on `socket`. Nothing is sent yet.
    pub(super) async fn new(socket: Box<dyn Socket>) -> hyper::Result<Self> {
        let (requests, connection) = Builder::new().handshake(socket).await?;
        Ok(Self { connection: Some(Box::pin(connection.with_upgrades())), requests })
    }

    /// Reads and writes what can be now. Whether the connection still lives.
    pub(super) fn drive(&mut self, cx: &mut Context<'_>) -> bool {
        // an error reaches the request or the body that it concerns
        self.connection.take_if(|connection| connection.as_mut().poll(cx).is_ready());
        self.connection.is_some()
    }

    /// Whether the connection can take a request now, after a look at its socket.
    pub(super) fn is_free(&mut self, cx: &mut Context<'_>) -> bool {
        self.drive(cx) && self.requests.is_ready()
    }

    /// Sends a request and waits for the head of its response.
    ///
    /// The error holds the request if not a byte of it was written. Dropping the future leaves the connection unusable.
    pub(super) async fn request(
        &mut self,
        request: Request<Body>,
    ) -> Result<Response<Incoming>, TrySendError<Request<Body>>> {
        let mut response = pin!(self.requests.try_send_request(request));
        poll_fn(|cx| {
            self.connection.take_if(|connection| connection.as_mut().poll(cx).is_ready());
            response.as_mut().poll(cx)
        })
        .await
    }
}
