//! Create, get, update, patch and delete through HTTP.

mod common;

use common::{RED, WIDGETS, ZONES, ask, get, send, server, widget};
use http::Method;
use informer_test_server::TestServer;
use serde_json::json;

#[tokio::test(start_paused = true)]
async fn create_fills_in_what_the_server_owns() {
    let server = server();
    let (code, made) = ask(&server, Method::POST, RED, Some(&json!({"metadata": {"name": "a"}, "spec": {}}))).await;
    assert_eq!(code, 201);
    assert_eq!(made["kind"], "Widget");
    assert_eq!(made["apiVersion"], "shop.example.test/v1");
    assert_eq!(
        made["metadata"],
        json!({
            "namespace": "red", "name": "a", "uid": "00000001-0000-4000-8000-000000000001", "generation": 1,
            "creationTimestamp": "2030-01-01T00:00:00Z", "resourceVersion": "2",
        })
    );
    assert_eq!(get(&server, &format!("{RED}/a")).await, (200, made.clone()));
    assert_eq!(server.get(&WIDGETS, "red", "a"), Some(made));
    let (code, status) = ask(&server, Method::POST, RED, Some(&widget("red", "a"))).await;
    assert_eq!((code, &status["reason"]), (409, &json!("AlreadyExists")));
}

#[tokio::test(start_paused = true)]
async fn generated_names_differ() {
    let server = server();
    let object = json!({"metadata": {"generateName": "part-"}});
    let (_, first) = ask(&server, Method::POST, RED, Some(&object)).await;
    let (_, second) = ask(&server, Method::POST, RED, Some(&object)).await;
    assert_eq!(first["metadata"]["name"], "part-00001");
    assert_eq!(second["metadata"]["name"], "part-00002");
}

#[tokio::test(start_paused = true)]
async fn creation_time_follows_the_clock() {
    let server = server();
    tokio::time::advance(std::time::Duration::from_secs(86_400 + 61)).await;
    let made = server.create(&ZONES, json!({"metadata": {"name": "z"}})).expect("created");
    assert_eq!(made["metadata"]["creationTimestamp"], "2030-01-02T00:01:01Z");
}

#[tokio::test(start_paused = true)]
async fn an_update_needs_the_present_version() {
    let server = server();
    let old = server.create(&WIDGETS, widget("red", "a")).expect("created");
    let mut new = old.clone();
    new["spec"]["size"] = json!(2);
    let path = format!("{RED}/a");
    let (code, updated) = ask(&server, Method::PUT, &path, Some(&new)).await;
    assert_eq!(code, 200);
    assert_eq!(updated["metadata"]["resourceVersion"], "3");
    assert_eq!(updated["metadata"]["generation"], 2);
    let (code, status) = ask(&server, Method::PUT, &path, Some(&new)).await;
    assert_eq!((code, &status["reason"]), (409, &json!("Conflict")));
    let (code, again) = ask(&server, Method::PUT, &path, Some(&updated)).await;
    assert_eq!((code, again), (200, updated), "nothing new, so the same version");
    let (code, _) = ask(&server, Method::PUT, &format!("{RED}/none"), Some(&widget("red", "none"))).await;
    assert_eq!(code, 404);
    let (code, _) = ask(&server, Method::PUT, &path, Some(&widget("red", "b"))).await;
    assert_eq!(code, 400, "another name than in the path");
}

#[tokio::test(start_paused = true)]
async fn status_is_written_apart() {
    let server = server();
    let made = server.create(&WIDGETS, widget("red", "a")).expect("created");
    let mut new = made.clone();
    new["status"] = json!({"ready": true});
    new["spec"]["size"] = json!(9);
    let (code, updated) = ask(&server, Method::PUT, &format!("{RED}/a/status"), Some(&new)).await;
    assert_eq!(code, 200);
    assert_eq!(updated["status"], json!({"ready": true}));
    assert_eq!(updated["spec"], made["spec"]);
    assert_eq!(updated["metadata"]["generation"], 1);
}

#[tokio::test(start_paused = true)]
async fn merge_patches() {
    let server = server();
    server.create(&WIDGETS, widget("red", "a")).expect("created");
    let patch = json!({"metadata": {"labels": {"tier": "web"}}, "spec": {"size": null, "color": "red"}});
    let (code, patched) = ask(&server, Method::PATCH, &format!("{RED}/a"), Some(&patch)).await;
    assert_eq!(code, 200);
    assert_eq!(patched["spec"], json!({"color": "red"}));
    assert_eq!(patched["metadata"]["labels"], json!({"tier": "web"}));
    let stale = json!({"metadata": {"resourceVersion": "2"}, "spec": {"color": "blue"}});
    assert_eq!(ask(&server, Method::PATCH, &format!("{RED}/a"), Some(&stale)).await.0, 409);
}

