//! A sorted map whose copies cost nothing: a B+ tree that copies the nodes it changes if somebody else holds them.
//!
//! Items carry their own key, so a leaf costs one pointer an object. Branches hold keys, never items: a branch that
//! held an item would keep an old object alive.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

/// What a map can hold: something that knows its key.
pub(crate) trait Item: Clone {
    /// An owned key, for branches.
    type Key: Clone;
    /// A borrowed key, for searches.
    type Probe<'a>: Copy;

    fn probe(&self) -> Self::Probe<'_>;
    fn to_key(&self) -> Self::Key;
    fn probe_key(key: &Self::Key) -> Self::Probe<'_>;
    fn compare(one: Self::Probe<'_>, other: Self::Probe<'_>) -> Ordering;
}

/// How many items a leaf, and how many children a branch, may have.
const WIDTH: usize = 64;
/// Neighbours that fit into this are joined when one of them shrinks.
const JOINED: usize = WIDTH / 2;

#[derive(Clone)]
enum Node<T: Item> {
    Leaf(Vec<T>),
    /// Each child with a key that is not above its first one and above all before it. The first key is not looked at.
    Branch(Vec<(T::Key, Arc<Node<T>>)>),
}

/// See the module's text.
#[derive(Clone)]
pub(crate) struct SortedMap<T: Item> {
    root: Arc<Node<T>>,
    len: usize,
}

impl<T: Item> Default for SortedMap<T> {
    fn default() -> Self {
        Self { root: Arc::new(Node::Leaf(Vec::new())), len: 0 }
    }
}

impl<T: Item> SortedMap<T> {
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Whether nothing was changed in one of them since one was copied from the other. Never wrongly true.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.root, &other.root) || (self.len == 0 && other.len == 0)
    }

    pub(crate) fn get(&self, probe: T::Probe<'_>) -> Option<&T> {
        let mut node = &*self.root;
        loop {
            match node {
                Node::Leaf(items) => return find(items, probe).ok().map(|place| &items[place]),
                Node::Branch(children) => node = &children[child_for::<T>(children, probe)].1,
            }
        }
    }

    /// Puts an item in, and gives back the one that had its key.
    pub(crate) fn insert(&mut self, item: T) -> Option<T> {
        let (old, split) = insert(&mut self.root, item);
        if let Some(right) = split {
            let left = std::mem::replace(&mut self.root, Arc::new(Node::Leaf(Vec::new())));
            let key = right.0.clone();
            self.root = Arc::new(Node::Branch(vec![(key, left), right]));
        }
        self.len += usize::from(old.is_none());
        old
    }

    pub(crate) fn remove(&mut self, probe: T::Probe<'_>) -> Option<T> {
        self.get(probe)?; // an absent key must not copy a path
        let removed = remove(&mut self.root, probe);
        self.len -= usize::from(removed.is_some());
        if let Node::Branch(children) = &*self.root
            && let [(_, only)] = children.as_slice()
        {
            self.root = only.clone();
        }
        removed
    }

    /// All items, in order.
    pub(crate) fn iter(&self) -> Iter<'_, T> {
        let mut iter = Iter { path: Vec::new() };
        iter.path.push((&self.root, 0));
        iter
    }

    /// The items from the first one that is not before `probe`.
    pub(crate) fn from(&self, probe: T::Probe<'_>) -> Iter<'_, T> {
        let mut iter = Iter { path: Vec::new() };
        let mut node = &*self.root;
        loop {
            match node {
                Node::Leaf(items) => {
                    let place = find(items, probe).unwrap_or_else(|place| place);
                    iter.path.push((node, place));
                    return iter;
                }
                Node::Branch(children) => {
                    let place = child_for::<T>(children, probe);
                    iter.path.push((node, place + 1));
                    node = &children[place].1;
                }
            }
        }
    }
}

fn find<T: Item>(items: &[T], probe: T::Probe<'_>) -> Result<usize, usize> {
    // Lists come sorted: most searches of a sync end behind the last item.
    if items.last().is_none_or(|last| T::compare(last.probe(), probe).is_lt()) {
        return Err(items.len());
    }
    items.binary_search_by(|item| T::compare(item.probe(), probe))
}

/// Which child a key belongs to.
fn child_for<T: Item>(children: &[(T::Key, Arc<Node<T>>)], probe: T::Probe<'_>) -> usize {
    let is_below = |(key, _): &(T::Key, _)| T::compare(T::probe_key(key), probe).is_le();
    // Lists come sorted: most searches of a sync end in the last child.
    match children.split_last() {
        Some((last, before)) if !before.is_empty() && is_below(last) => before.len(),
        Some((_, [_, before @ ..])) => before.partition_point(is_below),
        _ => 0,
    }
}

type Split<T> = Option<(<T as Item>::Key, Arc<Node<T>>)>;

/// The recursion of these two goes as deep as the tree: five levels hold a billion items.
fn insert<T: Item>(node: &mut Arc<Node<T>>, item: T) -> (Option<T>, Split<T>) {
    match Arc::make_mut(node) {
        Node::Leaf(items) => match find(items, item.probe()) {
            Ok(place) => (Some(std::mem::replace(&mut items[place], item)), None),
            Err(place) => {
                let at_end = place == items.len();
                items.insert(place, item);
                if items.len() <= WIDTH {
                    return (None, None);
                }
                let right = cut(items, at_end);
                (None, Some((right[0].to_key(), Arc::new(Node::Leaf(right)))))
            }
        },
        Node::Branch(children) => {
            let place = child_for::<T>(children, item.probe());
            let (old, split) = insert(&mut children[place].1, item);
            let Some(right) = split else {
                return (old, None);
            };
            let at_end = place + 1 == children.len();
            children.insert(place + 1, right);
            if children.len() <= WIDTH {
                return (old, None);
            }
            let right = cut(children, at_end);
            (old, Some((right[0].0.clone(), Arc::new(Node::Branch(right)))))
        }
    }
}

