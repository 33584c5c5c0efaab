//! A response body that polls its own connection.

use super::{link::Link, pool::Pool};
use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use hyper::body::Incoming;
use std::{
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, Waker},
};
use tower::BoxError;

/// The body of a response, with the connection that it comes from.
///
/// At its end the connection goes back to the pool; after an error, or if the body is dropped before its end, the
/// connection is closed.
pub(super) struct DrivenBody {
    body: Incoming,
    /// `None` at the end.
    link: Option<Link>,
    pool: Arc<Pool>,
}

type Polled = Option<Result<Frame<Bytes>, BoxError>>;

impl DrivenBody {
    /// The body of a response whose head came over `link`. An empty body gives the connection back at once, as nobody
    /// may ever poll it.
    pub(super) fn new(body: Incoming, link: Link, pool: Arc<Pool>, cx: &mut Context<'_>) -> Self {
        let mut driven = Self { body, link: Some(link), pool };
        if driven.body.is_end_stream() {
            driven.give_back(cx);
        }
        driven
    }

    /// What hyper has read for this body already.
    ///
    /// Only [`Link::drive`] brings more, and it is called by this task alone: there is nothing to be woken for.
    fn poll_read_already(&mut self) -> Poll<Polled> {
        Pin::new(&mut self.body)
            .poll_frame(&mut Context::from_waker(Waker::noop()))
            .map(|polled| polled.map(|frame| frame.map_err(BoxError::from)))
    }

    /// Passes on what was read; parts with the connection if this was the last.
    fn pass_on(&mut self, polled: Polled, cx: &mut Context<'_>) -> Poll<Polled> {
        match &polled {
            Some(Ok(_)) if !self.body.is_end_stream() => {}
            Some(Ok(_)) | None => self.give_back(cx),
            Some(Err(_)) => self.link = None,
        }
        Poll::Ready(polled)
    }

    fn give_back(&mut self, cx: &mut Context<'_>) {
        if let Some(mut link) = self.link.take()
            && link.is_free(cx)
        {
            self.pool.put(link);
        }
    }
}

impl Body for DrivenBody {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Polled> {
        let this = self.get_mut();
        if this.link.is_none() {
            return Poll::Ready(None);
        }
        if let Poll::Ready(polled) = this.poll_read_already() {
            return this.pass_on(polled, cx);
        }
        let lives = this.link.as_mut().is_some_and(|link| link.drive(cx));
        match this.poll_read_already() {
            Poll::Ready(polled) => this.pass_on(polled, cx),
            Poll::Pending if lives => Poll::Pending,
            Poll::Pending => this.pass_on(Some(Err("the connection ended inside a response".into())), cx),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.link.is_none() || self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
