//! The demo for a CRD of the user's: its steps with a Widget, on objects made from the Widget's schema.

#[path = "../demo/of_kind.rs"]
#[expect(dead_code, reason = "the program has a main of its own")]
mod of_kind;

use informer_gen::{Input, Request, plain_samples};
use of_kind::Objects;

/// Three objects of each kind of the example crate.
fn objects() -> Objects {
    let crds = concat!(env!("CARGO_MANIFEST_DIR"), "/../generated/example/crds");
    let samples = plain_samples(&Request::new("x", "x").input(Input::Path(crds.into())), 3).expect("good CRDs");
    let named = samples.into_iter().map(|kind| {
        let objects = kind.objects.iter().map(|object| serde_json::from_str(&object.given).expect("JSON"));
        (format!("{}.{}.{}", kind.plural, kind.version, kind.group), objects.collect())
    });
    named.collect()
}

#[tokio::test]
async fn the_steps_are_those_of_the_demo_with_objects_of_the_schema() {
    let mut out = Vec::new();
    of_kind::run(&mut out, &objects()).await.expect("the demo runs to its end");
    let text = String::from_utf8(out).expect("text");
    let expected = include_str!("demo_of_kind/widget.txt");
    assert_eq!(text, expected, "what it says now:\n{text}");
}
