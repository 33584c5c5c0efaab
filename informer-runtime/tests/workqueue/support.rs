//! Polling by hand.

use informer_runtime::WorkQueue;
use std::{
    future::Future,
    hash::Hash,
    pin::{Pin, pin},
    task::{Context, Poll, Waker},
    time::Duration,
};

/// Polls once, outside any runtime's schedule.
pub(crate) fn poll<F: Future + ?Sized>(future: Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

/// What the queue has right now.
pub(crate) fn take<T: Eq + Hash + Clone>(queue: &WorkQueue<T>) -> Poll<Option<T>> {
    poll(pin!(queue.get()))
}

pub(crate) const fn ms(count: u64) -> Duration {
    Duration::from_millis(count)
}

pub(crate) const fn secs(count: u64) -> Duration {
    Duration::from_secs(count)
}
