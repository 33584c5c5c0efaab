//! The whole picture: by a plain list in pages, or by a watch that begins with all objects.

use std::sync::Arc;

use futures::{FutureExt, StreamExt};
use tokio::time::{Instant, timeout_at};

use super::intake::{Event, Fill, garbage, read_event, read_item};
use super::request::{ListQuery, WatchQuery};
use super::watch::OpenWatch;
use super::{Interrupted, LIST, PARTIAL_PAUSE, REST_OF_LIST, Reflector, SAME_LISTS, SHORT_WATCH, SPOILT_LISTS};
use crate::delta::{Delta, PageItem};
use crate::error::{Error, Kind};
use crate::json::ItemSplitter;
use crate::stats::count;
use crate::transport::TransportError;
use crate::version::is_older;
use crate::wire::ListEnvelope;

/// The page size of a first list, as client-go's pager has it.
const PAGE_SIZE: u32 = 500;
/// So many bytes of a list are no silence, also if they complete no object.
const PROGRESS: usize = 16 << 10;

impl Reflector {
    /// The version that the next list or streaming list shall not be older than. `None` before the first one.
    fn known_version(&self) -> Option<String> {
        match &self.version {
            Some(_) if self.ask_newest || self.same_lists >= SAME_LISTS => Some(String::new()),
            Some(version) => Some(version.to_string()),
            None => None,
        }
    }

    /// Lists all pages into the queue.
    pub(super) async fn list(&mut self) -> Result<(), Interrupted> {
        let first = self.known_version();
        let paged = first.is_none() || self.server_pages;
        let mut query = ListQuery {
            resource_version: first.clone().unwrap_or_else(|| String::from("0")),
            limit: self.options.page_size.or(paged.then_some(PAGE_SIZE)),
            ..ListQuery::default()
        };
        let counters = &self.reports.counters;
        count(&counters.lists);
        if self.version.is_some() {
            count(&counters.relists);
        }
        self.spoilt = false;
        loop {
            let anew = query.resource_version.is_empty();
            // With a limit the server would give exactly that version, which it may not have any more.
            query.not_older_than = query.limit.is_some() && !matches!(query.resource_version.as_str(), "" | "0");
            self.queue.send(vec![Delta::ReplaceBegin { anew }]).await?;
            let error = match self.pages(query.clone()).await {
                Ok(version) => match self.gone_back(&version) {
                    // Not what was asked for: a copy that lags behind.
                    Some(error) if !anew => error,
                    back => {
                        back.into_iter().for_each(|error| self.reports.failed(error));
                        self.spoilt_lists = if self.spoilt { self.spoilt_lists } else { 0 };
                        self.replaced(version).await?;
                        return Ok(());
                    }
                },
                Err(Listed::Interrupted(Interrupted::Closed)) => return Err(Interrupted::Closed),
                Err(Listed::Interrupted(Interrupted::Failed(error))) => error,
                Err(Listed::LaterPage(error)) if error.is_expired() && query.limit.is_some() => {
                    // The pages are too old to be read to the end: all at once, from the version asked for first.
                    self.queue.send(vec![Delta::ReplaceAbort]).await?;
                    self.reports.failed(error);
                    query.limit = None;
                    continue;
                }
                Err(Listed::LaterPage(error)) => error,
            };
            self.queue.send(vec![Delta::ReplaceAbort]).await?;
            let lost = error.is_expired() || error.is_too_large_resource_version();
            if lost && !query.resource_version.is_empty() {
                // That version is gone, or not there yet: whatever is newest, at once.
                self.reports.failed(error);
                self.ask_newest = true;
                query.resource_version = String::new();
                continue;
            }
            return Err(error.into());
        }
    }

    /// Whether a picture is older than what is known already.
    fn gone_back(&self, version: &str) -> Option<Error> {
        let ours = self.version.as_deref().unwrap_or_default();
        let back = is_older(version, ours);
        back.then(|| Kind::Behind { ours: ours.to_owned(), theirs: version.to_owned() }.into())
    }

