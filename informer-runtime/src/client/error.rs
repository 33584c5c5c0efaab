//! Why a client can't be made of a config.

use http::Uri;

/// Why [`client`](crate::client()) refuses a config.
///
/// Messages never hold credentials: those in a URL are left out.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClientError {
    /// The cluster's URL has no host, or a scheme other than `http` and `https`.
    #[error("the cluster URL {url:?} needs a host and the scheme http or https")]
    ClusterUrl {
        /// Scheme, host and port of the URL, as far as it has them.
        url: String,
    },
    /// The config asks for a proxy, from the kubeconfig or from the environment.
    ///
    /// kube's own client serves proxies: enable kube's feature `http-proxy` or `socks5`, set
    /// [`Config::default_retry`](kube::Config::default_retry) to `false`, and make it by `kube::Client::try_from`.
    #[error(
        "the config asks for the proxy {proxy:?}, which this client can't use; make a kube::Client from the config, with \
         default_retry = false and kube's feature http-proxy or socks5"
    )]
    Proxy {
        /// Scheme, host and port of the proxy.
        proxy: String,
    },
    /// The cluster's URL is `https` and this build has no TLS.
    #[error("the cluster URL is https: enable the feature rustls-tls of informer-runtime")]
    TlsDisabled,
    /// No tokio runtime is running on this thread.
    #[error("a client must be made inside a tokio runtime")]
    NoRuntime,
    /// kube can't use a part of the config: certificates, authentication or headers.
    #[error("the config can't be used")]
    Config(#[source] Box<kube::Error>),
}

impl ClientError {
    pub(super) fn cluster_url(url: &Uri) -> Self {
        Self::ClusterUrl { url: without_userinfo(url) }
    }

    pub(super) fn proxy(url: &Uri) -> Self {
        Self::Proxy { proxy: without_userinfo(url) }
    }
}

impl From<kube::Error> for ClientError {
    fn from(error: kube::Error) -> Self {
        Self::Config(Box::new(error))
    }
}

/// Scheme, host and port: neither a name nor a password, nor a path, that might be a secret too.
fn without_userinfo(url: &Uri) -> String {
    let mut text = String::new();
    if let Some(scheme) = url.scheme_str() {
        text.push_str(scheme);
        text.push_str("://");
    }
    text.push_str(url.host().unwrap_or_default());
    if let Some(port) = url.port_u16() {
        text.push_str(&format!(":{port}"));
    }
    text
}
