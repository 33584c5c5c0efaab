//! Handles with which a test steers an answer while it is under way.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::watch;

use crate::events::Events;

/// A watch stream that the test feeds as it goes. Clones feed the same stream.
///
/// It answers one request. The stream ends cleanly at the request's `timeoutSeconds`, and when all handles are
/// gone; a second request that is answered with it ends at once.
#[derive(Clone)]
pub struct LiveEvents {
    sender: UnboundedSender<Events>,
    receiver: Arc<Mutex<Option<UnboundedReceiver<Events>>>>,
}

impl LiveEvents {
    /// A stream that no request has been answered with yet. What is sent before that waits for it.
    #[must_use]
    pub fn new() -> Self {
        let (sender, receiver) = unbounded_channel();
        Self { sender, receiver: Arc::new(Mutex::new(Some(receiver))) }
    }

    /// Sends events, or ends the stream. Returns `false` if the client is gone.
    pub fn send(&self, events: Events) -> bool {
        self.sender.send(events).is_ok()
    }

    /// Whether the client has ended the stream, or it has come to its end.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.sender.is_closed()
    }

    /// Waits until the client has ended the stream, or it has come to its end. Cancel safe.
    pub async fn closed(&self) {
        self.sender.closed().await;
    }

    pub(crate) fn take(&self) -> Option<UnboundedReceiver<Events>> {
        self.receiver.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Default for LiveEvents {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for LiveEvents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LiveEvents").field("closed", &self.is_closed()).finish()
    }
}

/// Holds answers back until it is opened. Clones are the same gate.
#[derive(Clone, Debug)]
pub struct Gate {
    open: Arc<watch::Sender<bool>>,
}

impl Gate {
    /// A closed gate.
    #[must_use]
    pub fn new() -> Self {
        Self { open: Arc::new(watch::Sender::new(false)) }
    }

    /// Lets through all answers that wait here, and all later ones.
    pub fn open(&self) {
        self.open.send_replace(true);
    }

    pub(crate) async fn pass(&self) {
        // The sender lives as long as this gate
        let _ = self.open.subscribe().wait_for(|open| *open).await;
    }
}

impl Default for Gate {
    fn default() -> Self {
        Self::new()
    }
}
