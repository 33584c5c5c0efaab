//! The streams of open watches, and how the list of open watches hears of their end.

use std::sync::{Arc, Weak};
use std::time::Duration;

use futures::stream::StreamExt;

use crate::body::{Chunks, End, Signal};
use crate::recorder::RequestRecord;
use crate::server::TestServer;
use crate::state::Shared;
use crate::watch::{self, Signals};

impl TestServer {
    /// Opens a scripted watch. The future tells when and how it ends; without a timeout, only by the server's
    /// controls.
    pub(crate) fn scripted_watch(&self, timeout: Option<Duration>) -> impl Future<Output = End> + Send + 'static {
        let (id, mut signals) = self.shared.change(|state| state.watches.open_scripted());
        let guard = OpenWatch { shared: Arc::downgrade(&self.shared), id };
        async move {
            let _guard = guard;
            let over = async {
                match timeout {
                    Some(timeout) => tokio::time::sleep(timeout).await,
                    None => std::future::pending().await,
                }
            };
            let told = async {
                loop {
                    match signals.recv().await {
                        Some(Signal::End(end)) => return end,
                        Some(Signal::Data(_) | Signal::Retire) => {}
                        None => std::future::pending().await,
                    }
                }
            };
            tokio::select! {
                biased;
                end = told => end,
                () = over => End::Close,
            }
        }
    }

    /// The stream of an open watch.
    pub(crate) fn watch_stream(&self, id: u64, signals: Signals, timeout: Duration) -> Chunks {
        let shared = Arc::downgrade(&self.shared);
        let guard = OpenWatch { shared: shared.clone(), id };
        let bookmark = move || {
            if let Some(shared) = shared.upgrade() {
                let state = shared.read();
                state.watches.bookmark(state.store.version(), Some(id));
            }
        };
        watch::stream(signals, timeout, guard, bookmark).boxed()
    }

    /// How long a watch may stay open.
    pub(crate) fn timeout(&self, record: &RequestRecord) -> Duration {
        let asked = record.timeout_seconds().filter(|seconds| *seconds > 0);
        asked.map_or(self.shared.settings.watch_timeout, Duration::from_secs)
    }
}

/// Takes a watch off the list when its body is dropped or at its end.
struct OpenWatch {
    shared: Weak<Shared>,
    id: u64,
}

impl Drop for OpenWatch {
    fn drop(&mut self) {
        if let Some(shared) = self.shared.upgrade() {
            shared.change(|state| state.watches.remove(self.id));
        }
    }
}
