//! A server on loopback that sends what was encoded before the first request: its cost is not the client's.
//!
//! ```text
//! GET /api/v1/pods                 a list; limit and continue are honoured, but not with resourceVersion=0
//! GET /api/v1/pods?watch=true      a watch; with sendInitialEvents=true a streaming list
//! GET /expire                      ends every open watch with the error 410
//! ```

use crate::{AnyError, pods::Form, wire};
use std::{
    io::{self, BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    process::{Child, Command, Stdio},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
        mpsc,
    },
    thread,
};

/// Bytes written at once, as Go's server does.
const WRITE: usize = 4096;

/// A server in a process of its own; dropping it ends the process.
pub(crate) struct Server {
    process: Child,
    pub(crate) address: SocketAddr,
}

impl Server {
    /// Runs this program again as a server, and waits until it listens.
    pub(crate) fn spawn(form: Form, pods: usize) -> io::Result<Self> {
        let mut process = Command::new(std::env::current_exe()?)
            .args(["serve", form.name(), &pods.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut line = String::new();
        let output = process.stdout.take().ok_or_else(|| io::Error::other("the server has no output"))?;
        BufReader::new(output).read_line(&mut line)?;
        let address = line.trim().parse().map_err(|_| io::Error::other("the server did not start"))?;
        Ok(Self { process, address })
    }

    /// A client of this server: this crate's, or kube's default one.
    pub(crate) fn client(&self, default_client: bool) -> Result<kube::Client, AnyError> {
        let config = kube::Config::new(format!("http://{}", self.address).parse()?);
        Ok(if default_client { kube::Client::try_from(config)? } else { informer_runtime::client(config)? })
    }

    /// Makes every open watch end with the error 410.
    pub(crate) fn expire(&self) -> io::Result<()> {
        let mut stream = TcpStream::connect(self.address)?;
        stream.write_all(b"GET /expire HTTP/1.1\r\nhost: bench\r\nconnection: close\r\n\r\n")?;
        stream.read_to_end(&mut Vec::new()).map(drop)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

struct Data {
    pods: Vec<String>,
    /// The initial events of a streaming list, in chunks, up to their end.
    initial: Vec<u8>,
    expired: Vec<u8>,
    streaming_lists: AtomicU64,
    watches: Mutex<Vec<mpsc::Sender<()>>>,
}

/// Serves until standard input ends, that is, until the parent process does.
pub(crate) fn serve(form: Form, count: usize) -> io::Result<()> {
    let pods: Vec<String> = wire::pods(form, count).collect();
    let mut initial = Vec::new();
    for pod in &pods {
        wire::encode_chunks(&mut initial, wire::added(pod).as_bytes());
    }
    let mut expired = Vec::new();
    wire::encode_chunks(&mut expired, wire::expired().as_bytes());
    expired.extend_from_slice(wire::LAST_CHUNK);
    let data = Arc::new(Data { pods, initial, expired, streaming_lists: AtomicU64::new(0), watches: Mutex::default() });

    let listener = TcpListener::bind("127.0.0.1:0")?;
    println!("{}", listener.local_addr()?);
    thread::spawn(|| {
        let _ = io::stdin().read_to_end(&mut Vec::new());
        std::process::exit(0);
    });
    for stream in listener.incoming() {
        let (stream, data) = (stream?, Arc::clone(&data));
        stream.set_nodelay(true)?;
        // a client may go at any time: that ends its connection and nothing else
        thread::spawn(move || connection(stream, &data));
    }
    Ok(())
}

fn connection(mut stream: TcpStream, data: &Data) -> io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    loop {
        let mut first = String::new();
        if reader.read_line(&mut first)? == 0 {
            return Ok(());
        }
        let mut header = String::new();
        while reader.read_line(&mut header)? > 2 {
            header.clear();
        }
        let url = first.split(' ').nth(1).unwrap_or_default();
        let (path, query) = url.split_once('?').unwrap_or((url, ""));
        match path {
            "/api/v1/pods" if matches!(parameter(query, "watch"), Some("true" | "1")) => {
                watch(&mut stream, data, query)?
            }
            "/api/v1/pods" => list(&mut stream, data, query)?,
            "/expire" => {
                let open = std::mem::take(&mut *data.watches.lock().unwrap_or_else(PoisonError::into_inner));
                for watch in &open {
                    let _ = watch.send(());
                }
                stream.write_all(b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n")?;
                return Ok(());
            }
            _ => stream.write_all(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n")?,
        }
    }
}

fn head(stream: &mut TcpStream) -> io::Result<()> {
    stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n")
}

fn watch(stream: &mut TcpStream, data: &Data, query: &str) -> io::Result<()> {
    let (expire, expired) = mpsc::channel();
    data.watches.lock().unwrap_or_else(PoisonError::into_inner).push(expire);
    head(stream)?;
    if parameter(query, "sendInitialEvents") == Some("true") {
        for piece in data.initial.chunks(WRITE) {
            stream.write_all(piece)?;
        }
        let list = data.streaming_lists.fetch_add(1, Ordering::Relaxed);
        let mut end = Vec::new();
        wire::encode_chunks(&mut end, wire::initial_events_end(list).as_bytes());
        stream.write_all(&end)?;
    }
    if expired.recv().is_ok() {
        stream.write_all(&data.expired)?;
    }
    Ok(())
}

fn list(stream: &mut TcpStream, data: &Data, query: &str) -> io::Result<()> {
    let number = |name| parameter(query, name).and_then(|value| value.parse::<usize>().ok());
    let limit = match number("limit") {
        Some(limit @ 1..) if parameter(query, "resourceVersion") != Some("0") => limit,
        _ => usize::MAX,
    };
    let mut wire = Vec::new();
    wire::encode_chunks(&mut wire, wire::page(&data.pods, number("continue").unwrap_or(0), limit).as_bytes());
    wire.extend_from_slice(wire::LAST_CHUNK);
    head(stream)?;
    wire.chunks(WRITE).try_for_each(|piece| stream.write_all(piece))
}

fn parameter<'a>(query: &'a str, name: &str) -> Option<&'a str> {
    query.split('&').filter_map(|pair| pair.split_once('=')).find_map(|(key, value)| (key == name).then_some(value))
}
