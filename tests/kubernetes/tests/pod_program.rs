//! The example prints what the Go original prints: two adds, two list lines, both Pods at each resync.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use informer_runtime::Resource;
use kubernetes_informers_tests::{pod, server};

#[path = "../examples/pods.rs"]
#[expect(dead_code, reason = "an example has a main of its own")]
mod pod_program;

#[tokio::test(start_paused = true)]
async fn the_pod_program_prints_what_the_go_original_prints() {
    let server = server();
    let pods = Resource::new("", "v1", "Pod", "pods", true);
    for (name, node) in [("one", "node-a"), ("two", "node-b")] {
        server.create(&pods, pod(name, node)).unwrap();
    }
    let lines = Arc::new(Mutex::new(Vec::new()));
    let said = lines.clone();
    let say = move |line| said.lock().unwrap().push(line);
    pod_program::program(server.client(), Duration::from_secs(11), say).await.unwrap();

    let lines = lines.lock().unwrap().clone();
    // Handler and main program are tasks of their own, so only the order within each is certain.
    let of = |what: &str| lines.iter().filter(|line| line.starts_with(what)).cloned().collect::<Vec<_>>();
    assert_eq!(of("add"), [r#"add: one on Ok(Some("node-a"))"#, r#"add: two on Ok(Some("node-b"))"#]);
    assert_eq!(of("list"), ["list: one", "list: two"]);
    assert_eq!(of("update"), ["update: one", "update: two", "update: one", "update: two"]);
    assert_eq!(lines.len(), 8);
}
