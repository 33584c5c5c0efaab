//! Which types get a derive that is asked for in general.

use informer_gen::generate;
use serde_json::json;

use crate::definitions::{object, widgets};
use crate::document::{WIDGET, reference, request};

/// What is asked for in general stands only where every part gets it, whatever the part could have.
#[test]
fn derives_hold_where_the_parts_get_them() {
    let mode = json!({"type": "string", "enum": ["a", "b"]});
    let part = object(json!({"mode": mode, "size": {"type": "integer"}}), &[]);
    let within = object(
        json!({"plain": object(json!({"size": {"type": "integer"}}), &[]),
        "part": object(json!({"parts": {"type": "array", "items": reference("shop.Part")}}), &[]),
        "mode": object(json!({"mode": mode}), &[])}),
        &[],
    );
    let mut document = widgets("shop.Spec", json!({"shop.Part": part, "shop.Spec": reference("shop.Part")}));
    document.definitions.get_mut(&WIDGET.definition()).unwrap()["properties"]["spec"] = within;
    // The structs that get a derive: those of the kind's module and of the definitions'.
    let given = |derives: &[&str], derive: &str| {
        let mut request = request(&document.v2());
        request.derives = derives.iter().map(|text| (*text).to_owned()).collect();
        let tree = generate(&request).unwrap().tree;
        let texts =
            ["src/shop_example_test/v1/widget.rs", "src/definitions/shop.rs"].map(|path| tree.get(path).unwrap());
        let mut given = Vec::new();
        for text in texts {
            for (head, rest) in text.match_indices("#[derive(").map(|(at, _)| text[at..].split_once(")]").unwrap()) {
                if head.contains(&format!(", {derive}"))
                    && let Some((_, name)) = rest.split_once("pub struct ")
                    && !rest[..rest.len() - name.len()].contains("pub enum")
                {
                    given.push(name.split(' ').next().unwrap().to_owned());
                }
            }
        }
        given.sort();
        given.join(" ")
    };
    for (derives, derive, structs) in [
        // The enums have it not, so what holds one has it not either.
        (&["@struct=PartialOrd"][..], "PartialOrd", "Plain"),
        (&["@struct=PartialOrd", "@enum=PartialOrd"], "PartialOrd", "Mode Part Part Plain WidgetSpec"),
        (&["PartialOrd"], "PartialOrd", "Mode Part Part Plain WidgetSpec"),
        // They have this one anyway.
        (&["@struct=Hash"], "Hash", "Mode Part Part Plain WidgetSpec"),
        // The definition is not below that place, unless it is asked for, too.
        (&["Widget.spec.*=Hash"], "Hash", "Mode Plain"),
        (&["Widget.spec.*=Hash", "definition:\"shop.Part\"=Hash"], "Hash", "Mode Part Part Plain"),
        (&["Widget.spec.*=PartialOrd", "Widget.spec.mode.mode=PartialOrd"], "PartialOrd", "Mode Plain"),
    ] {
        assert_eq!(given(derives, derive), structs, "{derives:?}");
    }
}
