//! A server on a socket whose objects keep changing, and whose watches break now and then.
//!
//! `cargo run -p informer-test-server --example serve`, then `curl` the printed address, with `?watch=1` to follow.

use std::time::Duration;

use informer_runtime::Resource;
use informer_test_server::{Answer, End, Rule, Script, TestServer};
use serde_json::json;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let widgets = Resource::new("shop.example.test", "v1", "Widget", "widgets", true);
    let server = TestServer::new([&widgets]);
    server.script(
        Script::new().rule(Rule::watch().answer(Answer::state().ending_after(Duration::from_secs(30), End::Cut))),
    );

    let front = server.listen().await?;
    println!("http://{}{}", front.address(), widgets.path(Some("red")));

    let mut rounds = tokio::time::interval(Duration::from_secs(1));
    for round in 0_u64.. {
        tokio::select! {
            _ = rounds.tick() => {}
            _ = tokio::signal::ctrl_c() => break,
        }
        let name = format!("widget-{}", round % 5);
        if round % 7 == 6 {
            // It may be gone already
            let _ = server.delete(&widgets, "red", &name);
        } else {
            let spec = json!({"size": round});
            server.apply(&widgets, json!({"metadata": {"namespace": "red", "name": name}, "spec": spec}))?;
        }
    }
    front.stop().await;
    Ok(())
}
