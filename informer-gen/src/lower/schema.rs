//! A structural schema to the form of the objects that the server lets through.
//!
//! What counts is what the server stores, not what it validates: `anyOf`, patterns and bounds narrow values down and
//! give no types; unknown keys are pruned unless the schema keeps them.

mod definition;

use std::collections::BTreeSet;

pub(crate) use definition::{References, definition, kind};

use super::fact;
use super::pointer::Pointer;
use super::shared;
use super::type_map::TypeMap;
use crate::document::node::Node;
use crate::model::{Enum, Field, Object, Presence, Shape, Slot};
use crate::problem::{Place, Problem, Problems};

/// Levels of objects that get types of their own, the root included. Deeper ones are JSON values: types nested deeper
/// run into limits of rustc in the crates that use them.
pub(super) const OBJECT_LEVELS: u32 = 20;

/// What every object has; the types of a kind have them in their own way.
const ROOT_FIELDS: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// Levels of any nesting, lists and maps included.
const LEVELS: u32 = 64;

/// The form of a kind's objects, without apiVersion, kind and metadata. `None` after an error.
pub(crate) fn root(
    schema: Node<'_>,
    path: Pointer,
    crd: &str,
    types: &TypeMap,
    problems: &mut Problems,
) -> Option<Object> {
    let mut lowering = Lowering {
        path,
        crd,
        shares: types.shares,
        references: None,
        inside: Vec::new(),
        root: true,
        problems,
        failed: false,
    };
    let kind = lowering.type_of(schema);
    if !matches!(kind, Some("object") | None) {
        lowering.error(schema, &["type"], "the root of a schema must be of type object");
    }
    let mut object = lowering.object(schema, 1, 1);
    object.fields.retain(|field| !ROOT_FIELDS.contains(&field.name.as_str()));
    (!lowering.failed).then_some(object)
}

struct Lowering<'p, 'a> {
    path: Pointer,
    crd: &'p str,
    /// Whether schemas that are exactly those of shared types get these.
    shares: bool,
    /// Without them a `$ref` is an error.
    references: Option<&'p References<'p, 'a>>,
    /// Definitions that are being looked at, each within the one before.
    inside: Vec<String>,
    /// Whether it is the schema of a kind's objects, which have metadata and the like in their own way.
    root: bool,
    problems: &'p mut Problems,
    failed: bool,
}

impl Lowering<'_, '_> {
    fn place(&self, node: Node<'_>, steps: &[&str]) -> Place {
        let place = Place::new(node.span()).pointer(self.path.join(steps));
        if self.crd.is_empty() { place } else { place.crd(self.crd) }
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

    /// Whether `null` may stand there. OpenAPI documents that some tools make say it as `type: [string, "null"]`.
    fn nullable(&mut self, schema: Node<'_>) -> bool {
        let listed = schema.get("type").filter(|_| self.references.is_some());
        let null = listed.is_some_and(|list| list.items().any(|name| name.as_str() == Some("null")));
        self.flag(schema, "nullable") || null
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
            None => match self.references.map(|_| without_null(node)) {
                Some(Some(name)) => Some(name),
                // Any of several.
                Some(None) if node.is_array() => None,
                _ => {
                    self.wrong(schema, "type", "one type name");
                    None
                }
            },
        }
    }

