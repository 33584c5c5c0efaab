//! Open watches: what each is sent, and when it ends.
//!
//! A write puts events into the queues of the watches that see it, under the same lock, so every watch gets all
//! changes in order. Bookmarks go through the same queues and so never overtake an event.

use std::io;
use std::time::Duration;

use bytes::Bytes;
use futures::stream::Stream;
use informer_runtime::Resource;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::Instant;

use crate::body::{self, End, Signal};
use crate::query::{ListOptions, Version};
use crate::registry::Served;
use crate::render::{self, Form};
use crate::selection::Selection;
use crate::status::Status;
use crate::store::{Change, ChangeKind, Collection};

/// How often an open watch gets a bookmark.
const BOOKMARK_PERIOD: Duration = Duration::from_secs(60);
/// How long before its end a watch gets its last bookmark.
const LAST_BOOKMARK: Duration = Duration::from_secs(2);

/// How long a watch stays open once its kind has changed or gone.
const LAST_BREATH: Duration = Duration::from_secs(1);

/// The receiving side of a watch.
pub(crate) type Signals = UnboundedReceiver<Signal>;

/// All open watches.
#[derive(Debug, Default)]
pub(crate) struct Watches {
    next_id: u64,
    open: Vec<Watch>,
}

#[derive(Debug)]
struct Watch {
    id: u64,
    queue: UnboundedSender<Signal>,
    // None for a scripted watch, which the store does not feed
    feed: Option<Feed>,
}

#[derive(Debug)]
struct Feed {
    served: Served,
    selection: Selection,
    partial: bool,
    bookmarks: bool,
    // Changes up to this version are not for this watch
    after: u64,
}

impl Watches {
    pub(crate) fn len(&self) -> usize {
        self.open.len()
    }

    pub(crate) fn remove(&mut self, id: u64) {
        self.open.retain(|watch| watch.id != id);
    }

    /// Opens a watch that only hears [`end_all`](Self::end_all).
    pub(crate) fn open_scripted(&mut self) -> (u64, Signals) {
        self.add(None, Vec::new())
    }

    /// Opens a watch on a collection. What it has to catch up with is in its queue at once.
    pub(crate) fn open(
        &mut self,
        collection: &Collection,
        current: u64,
        selection: Selection,
        options: &ListOptions,
        partial: bool,
    ) -> Result<(u64, Signals), Status> {
        let served = &collection.served;
        let from_now = options.initial_events || !matches!(options.version, Version::At(_));
        let mut feed =
            Feed { served: served.clone(), selection, partial, bookmarks: options.bookmarks, after: current };
        let mut first = Vec::new();
        if let (Version::At(version), false) = (options.version, from_now) {
            if !collection.remembers(version) {
                let message = format!("version {version} is too old, now it is {current}");
                return Err(Status::expired().with_message(message));
            }
            feed.after = version;
            first.extend(collection.changes_after(version).filter_map(|change| feed.line(change)));
        } else {
            let form = if partial { Form::Partial } else { Form::Whole };
            let objects = collection.objects_at(current, feed.selection.namespace.as_deref(), None);
            let matching = objects.filter(|(_, stored)| feed.selection.matches(&stored.head));
            first.extend(matching.map(|(_, stored)| render::event("ADDED", &stored.bytes(served, form))));
            if options.bookmarks {
                first.push(render::bookmark(served, current, true, partial));
            }
        }
        Ok(self.add(Some(feed), first))
    }

    /// Tells every watch that sees it of a change.
    pub(crate) fn publish(&self, resource: &Resource, change: &Change) {
        for watch in &self.open {
            let feed = watch.feed.as_ref().filter(|feed| feed.served.resource() == resource);
            if let Some(line) = feed.and_then(|feed| feed.line(change)) {
                watch.send(Signal::Data(line));
            }
        }
    }

    /// Sends a bookmark to the watches that take them, or to one of them.
    pub(crate) fn bookmark(&self, version: u64, only: Option<u64>) {
        for watch in self.open.iter().filter(|watch| only.is_none_or(|id| watch.id == id)) {
            let feed = watch.feed.as_ref().filter(|feed| feed.bookmarks && feed.after <= version);
            if let Some(feed) = feed {
                watch.send(Signal::Data(render::bookmark(&feed.served, version, false, feed.partial)));
            }
        }
    }

    /// Sends an ERROR event to all that the store feeds, and ends them.
    pub(crate) fn fail_all(&self, status: &Status) {
        for watch in self.open.iter().filter(|watch| watch.feed.is_some()) {
            watch.send(Signal::Data(render::error_event(status)));
            watch.send(Signal::End(End::Close));
        }
    }

