//! A watch: opened at the last version, read until it ends.

use bytes::Bytes;
use futures::stream::BoxStream;
use futures::{FutureExt, StreamExt};
use http::Request;
use std::time::Duration;
use tokio::time::{Instant, timeout, timeout_at};

use super::intake::{Event, Fill, garbage, read_event};
use super::request::{ListQuery, WatchQuery};
use super::retry_after::retry_after;
use super::{Interrupted, LIST, PARTIAL_PAUSE, REST_OF_LIST, Reflector};
use crate::delta::Delta;
use crate::error::{Error, Kind, Status};
use crate::json::ItemSplitter;
use crate::stats::count;
use crate::transport::{TransportError, TransportResponse};
use crate::version::is_older;
use crate::wire::{Lines, ListEnvelope};

/// How much of a refusal is read.
const MAX_REFUSAL: usize = 64 << 10;

/// An answer that streams events.
pub(super) struct OpenWatch {
    body: BoxStream<'static, Result<Bytes, TransportError>>,
    lines: Lines,
    opened: Instant,
    /// When the server must have ended it.
    deadline: Instant,
    events: bool,
    /// What came behind the mark of a streaming list, in the chunk that had the mark.
    rest: Vec<Result<Event, Error>>,
}

impl OpenWatch {
    pub(super) fn age(&self) -> Duration {
        self.opened.elapsed()
    }

    pub(super) fn had_events(&self) -> bool {
        self.events
    }

    pub(super) fn keep_rest(&mut self, rest: Vec<Result<Event, Error>>) {
        self.rest = rest;
    }

    pub(super) fn take_rest(&mut self) -> Vec<Result<Event, Error>> {
        std::mem::take(&mut self.rest)
    }

    /// The next bytes; `None` at the clean end.
    pub(super) async fn next_chunk(&mut self, until: Instant, late: Kind) -> Result<Option<Bytes>, Error> {
        match timeout_at(until.min(self.deadline), self.body.next()).await {
            Ok(Some(Ok(chunk))) => Ok(Some(chunk)),
            Ok(Some(Err(error))) => Err(error.into()),
            Ok(None) => Ok(None),
            Err(_) => Err(late.into()),
        }
    }

    /// Bytes that are there already, or the end if that is.
    pub(super) fn ready_chunk(&mut self) -> Option<Result<Option<Bytes>, Error>> {
        let next = self.body.next().now_or_never()?;
        Some(next.transpose().map_err(Error::from))
    }

    /// The lines that a chunk, or the end, completes.
    pub(super) fn lines(
        &mut self,
        chunk: Option<&[u8]>,
        mut line: impl FnMut(&[u8]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let events = &mut self.events;
        let taken = |text: &[u8]| {
            line(text)?;
            *events = true;
            Ok(())
        };
        match chunk {
            Some(chunk) => self.lines.push(chunk, taken),
            // What is no event without its line's end is the beginning of one.
            None => self.lines.finish(taken).map_err(|error| match error.is_garbage() {
                true => TransportError::new("the stream ended within an event").into(),
                false => error,
            }),
        }
    }
}

impl Reflector {
    /// Between the configured time and twice that, so that watches do not end all at once.
    pub(super) fn watch_timeout(&mut self) -> Duration {
        // A day at most, so that it can't overflow.
        let timeout = self.options.min_watch_timeout.mul_f64(1.0 + self.rng.f64());
        if self.list_again.is_some() { timeout.min(PARTIAL_PAUSE) } else { timeout }
    }

    /// Sends a request and looks at the status before anything else.
    pub(super) async fn send(&self, request: Request<()>, what: &'static str) -> Result<TransportResponse, Error> {
        let limit = self.options.response_timeout;
        let late = |_| Error::from(Kind::Deadline { what, after: limit });
        let mut response = timeout(limit, self.transport.send(request)).await.map_err(late)??;
        if response.status.is_success() {
            return Ok(response);
        }
        let mut text = Vec::new();
        let read = async {
            while let Some(Ok(chunk)) = response.body.next().await {
                text.extend_from_slice(&chunk);
                if text.len() > MAX_REFUSAL {
                    break;
                }
            }
        };
        // A refusal whose text does not come is a refusal all the same.
        if timeout(limit, read).await.is_err() {
            count(&self.reports.counters.dead_connections);
        }
        let retry_after = retry_after(&response.headers);
        Err(Kind::Api(Status::from_response(response.status.as_u16(), retry_after, &text)).into())
    }

    pub(super) async fn start_watch(&mut self, query: &WatchQuery) -> Result<OpenWatch, Error> {
        self.pace().await;
        let opened = Instant::now();
        let request = self.target.watch(query)?;
        let response = self.send(request, "the answer to a watch").await?;
        Ok(OpenWatch {
            body: response.body,
            lines: Lines::new(self.options.max_object_bytes),
            opened,
            deadline: opened + query.timeout + self.options.watch_grace,
            events: false,
            rest: Vec::new(),
        })
    }

    /// Opens a watch at the last version.
    pub(super) async fn open_watch(&mut self) -> Result<OpenWatch, Error> {
        let query = WatchQuery {
            resource_version: self.version.as_deref().unwrap_or_default().to_owned(),
            timeout: self.watch_timeout(),
            initial_events: false,
        };
        count(&self.reports.counters.watches);
        let watch = self.start_watch(&query).await?;
        self.unordered = query.resource_version.is_empty();
        self.served();
        Ok(watch)
    }

