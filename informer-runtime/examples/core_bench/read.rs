//! What it costs to have the bytes of a streaming list in hand, nothing done with them but to find the lines.

use crate::{AnyError, measure::Clock, memory::Memory, pods::Form, report::Figures, serve::Server};
use futures::StreamExt;
use http::Request;
use informer_runtime::Transport;
use std::{
    io::{Read, Write},
    net::TcpStream,
    sync::Arc,
};

const STREAMING_LIST: &str =
    "/api/v1/pods?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";

/// Where the body is read.
///
/// A client with a task per connection hands every frame to its reader. If both run on one worker thread that costs
/// little; the more a reader does, or when it is the task of `main`, the more often they run on two.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reader {
    Worker,
    Main,
}

/// From memory.
pub(crate) async fn from_memory(form: Form, count: usize) -> Result<Figures, AnyError> {
    read(Arc::new(Memory::new(form, count)), count, Reader::Worker).await
}

/// Over loopback from a server in another process, by this crate's client or by kube's default one.
pub(crate) async fn from_server(
    form: Form,
    count: usize,
    default_client: bool,
    reader: Reader,
) -> Result<Figures, AnyError> {
    let server = Server::spawn(form, count)?;
    let client = server.client(default_client)?;
    read(Arc::new(client), count, reader).await
}

/// Over loopback by blocking reads of a socket, HTTP not understood: the server's own speed.
pub(crate) fn from_socket(form: Form, count: usize) -> Result<Figures, AnyError> {
    let server = Server::spawn(form, count)?;
    let clock = Clock::start();
    let mut socket = TcpStream::connect(server.address)?;
    write!(socket, "GET {STREAMING_LIST} HTTP/1.1\r\nhost: bench\r\n\r\n")?;
    let mut buffer = vec![0; 64 * 1024];
    let mut found = 0;
    // only the bookmark and the chunk heads around it follow the last Pod
    let end = b"initial-events-end";
    let mut last = Vec::new();
    while found == 0 {
        let length = socket.read(&mut buffer)?;
        last.extend_from_slice(&buffer[..length]);
        found = memchr::memmem::find_iter(&last, end).count();
        last.drain(..last.len().saturating_sub(end.len()));
    }
    Ok(figures(&clock, count))
}

fn figures(clock: &Clock, count: usize) -> Figures {
    let (wall, cpu) = clock.per_object(count);
    let mut figures = Figures::default();
    figures.set("wall", wall);
    figures.set("cpu", cpu);
    figures
}

async fn read(transport: Arc<dyn Transport>, count: usize, reader: Reader) -> Result<Figures, AnyError> {
    let clock = Clock::start();
    let reading = async move {
        let mut body = transport.send(Request::get(STREAMING_LIST).body(())?).await?.body;
        let mut lines = 0;
        while lines <= count {
            let piece = body.next().await.ok_or("the server ended the watch")??;
            lines += memchr::memchr_iter(b'\n', &piece).count();
        }
        Ok::<_, AnyError>(())
    };
    match reader {
        Reader::Worker => tokio::spawn(reading).await??,
        Reader::Main => reading.await?,
    }
    Ok(figures(&clock, count))
}
