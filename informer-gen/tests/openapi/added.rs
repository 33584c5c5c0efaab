//! B40: what is added leaves the types of what was there as they are.

use informer_gen::generate;
use serde_json::{Value, json};

use crate::definitions::{object, widgets};
use crate::document::{ZONE, reference, request};

#[test]
fn b40_a_longer_way_elsewhere_changes_no_field() {
    // Definitions, each in the one before.
    let chain = |name: &str, length: usize, end: Option<Value>| {
        let next = |n: usize| if n + 1 < length { Some(reference(&format!("{name}.P{}", n + 1))) } else { end.clone() };
        let parts = (0..length).map(|n| {
            let part = object(json!({"part": next(n).unwrap_or(json!({"type": "string"}))}), &[]);
            (format!("{name}.P{n}"), part)
        });
        parts.collect::<serde_json::Map<String, Value>>()
    };
    let mut short = widgets("shop.P0", Value::Object(chain("shop", 19, None)));
    let mut long = chain("shop", 19, None);
    long.extend(chain("far", 19, Some(reference("shop.P0"))));
    let before = generate(&request(&short.v2())).unwrap();
    assert!(before.warnings.is_empty(), "{}", before.warnings);
    short = short.with(&ZONE);
    short.definitions.get_mut(&ZONE.definition()).unwrap()["properties"]["spec"] = reference("far.P0");
    short.definitions.extend(long);
    let after = generate(&request(&short.v2())).unwrap();
    let told = after.warnings.to_string();
    assert!(told.contains("far.P18 is nested too deep for a type of its own in far.P17: there it is"), "{told}");
    for path in ["src/shop_example_test/v1/widget.rs", "src/definitions/shop.rs"] {
        assert_eq!(before.tree.get(path), after.tree.get(path), "{path}");
    }
}
