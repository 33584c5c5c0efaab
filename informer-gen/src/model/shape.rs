//! The form of values, as far as Rust types can tell it.
//!
//! The depth of a [`Shape`] is bounded by whoever makes it (see `lower::schema`), so recursion over one is too.

use std::collections::BTreeSet;

use serde::Serialize;

use super::fact::Fact;
use super::rust_path::RustPath;

/// The form of a value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) enum Shape {
    /// Any JSON value.
    Any,
    /// A JSON object that nothing more is known of.
    AnyObject,
    Boolean,
    /// An integer of 64 bits with a sign. The server refuses larger ones here and in [`Shape::IntOrString`], so none is
    /// ever read; in a [`Shape::Number`] or [`Shape::Any`] it takes them, rounded. Where the format is `int32` it
    /// refuses what has more than 32 bits too, but gives back what was stored before the schema had the format.
    Integer,
    /// Any JSON number.
    Number,
    /// A text, whatever its format.
    Text,
    /// An integer or a text.
    IntOrString,
    /// One of some texts, or one that a later server knows.
    Enum(Enum),
    List(Box<Slot>),
    /// A JSON object with keys of the user's choice.
    Map(Box<Slot>),
    /// A JSON object with known keys.
    Object(Object),
    /// Whatever a type that exists already makes of it.
    Known(RustPath),
    /// What a definition says, which has a type of its own.
    Reference(Reference),
}

/// A definition where it is referred to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Reference {
    /// The definition's name.
    pub(crate) name: String,
    /// Whether the value lies in a box: where definitions hold each other, something must end the type.
    pub(crate) boxed: bool,
}

/// A place in a list or map.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Slot {
    pub(crate) shape: Shape,
    /// Whether `null` may stand there.
    pub(crate) nullable: bool,
    /// What is demanded of the value, unless it is an object.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) facts: Vec<Fact>,
}

/// A JSON object with known keys.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Object {
    pub(crate) docs: Option<String>,
    /// What is demanded of the whole object.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) facts: Vec<Fact>,
    /// Sorted by name.
    pub(crate) fields: Vec<Field>,
    /// Whether the server keeps keys that are not in `fields`.
    pub(crate) open: bool,
}

/// A known key of an object.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Field {
    /// As in JSON.
    pub(crate) name: String,
    pub(crate) docs: Option<String>,
    /// What is demanded of the value, unless it is an object, and its default.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) facts: Vec<Fact>,
    pub(crate) presence: Presence,
    pub(crate) shape: Shape,
}

/// Whether a key must be there and what its absence means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) enum Presence {
    /// Always there, never null.
    Required,
    /// Always there, may be null.
    RequiredNullable,
    /// May be left out; null, if allowed at all, means the same.
    Optional,
    /// May be left out or null, and the two differ: left out, the server puts a default there.
    ThreeStates,
}

/// The texts of an enum.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Enum {
    pub(crate) docs: Option<String>,
    /// Each once, in the schema's order.
    pub(crate) values: Vec<String>,
}

impl Object {
    /// The same without what is only told: descriptions, and what is demanded beyond types.
    ///
    /// Recursion follows the depth of a shape, which `lower` bounds.
    pub(crate) fn without_told(mut self) -> Self {
        (self.docs, self.facts) = (None, Vec::new());
        for field in &mut self.fields {
            (field.docs, field.facts) = (None, Vec::new());
            field.shape.drop_told();
        }
        self
    }
}

impl Shape {
    /// Everything that it refers to, once for each time. Recursion follows its depth.
    pub(crate) fn references(&self) -> Vec<&Reference> {
        let mut found = Vec::new();
        self.collect_references(&mut found);
        found
    }

    /// The types that exist already, of it and of what is in it.
    pub(crate) fn known_types(&self) -> BTreeSet<&RustPath> {
        let mut known = BTreeSet::new();
        let mut open = vec![self];
        while let Some(shape) = open.pop() {
            match shape {
                Shape::Known(path) => drop(known.insert(path)),
                Shape::Object(object) => open.extend(object.fields.iter().map(|field| &field.shape)),
                Shape::List(slot) | Shape::Map(slot) => open.push(&slot.shape),
                _ => {}
            }
        }
        known
    }

    fn collect_references<'s>(&'s self, found: &mut Vec<&'s Reference>) {
        match self {
            Shape::Reference(reference) => found.push(reference),
            Shape::List(slot) | Shape::Map(slot) => slot.shape.collect_references(found),
            Shape::Object(object) => object.fields.iter().for_each(|field| field.shape.collect_references(found)),
            _ => {}
        }
    }

    /// The same without what is only told.
    pub(crate) fn without_told(mut self) -> Self {
        self.drop_told();
        self
    }

    fn drop_told(&mut self) {
        match self {
            Shape::List(slot) | Shape::Map(slot) => {
                slot.facts = Vec::new();
                slot.shape.drop_told();
            }
            Shape::Object(object) => *object = std::mem::take(object).without_told(),
            Shape::Enum(of) => of.docs = None,
            _ => {}
        }
    }

    /// Whether it is a type that exists already, or lists and maps of one.
    pub(crate) fn is_known(&self) -> bool {
        let mut shape = self;
        while let Shape::List(slot) | Shape::Map(slot) = shape {
            shape = &slot.shape;
        }
        matches!(shape, Shape::Known(_))
    }

    /// The object or enum inside lists and maps: the shape that needs a type of its own, if any.
    pub(crate) fn named(&self) -> Option<&Shape> {
        let mut shape = self;
        loop {
            match shape {
                Shape::List(slot) | Shape::Map(slot) => shape = &slot.shape,
                Shape::Object(_) | Shape::Enum(_) => return Some(shape),
                _ => return None,
            }
        }
    }
}

impl Object {
    /// Everything that it refers to, once for each time. Recursion follows the depth of the shape.
    pub(crate) fn references(&self) -> Vec<&Reference> {
        let mut found = Vec::new();
        self.fields.iter().for_each(|field| field.shape.collect_references(&mut found));
        found
    }

    /// The types that exist already of what is in it.
    pub(crate) fn known_types(&self) -> BTreeSet<&RustPath> {
        self.fields.iter().flat_map(|field| field.shape.known_types()).collect()
    }
}
