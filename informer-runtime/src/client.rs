//! A [`kube::Client`] made for reading long streams: [`client`].
//!
//! A pooled connection is usually polled by a task of its own, and every frame travels from that task to the reader
//! through a channel and a wake-up. A kube-apiserver sends a streaming list in frames of 2 KB, so on a runtime with
//! several threads the travelling costs far more than everything an informer does with the bytes. The client of this
//! module has no such task: whoever reads a response body polls its connection in the same call, and gives the
//! connection back at the end.

mod error;
mod connect;
mod link;
mod pool;
mod body;
mod service;

pub use error::ClientError;

use kube::client::{ClientBuilder, ConfigExt};
use tower::{BoxError, ServiceBuilder};

/// Makes a client whose response bodies are read on the thread that polls the connection, without kube's retry layer.
///
/// With kube's default client, a task per connection hands each frame of a body to its reader. A kube-apiserver sends
/// a streaming list in frames of 2 KB, and on a runtime with several threads this costs more than all that an informer
/// does with the bytes. Here the reader polls the connection itself.
///
/// `config` is any [`kube::Config`]: from a kubeconfig, from inside a cluster, or by hand. Authentication, extra and
/// impersonation headers, the base URL, TLS (feature `rustls-tls`) and the server name to check are kube's own.
///
/// # What differs from kube's default client
///
/// - **Nothing is retried because of its status.** kube's default client repeats a request answered by 429, 503 or 504
///   up to 15 times without telling anybody. Informers have their own back-off, which reports what it sees.
///   [`Config::default_retry`](kube::Config::default_retry) is ignored.
///
///   An informer works with kube's default client too, but hears late: a version that is too large (a 504) is asked for
///   16 times, which takes up to minutes, before the informer can ask for the newest; refused watches and lists are
///   neither in its errors nor in its [stats](crate::SharedInformer::stats), and its bound of one request a second does
///   not hold for what is repeated below it. What is refused otherwise (403, 410, 500) and what fails within a stream is
///   the same with both.
/// - **A request is repeated only because of a stale connection**: one that was idle and turns out to be closed. It is
///   repeated once, on a fresh connection, if it was never sent, or if it is a `GET` or `HEAD` that got no response.
/// - **Bodies drive their connection.** A body that nobody reads reads nothing from the socket. A body that is dropped
///   before its end closes its connection; one read to its end gives it back for reuse.
/// - **Idle connections** are kept for 90 seconds, 16 at most, and looked at when they are used next; no task watches
///   them meanwhile. TCP keep-alive probes run after 30 seconds and small writes are sent at once, as in Go.
/// - **Timeouts**: `connect_timeout` bounds name look-up, TCP and TLS together. `read_timeout` is the longest silence
///   within one response, counted from the request or the last byte. `write_timeout` is the longest a write may wait.
///   `reset_reader_on_write` is always on, so idle time never counts against a response.
/// - **No proxy.** A config with a `proxy_url` is refused, see [`ClientError::Proxy`].
/// - HTTP/1.1 only, no compression, OpenSSL is not supported, and `Client::valid_until` is always `None`.
///
/// # Errors
///
/// [`ClientError`] says what in the config can't be served. Nothing is sent here, so an unreachable server is not
/// noticed.
///
/// # Panics
///
/// Never. kube spawns a task per client, so a tokio runtime must be running; without one this is an error.
///
/// ```no_run
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// let config = kube::Config::infer().await?;
/// let client = informer_runtime::client(config)?;
/// # Ok(())
/// # }
/// ```
pub fn client(config: kube::Config) -> Result<kube::Client, ClientError> {
    if tokio::runtime::Handle::try_current().is_err() {
        return Err(ClientError::NoRuntime);
    }
    if let Some(proxy) = &config.proxy_url {
        return Err(ClientError::proxy(proxy));
    }
    let connector = connect::connector(&config)?;
    let stack = ServiceBuilder::new()
        .layer(config.base_uri_layer())
        .option_layer(config.auth_layer()?)
        .layer(config.extra_headers_layer()?)
        .map_err(BoxError::from)
        .service(service::Driven::new(connector));
    Ok(ClientBuilder::new(stack, config.default_namespace).build())
}
