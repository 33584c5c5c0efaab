//! The demo prints its eight steps in order, and below each what it promises.

#[path = "../examples/demo.rs"]
#[expect(dead_code, reason = "an example has a main of its own")]
mod demo;

/// Runs the demo against its server on loopback, in real time.
async fn lines() -> Vec<String> {
    let mut out = Vec::new();
    demo::run(&mut out).await.expect("the demo runs to its end");
    String::from_utf8(out).expect("text").lines().map(str::to_owned).collect()
}

#[tokio::test]
async fn the_steps_come_in_order_with_what_they_promise() {
    let lines = lines().await;
    let steps: Vec<&str> = lines.iter().map(String::as_str).filter(|line| line.starts_with("demo ")).collect();
    assert_eq!(
        steps,
        [
            "demo 1/8 initial adds",
            "demo 2/8 synced",
            "demo 3/8 namespaced list",
            "demo 4/8 live add, update, delete",
            "demo 5/8 watch cut, update after it",
            "demo 6/8 delete found by relist (final state unknown)",
            "demo 7/8 resync (same version)",
            "demo 8/8 for_resource",
        ]
    );
    let told: Vec<String> = lines.iter().map(|line| without_version(line)).collect();
    let below = |step: usize| {
        let from = told.iter().position(|line| line.starts_with(&format!("demo {step}/"))).expect("a step");
        let rest = told[from + 1..].iter();
        rest.take_while(|line| !line.starts_with("demo ")).map(|line| line.trim()).collect::<Vec<_>>()
    };
    assert_eq!(
        below(1),
        ["add blue/one: Medium, initial", "add red/one: Small, initial", "add red/two: Large, initial"]
    );
    assert_eq!(below(2), ["cache of widgets.v1.shop.example.test: true", "handler: true"]);
    assert_eq!(below(3), ["red/one: Small", "red/two: Large"]);
    assert_eq!(
        below(4),
        ["add red/three: Small", "update red/three: Medium, was Small", "delete red/three: Medium, its final state"]
    );
    assert_eq!(below(5), ["update red/one: Medium, was Small"]);
    assert_eq!(below(6), ["delete red/two: Large, the last state known"]);
    let adds = ["add blue/one: Medium, initial", "add red/one: Medium, initial"];
    let updates = ["update blue/one: Medium, the same version", "update red/one: Medium, the same version"];
    assert_eq!(below(7), [adds, updates].concat());
    assert_eq!(below(8), [r#"Zone north: spec {"region":"hills","shelves":12}"#]);
}

/// The line without `at version …`.
fn without_version(line: &str) -> String {
    match line.split_once(" at version ") {
        Some((before, after)) => format!("{before}{}", after.trim_start_matches(|c: char| c.is_ascii_digit())),
        None => line.to_owned(),
    }
}
