//! Which of the derives of std a type can have: those that are asked for in general are given where they hold.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{Definition, Object, Shape};

/// Derives of std whose place is known: they need every field to have the trait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trait {
    Equal,
    Ordered,
}

impl Trait {
    fn of(name: &str) -> Option<Self> {
        match name {
            "Eq" | "Hash" => Some(Trait::Equal),
            "PartialOrd" | "Ord" => Some(Trait::Ordered),
            _ => None,
        }
    }

    fn holds_for(self, shape: &Shape) -> bool {
        match shape {
            // Values of JSON are equal or not, and in no order.
            Shape::Any | Shape::AnyObject | Shape::Number => self == Trait::Equal,
            Shape::Boolean | Shape::Integer | Shape::Text | Shape::IntOrString | Shape::Enum(_) => true,
            Shape::List(slot) | Shape::Map(slot) => self.holds_for(&slot.shape),
            Shape::Object(object) => self.holds_for_all(object),
            // Looked at by itself.
            Shape::Reference(_) => true,
            // The condition of the runtime can; k8s-openapi's types can't, and of others nobody knows.
            Shape::Known(path) => path.is_of_runtime() && self == Trait::Equal,
        }
    }

    /// Recursion follows the depth of a shape, which `lower` bounds.
    fn holds_for_all(self, object: &Object) -> bool {
        (!object.open || self == Trait::Equal) && object.fields.iter().all(|field| self.holds_for(&field.shape))
    }
}

/// Whether a struct made of this object can have a derive, as far as is known: everything that it refers to must. The
/// type of a kind has a field for the metadata, which has none of those.
pub(super) fn by_struct(derive: &str, object: &Object, root: bool, definitions: &BTreeMap<String, Definition>) -> bool {
    let Some(known) = Trait::of(derive) else { return true };
    if root || !known.holds_for_all(object) {
        return false;
    }
    let mut open = object.references();
    let mut seen = BTreeSet::new();
    while let Some(reference) = open.pop() {
        if !seen.insert(&reference.name) {
            continue;
        }
        let Some(definition) = definitions.get(&reference.name) else { return false };
        if !known.holds_for(&definition.shape) {
            return false;
        }
        open.extend(definition.shape.references());
    }
    true
}
