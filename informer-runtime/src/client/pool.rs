//! Connections that wait for their next request.

use super::link::Link;
use std::{
    future::poll_fn,
    mem,
    sync::{Mutex, MutexGuard, PoisonError},
    task::Poll,
    time::Duration,
};
use tokio::time::Instant;

/// Connections kept idle at most.
const MAX_IDLE: usize = 16;
/// How long a connection is kept idle; a kube-apiserver closes one after 180 seconds.
const MAX_IDLE_TIME: Duration = Duration::from_secs(90);

/// Idle connections to one server, the one used last at the end.
#[derive(Default)]
pub(super) struct Pool(Mutex<Vec<Idle>>);

struct Idle {
    link: Link,
    since: Instant,
}

impl Pool {
    /// A connection that is fit for a request, as far as can be seen; dead and expired ones are closed on the way.
    pub(super) async fn take(&self) -> Option<Link> {
        self.close_expired();
        loop {
            let mut link = self.lock().pop()?.link;
            if poll_fn(|cx| Poll::Ready(link.is_free(cx))).await {
                return Some(link);
            }
        }
    }

    /// Keeps a connection for the next request; closes the one idle longest if there are too many.
    pub(super) fn put(&self, link: Link) {
        self.close_expired();
        let mut idle = self.lock();
        let oldest = (idle.len() >= MAX_IDLE).then(|| idle.remove(0));
        idle.push(Idle { link, since: Instant::now() });
        drop(idle);
        drop(oldest); // closing a socket needs no lock
    }

    fn close_expired(&self) {
        let mut idle = self.lock();
        let now = Instant::now();
        let expired = idle.partition_point(|i| now.duration_since(i.since) >= MAX_IDLE_TIME);
        let kept = idle.split_off(expired);
        let expired = mem::replace(&mut *idle, kept);
        drop(idle);
        drop(expired);
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Idle>> {
        // no code of others runs under the lock
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
