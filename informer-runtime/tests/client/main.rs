//! `informer_runtime::client` against small servers on loopback that answer as each test says.

mod server;
#[cfg(feature = "rustls-tls")]
mod tls;

use http_body_util::BodyExt;
use informer_runtime::{ClientError, client};
use kube::client::Body;
use server::{After, Server, chunk, chunked_head, with_length};
use std::{io::Write, net::Shutdown, time::Duration};
use tokio::runtime::Handle;

fn get(path: &str) -> http::Request<Body> {
    http::Request::get(path).body(Body::empty()).unwrap()
}

async fn read(client: &kube::Client, path: &str) -> Result<String, kube::Error> {
    let response = client.send(get(path)).await?;
    let bytes = response.into_body().collect().await?.to_bytes();
    Ok(String::from_utf8(bytes.to_vec()).unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_connection_serves_requests_one_after_another() {
    let server = Server::start(|request, stream| match &*request.line {
        "GET /length" => with_length(stream, "200 OK", "known"),
        "GET /chunks" => {
            chunked_head(stream)?;
            for data in ["a", "bc", ""] {
                chunk(stream, data)?;
            }
            Ok(After::Keep)
        }
        "GET /nothing" => with_length(stream, "200 OK", ""),
        _ => {
            write!(stream, "HTTP/1.1 204 No Content\r\n\r\n")?;
            Ok(After::Keep)
        }
    });
    let client = client(server.config()).unwrap();
    for _ in 0..20 {
        assert_eq!(read(&client, "/length").await.unwrap(), "known");
        assert_eq!(read(&client, "/chunks").await.unwrap(), "abc");
        // empty bodies that nobody reads
        assert_eq!(client.send(get("/nothing")).await.unwrap().status(), 200);
        assert_eq!(client.send(get("/no-content")).await.unwrap().status(), 204);
    }
    assert_eq!(server.connections(), [0; 80]);
}

#[tokio::test]
async fn a_body_is_read_by_no_task_of_its_own() {
    let server = Server::start(|request, stream| {
        if request.line == "GET /warm" {
            return with_length(stream, "200 OK", "");
        }
        chunked_head(stream)?;
        for data in ["one", "two", ""] {
            chunk(stream, data)?;
        }
        Ok(After::Keep)
    });
    let client = client(server.config()).unwrap();
    read(&client, "/warm").await.unwrap();
    let tasks = || Handle::current().metrics().num_alive_tasks();
    let before = tasks();
    let mut body = client.send(get("/stream")).await.unwrap().into_body();
    assert_eq!(body.frame().await.unwrap().unwrap().into_data().unwrap(), "one");
    assert_eq!(tasks(), before);
    assert_eq!(body.collect().await.unwrap().to_bytes(), "two");
    assert_eq!(tasks(), before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_idle_connection_that_the_server_closed_is_not_noticed_outside() {
    let server = Server::start(|_, stream| {
        with_length(stream, "200 OK", "fine")?;
        stream.shutdown(Shutdown::Both)?;
        Ok(After::Close)
    });
    let client = client(server.config()).unwrap();
    for connection in 0..5 {
        assert_eq!(read(&client, "/").await.unwrap(), "fine");
        assert_eq!(server.wait_closed(), connection);
    }
    assert_eq!(server.connections(), [0, 1, 2, 3, 4]);
}

/// Answers the first request of the first connection only, and everything on later connections.
fn closes_on_second_request() -> Server {
    Server::start(|request, stream| match (request.connection, &*request.line) {
        (0, "GET /first") => with_length(stream, "200 OK", "first"),
        (0, _) => Ok(After::Close),
        _ => with_length(stream, "200 OK", "second"),
    })
}

#[tokio::test]
async fn a_get_that_meets_a_closing_connection_is_sent_anew_once() {
    let server = closes_on_second_request();
    let client = client(server.config()).unwrap();
    assert_eq!(read(&client, "/first").await.unwrap(), "first");
    assert_eq!(read(&client, "/second").await.unwrap(), "second");
    assert_eq!(server.requests(), ["GET /first", "GET /second", "GET /second"]);
    assert_eq!(server.connections(), [0, 0, 1]);
}

#[tokio::test]
async fn a_post_that_may_have_arrived_is_not_sent_again() {
    let server = closes_on_second_request();
    let client = client(server.config()).unwrap();
    assert_eq!(read(&client, "/first").await.unwrap(), "first");
    let post = http::Request::post("/second").body(Body::from(b"{}".to_vec())).unwrap();
    assert!(client.send(post).await.is_err());
    assert_eq!(server.requests(), ["GET /first", "POST /second"]);
}

#[tokio::test]
async fn a_fresh_connection_that_closes_is_not_tried_again() {
    let server = Server::start(|_, _| Ok(After::Close));
    let client = client(server.config()).unwrap();
    assert!(read(&client, "/").await.is_err());
    assert_eq!(server.requests(), ["GET /"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_dropped_early_closes_its_connection() {
    let server = Server::start(|request, stream| {
        if request.line == "GET /watch" {
            chunked_head(stream)?;
            chunk(stream, "event")?;
            // the body goes on; the next read of this connection finds its end
            return Ok(After::Keep);
        }
        with_length(stream, "200 OK", "other")
    });
    let client = client(server.config()).unwrap();
    let mut body = client.send(get("/watch")).await.unwrap().into_body();
    assert_eq!(body.frame().await.unwrap().unwrap().into_data().unwrap(), "event");
    drop(body);
    assert_eq!(server.wait_closed(), 0);
    assert_eq!(read(&client, "/").await.unwrap(), "other");
    assert_eq!(server.connections(), [0, 1]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_cut_short_is_an_error_and_not_an_end() {
    let server = Server::start(|request, stream| {
        match &*request.line {
            "GET /length" => write!(stream, "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\npart")?,
            "GET /chunk" => {
                chunked_head(stream)?;
                write!(stream, "64\r\npart")?;
            }
            "GET /between" => {
                chunked_head(stream)?;
                chunk(stream, "part")?;
            }
            _ => return with_length(stream, "200 OK", "whole"),
        }
        Ok(After::Close)
    });
    let client = client(server.config()).unwrap();
    for path in ["/length", "/chunk", "/between"] {
        let mut body = client.send(get(path)).await.unwrap().into_body();
        let mut data = Vec::new();
        let error = loop {
            match body.frame().await.expect("an error comes before the end") {
                Ok(frame) => data.extend_from_slice(&frame.into_data().unwrap()),
                Err(error) => break error,
            }
        };
        assert_eq!(data, b"part", "{path}: {error}");
        assert!(body.frame().await.is_none());
        assert_eq!(read(&client, "/whole").await.unwrap(), "whole");
    }
}

#[tokio::test]
async fn a_body_without_length_ends_with_its_connection() {
    let server = Server::start(|_, stream| {
        write!(stream, "HTTP/1.1 200 OK\r\n\r\nto the end")?;
        Ok(After::Close)
    });
    let client = client(server.config()).unwrap();
    assert_eq!(read(&client, "/").await.unwrap(), "to the end");
}

#[tokio::test]
async fn a_refusal_reaches_the_caller_at_once() {
    let server = Server::start(|_, stream| {
        write!(stream, "HTTP/1.1 429 Too Many Requests\r\nretry-after: 1\r\ncontent-length: 0\r\n\r\n")?;
        Ok(After::Keep)
    });
    let mut config = server.config();
    config.default_retry = true;
    let client = client(config).unwrap();
    assert_eq!(client.send(get("/")).await.unwrap().status(), 429);
    assert_eq!(server.requests(), ["GET /"]);
}

#[tokio::test]
async fn kubes_default_client_hides_a_refusal() {
    let server = Server::start(|request, stream| {
        let status =
            if request.headers.iter().any(|h| h == "x-try: last") { "200 OK" } else { "429 Too Many Requests" };
        with_length(stream, status, "")
    });
    tokio::time::pause();
    let client = kube::Client::try_from(server.config()).unwrap();
    assert_eq!(client.send(get("/")).await.unwrap().status(), 429);
    assert!(server.requests().len() > 10, "what this client's lack of a retry layer avoids");
}

#[tokio::test]
async fn the_config_decides_on_path_and_headers() {
    let server = Server::start(|_, stream| with_length(stream, "200 OK", ""));
    let mut config = server.config();
    config.cluster_url = format!("http://{}/clusters/one", server.address).parse().unwrap();
    config.headers.push(("x-extra".parse().unwrap(), "yes".parse().unwrap()));
    config.auth_info = serde_json::from_str(r#"{"token": "letmein", "as": "somebody"}"#).unwrap();
    let client = client(config).unwrap();
    read(&client, "/api/v1/pods?watch=1").await.unwrap();
    assert_eq!(server.requests(), ["GET /clusters/one/api/v1/pods?watch=1"]);
    let headers = server.headers(0);
    let host = format!("host: {}", server.address);
    for header in ["authorization: Bearer letmein", "impersonate-user: somebody", "x-extra: yes", &host] {
        assert!(headers.iter().any(|h| h == header), "{header} is not in {headers:?}");
    }
}

#[tokio::test]
async fn what_cannot_be_served_is_refused() {
    let config = |url: &str| kube::Config::new(url.parse().unwrap());
    let mut with_proxy = config("http://api.example.test");
    with_proxy.proxy_url = Some("http://user:secret@proxy.example.test:3128".parse().unwrap());
    let error = client(with_proxy).err().expect("a proxy is refused");
    assert!(matches!(&error, ClientError::Proxy { proxy } if proxy == "http://proxy.example.test:3128"));
    let text = format!("{error} {error:?}");
    assert!(!text.contains("secret") && text.contains("default_retry"), "{text}");

    for url in ["ftp://api.example.test", "api.example.test:6443", "/relative"] {
        assert!(matches!(client(config(url)), Err(ClientError::ClusterUrl { .. })), "{url}");
    }
}

#[test]
fn outside_a_runtime_is_an_error_and_not_a_panic() {
    let config = kube::Config::new("http://api.example.test".parse().unwrap());
    assert!(matches!(client(config), Err(ClientError::NoRuntime)));
}

#[tokio::test(start_paused = true)]
async fn silence_ends_a_response_if_the_config_says_so() {
    let server = Server::start(|_, stream| {
        chunked_head(stream)?;
        chunk(stream, "event")?;
        Ok(After::Keep)
    });
    let mut config = server.config();
    config.read_timeout = Some(Duration::from_secs(600));
    let client = client(config).unwrap();
    assert!(read(&client, "/").await.is_err());
    assert_eq!(server.wait_closed(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_connection_idle_for_long_is_not_used() {
    let server = Server::start(|_, stream| with_length(stream, "200 OK", "x"));
    let client = client(server.config()).unwrap();
    for wait in [0, 89, 91] {
        tokio::time::advance(Duration::from_secs(wait)).await;
        assert_eq!(read(&client, "/").await.unwrap(), "x");
    }
    assert_eq!(server.connections(), [0, 0, 1]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn idle_connections_are_bounded() {
    let server = Server::start(|_, stream| with_length(stream, "200 OK", "x"));
    let client = client(server.config()).unwrap();
    let hold = |count: usize| {
        let client = client.clone();
        async move {
            let mut bodies = Vec::new();
            for _ in 0..count {
                bodies.push(client.send(get("/")).await.unwrap().into_body());
            }
            for body in bodies {
                body.collect().await.unwrap();
            }
        }
    };
    hold(20).await;
    assert_eq!([(); 4].map(|()| server.wait_closed()).iter().sum::<usize>(), 1 + 2 + 3, "the oldest four");
    hold(16).await;
    assert!(server.connections().iter().all(|connection| *connection < 20), "sixteen were kept");
}

#[tokio::test]
async fn a_connection_can_be_upgraded() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let server = Server::start(|_, stream| {
        use std::io::Read;
        write!(stream, "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: echo\r\n\r\n")?;
        Ok(After::Keep).inspect(|_| {
            let mut four = [0; 4];
            stream.read_exact(&mut four).unwrap();
            stream.write_all(&four).unwrap();
        })
    });
    let client = client(server.config()).unwrap();
    let request = http::Request::get("/exec").header("connection", "upgrade").header("upgrade", "echo");
    let response = client.send(request.body(Body::empty()).unwrap()).await.unwrap();
    assert_eq!(response.status(), 101);
    let mut socket = hyper_util::rt::TokioIo::new(hyper::upgrade::on(response).await.unwrap());
    socket.write_all(b"ping").await.unwrap();
    let mut four = [0; 4];
    socket.read_exact(&mut four).await.unwrap();
    assert_eq!(&four, b"ping");
}
