//! Keeps up with the server: a first picture, then a watch, and again when the watch can't go on.
//!
//! An explicit state and one step function. What is asked follows client-go's reflector (`tools/cache/reflector.go`),
//! but for these: a streaming list that does not come to its end is given up for a plain list, and that is
//! remembered; a watch that breaks is opened again before anything is listed anew; delays start anew only after a
//! healthy period; every wait ends at once when the informer is stopped; and no server, whatever it does, gets more than
//! about one request a second out of an informer.

mod intake;
mod list;
mod pace;
mod request;
mod retry_after;
mod watch;

use pace::Pace;
pub(crate) use request::Target;
use watch::OpenWatch;

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::backoff::Backoff;
use crate::delta_queue::{Closed, DeltaSender};
use crate::entry::EntryMaker;
use crate::error::{Error, Kind};
use crate::options::ReflectorOptions;
use crate::reports::Reports;
use crate::stats::count;
use crate::transport::Transport;

/// For how long a server that did not stream a list is not asked to.
const STREAMING_PAUSE: Duration = Duration::from_secs(3600);
/// After this many streams in a row that ended before their mark, a plain list is made.
const BROKEN_STREAMS: u32 = 3;
/// What may not come, as errors call it.
const LIST: &str = "the answer to a list";
const REST_OF_LIST: &str = "the rest of a list";
/// A watch that lives shorter than this is a short one.
const SHORT_WATCH: Duration = Duration::from_secs(1);
/// So many short watches in a row, though they brought events, are followed by a delay.
const SHORT_WATCHES: u32 = 3;
/// After so many watches in a row that the server answered, but not with what can be read, a list is made: it may be
/// the version that it can't go on from.
const SPOILT_WATCHES: u32 = 3;
/// What a list had to leave out is asked for again after this: it may have been spoilt on the way only.
const PARTIAL_PAUSE: Duration = Duration::from_secs(60);
/// After so many lists in a row that one of their items spoilt, the next one does without such items.
const SPOILT_LISTS: u32 = 2;
/// After so many lists in a row that came to the same version, and watches from there that came to nothing, the next
/// one asks for whatever is newest.
const SAME_LISTS: u32 = 3;

/// Lists and watches one target, and puts what it learns into the queue.
pub(crate) struct Reflector {
    transport: Arc<dyn Transport>,
    target: Target,
    options: ReflectorOptions,
    maker: EntryMaker,
    queue: DeltaSender,
    reports: Arc<Reports>,
    rng: fastrand::Rng,
    backoff: Backoff,
    pace: Pace,
    /// The last version heard of; `None` before the first list.
    version: Option<Arc<str>>,
    /// The server no longer has, or not yet reached, `version`: the next list asks for whatever is newest.
    ask_newest: bool,
    /// Until when no streaming list is tried.
    no_streaming_until: Option<Instant>,
    /// The first list came in pages though it did not ask for the newest: the server has no cache, so page on.
    server_pages: bool,
    broken_streams: u32,
    short_watches: u32,
    spoilt_watches: u32,
    /// Lists in a row that failed for one of their items.
    spoilt_lists: u32,
    /// An item of the present list was left out or spoilt it.
    spoilt: bool,
    /// The last list lacked such items: when to ask for all again.
    list_again: Option<Instant>,
    /// Lists in a row that came to the same version, with nothing heard between them.
    same_lists: u32,
    /// The version at which a watch expired last.
    expired_at: Option<Arc<str>>,
    /// When something came last on a watch or by a list, or the server was asked why nothing comes.
    heard: Instant,
    /// Nothing is asked before, since the server said so to a question on the side.
    put_off: Option<Instant>,
    /// The open watch began without a version: its first ADDED events are the state, in no order.
    unordered: bool,
}

/// What to do next.
enum State {
    /// Get the whole picture.
    Picture,
    /// Get it by a plain list, whatever else could be done.
    List,
    /// Open a watch at the last version.
    Watch,
    /// Read the open watch.
    Watching(Box<OpenWatch>),
    /// Wait, then go on.
    Pause(Duration, Next),
}

/// What comes after a pause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    Picture,
    List,
    Watch,
}

/// Why a step did not come to its end.
enum Interrupted {
    /// The store is gone.
    Closed,
    /// The server, or the way to it, failed.
    Failed(Error),
}

