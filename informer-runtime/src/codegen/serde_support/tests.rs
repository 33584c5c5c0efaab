//! The helpers as generated types call them.

use std::collections::BTreeMap;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::de::DeserializeOwned;
use serde_json::{Map, Number, Value, json};

use super::*;

#[derive(Clone, Debug, PartialEq, Default)]
struct Widget {
    metadata: ObjectMeta,
    spec: Option<Spec>,
}

#[derive(Clone, Debug, PartialEq, Default)]
struct OpenWidget {
    metadata: ObjectMeta,
    extra: Map<String, Value>,
}

#[derive(Clone, Debug, PartialEq)]
struct Spec {
    list: Vec<String>,
    map: BTreeMap<String, Option<IntOrString>>,
    ratio: Number,
    size: Size,
    nothing: Option<i64>,
    states: Option<Option<i64>>,
    any: Option<Value>,
}

impl Default for Spec {
    fn default() -> Self {
        Spec {
            list: Vec::new(),
            map: BTreeMap::new(),
            ratio: field::number_zero(),
            size: Size::Other(String::new()),
            nothing: None,
            states: None,
            any: None,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Size {
    Small,
    NotEqual,
    Other(String),
}

object! { root Widget { required metadata = "metadata", optional spec = "spec", } }
object! { root OpenWidget { required metadata = "metadata", ..extra } }
object! {
    Spec {
        required list = "list", required map = "map", number ratio = "ratio", required size = "size",
        nullable nothing = "nothing", present states = "states", present any = "any",
    }
}
string_enum! { Size { Small = "small", NotEqual = "!=" } }

macro_rules! resource {
    ($($name:ident)*) => {$(
        impl k8s_openapi::Resource for $name {
            const API_VERSION: &'static str = "shop.example.test/v1";
            const GROUP: &'static str = "shop.example.test";
            const KIND: &'static str = "Widget";
            const VERSION: &'static str = "v1";
            const URL_PATH_SEGMENT: &'static str = "widgets";
            type Scope = k8s_openapi::NamespaceResourceScope;
        }
    )*};
}

resource!(Widget OpenWidget);

/// Through a text and through a value: the one lends its strings, the other owns them.
fn read<T: DeserializeOwned + PartialEq + std::fmt::Debug>(value: Value) -> Result<T, String> {
    let by_text = serde_json::from_str::<T>(&value.to_string()).map_err(|error| error.to_string());
    let by_value = serde_json::from_value::<T>(value).map_err(|error| error.to_string());
    assert_eq!(by_text.is_ok(), by_value.is_ok());
    by_text
}

#[test]
fn type_meta_is_written_first_and_comes_back() {
    let object = json!({
        "apiVersion": "shop.example.test/v1", "kind": "Widget", "metadata": {"name": "a"},
        "spec": {"list": [], "map": {"a": 5, "b": "5%", "c": null}, "ratio": 0.5, "size": "small", "nothing": null, "states": null, "any": null},
    });
    let widget: Widget = read(object.clone()).unwrap();
    assert_eq!(serde_json::to_value(&widget).unwrap(), object);
    let text = serde_json::to_string(&widget).unwrap();
    assert!(text.starts_with(r#"{"apiVersion":"shop.example.test/v1","kind":"Widget","metadata":"#), "{text}");
}

#[test]
fn type_meta_may_be_missing_but_not_wrong() {
    let widget: Widget = read(json!({"metadata": {"name": "a"}, "unknown": [1, {"kind": "x"}]})).unwrap();
    assert_eq!(widget.metadata.name.as_deref(), Some("a"));
    let error = read::<Widget>(json!({"metadata": {}, "kind": "Gadget"})).unwrap_err();
    assert!(error.contains("\"Gadget\"") && error.contains("Widget"), "{error}");
    assert!(read::<Widget>(json!({"apiVersion": "shop.example.test/v2"})).is_err());
    assert!(read::<Widget>(json!({"apiVersion": 1})).is_err());
    for no_object in [json!(null), json!([]), json!("a"), json!(1)] {
        assert!(read::<Widget>(no_object).is_err());
    }
}

#[test]
fn unnamed_keys_survive_without_the_type_meta() {
    let object = json!({
        "apiVersion": "shop.example.test/v1", "kind": "Widget", "metadata": {},
        "data": {"kind": "inner", "n": [null, 1.5, -1]}, "other": true,
    });
    let widget: OpenWidget = read(object.clone()).unwrap();
    assert_eq!(widget.extra.keys().collect::<Vec<_>>(), ["data", "other"]);
    assert_eq!(serde_json::to_value(&widget).unwrap(), object);
}

#[test]
fn missing_and_null_read_as_the_default() {
    let defaults = Spec::default();
    assert_eq!(read::<Spec>(json!({})).unwrap(), defaults);
    let nulls: Spec = read(json!({"list": null, "map": null, "ratio": null, "size": null})).unwrap();
    assert_eq!(nulls, defaults);
    assert!(read::<Spec>(json!({"list": 1})).is_err());
}

#[test]
fn absent_null_and_value_are_three_states() {
    for (text, states) in
        [(json!({}), None), (json!({"states": null}), Some(None)), (json!({"states": 1}), Some(Some(1)))]
    {
        let spec: Spec = read(text.clone()).unwrap();
        assert_eq!(spec.states, states);
        assert_eq!(serde_json::to_value(&spec).unwrap().get("states"), text.get("states"));
    }
    let any = |text: Value| read::<Spec>(text).unwrap().any;
    assert_eq!(any(json!({"any": null})), Some(Value::Null));
    assert_eq!(any(json!({})), None);
}

#[test]
fn unknown_texts_survive_an_enum() {
    for (text, size) in [("small", Size::Small), ("!=", Size::NotEqual), ("huge", Size::Other("huge".into()))] {
        assert_eq!(read::<Size>(json!(text)).unwrap(), size);
        assert_eq!(Size::from(text.to_owned()), size);
        assert_eq!(serde_json::to_value(&size).unwrap(), json!(text));
        assert_eq!((size.as_str(), size.to_string().as_str()), (text, text));
    }
    assert!(read::<Size>(json!(1)).is_err());
}

#[test]
fn int_or_string_keeps_its_form() {
    for value in
        [json!(0), json!(-1), json!(2_147_483_647), json!(17_179_869_184_i64), json!("0"), json!("25%"), json!("")]
    {
        let read: IntOrString = read(value.clone()).unwrap();
        assert_eq!(serde_json::to_value(&read).unwrap(), value);
    }
    for wrong in [json!(null), json!(1.5), json!(true), json!([]), json!(u64::MAX)] {
        assert!(read::<IntOrString>(wrong).is_err());
    }
    assert_eq!(IntOrString::from(80).to_string(), "80");
    assert_eq!(IntOrString::default(), IntOrString::Int(0));
    assert!(IntOrString::from("a") == IntOrString::from("a".to_owned()));
}
