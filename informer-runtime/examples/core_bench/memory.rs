//! A transport that has every byte in memory: what a run costs is the pipeline's cost.

use crate::{pods::Form, wire};
use bytes::Bytes;
use futures::{FutureExt, StreamExt, future::BoxFuture, stream};
use http::{HeaderMap, Request, StatusCode};
use informer_runtime::{Transport, TransportError, TransportResponse};
use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};
use tokio::sync::Notify;

/// Answers every streaming list with all Pods, in pieces as a real server sends them, and then stays silent.
#[derive(Clone)]
pub(crate) struct Memory {
    /// The initial events, up to their end.
    initial: Bytes,
    lists: Arc<AtomicU64>,
    expire: Arc<Notify>,
}

impl Memory {
    pub(crate) fn new(form: Form, count: usize) -> Self {
        // one Pod at a time, so that no freed memory is left in which a cache would fit unseen
        let mut initial = Vec::new();
        for pod in wire::pods(form, count) {
            initial.extend_from_slice(wire::added(&pod).as_bytes());
        }
        Self { initial: initial.into(), lists: Arc::new(AtomicU64::new(0)), expire: Arc::new(Notify::new()) }
    }

    /// Ends the open watch with the error 410.
    pub(crate) fn expire(&self) {
        self.expire.notify_one();
    }
}

impl Transport for Memory {
    fn send(&self, request: Request<()>) -> BoxFuture<'static, Result<TransportResponse, TransportError>> {
        let streaming_list = request.uri().query().is_some_and(|query| query.contains("sendInitialEvents=true"));
        let (initial, expire) = (self.initial.clone(), Arc::clone(&self.expire));
        let (end, last) = if streaming_list {
            let list = self.lists.fetch_add(1, Ordering::Relaxed);
            (initial.len(), Some(Bytes::from(wire::initial_events_end(list))))
        } else {
            (0, None)
        };
        // Parts of one memory, in pieces as a real server sends them. The cache copies what it keeps: if it leant on this
        // memory instead, its figures would show no growth at all.
        let pieces = (0..end).step_by(wire::CHUNK).map(move |start| initial.slice(start..end.min(start + wire::CHUNK)));
        let then = async move {
            expire.notified().await;
            Bytes::from_static(wire::expired().as_bytes())
        };
        let body = stream::iter(pieces.chain(last)).chain(then.into_stream()).map(Ok).boxed();
        async move { Ok(TransportResponse { status: StatusCode::OK, headers: HeaderMap::new(), body }) }.boxed()
    }
}
