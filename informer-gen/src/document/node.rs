//! A document in memory: an arena of values with their places, and [`Node`], a view of one of them.
//!
//! Aliases are shared nodes, so the arena is never larger than its text, whatever the text claims. The reader refuses
//! documents that are too deep or too large when aliases are followed ([`MAX_DEPTH`], [`MAX_EXPANDED`], [`MAX_ALIASED`]), so whoever
//! walks a `Node` from the root meets at most that many levels and nodes.

use serde_json::Number;

use crate::source::Span;

/// Levels of nesting that a document may have, aliases followed. A schema uses two for each level of objects.
pub(crate) const MAX_DEPTH: u32 = 1_000;

/// Nodes that a document may have once every alias is written out. All CRDs of a large cluster in one `List` have
/// about a million.
pub(crate) const MAX_EXPANDED: u64 = 5_000_000;

/// How many of those may come from aliases alone: the part that costs an attacker nothing.
pub(crate) const MAX_ALIASED: u64 = 200_000;

/// Index of a value in its [`Arena`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NodeId(u32);

/// One value as the API server would read it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// Any number: `i64`, `u64` or `f64`.
    Number(Number),
    /// A text.
    String(String),
    /// A list; read it through [`Node::items`].
    Array(Vec<NodeId>),
    /// Keys, each once, in the document's order; read it through [`Node::entries`] and [`Node::get`].
    Object(Vec<(ObjectKey, NodeId)>),
}

/// A key of an object as the arena keeps it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ObjectKey {
    pub(crate) name: String,
    pub(crate) span: Span,
}

/// A key of an object, with its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Key<'a> {
    /// The key.
    pub(crate) name: &'a str,
    /// Where it stands.
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
struct Slot {
    value: Value,
    span: Span,
    depth: u32,
    expanded: u64,
    /// The entries of a large object in the order of their names, so that [`Node::get`] is fast.
    sorted: Box<[u32]>,
}

/// Entries that an object may have for them to be looked through one by one.
const FEW: usize = 16;

/// All values of one or more documents.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arena {
    slots: Vec<Slot>,
}

impl Arena {
    /// Adds a value whose children are in the arena already.
    pub(crate) fn add(&mut self, value: Value, span: Span) -> NodeId {
        let (mut depth, mut expanded) = (0, 1u64);
        let mut child = |id: &NodeId| {
            let slot = &self.slots[id.0 as usize];
            depth = depth.max(slot.depth);
            expanded = expanded.saturating_add(slot.expanded);
        };
        match &value {
            Value::Array(items) => items.iter().for_each(&mut child),
            Value::Object(entries) => entries.iter().for_each(|(_, id)| child(id)),
            _ => {}
        }
        let mut sorted: Box<[u32]> = Box::default();
        if let Value::Object(entries) = &value
            && entries.len() > FEW
        {
            sorted = (0..entries.len() as u32).collect();
            sorted.sort_by(|a, b| entries[*a as usize].0.name.cmp(&entries[*b as usize].0.name));
        }
        self.slots.push(Slot { value, span, depth: depth.saturating_add(1), expanded, sorted });
        NodeId((self.slots.len() - 1) as u32)
    }

    /// How many values there are.
    pub(crate) fn len(&self) -> usize {
        self.slots.len()
    }

    /// The view of a value.
    pub(crate) fn node(&self, id: NodeId) -> Node<'_> {
        Node { arena: self, slot: &self.slots[id.0 as usize] }
    }
}

/// A view of one value in a document. It does not know its path, since a shared node has several.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<'a> {
    arena: &'a Arena,
    slot: &'a Slot,
}