    /// Requests page after page; gives the version of the list.
    async fn pages(&mut self, mut query: ListQuery) -> Result<String, Listed> {
        let from_cache = query.resource_version == "0";
        let mut version = String::new();
        let mut first = true;
        let mut worthwhile = false;
        loop {
            if !worthwhile {
                self.pace().await;
            }
            let page = self.page(&query).await;
            let envelope = match page {
                Ok((envelope, objects)) => {
                    worthwhile = query.limit.is_some_and(|limit| objects >= limit as usize / 2);
                    envelope
                }
                Err(Interrupted::Failed(error)) if !first => return Err(Listed::LaterPage(error)),
                Err(interrupted) => return Err(Listed::Interrupted(interrupted)),
            };
            if first {
                version = envelope.resource_version;
            }
            if envelope.continue_token.is_empty() {
                return Ok(version);
            }
            if envelope.continue_token == query.continue_token {
                return Err(Listed::LaterPage(garbage("a page that is followed by itself", "the same continue token")));
            }
            self.server_pages |= first && from_cache;
            first = false;
            query.continue_token = envelope.continue_token;
            query.resource_version = String::new();
            query.not_older_than = false;
        }
    }

    /// One page into the queue; gives what is said beside its objects, and their number.
    async fn page(&mut self, query: &ListQuery) -> Result<(ListEnvelope, usize), Interrupted> {
        count(&self.reports.counters.pages);
        let request = self.target.list(query)?;
        let response = self.send(request, LIST).await?;
        let mut body = response.body;
        let mut splitter = ItemSplitter::new(self.options.max_object_bytes);
        let silence = self.options.response_timeout;
        let (mut page, mut fill) = (Vec::new(), Fill::default());
        let lenient = self.spoilt_lists >= SPOILT_LISTS;
        let (mut until, mut bytes, mut objects) = (Instant::now() + silence, 0, 0);
        loop {
            let chunk = match body.next().now_or_never() {
                Some(chunk) => chunk,
                None => timeout_at(until, body.next())
                    .await
                    .map_err(|_| Kind::Deadline { what: REST_OF_LIST, after: silence })?,
            };
            let Some(chunk) = chunk else { break };
            let chunk = chunk.map_err(Error::from)?;
            let mut broken = None;
            let (maker, reports) = (&mut self.maker, &self.reports);
            let kind = self.target.resource.kind();
            let before = objects;
            let split = splitter.push(&chunk, |item| {
                objects += 1;
                match item
                    .map_err(|error| garbage("an item that is too large", error))
                    .and_then(|item| read_item(maker, kind, item))
                {
                    Ok(Ok(entry)) => {
                        fill.add(&entry);
                        page.push(PageItem::Put(entry));
                    }
                    Ok(Err(odd)) => reports.odd(odd),
                    Err(error) => {
                        self.spoilt = true;
                        match lenient {
                            true => reports.odd(error),
                            false => broken = broken.take().or(Some(error)),
                        }
                    }
                }
            });
            split.map_err(|error| garbage("a list that can't be read", error))?;
            if let Some(error) = broken {
                self.spoilt_lists += 1;
                return Err(error.into());
            }
            bytes += chunk.len();
            if objects > before || bytes >= PROGRESS {
                (until, bytes) = (Instant::now() + silence, 0);
            }
            if fill.is_full() {
                fill = Fill::default();
                self.queue.send(vec![Delta::ReplacePage(std::mem::take(&mut page))]).await?;
            }
        }
        let envelope =
            ListEnvelope::parse(&splitter.finish()).map_err(|error| garbage("something else than a list", error))?;
        if !envelope.kind.is_empty() && !envelope.kind.ends_with("List") {
            return Err(garbage("something else than a list", "its kind does not end in List").into());
        }
        self.queue.send(vec![Delta::ReplacePage(page)]).await?;
        Ok((envelope, objects))
    }

    async fn replaced(&mut self, version: String) -> Result<(), Interrupted> {
        let version: Arc<str> = version.into();
        self.same_lists = if self.version.as_ref() == Some(&version) { self.same_lists + 1 } else { 0 };
        self.ask_newest = false;
        self.version = Some(version.clone());
        self.spoilt_watches = 0;
        self.unordered = false;
        self.heard = Instant::now();
        let partial = std::mem::take(&mut self.spoilt);
        self.list_again = partial.then(|| self.heard + PARTIAL_PAUSE);
        self.queue.send(vec![Delta::ReplaceEnd { version, partial }]).await?;
        self.served();
        Ok(())
    }