    /// Ends all open watches, after what is in their queues; only those of a resource, if one is given.
    pub(crate) fn end_all(&self, end: End, resource: Option<&Resource>) {
        for watch in &self.open {
            let of = watch.feed.as_ref().map(|feed| feed.served.resource());
            if resource.is_none() || of == resource {
                watch.send(Signal::End(end));
            }
        }
    }

    /// Ends the watches of a resource in a little while, without another event.
    pub(crate) fn retire(&mut self, resource: &Resource) {
        for watch in &mut self.open {
            if watch.feed.as_ref().is_some_and(|feed| feed.served.resource() == resource) {
                watch.feed = None;
                watch.send(Signal::Retire);
            }
        }
    }

    fn add(&mut self, feed: Option<Feed>, first: Vec<Bytes>) -> (u64, Signals) {
        let (queue, signals) = unbounded_channel();
        self.next_id += 1;
        let watch = Watch { id: self.next_id, queue, feed };
        first.into_iter().for_each(|line| watch.send(Signal::Data(line)));
        self.open.push(watch);
        (self.next_id, signals)
    }
}

impl Watch {
    fn send(&self, signal: Signal) {
        // A reader that is gone removes the watch itself
        let _ = self.queue.send(signal);
    }
}

impl Feed {
    /// The line for a change, if this watch sees it. An object that enters the selection is added, one that leaves
    /// it is deleted, with its state from before and the version of the change.
    fn line(&self, change: &Change) -> Option<Bytes> {
        if change.version <= self.after {
            return None;
        }
        let form = if self.partial { Form::Partial } else { Form::Whole };
        let before = change.before.as_ref().filter(|before| self.selection.matches(&before.head));
        let exists = change.kind != ChangeKind::Deleted;
        let after = exists && self.selection.matches(&change.after.head);
        match (before, after) {
            (None, false) => None,
            (None, true) => Some(render::event("ADDED", &change.after.bytes(&self.served, form))),
            (Some(_), true) => Some(render::event("MODIFIED", &change.after.bytes(&self.served, form))),
            (Some(_), false) if !exists => Some(render::event("DELETED", &change.after.bytes(&self.served, form))),
            (Some(before), false) => {
                let mut left = before.value();
                left["metadata"]["resourceVersion"] = change.version.to_string().into();
                Some(render::event("DELETED", &render::object(&self.served, &left, form)))
            }
        }
    }
}

/// The body of a watch: what is in its queue, until its time is over.
///
/// `bookmark` is called when a bookmark is due and shall put one into the queue. `guard` is dropped with the body.
pub(crate) fn stream<G: Send + 'static>(
    signals: Signals,
    timeout: Duration,
    guard: G,
    bookmark: impl Fn() + Send + 'static,
) -> impl Stream<Item = io::Result<Bytes>> + Send + 'static {
    let opened = Instant::now();
    let last_bookmark = opened + timeout.saturating_sub(LAST_BOOKMARK.min(timeout / 2));
    let first_bookmark = (opened + BOOKMARK_PERIOD).min(last_bookmark);
    let state = (signals, opened + timeout, first_bookmark, Some(guard), bookmark);
    futures::stream::unfold(state, move |(mut signals, mut end, mut due, guard, bookmark)| async move {
        guard.as_ref()?;
        loop {
            let signal = tokio::select! {
                biased;
                signal = signals.recv() => signal,
                () = tokio::time::sleep_until(due.min(end)) => {
                    if due >= end {
                        return None;
                    }
                    bookmark();
                    due = match due {
                        due if due >= last_bookmark => end,
                        due => (due + BOOKMARK_PERIOD).min(last_bookmark),
                    };
                    continue;
                }
            };
            return match signal {
                Some(Signal::Data(line)) => Some((Ok(line), (signals, end, due, guard, bookmark))),
                Some(Signal::Retire) => {
                    end = end.min(Instant::now() + LAST_BREATH);
                    due = end;
                    continue;
                }
                Some(Signal::End(End::Cut)) => Some((body::cut().await, (signals, end, due, None, bookmark))),
                Some(Signal::End(End::Drop)) => Some((body::dropped().await, (signals, end, due, None, bookmark))),
                Some(Signal::End(End::Stall)) => std::future::pending().await,
                Some(Signal::End(End::Close)) | None => None,
            };
        }
    })
}