impl<'a> Node<'a> {
    /// The value.
    pub(crate) fn value(self) -> &'a Value {
        &self.slot.value
    }

    /// Where it stands (for an alias: where the value itself stands).
    pub(crate) fn span(self) -> Span {
        self.slot.span
    }

    /// The value under a key of an object; `None` for other values too.
    pub(crate) fn get(self, name: &str) -> Option<Node<'a>> {
        let Value::Object(entries) = self.value() else {
            return None;
        };
        let sorted = &self.slot.sorted;
        let found = if sorted.is_empty() {
            entries.iter().find(|(key, _)| key.name == name)
        } else {
            let at = sorted.partition_point(|at| entries[*at as usize].0.name.as_str() < name);
            sorted.get(at).map(|at| &entries[*at as usize]).filter(|(key, _)| key.name == name)
        };
        found.map(|(_, id)| self.arena.node(*id))
    }

    /// Keys and values of an object in the document's order; nothing for other values.
    pub(crate) fn entries(self) -> impl DoubleEndedIterator<Item = (Key<'a>, Node<'a>)> + ExactSizeIterator + Clone {
        let entries: &'a [(ObjectKey, NodeId)] = match self.value() {
            Value::Object(entries) => entries,
            _ => &[],
        };
        entries.iter().map(move |(key, id)| (Key { name: &key.name, span: key.span }, self.arena.node(*id)))
    }

    /// Items of a list; nothing for other values.
    pub(crate) fn items(self) -> impl DoubleEndedIterator<Item = Node<'a>> + ExactSizeIterator + Clone {
        let items: &'a [NodeId] = match self.value() {
            Value::Array(items) => items,
            _ => &[],
        };
        items.iter().map(move |id| self.arena.node(*id))
    }

    /// The text of a string.
    pub(crate) fn as_str(self) -> Option<&'a str> {
        match self.value() {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// A boolean.
    pub(crate) fn as_bool(self) -> Option<bool> {
        match self.value() {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// Whether it is `null`.
    pub(crate) fn is_null(self) -> bool {
        matches!(self.value(), Value::Null)
    }

    /// Whether it is an object.
    pub(crate) fn is_object(self) -> bool {
        matches!(self.value(), Value::Object(_))
    }

    /// Whether it is a list.
    pub(crate) fn is_array(self) -> bool {
        matches!(self.value(), Value::Array(_))
    }

    /// What it is, for messages: "object", "list", "string", "number", "boolean" or "null".
    pub(crate) fn kind_name(self) -> &'static str {
        match self.value() {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(_) => "number",
            Value::String(_) => "string",
            Value::Array(_) => "list",
            Value::Object(_) => "object",
        }
    }

    /// Levels of nesting from here down, this one included, aliases followed.
    pub(crate) fn depth(self) -> u32 {
        self.slot.depth
    }

    /// Nodes from here down, this one included, once every alias is written out.
    pub(crate) fn expanded(self) -> u64 {
        self.slot.expanded
    }

    /// The value with its aliases written out. Recursion follows the depth of a document, which the reader bounds.
    pub(crate) fn json(self) -> serde_json::Value {
        match self.value() {
            Value::Null => serde_json::Value::Null,
            Value::Bool(value) => (*value).into(),
            Value::Number(number) => number.clone().into(),
            Value::String(text) => text.clone().into(),
            Value::Array(_) => self.items().map(Node::json).collect(),
            Value::Object(_) => self.entries().map(|(key, value)| (key.name.to_owned(), value.json())).collect(),
        }
    }

    /// Whether two nodes hold the same JSON, whatever the order of keys.
    pub(crate) fn same_json(self, other: Node<'_>) -> bool {
        let mut open: Vec<(Node<'_>, Node<'_>)> = vec![(self, other)];
        while let Some((left, right)) = open.pop() {
            match (left.value(), right.value()) {
                (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
                    open.extend(left.items().zip(right.items()));
                }
                (Value::Object(a), Value::Object(b)) if a.len() == b.len() => {
                    let (left, right) = (left.sorted_entries(), right.sorted_entries());
                    for ((key, value), (other_key, other)) in left.into_iter().zip(right) {
                        if key.name != other_key.name {
                            return false;
                        }
                        open.push((value, other));
                    }
                }
                (Value::Array(_) | Value::Object(_), _) => return false,
                (a, b) if a == b => {}
                _ => return false,
            }
        }
        true
    }

    fn sorted_entries(self) -> Vec<(Key<'a>, Node<'a>)> {
        let mut entries: Vec<_> = self.entries().collect();
        entries.sort_by_key(|(key, _)| key.name);
        entries
    }
}
