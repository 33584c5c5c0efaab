//! Lists: layouts, pages, versions, selectors.

mod common;

use common::{ALL, PODS, RED, WIDGETS, ZONES, all, get, labelled, list_names, send, server, widget};
use http::Method;
use informer_test_server::{Layout, Served, TestServer};
use serde_json::json;
use tokio::time::Instant;

#[tokio::test(start_paused = true)]
async fn two_layouts() {
    let server = server();
    server.create(&WIDGETS, json!({"metadata": {"namespace": "red", "name": "a"}, "data": 1})).expect("created");
    server
        .create(&PODS, json!({"metadata": {"namespace": "red", "name": "p"}, "spec": {"z": 1, "b": 2}}))
        .expect("created");
    let custom = all(send(&server, Method::GET, ALL, None).await).await;
    assert_eq!(
        custom,
        concat!(
            r#"{"apiVersion":"shop.example.test/v1","items":[{"apiVersion":"shop.example.test/v1","data":1,"kind":"Widget","#,
            r#""metadata":{"creationTimestamp":"2030-01-01T00:00:00Z","generation":1,"name":"a","namespace":"red","#,
            r#""resourceVersion":"2","uid":"00000001-0000-4000-8000-000000000001"}}],"kind":"WidgetList","#,
            r#""metadata":{"continue":"","resourceVersion":"3"}}"#,
            "\n"
        )
    );
    let built_in = all(send(&server, Method::GET, "/api/v1/pods", None).await).await;
    assert_eq!(
        built_in,
        concat!(
            r#"{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"3"},"items":[{"metadata":{"name":"p","#,
            r#""namespace":"red","uid":"00000001-0000-4000-8000-000000000002","resourceVersion":"3","generation":1,"#,
            r#""creationTimestamp":"2030-01-01T00:00:00Z"},"spec":{"b":2,"z":1}}]}"#,
            "\n"
        )
    );
    let server = TestServer::builder().resource(Served::new(WIDGETS).layout(Layout::BuiltIn)).build();
    let empty = all(send(&server, Method::GET, ALL, None).await).await;
    assert!(empty.starts_with(br#"{"kind":"WidgetList","apiVersion""#));
}

#[tokio::test(start_paused = true)]
async fn scopes() {
    let server = server();
    for (namespace, name) in [("red", "a"), ("red-1", "b"), ("blue", "c"), ("red", "b")] {
        server.create(&WIDGETS, widget(namespace, name)).expect("created");
    }
    server.create(&ZONES, json!({"metadata": {"name": "z"}})).expect("created");
    assert_eq!(list_names(&get(&server, ALL).await.1), ["c", "b", "a", "b"]);
    assert_eq!(list_names(&get(&server, RED).await.1), ["a", "b"]);
    let (code, none) = get(&server, "/apis/shop.example.test/v1/namespaces/none/widgets").await;
    assert_eq!((code, list_names(&none).len()), (200, 0));
    assert_eq!(list_names(&get(&server, "/apis/shop.example.test/v1/zones").await.1), ["z"]);
    assert_eq!(get(&server, "/apis/shop.example.test/v1/namespaces/red/zones").await.0, 404);
}

#[tokio::test(start_paused = true)]
async fn pages_are_of_one_version() {
    let server = server();
    for name in ["a", "b", "c", "d", "e"] {
        server.create(&WIDGETS, widget("red", name)).expect("created");
    }
    let (_, first) = get(&server, &format!("{RED}?limit=2")).await;
    assert_eq!(list_names(&first), ["a", "b"]);
    assert_eq!(first["metadata"]["remainingItemCount"], 3);
    server.delete(&WIDGETS, "red", "c").expect("deleted");
    server.create(&WIDGETS, widget("red", "bb")).expect("created");
    server.apply(&WIDGETS, json!({"metadata": {"namespace": "red", "name": "d"}})).expect("changed");
    let next = |page: &serde_json::Value| {
        format!("{RED}?limit=2&continue={}", page["metadata"]["continue"].as_str().expect("a token"))
    };
    let (_, second) = get(&server, &next(&first)).await;
    assert_eq!(list_names(&second), ["c", "d"]);
    assert_eq!(second["items"][1]["spec"]["size"], 1, "as it was");
    assert_eq!(second["metadata"]["resourceVersion"], first["metadata"]["resourceVersion"]);
    let (_, third) = get(&server, &next(&second)).await;
    assert_eq!(list_names(&third), ["e"]);
    assert_eq!(third["metadata"]["continue"], "");
    let with_version = format!("{}&resourceVersion=3", next(&first));
    assert_eq!(get(&server, &with_version).await.0, 400);
    assert_eq!(get(&server, &format!("{RED}?limit=2&continue=abc")).await.0, 400);
}

#[tokio::test(start_paused = true)]
async fn an_expired_token_comes_with_one_that_works() {
    let server = server();
    for name in ["a", "b", "c"] {
        server.create(&WIDGETS, widget("red", name)).expect("created");
    }
    let (_, first) = get(&server, &format!("{RED}?limit=1")).await;
    server.expire_versions();
    let token = first["metadata"]["continue"].as_str().expect("a token");
    let (code, status) = get(&server, &format!("{RED}?limit=1&continue={token}")).await;
    assert_eq!((code, &status["reason"]), (410, &json!("Expired")));
    let token = status["metadata"]["continue"].as_str().expect("another token");
    let (code, second) = get(&server, &format!("{RED}?continue={token}")).await;
    assert_eq!((code, list_names(&second)), (200, vec!["b".to_owned(), "c".to_owned()]));
    assert_eq!(second["metadata"]["resourceVersion"], "5");
}

#[tokio::test(start_paused = true)]
async fn versions_of_lists() {
    let server = server();
    server.create(&WIDGETS, widget("red", "a")).expect("created");
    server.create(&WIDGETS, widget("red", "b")).expect("created");
    let exact = format!("{RED}?resourceVersion=2&resourceVersionMatch=Exact");
    let (_, list) = get(&server, &exact).await;
    assert_eq!((list_names(&list), &list["metadata"]["resourceVersion"]), (vec!["a".to_owned()], &json!("2")));
    let (_, list) = get(&server, &format!("{RED}?resourceVersion=2&resourceVersionMatch=NotOlderThan")).await;
    assert_eq!((list_names(&list).len(), &list["metadata"]["resourceVersion"]), (2, &json!("3")));
    let (_, list) = get(&server, &format!("{RED}?resourceVersion=0&limit=1")).await;
    assert_eq!(list_names(&list).len(), 2, "a limit does not count at version 0");
    let (_, list) = get(&server, &format!("{RED}?resourceVersion=3&resourceVersionMatch=NotOlderThan&limit=1")).await;
    assert_eq!(list_names(&list).len(), 1, "but at others");
    server.compact();
    let (code, status) = get(&server, &exact).await;
    assert_eq!((code, &status["reason"]), (410, &json!("Expired")));
    let (code, _) = get(&server, &format!("{RED}?resourceVersion=2&resourceVersionMatch=NotOlderThan")).await;
    assert_eq!(code, 200);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_lags() {
    let server = server();
    server.create(&WIDGETS, widget("red", "a")).expect("created");
    server.lag_at(Some(2));
    server.create(&WIDGETS, widget("red", "b")).expect("created");
    let (_, old) = get(&server, &format!("{RED}?resourceVersion=0")).await;
    assert_eq!((list_names(&old).len(), &old["metadata"]["resourceVersion"]), (1, &json!("2")));
    for newer in ["", "?resourceVersion=3"] {
        assert_eq!(list_names(&get(&server, &format!("{RED}{newer}")).await.1).len(), 2);
    }
}

#[tokio::test(start_paused = true)]
async fn a_version_too_large_is_waited_for() {
    let server = server();
    let start = Instant::now();
    for path in [format!("{RED}?resourceVersion=99"), format!("{RED}/a?resourceVersion=99")] {
        let response = send(&server, Method::GET, &path, None).await;
        assert_eq!(
            (response.status().as_u16(), &response.headers()["retry-after"]),
            (504, &"1".parse().expect("a value"))
        );
        let status: serde_json::Value = serde_json::from_slice(&all(response).await).expect("JSON");
        assert_eq!(status["reason"], "Timeout");
        assert_eq!(status["details"]["causes"][0]["reason"], "ResourceVersionTooLarge");
        assert_eq!(status["details"]["retryAfterSeconds"], 1);
    }
    assert_eq!(start.elapsed().as_secs(), 6);
    let (answer, ()) =
        tokio::join!(get(&server, "/apis/shop.example.test/v1/namespaces/red/widgets?resourceVersion=5"), async {
            tokio::time::sleep(std::time::Duration::from_secs(1)).await;
            server.advance_version(10);
        });
    assert_eq!(answer.0, 200, "reached in time");
}

#[tokio::test(start_paused = true)]
async fn selectors() {
    let server = TestServer::new([Served::new(WIDGETS).selectable_fields(["spec.color"])]);
    for (name, tier, color) in [("a", "web", "red"), ("b", "api", "red"), ("c", "db", "blue")] {
        let mut object = labelled(name, json!({"tier": tier}));
        object["spec"] = json!({"color": color});
        server.create(&WIDGETS, object).expect("created");
    }
    for (query, names) in [
        ("labelSelector=tier+in+%28web%2Capi%29", vec!["a", "b"]),
        ("labelSelector=tier!%3Dweb", vec!["b", "c"]),
        ("fieldSelector=metadata.name%3Db", vec!["b"]),
        ("fieldSelector=metadata.namespace=red,metadata.name!=b", vec!["a", "c"]),
        ("fieldSelector=spec.color==red&labelSelector=tier", vec!["a", "b"]),
    ] {
        assert_eq!(list_names(&get(&server, &format!("{ALL}?{query}")).await.1), names, "{query}");
    }
    let (_, page) = get(&server, &format!("{ALL}?labelSelector=tier&limit=1")).await;
    assert_eq!(page["metadata"].get("remainingItemCount"), None, "unknown with a selector");
    for bad in ["labelSelector=%3Dx", "labelSelector=a+in", "fieldSelector=abc", "fieldSelector=spec.size%3D1"] {
        assert_eq!(get(&server, &format!("{ALL}?{bad}")).await.0, 400, "{bad}");
    }
}

#[tokio::test(start_paused = true)]
async fn options_that_do_not_go_together() {
    let server = server();
    for (query, code) in [
        ("resourceVersion=abc", 400),
        ("limit=x", 400),
        ("resourceVersionMatch=NotOlderThan", 422),
        ("resourceVersionMatch=Newest&resourceVersion=1", 422),
        ("resourceVersion=0&resourceVersionMatch=Exact", 422),
        ("sendInitialEvents=true&resourceVersionMatch=NotOlderThan", 422),
        ("watch=true&resourceVersion=abc", 500),
        ("watch=true&sendInitialEvents=true", 422),
        ("watch=true&resourceVersion=1&resourceVersionMatch=NotOlderThan", 422),
        ("watch=true&labelSelector=%3Dx", 400),
    ] {
        assert_eq!(get(&server, &format!("{RED}?{query}")).await.0, code, "{query}");
    }
}

#[tokio::test(start_paused = true)]
async fn metadata_only() {
    let server = server();
    server.create(&WIDGETS, widget("red", "a")).expect("created");
    let accept = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";
    let request = http::Request::get(ALL).header("accept", accept).body(kube::client::Body::empty());
    let response = server.client().send(request.expect("a request")).await.expect("an answer");
    let list: serde_json::Value =
        serde_json::from_slice(&response.into_body().collect_bytes().await.expect("a body")).expect("JSON");
    assert_eq!(list["kind"], "PartialObjectMetadataList");
    assert_eq!(list["items"][0]["kind"], "PartialObjectMetadata");
    assert_eq!(list["items"][0].get("spec"), None);
    assert_eq!(server.requests()[0].accept, accept);
}

#[tokio::test(start_paused = true)]
async fn a_layout_can_change() {
    let server = server();
    server.create(&WIDGETS, widget("red", "a")).expect("created");
    server.serve_resource(Served::new(WIDGETS).layout(Layout::BuiltIn));
    let list = all(send(&server, Method::GET, ALL, None).await).await;
    assert!(list.starts_with(br#"{"kind":"WidgetList","apiVersion":"shop.example.test/v1","metadata""#));
    let list: serde_json::Value = serde_json::from_slice(&list).expect("JSON");
    assert_eq!(list["items"][0].get("kind"), None);
}
