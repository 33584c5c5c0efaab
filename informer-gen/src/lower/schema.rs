//! A structural schema to the form of the objects that the server lets through.
//!
//! What counts is what the server stores, not what it validates: `anyOf`, patterns and bounds narrow values down and
//! give no types; unknown keys are pruned unless the schema keeps them.

use super::pointer::Pointer;
use crate::document::node::Node;
use crate::model::{Enum, Field, Object, Presence, Shape, Slot};
use crate::problem::{Place, Problem, Problems};

/// Levels of objects that get types of their own, the root included. Deeper ones are JSON values: types nested deeper
/// run into limits of rustc in the crates that use them.
const OBJECT_LEVELS: u32 = 20;

/// Levels of any nesting, lists and maps included.
const LEVELS: u32 = 64;

/// The form of a kind's objects, without apiVersion, kind and metadata. `None` after an error.
pub(crate) fn root(schema: Node<'_>, path: Pointer, crd: &str, problems: &mut Problems) -> Option<Object> {
    let mut lowering = Lowering { path, crd, problems, failed: false };
    let kind = lowering.type_of(schema);
    if !matches!(kind, Some("object") | None) {
        lowering.error(schema, &["type"], "the root of a schema must be of type object");
    }
    let mut object = lowering.object(schema, 1, 1);
    object.fields.retain(|field| !["apiVersion", "kind", "metadata"].contains(&field.name.as_str()));
    (!lowering.failed).then_some(object)
}

struct Lowering<'p> {
    path: Pointer,
    crd: &'p str,
    problems: &'p mut Problems,
    failed: bool,
}

