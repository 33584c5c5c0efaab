//! The same server on a socket, for programs that need one.

use std::io;
use std::net::SocketAddr;

use http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use informer_runtime::CancellationToken;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};
use tower::Service;

use crate::reply::Answered;
use crate::server::TestServer;

/// The size of the pieces in which a real server sends its bodies, in bytes.
pub const REAL_PIECE: usize = 2_048;

/// A server that listens on a socket.
///
/// Dropping it stops the server at once; [`stop`](Self::stop) does it in order.
#[derive(Debug)]
pub struct Loopback {
    address: SocketAddr,
    stop: CancellationToken,
    accepting: JoinHandle<()>,
}

impl TestServer {
    /// Serves HTTP/1.1 on a free port of 127.0.0.1, bodies in whole frames.
    ///
    /// # Errors
    /// If no socket can be opened.
    pub async fn listen(&self) -> io::Result<Loopback> {
        self.serve(TcpListener::bind(("127.0.0.1", 0)).await?, None)
    }

    /// Serves HTTP/1.1 on a listener; with a size, bodies come in pieces of that many bytes, as a real server's do
    /// ([`REAL_PIECE`]).
    ///
    /// # Errors
    /// If the listener has no address.
    ///
    /// # Panics
    /// Outside a tokio runtime.
    pub fn serve(&self, listener: TcpListener, piece: Option<usize>) -> io::Result<Loopback> {
        let address = listener.local_addr()?;
        let stop = CancellationToken::new();
        let accepting = tokio::spawn(accept(self.clone(), listener, piece, stop.clone()));
        Ok(Loopback { address, stop, accepting })
    }
}

impl Loopback {
    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The configuration of a client of this server, without retries.
    #[must_use]
    pub fn config(&self) -> kube::Config {
        let address = format!("http://{}", self.address);
        let mut config = kube::Config::new(address.parse().expect("an address and a scheme are a URI"));
        config.default_retry = false;
        config
    }

    /// Stops accepting, closes the watches cleanly, lets answers under way end, and waits for all connections.
    /// An answer that never comes is dropped. Not cancel safe: when dropped it stops at once.
    pub async fn stop(mut self) {
        self.stop.cancel();
        // A panic in a connection is the test's to report
        let _ = (&mut self.accepting).await;
    }
}

impl Drop for Loopback {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn accept(server: TestServer, listener: TcpListener, piece: Option<usize>, stop: CancellationToken) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    connections.spawn(connection(server.clone(), stream, piece, stop.clone()));
                }
                // Such as too many open files: the next may work
                Err(_) => tokio::task::yield_now().await,
            },
            Some(_) = connections.join_next() => {}
            () = stop.cancelled() => break,
        }
    }
    drop(listener);
    server.close_watches();
    while connections.join_next().await.is_some() {}
}

async fn connection(server: TestServer, stream: TcpStream, piece: Option<usize>, stop: CancellationToken) {
    // Without it small events wait for acknowledgements; a failure costs only time
    let _ = stream.set_nodelay(true);
    let ends = stop.clone();
    let service = service_fn(move |request: Request<Incoming>| {
        let mut server = server.clone();
        let ends = ends.clone();
        async move {
            let answer = server.call(request);
            let response: io::Result<Answered> = tokio::select! {
                response = answer => response,
                () = ends.cancelled() => Err(io::ErrorKind::ConnectionAborted.into()),
            };
            response.map(|response| match piece {
                Some(size) => response.map(|body| body.in_pieces(vec![size])),
                None => response,
            })
        }
    });
    let mut connection = std::pin::pin!(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
    // Errors are the client's or the script's doing
    tokio::select! {
        _ = connection.as_mut() => {}
        () = stop.cancelled() => {
            connection.as_mut().graceful_shutdown();
            let _ = connection.await;
        }
    }
}