    /// Reads events into the queue until the watch ends. Events go to the store as soon as no more bytes are there.
    pub(super) async fn read_watch(&mut self, watch: &mut OpenWatch) -> Result<(), Interrupted> {
        let mut batch = Batch::default();
        let rest = watch.take_rest();
        let mut result = rest.into_iter().try_for_each(|event| self.take(event?, &mut batch));
        while result.is_ok() {
            let ready = if batch.deltas.is_empty() || batch.fill.is_full() { None } else { watch.ready_chunk() };
            let chunk = match ready {
                Some(chunk) => chunk,
                None => {
                    self.flush(&mut batch).await?;
                    self.next_or_doubt(watch).await
                }
            };
            match chunk.and_then(|chunk| self.take_chunk(watch, chunk.as_deref(), &mut batch)) {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => result = Err(error),
            }
        }
        // What came before an error is good.
        self.flush(&mut batch).await?;
        Ok(result?)
    }

    /// The next bytes, `None` at the clean end. While they don't come, the server is asked now and then whether it has
    /// reached our version; the silence may go on over several watches.
    async fn next_or_doubt(&mut self, watch: &mut OpenWatch) -> Result<Option<Bytes>, Error> {
        let deadline = watch.deadline;
        let after = deadline - watch.opened;
        let late = || Kind::Deadline { what: "the end of a watch", after };
        while let Some(silence) = self.options.watch_silence
            && self.heard + silence < deadline
        {
            if let Ok(chunk) = timeout_at(self.heard + silence, watch.body.next()).await {
                return chunk.transpose().map_err(Error::from);
            }
            self.heard = Instant::now();
            let asked = tokio::select! {
                biased;
                chunk = watch.next_chunk(deadline, late()) => return chunk,
                asked = self.ask_for_version() => asked,
            };
            match asked {
                Err(error) if error.is_too_large_resource_version() => return Err(error),
                // No word on the version; but if the server wants to be left alone, it is.
                Err(error) => {
                    let wait = error.retry_after().map(|wait| self.backoff.at_least(Some(wait)));
                    self.put_off = wait.map(|wait| Instant::now() + wait);
                    self.reports.tell(error);
                }
                Ok(()) => {}
            }
        }
        watch.next_chunk(deadline, late()).await
    }

    /// Asks for the least of a list that is not older than our version: a server that has not reached it says so, or
    /// gives an older one.
    async fn ask_for_version(&self) -> Result<(), Error> {
        let Some(version) = self.version.as_deref().filter(|version| !version.is_empty()) else { return Ok(()) };
        count(&self.reports.counters.questions);
        let (resource_version, limit) = (version.to_owned(), Some(1));
        let query = ListQuery { resource_version, limit, not_older_than: true, ..ListQuery::default() };
        let mut body = self.send(self.target.list(&query)?, LIST).await?.body;
        let mut splitter = ItemSplitter::new(self.options.max_object_bytes);
        let read = async {
            while let Some(chunk) = body.next().await {
                splitter.push(&chunk?, |_| ()).map_err(|error| garbage("a list that can't be read", error))?;
            }
            Ok::<(), Error>(())
        };
        let limit = self.options.response_timeout;
        timeout(limit, read).await.map_err(|_| Kind::Deadline { what: REST_OF_LIST, after: limit })??;
        // What is no list has no version.
        let theirs = ListEnvelope::parse(&splitter.finish()).unwrap_or_default().resource_version;
        match is_older(&theirs, version) {
            true => Err(Kind::Behind { ours: version.to_owned(), theirs }.into()),
            false => Ok(()),
        }
    }

    /// Takes in what a chunk, or the end, completes; false at the end.
    fn take_chunk(&mut self, watch: &mut OpenWatch, chunk: Option<&[u8]>, batch: &mut Batch) -> Result<bool, Error> {
        if chunk.is_some() {
            self.heard = Instant::now();
        }
        watch.lines(chunk, |line| {
            let event = read_event(&mut self.maker, self.target.resource.kind(), line)?;
            self.take(event, batch)
        })?;
        Ok(chunk.is_some())
    }

    /// An event as a delta; moves the version on.
    fn take(&mut self, event: Event, batch: &mut Batch) -> Result<(), Error> {
        let added = matches!(event, Event::Add(_));
        self.unordered &= added;
        let counters = &self.reports.counters;
        match &event {
            Event::Add(_) | Event::Put(_) | Event::Delete(_) => count(&counters.events),
            Event::Bookmark { .. } => count(&counters.bookmarks),
            Event::Error(_) | Event::Odd(_) => {}
        }
        match event {
            Event::Add(entry) | Event::Put(entry) => {
                if !(added && self.unordered) {
                    self.reach(entry.resource_version());
                }
                batch.fill.add(&entry);
                batch.deltas.push(Delta::Put(entry));
            }
            Event::Delete(entry) => {
                self.reach(entry.resource_version());
                batch.fill.add(&entry);
                batch.deltas.push(Delta::Delete(entry));
            }
            Event::Bookmark { version, .. } => {
                self.reach(&version);
                batch.deltas.push(Delta::Bookmark(version));
            }
            Event::Error(error) => return Err(error),
            Event::Odd(odd) => self.reports.odd(odd),
        }
        Ok(())
    }

    /// Moves the version on, never back: only a list does that.
    fn reach(&mut self, version: &str) {
        let ours = self.version.as_deref().unwrap_or_default();
        if !version.is_empty() && ours != version && !is_older(version, ours) {
            self.version = Some(version.into());
            self.same_lists = 0;
        }
    }

    async fn flush(&self, batch: &mut Batch) -> Result<(), Interrupted> {
        let batch = std::mem::take(batch);
        if !batch.deltas.is_empty() {
            self.queue.send(batch.deltas).await?;
        }
        Ok(())
    }
}

/// Deltas on their way to the queue.
#[derive(Default)]
struct Batch {
    deltas: Vec<Delta>,
    fill: Fill,
}
