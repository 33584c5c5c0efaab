//! Names of properties and values that Rust has no room for, and places that read the same when joined.

use informer_outputs::fields::shop_example_test::v1::{Widget, widget};
use informer_outputs::{kinds, names};
use informer_runtime::codegen::serde_json::{self, Value, json};

use crate::keeps;

const HOSTILE: &str = r#"a")] pub const X: u8=1; //"#;

/// A widget with what is required and some more.
fn object(more: Value) -> Value {
    let mut spec = json!({"self": "", "crate": "", "": "", "-": "", "$ref": "", "a.b": "", "gen": "", "fooBar": ""});
    spec.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    json!({"apiVersion": "shop.example.test/v1", "kind": "Widget", "metadata": {}, "spec": spec})
}

#[test]
fn h29_b35_b37_every_field_keeps_its_name_and_its_own_value() {
    let texts = [
        "self",
        "Self",
        "crate",
        "super",
        "_",
        "",
        "@",
        "-",
        "1st",
        "$ref",
        "a.b",
        "example.test/gpu",
        "größe",
        "gen",
        "async",
        "try",
        "fooBar",
    ];
    let all: Value = texts.iter().map(|name| ((*name).to_owned(), json!(format!("value of {name}")))).collect();
    let mut all = all;
    (all["foo_bar"], all["foo-bar"]) = (json!(5), json!(true));
    let spec = keeps::<Widget>(object(all)).spec.unwrap();
    assert_eq!((spec.self_.as_str(), spec.empty.as_str()), ("value of self", "value of "));
    assert_eq!(
        (spec.foo_bar.as_str(), spec.foo_underscore_bar, spec.foo_dash_bar),
        ("value of fooBar", Some(5), Some(true))
    );
    // One alone, so that none can stand for another.
    for name in texts {
        let _: Widget = keeps(object(json!({name: "x"})));
    }
}

#[test]
fn h29_b36_every_value_of_an_enum_keeps_its_text() {
    let values = ["“”", "", "-", "!=", "1", "True", "true", HOSTILE, "\n", "\\", "{}", "\u{202e}", "\0"];
    let mut seen = Vec::new();
    for value in values {
        let text = keeps::<Widget>(object(json!({"text": value}))).spec.unwrap().text.unwrap();
        assert!(!matches!(text, widget::spec::Text::Other(_)), "{value:?}");
        assert_eq!(text.as_str(), value);
        assert!(!seen.contains(&text), "{value:?}");
        seen.push(text);
    }
    // What a newer server adds.
    let text = keeps::<Widget>(object(json!({"text": "False"}))).spec.unwrap().text;
    assert_eq!(text, Some(widget::spec::Text::Other("False".into())));
    for more in [
        json!({"number": 1, "ratio": -1, "flag": false, "maybe": "a"}),
        json!({"number": -1, "ratio": 0.5, "flag": true, "maybe": "b"}),
        json!({"number": i64::MAX, "ratio": 1e3, "mixed": null}),
        json!({"number": 7, "mixed": 1}),
        json!({"mixed": "a"}),
        json!({"mixed": true}),
        json!({"mixed": {"b": []}}),
    ] {
        let _: Widget = keeps(object(more));
    }
}

#[test]
fn h28_code_in_names_is_a_name() {
    let spec = json!({HOSTILE: "x", "*/ /*": "y", "\u{202e}": "z", "\"; }": "w", "text": HOSTILE});
    let spec = keeps::<Widget>(object(spec)).spec.unwrap();
    assert_eq!(spec.a_pub_const_x_u8_1.as_deref(), Some("x"));
    assert_eq!(spec.star_slash_space_slash_star.as_deref(), Some("y"));
}

/// What a field takes is told by what it refuses: another's shape.
#[test]
fn h30_b39_places_that_read_the_same_have_their_own_types() {
    let (text, number) = (json!("x"), json!(5));
    for (place, fits, other) in [
        ("fooBar2/baz/a", &text, &number),
        ("foo2/barBaz/b", &number, &text),
        ("template/spec/c", &text, &number),
        ("spec/d", &number, &text),
        ("a/a/a/a", &json!(true), &text),
        ("endpoint/tlsConfig/a", &text, &number),
        ("endpointTls/config/b", &number, &text),
        ("ports/metricsRelabel/a", &text, &number),
        ("portsMetrics/relabel/b", &number, &text),
        ("status/e", &text, &number),
    ] {
        let at = |value: &Value| place.rsplit('/').fold(value.clone(), |value, name| json!({ name: value }));
        let _: Widget = keeps(object(at(fits)));
        assert!(serde_json::from_value::<Widget>(object(at(other))).is_err(), "{place}");
    }
    let status = |value: &Value| json!({"apiVersion": "shop.example.test/v1", "kind": "Widget", "metadata": {}, "status": {"spec": {"f": value}}});
    let _: Widget = keeps(status(&number));
    assert!(serde_json::from_value::<Widget>(status(&text)).is_err());
}

#[test]
fn b38_b39_kinds_beside_kinds_have_their_own_types() {
    use kinds::shop_example_test::v1::{Foo, FooBarList};
    let object = |kind: &str, spec: Value| json!({"apiVersion": "shop.example.test/v1", "kind": kind, "metadata": {}, "spec": spec});
    let _: Foo = keeps(object("Foo", json!({"barList": {"a": "x"}})));
    let _: FooBarList = keeps(object("FooBarList", json!({"b": 1})));
    assert!(serde_json::from_value::<Foo>(object("Foo", json!({"barList": {"a": 1}}))).is_err());
    assert!(serde_json::from_value::<FooBarList>(object("FooBarList", json!({"b": "x"}))).is_err());
    assert!(serde_json::from_value::<Foo>(object("FooBarList", json!({}))).is_err(), "a kind is checked");
    use names::shop_example_test::v1::{Option as OptionKind, Result as ResultKind, WidgetSpec};
    let _: OptionKind = keeps(object("Option", json!({"a": "x"})));
    let _: ResultKind = keeps(object("Result", json!({"a": "x"})));
    let _: WidgetSpec = keeps(object("WidgetSpec", json!({"a": "x"})));
}
