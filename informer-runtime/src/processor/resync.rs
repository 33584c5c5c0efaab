//! Which handler is due to be told everything again, and when the next one is.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::Listener;

/// Shorter periods are taken as this (client-go's `minimumResyncPeriod`).
pub(crate) const MINIMUM_PERIOD: Duration = Duration::from_secs(1);

/// When each handler is due. A handler's period runs from the moment it is first seen here, and is nobody else's
/// business: not of watches, nor of other handlers.
#[derive(Debug, Default)]
pub(crate) struct ResyncTimers {
    due: HashMap<u64, Instant>,
}

impl ResyncTimers {
    /// The handlers that are due at `now`, and when to ask next.
    pub(crate) fn due(&mut self, listeners: &[Arc<Listener>], now: Instant) -> (Vec<Arc<Listener>>, Option<Instant>) {
        self.due.retain(|id, _| listeners.iter().any(|listener| listener.id() == *id));
        let mut ready = Vec::new();
        for listener in listeners {
            let Some(period) = listener.resync_period.filter(|period| !period.is_zero()) else {
                continue;
            };
            let period = period.max(MINIMUM_PERIOD);
            let due = self.due.entry(listener.id()).or_insert(now + period);
            if *due <= now {
                *due = now + period;
                ready.push(listener.clone());
            }
        }
        (ready, self.due.values().min().copied())
    }
}
