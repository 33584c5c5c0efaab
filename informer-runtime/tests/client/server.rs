//! A server on loopback that answers as a test says, on threads of its own.

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{Arc, Mutex, mpsc},
    thread,
};

/// What happens to a connection after an answer.
#[derive(PartialEq, Eq)]
pub(crate) enum After {
    Keep,
    Close,
}

/// One request, as it came.
#[derive(Clone)]
pub(crate) struct Request {
    /// The number of its connection, from 0.
    pub(crate) connection: usize,
    /// `GET /path`
    pub(crate) line: String,
    /// All header lines, names in lower case.
    pub(crate) headers: Vec<String>,
}

/// A running server; it ends with the process.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    seen: Arc<Mutex<Vec<Request>>>,
    closed: mpsc::Receiver<usize>,
}

impl Server {
    /// `answer` writes the whole response to a request.
    pub(crate) fn start<F>(answer: F) -> Self
    where
        F: Fn(&Request, &mut TcpStream) -> io::Result<After> + Send + Sync + 'static,
    {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let answer = Arc::new(answer);
        let (closing, closed) = mpsc::channel();
        let log = Arc::clone(&seen);
        thread::spawn(move || {
            for (connection, stream) in listener.incoming().enumerate() {
                let (answer, log, closing) = (Arc::clone(&answer), Arc::clone(&log), closing.clone());
                thread::spawn(move || {
                    let mut stream = stream.unwrap();
                    stream.set_nodelay(true).unwrap();
                    let mut reader = BufReader::new(stream.try_clone().unwrap());
                    while let Some(request) = read_request(connection, &mut reader) {
                        log.lock().unwrap().push(request.clone());
                        if !matches!(answer(&request, &mut stream), Ok(After::Keep)) {
                            break;
                        }
                    }
                    drop((reader, stream));
                    let _ = closing.send(connection);
                });
            }
        });
        Self { address, seen, closed }
    }

    /// A config for a client of this server, without any timeout.
    pub(crate) fn config(&self) -> kube::Config {
        let mut config = kube::Config::new(format!("http://{}", self.address).parse().unwrap());
        config.connect_timeout = None;
        config.write_timeout = None;
        config
    }

    /// The numbers of the connections on which requests came, in the order of the requests.
    pub(crate) fn connections(&self) -> Vec<usize> {
        self.seen.lock().unwrap().iter().map(|request| request.connection).collect()
    }

    /// The first lines of all requests so far.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.seen.lock().unwrap().iter().map(|request| request.line.clone()).collect()
    }

    /// The header lines of the request with a number.
    pub(crate) fn headers(&self, request: usize) -> Vec<String> {
        self.seen.lock().unwrap()[request].headers.clone()
    }

    /// Waits until a connection is closed, by either side; returns its number.
    pub(crate) fn wait_closed(&self) -> usize {
        self.closed.recv().unwrap()
    }
}

fn read_request(connection: usize, reader: &mut BufReader<TcpStream>) -> Option<Request> {
    let mut next_line = || {
        let mut line = String::new();
        (reader.read_line(&mut line).ok()? > 0).then(|| line.trim_end().to_owned())
    };
    let line = next_line()?.trim_end_matches(" HTTP/1.1").to_owned();
    let mut headers = Vec::new();
    loop {
        let header = next_line()?;
        if header.is_empty() {
            break;
        }
        let (name, value) = header.split_once(": ")?;
        headers.push(format!("{}: {value}", name.to_ascii_lowercase()));
    }
    let length = headers.iter().find_map(|h| h.strip_prefix("content-length: ")).map_or(0, |n| n.parse().unwrap());
    reader.read_exact(&mut vec![0; length]).ok()?;
    Some(Request { connection, line, headers })
}

/// A response with a body of known length.
pub(crate) fn with_length(stream: &mut TcpStream, status: &str, body: &str) -> io::Result<After> {
    write!(stream, "HTTP/1.1 {status}\r\ncontent-length: {}\r\n\r\n{body}", body.len())?;
    Ok(After::Keep)
}

/// The head of a chunked response.
pub(crate) fn chunked_head(stream: &mut TcpStream) -> io::Result<()> {
    write!(stream, "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n")
}

/// One chunk; an empty one ends the body.
pub(crate) fn chunk(stream: &mut TcpStream, data: &str) -> io::Result<()> {
    write!(stream, "{:x}\r\n{data}\r\n", data.len())
}
