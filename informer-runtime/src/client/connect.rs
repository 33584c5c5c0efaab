//! How a socket to the API server is opened.

use super::ClientError;
use http::{Uri, uri::Scheme};
use hyper::rt::{Read, Write};
use hyper_timeout::TimeoutConnector;
use hyper_util::client::legacy::connect::{Connection, HttpConnector};
#[cfg(feature = "rustls-tls")]
use kube::client::ConfigExt;
use std::time::Duration;
use tower::{BoxError, Service, ServiceExt, util::BoxCloneSyncService};

/// Silence after which the kernel asks whether the peer still lives; Go's client uses the same.
const KEEPALIVE: Duration = Duration::from_secs(30);

/// Plain TCP or TLS, with timeouts.
pub(super) trait Socket: Read + Write + Send + Unpin {}
impl<T: Read + Write + Send + Unpin> Socket for T {}

/// Opens a socket to the host of a URL.
pub(super) type Connector = BoxCloneSyncService<Uri, Box<dyn Socket>, BoxError>;

/// A connector that does what `config` says, for its cluster URL.
pub(super) fn connector(config: &kube::Config) -> Result<Connector, ClientError> {
    let url = &config.cluster_url;
    if url.host().is_none_or(str::is_empty) {
        return Err(ClientError::cluster_url(url));
    }
    let mut tcp = HttpConnector::new();
    tcp.enforce_http(false);
    tcp.set_nodelay(true);
    tcp.set_keepalive(Some(KEEPALIVE));
    if url.scheme() == Some(&Scheme::HTTP) {
        Ok(with_timeouts(tcp, config))
    } else if url.scheme() != Some(&Scheme::HTTPS) {
        Err(ClientError::cluster_url(url))
    } else {
        #[cfg(feature = "rustls-tls")]
        return Ok(with_timeouts(config.rustls_https_connector_with_connector(tcp)?, config));
        #[cfg(not(feature = "rustls-tls"))]
        Err(ClientError::TlsDisabled)
    }
}

fn with_timeouts<C>(connector: C, config: &kube::Config) -> Connector
where
    C: Service<Uri> + Clone + Send + Sync + 'static,
    C::Response: Read + Write + Connection + Send + Unpin + 'static,
    C::Future: Send + 'static,
    C::Error: Into<BoxError>,
{
    let mut connector = TimeoutConnector::new(connector);
    connector.set_connect_timeout(config.connect_timeout);
    connector.set_read_timeout(config.read_timeout);
    connector.set_write_timeout(config.write_timeout);
    // the clock of the read timeout runs while a connection is idle, too: sending a request starts it anew
    connector.set_reset_reader_on_write(true);
    BoxCloneSyncService::new(connector.map_response(|socket| Box::new(socket) as Box<dyn Socket>))
}
