//! What an informer did in one run, and the log that writes it down.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// What one run showed. Times are milliseconds since the start.
#[derive(Debug, Clone, Default)]
pub(crate) struct Trace {
    pub(crate) requests: Vec<Request>,
    pub(crate) handlers: Vec<HandlerTrace>,
    pub(crate) errors: Vec<Row>,
    pub(crate) synced: Option<u64>,
    /// Each version that was seen, in order.
    pub(crate) versions: Vec<String>,
    pub(crate) store_version: String,
    pub(crate) store: Vec<String>,
    pub(crate) stopped: Option<u64>,
    pub(crate) returned: Option<u64>,
}

/// A request or, with `refused`, an attempt at one.
#[derive(Debug, Clone, Default)]
pub(crate) struct Request {
    pub(crate) at: u64,
    /// When its answer ended or was left.
    pub(crate) end: Option<u64>,
    /// Which step of the scenario answered, counted from one.
    pub(crate) step: usize,
    pub(crate) kind: &'static str,
    pub(crate) path: String,
    /// Sorted by name.
    pub(crate) query: String,
    pub(crate) headers: String,
    /// Nobody listened.
    pub(crate) refused: bool,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct HandlerTrace {
    pub(crate) name: String,
    pub(crate) added: Option<u64>,
    pub(crate) synced: Option<u64>,
    pub(crate) removed: Option<u64>,
    pub(crate) calls: Vec<Row>,
    /// Calls begun after stop, and after the informer had ended.
    pub(crate) late_calls: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) at: u64,
    pub(crate) text: String,
}

/// Where the time comes from.
#[derive(Debug)]
pub(crate) enum Clock {
    /// tokio's, paused.
    Tokio(Instant),
    /// One that is set by hand, in milliseconds.
    Hand(AtomicU64),
}

/// Writes a trace.
#[derive(Debug)]
pub(crate) struct Log {
    clock: Clock,
    trace: Mutex<Trace>,
}

impl Log {
    pub(crate) fn new(clock: Clock) -> Self {
        Self { clock, trace: Mutex::default() }
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Trace> {
        self.trace.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Milliseconds since the start.
    pub(crate) fn now(&self) -> u64 {
        match &self.clock {
            Clock::Tokio(start) => u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX),
            Clock::Hand(now) => now.load(Ordering::SeqCst),
        }
    }

    /// Sets a clock that is set by hand.
    pub(crate) fn set_clock(&self, time: u64) {
        if let Clock::Hand(now) = &self.clock {
            now.store(time, Ordering::SeqCst);
        }
    }

    pub(crate) fn request(&self, request: Request) -> usize {
        let mut trace = self.lock();
        trace.requests.push(Request { at: self.now(), ..request });
        trace.requests.len() - 1
    }

    /// Notes which step answers the last request.
    pub(crate) fn answered_by(&self, step: usize) {
        if let Some(request) = self.lock().requests.last_mut() {
            request.step = step;
        }
    }

    pub(crate) fn ended(&self, request: usize) {
        let now = self.now();
        self.lock().requests[request].end.get_or_insert(now);
    }

    pub(crate) fn refused(&self, request: usize) {
        self.lock().requests[request].refused = true;
    }

    pub(crate) fn error(&self, text: String) {
        let at = self.now();
        let mut trace = self.lock();
        let list = trace.requests.last().is_some_and(|request| request.kind == "LIST");
        let text = if list { format!("list: {text}") } else { text };
        trace.errors.push(Row { at, text });
    }

    pub(crate) fn call(&self, handler: usize, text: String) {
        let at = self.now();
        let mut trace = self.lock();
        let stopped = trace.stopped.is_some();
        let handler = &mut trace.handlers[handler];
        if stopped {
            handler.late_calls += 1;
        } else {
            handler.calls.push(Row { at, text });
        }
    }

    /// How much has been written.
    pub(crate) fn size(&self) -> usize {
        let trace = self.lock();
        let calls: usize = trace.handlers.iter().map(|handler| handler.calls.len() + handler.late_calls).sum();
        calls + trace.requests.len() + trace.errors.len()
    }

    pub(crate) fn version(&self, version: &str) {
        let mut trace = self.lock();
        if trace.versions.last().map_or("", String::as_str) != version {
            trace.versions.push(version.to_owned());
        }
    }

    /// The trace. Requests made after stop are left out.
    pub(crate) fn take(&self) -> Trace {
        let mut trace = self.lock().clone();
        let stopped = trace.stopped.unwrap_or(u64::MAX);
        trace.requests.retain(|request| request.at < stopped);
        trace
    }
}

/// A [`Duration`] in milliseconds.
pub(crate) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
