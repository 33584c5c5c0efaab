//! The queue between the reflector and the store: bounded, in order, and ignorant of what is in the store.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::mpsc;

use crate::delta::Delta;

/// How many batches may wait. The reflector fills a batch up to a fixed size, so this bounds the bytes that wait, and
/// a writer that is behind makes the reflector, and so the server, wait.
const BATCHES: usize = 4;

/// The reflector's end.
#[derive(Debug, Clone)]
pub(crate) struct DeltaSender {
    sender: mpsc::Sender<Vec<Delta>>,
    waiting: Arc<AtomicUsize>,
}

/// The store's end.
#[derive(Debug)]
pub(crate) struct DeltaReceiver {
    receiver: mpsc::Receiver<Vec<Delta>>,
    waiting: Arc<AtomicUsize>,
}

/// Both ends of a queue. `waiting` says at any time how many batches are in it.
pub(crate) fn delta_queue(waiting: Arc<AtomicUsize>) -> (DeltaSender, DeltaReceiver) {
    let (sender, receiver) = mpsc::channel(BATCHES);
    (DeltaSender { sender, waiting: waiting.clone() }, DeltaReceiver { receiver, waiting })
}

/// The store is gone, and nobody will take deltas any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Closed;

impl DeltaSender {
    /// Waits for room, then puts the batch in.
    pub(crate) async fn send(&self, batch: Vec<Delta>) -> Result<(), Closed> {
        let place = self.sender.reserve().await.map_err(|_| Closed)?;
        self.waiting.fetch_add(1, Ordering::Relaxed);
        place.send(batch);
        Ok(())
    }
}

impl DeltaReceiver {
    /// The next batch; `None` when the reflector is gone and all is taken. Cancel safe.
    pub(crate) async fn recv(&mut self) -> Option<Vec<Delta>> {
        let batch = self.receiver.recv().await?;
        self.waiting.fetch_sub(1, Ordering::Relaxed);
        Some(batch)
    }
}
