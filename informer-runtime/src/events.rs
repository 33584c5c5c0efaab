//! Changes as a stream, for those who take them one by one.

use std::fmt;
use std::future::poll_fn;
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures::Stream;
use futures::stream::FusedStream;

use crate::error::Error;
use crate::handler::{Event, HandlerOptions};
use crate::informer::InformerHandle;
use crate::processor::{InHand, Listener, Registration, Told, Unlist};

/// The changes of an informer's cache as a stream: all objects that are there as initial ones, then
/// [`Event::Synced`], then every change, in order.
///
/// It has no task of its own: nothing happens but when it is read. What has not been read waits, as
/// [`Delivery`](crate::Delivery) says; the default never makes the informer wait and is bounded by one change per
/// object past 65,536. It ends when the informer stops (then what waited is dropped, as with handlers) or its
/// registration is ended. Dropping it removes it. Holding it keeps the informer running.
///
/// Cancel safe: dropping a future of [`next`](Self::next), or of any adapter that takes one event at a time, loses
/// nothing.
#[must_use = "a stream does nothing unless it is read"]
pub struct Events<K> {
    listener: Arc<Listener>,
    registration: Registration,
    hand: InHand,
    done: bool,
    informer: Arc<InformerHandle>,
    kind: PhantomData<fn() -> K>,
}

impl<K> Events<K> {
    pub(crate) fn new(informer: Arc<InformerHandle>, options: HandlerOptions) -> Result<Self, Error> {
        let listener = Listener::new(options, informer.plan().resync, None);
        informer.add_listener(listener.clone())?;
        let registration = Registration::new(listener.clone(), informer.unlist_weak());
        Ok(Self { listener, registration, hand: InHand::default(), done: false, informer, kind: PhantomData })
    }

    /// The next event; `None` at the end. Cancel safe.
    pub async fn next(&mut self) -> Option<Event<K>> {
        poll_fn(|context| Pin::new(&mut *self).poll_next(context)).await
    }

    /// What tells of the backlog, and ends the stream from elsewhere.
    #[must_use]
    pub fn registration(&self) -> &Registration {
        &self.registration
    }
}

impl<K> Stream for Events<K> {
    type Item = Event<K>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Event<K>>> {
        let this = self.get_mut();
        if this.done {
            return Poll::Ready(None);
        }
        let told = std::task::ready!(this.listener.poll_next(&mut this.hand, context));
        if told.is_none() {
            this.done = true;
            this.informer.unlist(this.listener.id());
            this.listener.mark_ended();
        }
        Poll::Ready(told.map(|told| match told {
            Told::Change(notification) => Event::from_notification(notification),
            Told::Synced => Event::Synced,
        }))
    }
}

impl<K> FusedStream for Events<K> {
    fn is_terminated(&self) -> bool {
        self.done
    }
}

impl<K> Drop for Events<K> {
    fn drop(&mut self) {
        self.registration.close();
        self.listener.mark_ended();
    }
}

impl<K> fmt::Debug for Events<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Events").field("listener", &self.listener).field("done", &self.done).finish_non_exhaustive()
    }
}
