//! All that happened, in one number: two runs of a seed are the same if their numbers are.

use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// Takes down what happens and when. Clones are the same trace.
#[derive(Clone)]
pub(super) struct Trace {
    start: Instant,
    shown: bool,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    hash: DefaultHasher,
    lines: u64,
}

impl Trace {
    /// One that begins now. If it is to be shown, each line also goes to standard error.
    pub(super) fn new(shown: bool) -> Self {
        Self { start: Instant::now(), shown, state: Arc::default() }
    }

    /// Takes down one thing, with the time.
    pub(super) fn note(&self, what: fmt::Arguments<'_>) {
        let line = format!("{:>12.6} {what}", self.start.elapsed().as_secs_f64());
        if self.shown {
            eprintln!("{line}");
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        line.hash(&mut state.hash);
        state.lines += 1;
    }

    /// How long ago it began.
    pub(super) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// The number so far.
    pub(super) fn hash(&self) -> u64 {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).hash.finish()
    }
}