    /// Opens a watch that begins with all objects, and reads it up to the mark that ends them.
    pub(super) async fn streaming_list(&mut self) -> Result<OpenWatch, Interrupted> {
        let query = WatchQuery {
            resource_version: self.known_version().unwrap_or_default(),
            timeout: self.watch_timeout(),
            initial_events: true,
        };
        let counters = &self.reports.counters;
        count(&counters.streaming_lists);
        if self.version.is_some() {
            count(&counters.relists);
        }
        self.spoilt = false;
        let anew = query.resource_version.is_empty();
        let mut watch = self.start_watch(&query).await?;
        self.queue.send(vec![Delta::ReplaceBegin { anew }]).await?;
        let read = self.initial_events(&mut watch).await.and_then(|version| match self.gone_back(&version) {
            Some(error) if !anew => Err(error.into()),
            back => Ok((version, back)),
        });
        match read {
            Ok((version, back)) => {
                back.into_iter().for_each(|error| self.reports.failed(error));
                self.replaced(version).await?;
                Ok(watch)
            }
            Err(interrupted) => {
                self.queue.send(vec![Delta::ReplaceAbort]).await?;
                Err(interrupted)
            }
        }
    }

    /// Reads the initial events into the queue; gives the version of the mark. Events that came in one chunk with the
    /// mark, behind it, stay with the watch.
    async fn initial_events(&mut self, watch: &mut OpenWatch) -> Result<String, Interrupted> {
        let silence = self.options.initial_events_timeout;
        let mut until = Instant::now() + silence;
        let (mut page, mut fill) = (Vec::new(), Fill::default());
        loop {
            // A timer for every 2 KB that are there already would cost as much as reading them.
            let chunk = match watch.ready_chunk() {
                Some(chunk) => chunk?,
                None => watch.next_chunk(until, Kind::NoMark { after: silence }).await?,
            };
            let ended = chunk.is_none();
            let mut more = false;
            let mut mark = None;
            let (maker, reports) = (&mut self.maker, &self.reports);
            let kind = self.target.resource.kind();
            let mut rest = Vec::new();
            watch.lines(chunk.as_deref(), |line| {
                let event = read_event(maker, kind, line);
                if mark.is_some() {
                    // The list is whole: what is wrong from here on is the watch's business.
                    rest.push(event);
                    return Ok(());
                }
                let event = event?;
                more |= matches!(event, Event::Add(_));
                match event {
                    Event::Add(entry) | Event::Put(entry) => {
                        fill.add(&entry);
                        page.push(PageItem::Put(entry));
                    }
                    Event::Delete(entry) => page.push(PageItem::Delete(entry.key())),
                    Event::Bookmark { version, initial_events_end: true } => mark = Some(version),
                    Event::Bookmark { .. } => {}
                    Event::Error(error) => return Err(error),
                    Event::Odd(odd) => reports.odd(odd),
                }
                Ok(())
            })?;
            if mark.is_some() || fill.is_full() {
                fill = Fill::default();
                self.queue.send(vec![Delta::ReplacePage(std::mem::take(&mut page))]).await?;
            }
            if let Some(version) = mark {
                watch.keep_rest(rest);
                return Ok(version.to_string());
            }
            if more {
                // Only objects not shown before bring the mark nearer: a server that knows of no mark sends changes.
                until = Instant::now() + silence;
            }
            if ended && watch.age() >= silence {
                return Err(Error::from(Kind::NoMark { after: silence }).into());
            }
            if ended && !watch.had_events() && watch.age() < SHORT_WATCH {
                return Err(Error::from(Kind::VeryShortWatch).into());
            }
            if ended {
                let early = "the stream ended before the end of the initial events";
                return Err(Error::from(TransportError::new(early)).into());
            }
        }
    }
}

/// Why pages did not come to an end.
enum Listed {
    Interrupted(Interrupted),
    /// A page after the first one failed.
    LaterPage(Error),
}

impl From<crate::delta_queue::Closed> for Listed {
    fn from(closed: crate::delta_queue::Closed) -> Self {
        Self::Interrupted(closed.into())
    }
}
