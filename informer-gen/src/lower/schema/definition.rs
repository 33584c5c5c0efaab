//! Definitions of OpenAPI documents: kinds, values that get a type of their own, and what a `$ref` comes to.

use super::{LEVELS, Lowering, ROOT_FIELDS, texts};
use crate::document::node::Node;
use crate::document::spec::Spec;
use crate::lower::pointer::Pointer;
use crate::lower::type_map::TypeMap;
use crate::model::{Definition, Object, Reference, Shape, Users};
use crate::problem::{Place, Problem, Problems};

/// What `$ref` may point to: the definitions of an OpenAPI document, and which of them are Rust types already.
#[derive(Clone, Copy)]
pub(crate) struct References<'r, 'a> {
    pub(crate) spec: &'r Spec<'a>,
    pub(crate) types: &'r TypeMap,
}

/// The form of a kind's objects, without apiVersion, kind and metadata, from their definition. `None` after an error.
pub(crate) fn kind(name: &str, references: &References<'_, '_>, problems: &mut Problems) -> Option<Object> {
    let mut lowering = Lowering::of(references, true, problems);
    lowering.enter(name);
    let Some(schema) = references.spec.definition(name) else {
        lowering.missing(references.spec.root, name);
        return None;
    };
    let mut object = lowering.object(schema, 1, 1);
    object.fields.retain(|field| !ROOT_FIELDS.contains(&field.name.as_str()));
    (!lowering.failed).then_some(object)
}

/// The form of a definition that something refers to by a [`Reference`]. `None` after an error.
pub(crate) fn definition(name: &str, references: &References<'_, '_>, problems: &mut Problems) -> Option<Definition> {
    let schema = references.spec.definition(name)?;
    let mut lowering = Lowering::of(references, false, problems);
    lowering.enter(name);
    let shape = lowering.shape(schema, 0, 0);
    let place = lowering.place(schema, &[]);
    let place = Place { span: place.span.start(), ..place };
    (!lowering.failed).then_some(Definition { shape, users: Users::default(), place })
}

impl<'p, 'a> Lowering<'p, 'a> {
    fn of(references: &'p References<'p, 'a>, root: bool, problems: &'p mut Problems) -> Self {
        let (path, inside) = (Pointer::default(), Vec::new());
        let shares = references.types.shares;
        Lowering { path, crd: "", shares, references: Some(references), inside, root, problems, failed: false }
    }
}

impl Lowering<'_, '_> {
    /// From here on, pointers are those of a definition.
    fn enter(&mut self, definition: &str) -> Pointer {
        self.inside.push(definition.to_owned());
        let mut pointer = Pointer::default();
        let steps = self.references.map_or("", |references| references.spec.definitions_pointer());
        steps.split('/').skip(1).chain([definition]).for_each(|step| pointer.push(step));
        std::mem::replace(&mut self.path, pointer)
    }

    fn missing(&mut self, node: Node<'_>, name: &str) {
        self.failed = true;
        let message = format!("there is no definition {name:?} in this document");
        let problem = Problem::error(message).at(Place::new(node.span().start()).pointer(self.path.join(&[])));
        self.problems.push(problem.hint("the document may have been cut short, or put together from parts"));
    }

    /// What a `$ref` stands for. Objects and enums are types by themselves; all else is written out in its place.
    pub(super) fn referenced(&mut self, schema: Node<'_>, name: &str, level: u32, objects: u32) -> Shape {
        let Some(references) = self.references else { return Shape::Any };
        if let Some(shape) = scalar(name) {
            return shape;
        }
        if let Some(path) = references.types.resolve(name, references.spec.release) {
            return Shape::Known(path);
        }
        let Some(definition) = references.spec.definition(name) else {
            self.missing(schema, name);
            return Shape::Any;
        };
        if has_type(references.spec, definition) {
            return Shape::Reference(Reference { name: name.to_owned(), boxed: false });
        }
        if self.inside.iter().any(|open| open == name) {
            let message = format!("{name} is made of nothing but itself: within itself it is a JSON value in Rust");
            self.problems.push(Problem::warning(message).at(self.place(schema, &[])));
            return Shape::Any;
        }
        if level >= LEVELS {
            return self.too_deep(schema);
        }
        let before = self.enter(name);
        let shape = self.shape(definition, level + 1, objects);
        self.path = before;
        self.inside.pop();
        shape
    }
}

/// Whether a definition is a type by itself: an object with known keys, or one of some texts.
fn has_type<'a>(spec: &Spec<'a>, schema: Node<'a>) -> bool {
    let flag = |key: &str| schema.get(key).and_then(Node::as_bool) == Some(true);
    let special = ["x-kubernetes-int-or-string", "x-kubernetes-embedded-resource"].iter().any(|key| flag(key));
    let old = schema.get("format").and_then(Node::as_str) == Some("int-or-string");
    if spec.reference(schema).is_some() || schema.get("$ref").is_some() || special {
        return false;
    }
    match type_name(schema) {
        Some("string") if !old => schema.get("enum").filter(|list| list.is_array()).and_then(texts).is_some(),
        Some("object") => has_keys(schema),
        None if !old => has_keys(schema),
        _ => false,
    }
}

/// The type that a schema names. One of several types, or none, is `None`.
fn type_name(schema: Node<'_>) -> Option<&str> {
    let node = schema.get("type")?;
    node.as_str().filter(|name| !name.is_empty()).or_else(|| super::without_null(node))
}

fn has_keys(schema: Node<'_>) -> bool {
    schema.get("properties").is_some_and(|properties| properties.entries().len() > 0)
}

/// Definitions of Kubernetes that are one value in JSON, whatever a document says of them.
fn scalar(definition: &str) -> Option<Shape> {
    let is = |names: &[&str]| {
        names
            .iter()
            .any(|name| definition.strip_suffix(name).is_some_and(|rest| rest.is_empty() || rest.ends_with('.')))
    };
    if is(&["meta.v1.Time", "meta.v1.MicroTime", "meta.v1.Duration", "unversioned.Time", "unversioned.Duration"]) {
        return Some(Shape::Text);
    }
    if is(&["intstr.IntOrString"]) {
        return Some(Shape::IntOrString);
    }
    is(&["runtime.RawExtension"]).then_some(Shape::Any)
}