impl From<Closed> for Interrupted {
    fn from(Closed: Closed) -> Self {
        Self::Closed
    }
}

impl From<Error> for Interrupted {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

impl From<Kind> for Interrupted {
    fn from(kind: Kind) -> Self {
        Self::Failed(kind.into())
    }
}

impl Reflector {
    #[allow(clippy::too_many_arguments)] // the parts of a reflector, each once
    pub(crate) fn new(
        transport: Arc<dyn Transport>,
        target: Target,
        options: ReflectorOptions,
        maker: EntryMaker,
        queue: DeltaSender,
        reports: Arc<Reports>,
        rng: fastrand::Rng,
    ) -> Self {
        let options = options.within_reason();
        Self {
            transport,
            target,
            backoff: Backoff::new(options.backoff.clone()),
            pace: Pace::new(options.request_interval),
            options,
            maker,
            queue,
            reports,
            rng,
            version: None,
            ask_newest: false,
            no_streaming_until: None,
            server_pages: false,
            broken_streams: 0,
            short_watches: 0,
            spoilt_watches: 0,
            spoilt_lists: 0,
            spoilt: false,
            list_again: None,
            same_lists: 0,
            expired_at: None,
            heard: Instant::now(),
            put_off: None,
            unordered: false,
        }
    }

    /// Runs until `stop` is cancelled or the store is gone.
    pub(crate) async fn run(mut self, stop: CancellationToken) {
        let mut state = State::Picture;
        loop {
            let step = tokio::select! {
                biased;
                () = stop.cancelled() => return,
                step = self.step(state) => step,
            };
            match step {
                Ok(next) => state = next,
                Err(Closed) => return,
            }
        }
    }

    async fn step(&mut self, state: State) -> Result<State, Closed> {
        if matches!(state, State::Picture | State::List | State::Watch)
            && let Some(until) = self.put_off.take()
        {
            tokio::time::sleep_until(until).await;
        }
        let now = Instant::now();
        match state {
            State::Picture if self.may_stream(now) => match self.streaming_list().await {
                Ok(watch) => {
                    self.broken_streams = 0;
                    Ok(State::Watching(Box::new(watch)))
                }
                Err(Interrupted::Closed) => Err(Closed),
                Err(Interrupted::Failed(error)) => Ok(self.after_streaming_list(error)),
            },
            State::Watch if self.list_again.is_some_and(|at| at <= now) => Ok(State::Picture),
            State::Picture | State::List => match self.list().await {
                Ok(()) => Ok(State::Watch),
                Err(Interrupted::Closed) => Err(Closed),
                Err(Interrupted::Failed(error)) => Ok(self.pause(error, Next::Picture)),
            },
            State::Watch => match self.open_watch().await {
                Ok(watch) => Ok(State::Watching(Box::new(watch))),
                Err(error) => Ok(self.after_watch_start(error)),
            },
            State::Watching(mut watch) => match self.read_watch(&mut watch).await {
                Ok(()) => Ok(self.after_watch(&watch, None)),
                Err(Interrupted::Closed) => Err(Closed),
                Err(Interrupted::Failed(error)) => Ok(self.after_watch(&watch, Some(error))),
            },
            State::Pause(delay, next) => {
                tokio::time::sleep(delay).await;
                Ok(match next {
                    Next::Picture => State::Picture,
                    Next::List => State::List,
                    Next::Watch => State::Watch,
                })
            }
        }
    }

    fn may_stream(&self, now: Instant) -> bool {
        self.options.streaming_list && self.no_streaming_until.is_none_or(|until| until <= now)
    }

    fn pause(&mut self, error: Error, next: Next) -> State {
        let delay = self.delay(error.retry_after());
        self.reports.failed(error);
        State::Pause(delay, next)
    }

    /// Waits until the next request may be made. Every request goes through here but the pages that bring something,
    /// whose number is that of the objects, and the questions on the side, which silence keeps apart.
    async fn pace(&mut self) {
        let wait = self.pace.next(Instant::now());
        if !wait.is_zero() {
            tokio::time::sleep(wait).await;
        }
    }

    fn delay(&mut self, at_least: Option<Duration>) -> Duration {
        let random = self.rng.f64();
        self.backoff.failed(Instant::now(), at_least, random)
    }