impl Lowering<'_> {
    fn place(&self, node: Node<'_>, steps: &[&str]) -> Place {
        Place::new(node.span()).crd(self.crd).pointer(self.path.join(steps))
    }

    fn error(&mut self, node: Node<'_>, steps: &[&str], message: impl Into<String>) {
        self.failed = true;
        self.problems.push(Problem::error(message).at(self.place(node, steps)));
    }

    /// Something that is there but of the wrong kind.
    fn wrong(&mut self, schema: Node<'_>, key: &str, wanted: &str) {
        let Some(node) = schema.get(key) else { return };
        self.error(node, &[key], format!("`{key}` must be {wanted}, but is a {}", node.kind_name()));
    }

    fn flag(&mut self, schema: Node<'_>, key: &str) -> bool {
        let Some(node) = schema.get(key) else { return false };
        if node.as_bool().is_none() && !node.is_null() {
            self.wrong(schema, key, "true or false");
        }
        node.as_bool() == Some(true)
    }

    fn type_of<'a>(&mut self, schema: Node<'a>) -> Option<&'a str> {
        let node = schema.get("type").filter(|node| !node.is_null())?;
        match node.as_str() {
            Some("") => None,
            Some(name @ ("object" | "array" | "string" | "integer" | "number" | "boolean")) => Some(name),
            Some(other) => {
                let message = format!("`type: {other}` is none of object, array, string, integer, number, boolean");
                self.error(node, &["type"], message);
                None
            }
            None => {
                self.wrong(schema, "type", "one type name");
                None
            }
        }
    }

    fn docs(schema: Node<'_>) -> Option<String> {
        schema.get("description").and_then(Node::as_str).filter(|text| !text.trim().is_empty()).map(str::to_owned)
    }

    /// `level` counts every nesting, `objects` only objects; both include this one.
    fn shape(&mut self, schema: Node<'_>, level: u32, objects: u32) -> Shape {
        if !schema.is_object() {
            self.error(schema, &[], format!("a schema must be an object, but is a {}", schema.kind_name()));
            return Shape::Any;
        }
        if let Some(reference) = schema.get("$ref") {
            self.error(reference, &["$ref"], "`$ref` is not allowed in the schema of a CRD");
            return Shape::Any;
        }
        let old_style = schema.get("format").and_then(Node::as_str) == Some("int-or-string");
        if self.flag(schema, "x-kubernetes-int-or-string") || old_style {
            return Shape::IntOrString;
        }
        if self.flag(schema, "x-kubernetes-embedded-resource") {
            return Shape::AnyObject;
        }
        match self.type_of(schema) {
            None => Shape::Any,
            Some("boolean") => Shape::Boolean,
            Some("integer") => Shape::Integer,
            Some("number") => Shape::Number,
            Some("string") => self.text(schema),
            Some("array") => match schema.get("items") {
                None => Shape::List(Box::new(Slot { shape: Shape::Any, nullable: false })),
                Some(_) if level >= LEVELS => self.too_deep(schema),
                Some(items) => Shape::List(Box::new(self.slot("items", items, level, objects))),
            },
            Some(_) => self.object_or_map(schema, level, objects),
        }
    }

    fn slot(&mut self, step: &str, schema: Node<'_>, level: u32, objects: u32) -> Slot {
        self.path.push(step);
        let shape = self.shape(schema, level + 1, objects);
        let nullable = self.flag(schema, "nullable");
        self.path.pop();
        Slot { shape, nullable }
    }

    fn too_deep(&mut self, schema: Node<'_>) -> Shape {
        let message = "nested too deep for a type of its own: the field is a JSON value in Rust";
        let hint = format!("{OBJECT_LEVELS} levels of objects get types");
        self.problems.push(Problem::warning(message).at(self.place(schema, &[])).hint(hint));
        Shape::Any
    }

    fn text(&mut self, schema: Node<'_>) -> Shape {
        let Some(list) = schema.get("enum").filter(|node| !node.is_null()) else { return Shape::Text };
        if !list.is_array() {
            self.wrong(schema, "enum", "a list");
            return Shape::Text;
        }
        let mut values: Vec<String> = Vec::new();
        for value in list.items().filter(|value| !value.is_null()) {
            match value.as_str() {
                Some(text) if values.iter().any(|known| known == text) => {}
                Some(text) => values.push(text.to_owned()),
                None => return Shape::Text,
            }
        }
        if values.is_empty() { Shape::Text } else { Shape::Enum(Enum { docs: Self::docs(schema), values }) }
    }

    fn object_or_map(&mut self, schema: Node<'_>, level: u32, objects: u32) -> Shape {
        let present = |key: &str| schema.get(key).filter(|node| !node.is_null());
        if present("properties").is_some_and(|properties| properties.entries().len() > 0 || !properties.is_object()) {
            if objects >= OBJECT_LEVELS || level >= LEVELS {
                return self.too_deep(schema);
            }
            return Shape::Object(self.object(schema, level + 1, objects + 1));
        }
        match present("additionalProperties") {
            Some(values) if values.is_object() => {
                if level >= LEVELS {
                    return self.too_deep(schema);
                }
                Shape::Map(Box::new(self.slot("additionalProperties", values, level, objects)))
            }
            Some(values) if values.as_bool().is_none() => {
                self.wrong(schema, "additionalProperties", "a schema, true or false");
                Shape::AnyObject
            }
            _ => Shape::AnyObject,
        }
    }

    /// An object with known keys. The caller has looked at the depth.
    fn object(&mut self, schema: Node<'_>, level: u32, objects: u32) -> Object {
        let mut object = Object { docs: Self::docs(schema), ..Object::default() };
        let others = schema.get("additionalProperties");
        let keeps_others = others.is_some_and(|others| others.is_object() || others.as_bool() == Some(true));
        object.open = self.flag(schema, "x-kubernetes-preserve-unknown-fields") || keeps_others;
        let Some(properties) = schema.get("properties").filter(|node| !node.is_null()) else { return object };
        if !properties.is_object() {
            self.wrong(schema, "properties", "an object");
            return object;
        }
        let required = self.required(schema);
        self.path.push("properties");
        for (key, property) in properties.entries() {
            self.path.push(key.name);
            let shape = self.shape(property, level, objects);
            let presence = self.presence(property, required.contains(&key.name));
            object.fields.push(Field { name: key.name.to_owned(), docs: Self::docs(property), presence, shape });
            self.path.pop();
        }
        self.path.pop();
        object.fields.sort_by(|a, b| a.name.cmp(&b.name));
        object
    }

    fn required<'a>(&mut self, schema: Node<'a>) -> Vec<&'a str> {
        let Some(list) = schema.get("required").filter(|node| !node.is_null()) else { return Vec::new() };
        if !list.is_array() {
            self.wrong(schema, "required", "a list of strings");
        }
        for (at, name) in list.items().enumerate().filter(|(_, name)| name.as_str().is_none()) {
            let message = format!("`required` lists names, but this is a {}", name.kind_name());
            self.error(name, &["required", &at.to_string()], message);
        }
        list.items().filter_map(Node::as_str).collect()
    }

    fn presence(&mut self, property: Node<'_>, required: bool) -> Presence {
        let nullable = self.flag(property, "nullable");
        let default = property.get("default").is_some();
        match (required, nullable) {
            (true, false) => Presence::Required,
            (true, true) => Presence::RequiredNullable,
            (false, true) if default => Presence::ThreeStates,
            (false, _) => Presence::Optional,
        }
    }
}
