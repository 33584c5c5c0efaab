//! Where a derive of std holds: of those that are asked for in general, only the types whose fields all get it do.

use std::collections::BTreeSet;

use super::spot::{Given, Spot};
use crate::model::{Object, Shape};

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
}

/// Whether the struct of an object at a spot can have a derive, named without its path, as far as is known: everything
/// that is in it must get it, there or where it is defined. The type of a kind has a field for the metadata, which has
/// none of those.
pub(super) fn by_struct(derive: &str, object: &Object, spot: &Spot<'_>) -> bool {
    let Some(known) = Trait::of(derive) else { return true };
    if spot.is_root() {
        return false;
    }
    let mut walk = Walk { derive, known, open: Vec::new() };
    let mut seen = BTreeSet::new();
    let mut holds = walk.all_have(object, spot);
    while holds && let Some(name) = walk.open.pop() {
        if seen.insert(name.clone()) {
            let definition = spot.of_definition(&name);
            holds = definition.is_some_and(|(shape, spot)| walk.has(shape, &spot));
        }
    }
    holds
}

struct Walk<'d> {
    derive: &'d str,
    known: Trait,
    /// Definitions that are yet to be looked at. Each is taken to have it until it is seen that one has not.
    open: Vec<String>,
}

impl Walk<'_> {
    /// Whether a value there has the trait. Recursion follows the depth of a shape, which `lower` bounds.
    fn has(&mut self, shape: &Shape, spot: &Spot<'_>) -> bool {
        match shape {
            // Values of JSON are equal or not, and in no order.
            Shape::Any | Shape::AnyObject | Shape::Number => self.known == Trait::Equal,
            Shape::Boolean | Shape::Integer | Shape::Text | Shape::IntOrString => true,
            Shape::List(slot) | Shape::Map(slot) => self.has(&slot.shape, spot),
            Shape::Enum(_) => spot.enum_gets(self.derive),
            Shape::Object(object) => match spot.struct_gets(self.derive) {
                Given::Always => true,
                Given::WhereItHolds => self.all_have(object, spot),
                Given::Never => false,
            },
            Shape::Reference(reference) => {
                self.open.push(reference.name.clone());
                true
            }
            // The condition of the runtime can; k8s-openapi's types can't, and of others nobody knows.
            Shape::Known(path) => path.is_of_runtime() && self.known == Trait::Equal,
        }
    }

    fn all_have(&mut self, object: &Object, spot: &Spot<'_>) -> bool {
        (!object.open || self.known == Trait::Equal)
            && object.fields.iter().all(|field| self.has(&field.shape, &spot.field(&field.name)))
    }
}
