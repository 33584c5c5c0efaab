//! The client over TLS.

use crate::{get, read};
use informer_runtime::client;
use rustls::{ServerConfig, ServerConnection, StreamOwned, pki_types::PrivateKeyDer};
use std::{
    io::{BufRead, BufReader, Write},
    net::{SocketAddr, TcpListener},
    sync::Arc,
    thread,
};

/// A server for one connection with a certificate for `name`. Returns its address and the certificate.
fn serve_tls(name: &str) -> (SocketAddr, Vec<u8>) {
    let identity = rcgen::generate_simple_self_signed([name.to_owned()]).unwrap();
    let certificate = identity.cert.der().clone();
    let key = PrivateKeyDer::Pkcs8(identity.signing_key.serialize_der().into());
    let config = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate.clone()], key)
        .unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        let (stream, _) = listener.accept().unwrap();
        let tls = ServerConnection::new(Arc::new(config)).unwrap();
        let mut reader = BufReader::new(StreamOwned::new(tls, stream));
        loop {
            let mut line = String::new();
            if !matches!(reader.read_line(&mut line), Ok(1..)) {
                return; // closed, or a handshake that failed
            }
            if line == "\r\n" {
                let answer = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\ntls\r\n0\r\n\r\n";
                reader.get_mut().write_all(answer.as_bytes()).unwrap();
            }
        }
    });
    (address, certificate.to_vec())
}

fn config(address: SocketAddr, root: Vec<u8>) -> kube::Config {
    let mut config = kube::Config::new(format!("https://{address}").parse().unwrap());
    config.root_cert = Some(vec![root]);
    config
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_server_name_of_the_config_is_checked() {
    let (address, root) = serve_tls("api.example.test");
    let mut config = config(address, root);
    config.tls_server_name = Some("api.example.test".to_owned());
    let client = client(config).unwrap();
    // the server takes one connection only
    for _ in 0..3 {
        assert_eq!(read(&client, "/").await.unwrap(), "tls");
    }
}

#[tokio::test]
async fn a_certificate_for_another_name_is_refused() {
    let (address, root) = serve_tls("api.example.test");
    let client = client(config(address, root)).unwrap();
    assert!(client.send(get("/")).await.is_err());
}

#[tokio::test]
async fn a_certificate_of_nobody_known_is_refused_unless_told_otherwise() {
    let (_, other) = serve_tls("other.example.test");
    let (address, _) = serve_tls("127.0.0.1");
    let refusing = client(config(address, other.clone())).unwrap();
    assert!(refusing.send(get("/")).await.is_err());

    let (address, _) = serve_tls("127.0.0.1");
    let mut config = config(address, other);
    config.accept_invalid_certs = true;
    assert_eq!(read(&client(config).unwrap(), "/").await.unwrap(), "tls");
}
