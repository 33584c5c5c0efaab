//! What an informer asks for, and how: selectors, page size, time limits.

use std::time::Duration;

use crate::backoff::{BackoffPolicy, LONGEST};

/// Which objects of a resource an informer lists and watches. What a tweak closure changes.
///
/// Plain data: two informers with equal options share one watch.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
#[doc(alias = "TweakListOptionsFunc")]
#[non_exhaustive]
pub struct ListOptions {
    /// Only objects with these labels, in the API server's notation. Default: all.
    pub label_selector: Option<String>,
    /// Only objects with these fields, in the API server's notation. Default: all.
    pub field_selector: Option<String>,
}

/// How an informer talks to the server. The defaults are client-go's unless said otherwise.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ReflectorOptions {
    /// How many objects a page of a list has. Default: 500 for the first list, and no pages for later ones, which the
    /// server answers from memory. Setting it makes every list paged.
    pub page_size: Option<u32>,
    /// Whether to try a streaming list (KEP-3157) first. Default true.
    pub streaming_list: bool,
    /// A watch ends after a random time between this and twice this. Default 5 minutes; less is taken as given.
    pub min_watch_timeout: Duration,
    /// How long the server may be silent while it streams the initial objects, before a plain list is made in place
    /// of the streaming one. client-go waits for ever. Default 30 s.
    pub initial_events_timeout: Duration,
    /// How long the server may be silent before and within the answer to a list, and before the head of the answer to
    /// a watch. Within a list, bytes that neither complete an object nor come to 16 KiB are silence. client-go relies
    /// on the connection. Default 60 s.
    pub response_timeout: Duration,
    /// How long a watch may go on beyond the time at which the server should have ended it. Default 30 s.
    pub watch_grace: Duration,
    /// After so long without an event or a bookmark, the server is asked, by a list of one object at most, whether it
    /// has reached the version of the watch: one that went back, as after a restore, would leave the watch silent for
    /// ever. Servers that send bookmarks, which they do once a minute, are not asked. client-go never asks. Default
    /// 150 s; `None` for never.
    pub watch_silence: Option<Duration>,
    /// Beyond a few at once, no two requests come closer to each other than this, whatever the server does. Pages that
    /// bring what was asked for do not count. Default 1 s; zero for no bound.
    pub request_interval: Duration,
    /// The delays after failures.
    pub backoff: BackoffPolicy,
    /// The largest object that is accepted, in bytes of JSON. Default 64 MiB. A larger one, and one that is no JSON,
    /// fails the watch or list that brings it; when the third list in a row would fail for that, it is reported and left
    /// out, so that it does not keep all others from being seen.
    pub max_object_bytes: usize,
}

impl Default for ReflectorOptions {
    fn default() -> Self {
        Self {
            page_size: None,
            streaming_list: true,
            min_watch_timeout: Duration::from_secs(300),
            initial_events_timeout: Duration::from_secs(30),
            response_timeout: Duration::from_secs(60),
            watch_grace: Duration::from_secs(30),
            watch_silence: Some(Duration::from_secs(150)),
            request_interval: Duration::from_secs(1),
            backoff: BackoffPolicy::default(),
            max_object_bytes: 64 << 20,
        }
    }
}

impl ReflectorOptions {
    /// The same with no time longer than a day, so that none of them can be added up to something that is no time.
    pub(crate) fn within_reason(mut self) -> Self {
        let times = [
            &mut self.min_watch_timeout,
            &mut self.initial_events_timeout,
            &mut self.response_timeout,
            &mut self.watch_grace,
            &mut self.request_interval,
        ];
        times.into_iter().chain(&mut self.watch_silence).for_each(|time| *time = (*time).min(LONGEST));
        self
    }
}
