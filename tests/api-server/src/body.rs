//! Response bodies: at once or as a stream, in pieces of any size, ended cleanly or cut.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::{Bytes, BytesMut};
use futures::stream::{BoxStream, Stream, StreamExt, TryStreamExt};
use http_body::{Body, Frame, SizeHint};

/// The body of an answer. It needs no task: a stream is polled by its reader, and dropping the body is noticed by
/// the server at once.
pub struct ResponseBody {
    inner: Inner,
}

enum Inner {
    Whole(Bytes),
    Stream(BoxStream<'static, io::Result<Bytes>>),
}

impl ResponseBody {
    pub(crate) fn whole(bytes: impl Into<Bytes>) -> Self {
        Self { inner: Inner::Whole(bytes.into()) }
    }

    pub(crate) fn stream(stream: impl Stream<Item = io::Result<Bytes>> + Send + 'static) -> Self {
        Self { inner: Inner::Stream(stream.boxed()) }
    }

    /// The same bytes as a stream.
    pub(crate) fn into_stream(self) -> BoxStream<'static, io::Result<Bytes>> {
        match self.inner {
            Inner::Whole(bytes) => futures::stream::iter((!bytes.is_empty()).then_some(Ok(bytes))).boxed(),
            Inner::Stream(stream) => stream,
        }
    }

    /// The same bytes in pieces of these sizes, the last size repeated, without regard to what is in them.
    pub(crate) fn in_pieces(self, sizes: Vec<usize>) -> Self {
        Self::stream(Pieces { source: self.into_stream(), sizes, next: 0, held: BytesMut::new(), end: None })
    }
}

/// The error with which a cut body ends. It waits for one turn, so that a connection first sends what it holds.
pub(crate) async fn cut() -> io::Result<Bytes> {
    failed(io::ErrorKind::ConnectionReset, "connection reset by the test server").await
}

/// The error with which a dropped body ends, as late as that of a cut one.
pub(crate) async fn dropped() -> io::Result<Bytes> {
    failed(io::ErrorKind::UnexpectedEof, "the body ended before its last chunk").await
}

async fn failed(kind: io::ErrorKind, message: &'static str) -> io::Result<Bytes> {
    tokio::task::yield_now().await;
    Err(io::Error::new(kind, message))
}

impl Body for ResponseBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        match &mut self.inner {
            Inner::Whole(bytes) if bytes.is_empty() => Poll::Ready(None),
            Inner::Whole(bytes) => Poll::Ready(Some(Ok(Frame::data(std::mem::take(bytes))))),
            Inner::Stream(stream) => stream.poll_next_unpin(cx).map_ok(Frame::data),
        }
    }

    fn is_end_stream(&self) -> bool {
        matches!(&self.inner, Inner::Whole(bytes) if bytes.is_empty())
    }

    fn size_hint(&self) -> SizeHint {
        match &self.inner {
            Inner::Whole(bytes) => SizeHint::with_exact(bytes.len() as u64),
            Inner::Stream(_) => SizeHint::default(),
        }
    }
}

impl std::fmt::Debug for ResponseBody {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let kind = match &self.inner {
            Inner::Whole(_) => "Whole",
            Inner::Stream(_) => "Stream",
        };
        f.debug_struct("ResponseBody").field("kind", &kind).finish()
    }
}

/// Cuts a stream anew. Pieces are filled across chunks as long as the source has more at once; when it has to wait,
/// what is there goes out.
struct Pieces {
    source: BoxStream<'static, io::Result<Bytes>>,
    sizes: Vec<usize>,
    next: usize,
    held: BytesMut,
    end: Option<io::Result<()>>,
}

impl Stream for Pieces {
    type Item = io::Result<Bytes>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<io::Result<Bytes>>> {
        let size = self.sizes.get(self.next).or(self.sizes.last()).copied().unwrap_or(usize::MAX).max(1);
        while self.held.len() < size && self.end.is_none() {
            match self.source.poll_next_unpin(cx) {
                Poll::Ready(Some(Ok(bytes))) => self.held.extend_from_slice(&bytes),
                Poll::Ready(Some(Err(error))) => self.end = Some(Err(error)),
                Poll::Ready(None) => self.end = Some(Ok(())),
                Poll::Pending if self.held.is_empty() => return Poll::Pending,
                Poll::Pending => break,
            }
        }
        if self.held.is_empty() {
            let end = self.end.replace(Ok(())).unwrap_or(Ok(()));
            return Poll::Ready(end.err().map(Err));
        }
        self.next += 1;
        let length = size.min(self.held.len());
        Poll::Ready(Some(Ok(self.held.split_to(length).freeze())))
    }
}