#[tokio::test(start_paused = true)]
async fn deletion_waits_for_finalizers() {
    let server = server();
    let mut held = widget("red", "a");
    held["metadata"]["finalizers"] = json!(["shop.example.test/hold"]);
    server.create(&WIDGETS, held).expect("created");
    let path = format!("{RED}/a");
    let (code, going) = ask(&server, Method::DELETE, &path, None).await;
    assert_eq!((code, &going["metadata"]["deletionTimestamp"]), (200, &json!("2030-01-01T00:00:00Z")));
    let (_, again) = ask(&server, Method::DELETE, &path, None).await;
    assert_eq!(again, going, "a second deletion changes nothing");
    let patch = json!({"metadata": {"finalizers": null}});
    assert_eq!(ask(&server, Method::PATCH, &path, Some(&patch)).await.0, 200);
    assert_eq!(get(&server, &path).await.0, 404);
}

#[tokio::test(start_paused = true)]
async fn preconditions_of_a_deletion() {
    let server = server();
    let made = server.create(&WIDGETS, widget("red", "a")).expect("created");
    let path = format!("{RED}/a");
    let wrong = json!({"preconditions": {"uid": "another"}});
    assert_eq!(ask(&server, Method::DELETE, &path, Some(&wrong)).await.0, 409);
    let right = json!({"preconditions": {"uid": made["metadata"]["uid"]}});
    let (code, status) = ask(&server, Method::DELETE, &path, Some(&right)).await;
    assert_eq!((code, &status["status"]), (200, &json!("Success")));
}

#[tokio::test(start_paused = true)]
async fn a_collection_is_deleted_by_selector() {
    let server = server();
    for (name, tier) in [("a", "web"), ("b", "api"), ("c", "web")] {
        server.create(&WIDGETS, common::labelled(name, json!({"tier": tier}))).expect("created");
    }
    assert_eq!(ask(&server, Method::DELETE, &format!("{RED}?labelSelector=tier%3Dweb"), None).await.0, 200);
    assert_eq!(server.objects(&WIDGETS).len(), 1);
}

#[tokio::test(start_paused = true)]
async fn what_is_not_there() {
    let server = server();
    let (code, status) = get(&server, &format!("{RED}/none")).await;
    assert_eq!(code, 404);
    assert_eq!(
        status.to_string(),
        json!({
            "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
            "message": "widgets.shop.example.test \"none\" not found", "reason": "NotFound",
            "details": {"name": "none", "group": "shop.example.test", "kind": "widgets"}, "code": 404,
        })
        .to_string()
    );
    let (code, status) = get(&server, "/api/v1/gears").await;
    assert_eq!((code, &status["details"]), (404, &json!({})));
    for path in [
        "/apis/none.example.test/v1/widgets",
        "/apis/shop.example.test/v2/widgets",
        "/apis/shop.example.test/v1/gears",
        "/nowhere",
    ] {
        let response = send(&server, Method::GET, path, None).await;
        assert_eq!(response.status(), 404, "{path}");
        assert_eq!(response.headers()["content-type"], "text/plain; charset=utf-8");
        assert_eq!(common::all(response).await, "404 page not found\n");
    }
}

#[tokio::test(start_paused = true)]
async fn bad_requests() {
    let server = server();
    let with_version = json!({"metadata": {"name": "a", "resourceVersion": "1"}});
    let wrong_kind = json!({"kind": "Gadget", "metadata": {"name": "a"}});
    for (body, code) in [
        (&with_version, 400),
        (&wrong_kind, 400),
        (&widget("blue", "a"), 400),
        (&json!([1]), 400),
        (&json!({"metadata": {"name": "a"}, "data": "x".repeat(3 << 20)}), 413),
        (&json!({"metadata": {}}), 422),
        (&json!({"metadata": {"name": "a/b"}}), 422),
    ] {
        assert_eq!(ask(&server, Method::POST, RED, Some(body)).await.0, code, "{body}");
    }
    assert_eq!(ask(&server, Method::POST, common::ALL, Some(&widget("red", "a"))).await.0, 405);
    assert_eq!(ask(&server, Method::PUT, RED, Some(&widget("red", "a"))).await.0, 405);
}

#[test]
fn state_needs_no_runtime() {
    let server = TestServer::new([&WIDGETS]);
    server.apply(&WIDGETS, widget("red", "a")).expect("created");
    let mut newer = widget("red", "a");
    newer["spec"]["size"] = json!(2);
    let made = server.apply(&WIDGETS, newer.clone()).expect("updated");
    assert_eq!(made["metadata"]["resourceVersion"], "3");
    assert_eq!(server.apply(&WIDGETS, newer).expect("unchanged"), made);
    server.delete(&WIDGETS, "red", "a").expect("deleted");
    assert_eq!(server.delete(&WIDGETS, "red", "a").expect_err("gone").code(), 404);
    assert_eq!(server.resource_version(), 4);
    assert_eq!(server.create(&ZONES, json!({"metadata": {"name": "z"}})).expect_err("not served").code(), 404);
}