/// Takes the right part off: half, or the last one alone where things arrive sorted, so that the left stays full.
fn cut<X>(all: &mut Vec<X>, at_end: bool) -> Vec<X> {
    let right = all.split_off(if at_end { WIDTH } else { WIDTH / 2 });
    all.shrink_to_fit();
    right
}

fn remove<T: Item>(node: &mut Arc<Node<T>>, probe: T::Probe<'_>) -> Option<T> {
    match Arc::make_mut(node) {
        Node::Leaf(items) => find(items, probe).ok().map(|place| items.remove(place)),
        Node::Branch(children) => {
            let place = child_for::<T>(children, probe);
            let removed = remove(&mut children[place].1, probe);
            join_around(children, place);
            removed
        }
    }
}

/// Joins the child at `place` with a neighbour if both are small.
fn join_around<T: Item>(children: &mut Vec<(T::Key, Arc<Node<T>>)>, place: usize) {
    let size = |child: &(T::Key, Arc<Node<T>>)| match &*child.1 {
        Node::Leaf(items) => items.len(),
        Node::Branch(children) => children.len(),
    };
    if size(&children[place]) > JOINED / 2 {
        return;
    }
    for left in [place.wrapping_sub(1), place] {
        let (Some(one), Some(two)) = (children.get(left), children.get(left.wrapping_add(1))) else {
            continue;
        };
        if size(one) + size(two) <= JOINED {
            let (_, right) = children.remove(left + 1);
            match (Arc::make_mut(&mut children[left].1), Arc::unwrap_or_clone(right)) {
                (Node::Leaf(left), Node::Leaf(right)) => left.extend(right),
                (Node::Branch(left), Node::Branch(right)) => left.extend(right),
                _ => {} // all leaves are equally deep
            }
            return;
        }
    }
}

/// Items in order. Holds a path of the tree, no lock.
pub(crate) struct Iter<'a, T: Item> {
    path: Vec<(&'a Node<T>, usize)>,
}

impl<'a, T: Item> Iterator for Iter<'a, T> {
    type Item = &'a T;

    fn next(&mut self) -> Option<&'a T> {
        loop {
            let (node, next) = self.path.last_mut()?;
            let node = *node;
            let place = *next;
            *next += 1;
            match node {
                Node::Leaf(items) => match items.get(place) {
                    Some(item) => return Some(item),
                    None => self.path.pop(),
                },
                Node::Branch(children) => match children.get(place) {
                    Some((_, child)) => {
                        self.path.push((child, 0));
                        None
                    }
                    None => self.path.pop(),
                },
            };
        }
    }
}

impl<T: Item + fmt::Debug> fmt::Debug for SortedMap<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    impl Item for (u32, u32) {
        type Key = u32;
        type Probe<'a> = u32;
        fn probe(&self) -> u32 {
            self.0
        }
        fn to_key(&self) -> u32 {
            self.0
        }
        fn probe_key(key: &u32) -> u32 {
            *key
        }
        fn compare(one: u32, other: u32) -> Ordering {
            one.cmp(&other)
        }
    }

    fn check(map: &SortedMap<(u32, u32)>, model: &BTreeMap<u32, u32>) {
        let items: Vec<_> = map.iter().copied().collect();
        let expected: Vec<_> = model.iter().map(|(&key, &value)| (key, value)).collect();
        assert_eq!(items, expected);
        assert_eq!(map.len(), model.len());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn behaves_as_a_plain_map_and_copies_stay_as_they_were(
            steps in proptest::collection::vec((0_u32..3, 0_u32..700, any::<u32>()), 1..3000),
            from in 0_u32..700,
        ) {
            let mut map = SortedMap::default();
            let mut model = BTreeMap::new();
            let mut copies = Vec::new();
            for (count, (what, key, value)) in steps.into_iter().enumerate() {
                if what == 0 {
                    prop_assert_eq!(map.remove(key).map(|(_, value)| value), model.remove(&key));
                } else {
                    prop_assert_eq!(map.insert((key, value)).map(|(_, value)| value), model.insert(key, value));
                }
                prop_assert_eq!(map.get(key).map(|(_, value)| *value), model.get(&key).copied());
                if count.is_multiple_of(500) {
                    copies.push((map.clone(), model.clone()));
                }
            }
            check(&map, &model);
            let tail: Vec<_> = map.from(from).map(|(key, _)| *key).collect();
            prop_assert_eq!(tail, model.range(from..).map(|(key, _)| *key).collect::<Vec<_>>());
            for (map, model) in &copies {
                check(map, model);
            }
            for key in model.keys() {
                map.remove(*key);
            }
            prop_assert_eq!(map.iter().count(), 0);
            prop_assert!(matches!(&*map.root, Node::Leaf(items) if items.is_empty()));
        }
    }

    #[test]
    fn sorted_arrival_fills_the_leaves() {
        let mut map = SortedMap::default();
        for key in 0..10_000 {
            map.insert((key, 0));
        }
        fn leaves(node: &Node<(u32, u32)>) -> usize {
            match node {
                Node::Leaf(_) => 1,
                Node::Branch(children) => children.iter().map(|(_, child)| leaves(child)).sum(),
            }
        }
        assert_eq!(leaves(&map.root), 10_000_usize.div_ceil(WIDTH));
    }
}
