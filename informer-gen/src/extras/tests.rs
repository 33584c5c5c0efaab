//! What is refused of derives and attributes, and what is told of it.

use super::*;
use crate::model::{Api, Enum, Field, Kind, Object, Objects, Presence, RustPath, Shape, Slot};
use crate::source::{Sources, Span};

fn field(name: &str, shape: Shape) -> Field {
    Field { name: name.into(), docs: None, facts: Vec::new(), presence: Presence::Optional, shape }
}

fn api() -> Api {
    let size = Shape::Enum(Enum { docs: None, values: vec!["small".into()] });
    let shared = Shape::List(Box::new(Slot {
        shape: Shape::Known(RustPath::new("shared::Part").unwrap()),
        nullable: false,
        facts: Vec::new(),
    }));
    let fields = vec![field("class", Shape::Text), field("parts", shared), field("size", size)];
    let spec = Object { fields, ..Object::default() };
    let root = Object { fields: vec![field("spec", Shape::Object(spec))], ..Object::default() };
    let span = Span::start_of(Sources::default().add("crds.yaml", ""));
    Api::of(vec![Kind {
        group: "shop.example.test".into(),
        version: "v1".into(),
        kind: "Widget".into(),
        plural: "widgets".into(),
        singular: "widget".into(),
        list_kind: "WidgetList".into(),
        namespaced: true,
        deprecated: None,
        objects: Objects::Generated(root),
        definition: None,
        releases: Default::default(),
        place: crate::problem::Place::new(span),
    }])
}

fn told(derive: &[&str], attribute: &[&str]) -> Vec<(String, String)> {
    let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    let parsed = Extras::parse(&texts(derive), &texts(attribute));
    let problems = parsed.map_or_else(|refused| refused, |extras| check(&extras, &api()));
    let text = |problem: &Problem| (problem.message().to_owned(), problem.hint_text().unwrap_or_default().to_owned());
    problems.iter().map(text).collect()
}

#[test]
fn what_is_there_is_taken() {
    let derives =
        ["Eq, Hash", "@struct=Eq", "Widget=a::B", "Widget.spec=::a::B", "Widget.spec.size=a::B", "Widget.spec.*=a::B"];
    let attributes =
        ["Widget.spec.class=#[deprecated]", "type:Widget.spec.size=a(b = \"]\")", "@enum=a", "Widget=a = 1"];
    assert_eq!(told(&derives, &attributes), []);
}

#[test]
fn wrong_derives_are_told() {
    for (derive, message, hint) in [
        ("Eq Hash", "is no derive: expected `,`", "with commas"),
        ("", "is no derive", "with commas"),
        ("Vec<u8>", "is no derive", "with commas"),
        ("@enum=a::\u{202e}b", "is no derive", "with commas"),
        ("@enums=Eq", "it does not say what for", "@struct or @enum"),
        ("Widget..a=Eq", "it does not say what for", "Widget.spec.size"),
        ("Wigdet=Eq", "there is no such kind as Wigdet", "`Widget`"),
        ("shop.example.test/v2/Widget=Eq", "there is no such kind as Widget", "near it: `Widget`"),
        ("Widget.spec.sise=Eq", "Widget.spec has no field \"sise\"", "near it: `size`"),
        ("Widget.spec.class=Eq", "Widget.spec.class has no type of its own", "objects and enums"),
        ("Widget.spec.class.x=Eq", "Widget.spec.class has no field \"x\"", "there is none at all"),
        ("Widget.spec.size.*=Eq", "Widget.spec.size has no fields", "leave out"),
        ("Widget.spec.parts=Eq", "the type of Widget.spec.parts exists already", "--own-types"),
        ("Widget.spec.parts.*=Eq", "the type of Widget.spec.parts exists already", "--own-types"),
        ("Widget.spec.parts.size=Eq", "the type of Widget.spec.parts exists already", "--own-types"),
    ] {
        let told = told(&[derive], &[]);
        assert_eq!(told.len(), 1, "{derive}: {told:?}");
        assert!(told[0].0.contains(message) && told[0].1.contains(hint), "{told:?}");
    }
}

#[test]
fn wrong_attributes_are_told_all_at_once() {
    let told =
        told(&["Eq Eq"], &["deprecated", "Widget=a b", "Widget=a)]", "=a", "type:Widget=derive(", "Widget.spec="]);
    let messages: Vec<&str> = told.iter().map(|(message, _)| message.as_str()).collect();
    assert_eq!(messages.len(), 7, "{messages:#?}");
    assert!(messages[1].ends_with("it does not say what for") && messages[2].contains("\"a b\" is no attribute"));
    let spec = super::tests::told(&[], &["type:Widget.spec.class=a"]);
    assert!(spec[0].0.ends_with("Widget.spec.class has no type of its own"), "{spec:?}");
}