/// How a stream that is cut short ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Cleanly, as after a timeout.
    Close,
    /// With a transport error, as when a connection is reset.
    Cut,
    /// With a transport error, as when a connection is closed before the last chunk of the body.
    Drop,
    /// Not at all: the stream stays open and silent, as with a half-open connection.
    Stall,
}

/// Ends a stream in this way.
pub(crate) fn ending(end: End) -> BoxStream<'static, io::Result<Bytes>> {
    match end {
        End::Close => futures::stream::empty().boxed(),
        End::Cut => futures::stream::once(cut()).boxed(),
        End::Drop => futures::stream::once(dropped()).boxed(),
        End::Stall => futures::stream::pending().boxed(),
    }
}

/// What a watch sends.
#[derive(Debug)]
pub(crate) enum Signal {
    Data(Bytes),
    /// The end in a little while, of a watch that the store feeds.
    Retire,
    /// The end, whatever follows.
    End(End),
}

/// A body's stream of bytes.
pub(crate) type Chunks = BoxStream<'static, io::Result<Bytes>>;

/// Sends what the signals say; when there are no more, ends as `last` says.
pub(crate) fn played(mut signals: BoxStream<'static, Signal>, last: End) -> Chunks {
    let mut rest: Option<Chunks> = None;
    futures::stream::poll_fn(move |cx| {
        if rest.is_none() {
            match ready!(signals.poll_next_unpin(cx)) {
                Some(Signal::Data(bytes)) => return Poll::Ready(Some(Ok(bytes))),
                Some(Signal::End(end)) => rest = Some(ending(end)),
                Some(Signal::Retire) | None => rest = Some(ending(last)),
            }
            // What feeds it is dropped now, so that it hears of the end
            signals = futures::stream::empty().boxed();
        }
        rest.as_mut().map_or(Poll::Ready(None), |rest| rest.poll_next_unpin(cx))
    })
    .boxed()
}

/// Lets a stream through until `until` is done, then ends it as that says. Each is dropped when the other ends it.
pub(crate) fn ended_by(mut source: Chunks, until: impl Future<Output = End> + Send + 'static) -> Chunks {
    let mut until = Some(Box::pin(until));
    futures::stream::poll_fn(move |cx| {
        let told = until.as_mut().map_or(Poll::Pending, |until| until.as_mut().poll(cx));
        if let Poll::Ready(end) = told {
            until = None;
            source = ending(end);
        }
        let chunk = ready!(source.poll_next_unpin(cx));
        if !matches!(chunk, Some(Ok(_))) {
            until = None;
        }
        Poll::Ready(chunk)
    })
    .boxed()
}

/// Lets a number of chunks through, then drops the stream and ends as `end` says.
pub(crate) fn ended_after(mut source: Chunks, mut chunks: usize, end: End) -> Chunks {
    let mut ended = false;
    futures::stream::poll_fn(move |cx| {
        if !ended && chunks == 0 {
            ended = true;
            source = ending(end);
        }
        let chunk = ready!(source.poll_next_unpin(cx));
        chunks = chunks.saturating_sub(1);
        Poll::Ready(chunk)
    })
    .boxed()
}

/// Lets a number of bytes through, then drops the stream and ends as `end` says.
pub(crate) fn ended_after_bytes(source: Chunks, bytes: usize, end: End) -> Chunks {
    let (mut source, mut left) = (source, Some(bytes));
    futures::stream::poll_fn(move |cx| {
        if left == Some(0) {
            left = None;
            source = ending(end);
        }
        let mut chunk = ready!(source.poll_next_unpin(cx));
        if let (Some(Ok(bytes)), Some(left)) = (&mut chunk, &mut left) {
            bytes.truncate(*left);
            *left -= bytes.len();
        }
        Poll::Ready(chunk)
    })
    .boxed()
}

/// Puts foreign bytes into a stream, after so many of its own.
pub(crate) fn with_bytes_at(source: Chunks, place: usize, foreign: Bytes) -> Chunks {
    let mut waiting = Some((place, foreign));
    source
        .map_ok(move |chunk| match waiting.take() {
            Some((left, foreign)) if left <= chunk.len() => {
                Bytes::from([&chunk[..left], &foreign[..], &chunk[left..]].concat())
            }
            Some((left, foreign)) => {
                waiting = Some((left - chunk.len(), foreign));
                chunk
            }
            None => chunk,
        })
        .boxed()
}
