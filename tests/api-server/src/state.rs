//! All that changes in a server, behind one lock, and the signal that it has.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use informer_runtime::Resource;
use k8s_openapi::jiff::{SignedDuration, Timestamp};
use tokio::sync::watch;
use tokio::time::Instant;

use crate::list::Snapshot;
use crate::object::Birth;
use crate::recorder::Recorder;
use crate::script::Script;
use crate::status::Status;
use crate::store::Store;
use crate::watch::Watches;
use crate::write::Written;

/// The wall clock when a server is made: 2030-01-01T00:00:00Z.
const BASE_TIME: i64 = 1_893_456_000;

/// What is set once.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) seed: u32,
    pub(crate) watch_timeout: Duration,
    pub(crate) streaming_lists: bool,
}

#[derive(Debug)]
pub(crate) struct State {
    pub(crate) store: Store,
    pub(crate) watches: Watches,
    pub(crate) recorder: Recorder,
    /// The version that answers to "any version", if it is not the newest.
    pub(crate) cached: Option<u64>,
    /// Resources whose storage is being set up, and for how many more requests.
    pub(crate) initializing: Vec<(Resource, usize)>,
    births: u64,
}

#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) settings: Settings,
    started: Instant,
    state: Mutex<State>,
    // A lock of its own, for conditions that look at the state
    script: Mutex<Script>,
    changed: watch::Sender<()>,
}

impl State {
    pub(crate) fn new(store: Store) -> Self {
        Self {
            store,
            watches: Watches::default(),
            recorder: Recorder::default(),
            cached: None,
            initializing: Vec::new(),
            births: 0,
        }
    }

    pub(crate) fn snapshot(&self) -> Snapshot {
        let current = self.store.version();
        Snapshot { current, cached: self.cached.map_or(current, |cached| cached.min(current)) }
    }

    /// Does a write, and tells the watches.
    pub(crate) fn write(
        &mut self,
        resource: &Resource,
        write: impl FnOnce(&mut Store) -> Result<Written, Status>,
    ) -> Result<Written, Status> {
        let written = write(&mut self.store)?;
        if let Some(change) = &written.change {
            self.watches.publish(resource, change);
        }
        Ok(written)
    }
}

impl Shared {
    pub(crate) fn new(settings: Settings, state: State) -> Self {
        Self {
            settings,
            started: Instant::now(),
            state: Mutex::new(state),
            script: Mutex::new(Script::new()),
            changed: watch::Sender::new(()),
        }
    }

    /// The script.
    pub(crate) fn script(&self) -> MutexGuard<'_, Script> {
        self.script.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks at the state without waking anybody.
    pub(crate) fn read(&self) -> MutexGuard<'_, State> {
        // A panic of a test under the lock leaves a state that is still whole
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the state and wakes those who wait for a change.
    pub(crate) fn change<R>(&self, change: impl FnOnce(&mut State) -> R) -> R {
        let result = change(&mut self.read());
        self.changed.send_replace(());
        result
    }

    /// Wakes once the state has changed after this call.
    pub(crate) fn changes(&self) -> watch::Receiver<()> {
        self.changed.subscribe()
    }

    /// Tokio time since the server was made.
    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// The time of day that objects get: fixed when the server is made, then moved by tokio's clock.
    pub(crate) fn time(&self) -> String {
        let seconds = i64::try_from(self.elapsed().as_secs()).unwrap_or(0);
        let base = Timestamp::from_second(BASE_TIME).unwrap_or(Timestamp::UNIX_EPOCH);
        base.saturating_add(SignedDuration::from_secs(seconds))
            .map_or_else(|_| base.to_string(), |time| time.to_string())
    }

    /// What the next new object gets.
    pub(crate) fn birth(&self) -> Birth {
        let time = self.time();
        let mut state = self.read();
        state.births += 1;
        let number = state.births;
        Birth {
            uid: format!("{:08x}-0000-4000-8000-{number:012x}", self.settings.seed),
            time,
            suffix: format!("{number:05x}"),
        }
    }
}
