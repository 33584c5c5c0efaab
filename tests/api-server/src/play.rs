//! Scripted answers, given.

use std::io;
use std::time::Duration;

use bytes::Bytes;
use futures::stream::{self, StreamExt};
use http::StatusCode;
use http::header::{HeaderName, HeaderValue};
use informer_runtime::Resource;

use crate::answer::{Answer, Content, When};
use crate::body::{self, End, ResponseBody};
use crate::handle::Call;
use crate::live::LiveEvents;
use crate::registry::Served;
use crate::reply::{Answered, json, json_stream, respond};
use crate::server::TestServer;

impl TestServer {
    /// Gives a scripted answer.
    pub(crate) async fn play(&self, answer: Answer, call: Call, body: Bytes) -> io::Result<Answered> {
        if !answer.delay.is_zero() {
            tokio::time::sleep(answer.delay).await;
        }
        if let Some(gate) = &answer.gate {
            gate.pass().await;
        }
        let served = call.served.clone();
        let timeout = self.timeout(&call.record);
        let mut response = match answer.content {
            Content::State => self.handle(call, body).await,
            Content::Never => std::future::pending().await,
            Content::Refuse => {
                let message = "connection refused by the test server";
                return Err(io::Error::new(io::ErrorKind::ConnectionRefused, message));
            }
            Content::Whole { code, content_type, body } => {
                let code = StatusCode::from_u16(code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
                respond(code, &content_type, ResponseBody::whole(body))
            }
            Content::Listing(listing) => {
                let unknown = || Served::new(Resource::new("", "v1", "", "", false));
                json(StatusCode::OK, listing.write(&served.unwrap_or_else(unknown)))
            }
            Content::Events(events) => {
                let until = self.scripted_watch((!events.stalls()).then_some(timeout));
                let steps = body::played(events.play(served).boxed(), End::Stall);
                json_stream(ResponseBody::stream(body::ended_by(steps, until)))
            }
            Content::Live(live) => json_stream(self.live(&live, served, timeout)),
        };
        for (name, value) in &answer.headers {
            if let (Ok(name), Ok(value)) = (name.parse::<HeaderName>(), HeaderValue::from_str(value)) {
                response.headers_mut().insert(name, value);
            }
        }
        let foreign = |body: ResponseBody| match answer.foreign {
            None => body,
            Some((place, bytes)) => ResponseBody::stream(body::with_bytes_at(body.into_stream(), place, bytes)),
        };
        Ok(response.map(|body| spoil(foreign(body), answer.ending, answer.pieces, answer.pace)))
    }

    fn live(&self, live: &LiveEvents, served: Option<Served>, timeout: Duration) -> ResponseBody {
        let received = stream::unfold(live.take(), |receiver| async {
            let mut receiver = receiver?;
            receiver.recv().await.map(|events| (events, Some(receiver)))
        });
        let signals = received.flat_map(move |events| events.play(served.clone()));
        let fed = body::played(signals.boxed(), End::Close);
        ResponseBody::stream(body::ended_by(fed, self.scripted_watch(Some(timeout))))
    }
}

/// Applies the faults of an answer to its body.
fn spoil(
    body: ResponseBody,
    ending: Option<(When, End)>,
    pieces: Option<Vec<usize>>,
    pace: Option<Duration>,
) -> ResponseBody {
    let body = match ending {
        None => body,
        Some((When::Chunks(count), end)) => ResponseBody::stream(body::ended_after(body.into_stream(), count, end)),
        Some((When::Bytes(count), end)) => {
            ResponseBody::stream(body::ended_after_bytes(body.into_stream(), count, end))
        }
        Some((When::Time(time), end)) => {
            let until = async move {
                tokio::time::sleep(time).await;
                end
            };
            ResponseBody::stream(body::ended_by(body.into_stream(), until))
        }
    };
    let body = match pieces {
        None => body,
        Some(sizes) => body.in_pieces(sizes),
    };
    match pace {
        None => body,
        Some(pause) => ResponseBody::stream(body.into_stream().then(move |piece| async move {
            tokio::time::sleep(pause).await;
            piece
        })),
    }
}
