//! A transport that writes down every request and when its answer ended.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use futures::future::BoxFuture;
use futures::stream::{BoxStream, Stream, StreamExt};
use http::header::{ACCEPT, ACCEPT_ENCODING, HeaderName};
use informer_runtime::{Transport, TransportError, TransportResponse};

use crate::trace::{Log, Request};

/// The client of a test server, with a log.
pub(crate) struct Recording {
    client: kube::Client,
    log: Arc<Log>,
}

impl Recording {
    pub(crate) fn new(client: kube::Client, log: Arc<Log>) -> Self {
        Self { client, log }
    }
}

impl Transport for Recording {
    fn send(&self, request: http::Request<()>) -> BoxFuture<'static, Result<TransportResponse, TransportError>> {
        let answer = Exchange { number: self.log.request(seen(&request)), log: self.log.clone() };
        let sent = Transport::send(&self.client, request);
        Box::pin(async move {
            match sent.await {
                Ok(response) => {
                    let body = Body { inner: response.body, exchange: Some(answer) }.boxed();
                    Ok(TransportResponse { body, ..response })
                }
                Err(error) => {
                    if error.is_connection_refused() {
                        answer.log.refused(answer.number);
                    }
                    Err(error)
                }
            }
        })
    }
}

fn seen(request: &http::Request<()>) -> Request {
    let header = |name: &HeaderName| request.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or("");
    let mut pairs: Vec<String> = request.uri().query().unwrap_or("").split('&').map(normal).collect();
    pairs.sort_unstable();
    let watch = pairs.iter().any(|pair| pair.starts_with("watch="));
    Request {
        kind: if watch { "WATCH" } else { "LIST" },
        path: request.uri().path().to_owned(),
        query: pairs.join("&"),
        headers: format!("{}, {}", header(&ACCEPT), header(&ACCEPT_ENCODING)),
        ..Request::default()
    }
}

/// A pair of a query, decoded as far as the scenarios need it; a watch's time limit only by its range.
fn normal(pair: &str) -> String {
    if let Some(seconds) = pair.strip_prefix("timeoutSeconds=").and_then(|seconds| seconds.parse().ok())
        && (300..=600).contains(&seconds)
    {
        return String::from("timeoutSeconds=300..600");
    }
    pair.replace("%3D", "=")
}

/// Ends, in the log, when it is dropped.
struct Exchange {
    number: usize,
    log: Arc<Log>,
}

impl Drop for Exchange {
    fn drop(&mut self) {
        self.log.ended(self.number);
    }
}

struct Body {
    inner: BoxStream<'static, Result<Bytes, TransportError>>,
    exchange: Option<Exchange>,
}

impl Stream for Body {
    type Item = Result<Bytes, TransportError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let chunk = ready!(self.inner.poll_next_unpin(cx));
        if !matches!(chunk, Some(Ok(_))) {
            self.exchange = None;
        }
        Poll::Ready(chunk)
    }
}