    /// A streaming list that did not come to its end: try again, or make a plain list.
    fn after_streaming_list(&mut self, error: Error) -> State {
        // Another request, so no Retry-After: it says when the same one is worth repeating.
        if (error.is_expired() || error.is_too_large_resource_version()) && self.may_ask_newest() {
            self.reports.failed(error);
            return State::Picture;
        }
        if error.is_connection_refused() || error.is_too_many_requests() {
            return self.pause(error, Next::Picture);
        }
        // A stream with nothing in it, or with what can't be read, would be no better the next time.
        if error.is_transport() {
            self.broken_streams += 1;
            if self.broken_streams < BROKEN_STREAMS {
                return self.pause(error, Next::Picture);
            }
            self.broken_streams = 0;
        }
        // 4xx: the server does not know what was asked for. Silence: it does not know either, but did not say so.
        let refused = error.code().is_some_and(|code| matches!(code, 400 | 405 | 406 | 415 | 422));
        if refused || error.is_timeout() {
            self.no_streaming_until = Some(Instant::now() + STREAMING_PAUSE);
        }
        if error.retry_after().is_some() {
            return self.pause(error, Next::List);
        }
        self.reports.failed(error);
        State::List
    }

    /// Makes the next list ask for the newest version; false if this one did already.
    fn may_ask_newest(&mut self) -> bool {
        let may = !self.ask_newest && self.version.is_some();
        self.ask_newest |= may;
        may
    }

    /// A watch that did not start: the same again later, unless its version can't be watched.
    fn after_watch_start(&mut self, error: Error) -> State {
        let version_is_lost = error.is_expired()
            || error.is_too_large_resource_version()
            // What an invalid version, and a resource that came and went, look like.
            || error.code().is_some_and(|code| matches!(code, 400 | 404 | 422));
        self.doubt_version(&error);
        let list = version_is_lost || self.spoilt_again(&error);
        self.pause(error, if list { Next::Picture } else { Next::Watch })
    }

    /// Makes the next list ask for the newest version if it can't be this one: the server has not reached it, or a
    /// list gave it to us anew after it had expired, as a stale cache does.
    fn doubt_version(&mut self, error: &Error) {
        let again = error.is_expired() && self.version.is_some() && self.expired_at == self.version;
        self.ask_newest |= again || error.is_too_large_resource_version();
        if error.is_expired() {
            self.expired_at = self.version.clone();
        }
    }

    /// Counts watches that were answered, but not as they should; true if it is time for a list. An overloaded server
    /// and a gateway without one say nothing about the version.
    fn spoilt_again(&mut self, error: &Error) -> bool {
        let answered = error.code().is_some_and(|code| !matches!(code, 429 | 502 | 503 | 504));
        self.spoilt_watches += u32::from(answered || error.is_garbage());
        self.spoilt_watches >= SPOILT_WATCHES
    }

    /// A watch that ended, by itself or by an error.
    fn after_watch(&mut self, watch: &OpenWatch, error: Option<Error>) -> State {
        let short = watch.age() < SHORT_WATCH;
        if short {
            count(&self.reports.counters.short_watches);
        }
        self.short_watches = if short { self.short_watches + 1 } else { 0 };
        // One event keeps a watch from being a fault, but a row of such watches is one.
        let hasty = short && (!watch.had_events() || self.short_watches > SHORT_WATCHES);
        if watch.had_events() {
            self.spoilt_watches = 0;
        }
        match error {
            None if short && !watch.had_events() => self.pause(Kind::VeryShortWatch.into(), Next::Watch),
            None if hasty => {
                let delay = self.delay(None);
                State::Pause(delay, Next::Watch)
            }
            None => State::Watch,
            Some(error) if error.is_too_many_requests() => self.pause(error, Next::Watch),
            Some(error) if error.is_transport() || error.is_timeout() => {
                if hasty {
                    self.pause(error, Next::Watch)
                } else {
                    self.reports.failed(error);
                    State::Watch
                }
            }
            // The bytes were not what they should be; the version before them is as good as it was.
            Some(error) if error.is_garbage() => {
                let list = self.spoilt_again(&error);
                self.pause(error, if list { Next::Picture } else { Next::Watch })
            }
            Some(error) => {
                self.doubt_version(&error);
                self.pause(error, Next::Picture)
            }
        }
    }

    fn served(&mut self) {
        self.backoff.healthy(Instant::now());
        self.reports.served();
    }
}