    /// The form that documents had before `x-kubernetes-int-or-string`. Under another type a format says nothing.
    fn is_old_int_or_string(&self, schema: Node<'_>) -> bool {
        schema.get("format").and_then(Node::as_str) == Some("int-or-string")
            && match schema.get("type").and_then(Node::as_str) {
                Some(name) => matches!(name, "string" | "integer"),
                None => self.references.is_some(),
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
        if let Some(name) = self.references.and_then(|references| references.spec.reference(schema)) {
            return self.referenced(schema, name, level, objects);
        }
        if let Some(reference) = schema.get("$ref").filter(|reference| !reference.is_null()) {
            let message = match self.references {
                None => "`$ref` is not allowed in the schema of a CRD",
                Some(_) => "this `$ref` points to no definition of this document",
            };
            self.error(reference, &["$ref"], message);
            return Shape::Any;
        }
        if self.flag(schema, "x-kubernetes-int-or-string") || self.is_old_int_or_string(schema) {
            return Shape::IntOrString;
        }
        if self.flag(schema, "x-kubernetes-embedded-resource") {
            return Shape::AnyObject;
        }
        match self.type_of(schema) {
            // Documents of old servers leave it out.
            None if self.references.is_some() && schema.get("properties").is_some() => {
                self.object_or_map(schema, level, objects)
            }
            None => Shape::Any,
            Some("boolean") => Shape::Boolean,
            Some("integer") => Shape::Integer,
            Some("number") => Shape::Number,
            Some("string") => self.text(schema),
            Some("array") => match schema.get("items") {
                None => Shape::List(Box::new(Slot { shape: Shape::Any, nullable: false, facts: Vec::new() })),
                Some(_) if level >= LEVELS => self.too_deep(schema),
                Some(items) => Shape::List(Box::new(self.slot("items", items, level, objects))),
            },
            Some(_) => self.object_or_map(schema, level, objects),
        }
    }

    fn slot(&mut self, step: &str, schema: Node<'_>, level: u32, objects: u32) -> Slot {
        self.path.push(step);
        let shape = self.shape(schema, level + 1, objects);
        let nullable = self.nullable(schema);
        self.path.pop();
        let facts = fact::beside(schema, &shape, self.references.is_none());
        Slot { shape, nullable, facts }
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
        match texts(list) {
            Some(values) => Shape::Enum(Enum { docs: Self::docs(schema), values }),
            None => Shape::Text,
        }
    }

    fn object_or_map(&mut self, schema: Node<'_>, level: u32, objects: u32) -> Shape {
        let present = |key: &str| schema.get(key).filter(|node| !node.is_null());
        if present("properties").is_some_and(|properties| properties.entries().len() > 0 || !properties.is_object()) {
            if objects >= OBJECT_LEVELS || level >= LEVELS {
                return self.too_deep(schema);
            }
            // A definition has a name of its own, and so a type of its own.
            if let Some(path) = (self.shares && objects > 0).then(|| shared::of(schema)).flatten() {
                return Shape::Known(path);
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
        let mut object = Object { docs: Self::docs(schema), facts: fact::of(schema), ..Object::default() };
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
            // Nobody asks what a document says of these.
            if self.root && self.references.is_some() && objects == 1 && ROOT_FIELDS.contains(&key.name) {
                continue;
            }
            self.path.push(key.name);
            let shape = self.shape(property, level, objects);
            let presence = self.presence(property, required.contains(&key.name));
            let facts = fact::beside(property, &shape, self.references.is_none());
            object.fields.push(Field { name: key.name.to_owned(), docs: Self::docs(property), facts, presence, shape });
            self.path.pop();
        }
        self.path.pop();
        object.fields.sort_by(|a, b| a.name.cmp(&b.name));
        object
    }

    fn required<'a>(&mut self, schema: Node<'a>) -> BTreeSet<&'a str> {
        let Some(list) = schema.get("required").filter(|node| !node.is_null()) else { return BTreeSet::new() };
        if !list.is_array() {
            self.wrong(schema, "required", "a list of strings");
        }
        for (at, name) in list.items().enumerate().filter(|(_, name)| name.as_str().is_none() && !name.is_null()) {
            let message = format!("`required` lists names, but this is a {}", name.kind_name());
            self.error(name, &["required", &at.to_string()], message);
        }
        list.items().filter_map(Node::as_str).collect()
    }

    fn presence(&mut self, property: Node<'_>, required: bool) -> Presence {
        let nullable = self.nullable(property);
        let default = property.get("default").is_some();
        match (required, nullable) {
            (true, false) => Presence::Required,
            (true, true) => Presence::RequiredNullable,
            (false, true) if default => Presence::ThreeStates,
            (false, _) => Presence::Optional,
        }
    }
}

/// The values of an enum, each once, if they are texts.
fn texts(list: Node<'_>) -> Option<Vec<String>> {
    let (mut values, mut known) = (Vec::new(), BTreeSet::new());
    for value in list.items().filter(|value| !value.is_null()) {
        let text = value.as_str()?;
        if known.insert(text) {
            values.push(text.to_owned());
        }
    }
    (!values.is_empty()).then_some(values)
}

/// The one type of a list of types, `null` aside.
fn without_null(types: Node<'_>) -> Option<&str> {
    let mut names = types.items().filter_map(Node::as_str).filter(|name| *name != "null");
    let known = ["object", "array", "string", "integer", "number", "boolean"];
    let one = names.next().filter(|name| known.contains(name));
    one.filter(|_| names.next().is_none())
}
