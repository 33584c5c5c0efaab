//! Label sets: one per distinct set, since most objects share theirs with others.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

use crate::json::Cursor;

/// The labels of an object, sorted by key.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Labels {
    /// All keys and values, one after the other.
    text: Box<str>,
    /// Where each key and each value ends.
    ends: Box<[u32]>,
}

impl Labels {
    /// A set from pairs; of equal keys the last one counts.
    pub fn from_pairs<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let sorted: std::collections::BTreeMap<&str, &str> = pairs.into_iter().collect();
        let mut text = String::new();
        let mut ends = Vec::with_capacity(sorted.len() * 2);
        for (key, value) in sorted {
            for part in [key, value] {
                text.push_str(part);
                ends.push(u32::try_from(text.len()).unwrap_or(u32::MAX));
            }
        }
        Self { text: text.into(), ends: ends.into() }
    }

    /// The value of a label.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&str> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            match self.part(middle * 2).cmp(key) {
                std::cmp::Ordering::Equal => return Some(self.part(middle * 2 + 1)),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// All labels, sorted by key.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        (0..self.len()).map(|index| (self.part(index * 2), self.part(index * 2 + 1)))
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len() / 2
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    fn part(&self, index: usize) -> &str {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        self.text.get(start..self.ends[index] as usize).unwrap_or_default()
    }

    /// From the JSON object that holds them. What is no string is left out: no server sends it.
    fn from_json(json: &str) -> Self {
        let mut cursor = Cursor::new(json);
        let mut pairs = Vec::new();
        if let Ok(mut members) = cursor.object() {
            while let Ok(Some(key)) = cursor.member(&mut members) {
                if cursor.peek() == Some(b'"') {
                    let (Some(key), Ok(value)) = (key.value(), cursor.string()) else {
                        break;
                    };
                    pairs.extend(value.value().map(|value| (key, value)));
                } else if cursor.skip().is_err() {
                    break;
                }
            }
        }
        Self::from_pairs(pairs.iter().map(|(key, value)| (&**key, &**value)))
    }
}

impl fmt::Debug for Labels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

/// Gives equal label texts one [`Labels`] value, and equal namespaces one text.
///
/// What nobody else holds is dropped whenever a table has doubled, so it is never much larger than what is in use.
/// Neighbours in a list mostly share both, so the last one of each is looked at first.
#[derive(Debug, Default)]
pub(crate) struct LabelInterner {
    sets: HashMap<Box<str>, Arc<Labels>>,
    sweep_sets_at: usize,
    last_set: (Box<str>, Arc<Labels>),
    namespaces: HashSet<Arc<str>>,
    sweep_namespaces_at: usize,
    last_namespace: Arc<str>,
}

impl LabelInterner {
    const SMALLEST_SWEEP: usize = 256;

    /// The labels that a JSON object holds; none for `""`.
    pub(crate) fn labels(&mut self, json: &str) -> Arc<Labels> {
        if *self.last_set.0 != *json {
            let labels = self.find_labels(json);
            self.last_set = (json.into(), labels);
        }
        self.last_set.1.clone()
    }

    fn find_labels(&mut self, json: &str) -> Arc<Labels> {
        if let Some(labels) = self.sets.get(json) {
            return labels.clone();
        }
        if self.sets.len() >= self.sweep_sets_at.max(Self::SMALLEST_SWEEP) {
            self.sets.retain(|_, labels| Arc::strong_count(labels) > 1);
            self.sweep_sets_at = self.sets.len() * 2;
        }
        let labels = Arc::new(Labels::from_json(json));
        self.sets.insert(json.into(), labels.clone());
        labels
    }

    pub(crate) fn namespace(&mut self, name: &str) -> Arc<str> {
        if *self.last_namespace != *name {
            self.last_namespace = self.find_namespace(name);
        }
        self.last_namespace.clone()
    }

    fn find_namespace(&mut self, name: &str) -> Arc<str> {
        if let Some(namespace) = self.namespaces.get(name) {
            return namespace.clone();
        }
        if self.namespaces.len() >= self.sweep_namespaces_at.max(Self::SMALLEST_SWEEP) {
            self.namespaces.retain(|namespace| Arc::strong_count(namespace) > 1);
            self.sweep_namespaces_at = self.namespaces.len() * 2;
        }
        let namespace: Arc<str> = name.into();
        self.namespaces.insert(namespace.clone());
        namespace
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_json_and_finds_by_key() {
        let labels = Labels::from_json(r#"{"tier":"a", "app":"x\u0041","n":1,"empty":""}"#);
        assert_eq!(labels.get("tier"), Some("a"));
        assert_eq!(labels.get("app"), Some("xA"));
        assert_eq!(labels.get("empty"), Some(""));
        assert_eq!(labels.get("n"), None);
        assert_eq!(labels.iter().map(|(key, _)| key).collect::<Vec<_>>(), ["app", "empty", "tier"]);
        assert!(Labels::from_json("").is_empty());
    }

    #[test]
    fn the_interner_lets_go_of_what_nobody_holds() {
        let mut interner = LabelInterner::default();
        let kept = interner.labels(r#"{"a":"kept"}"#);
        for round in 0..10_000 {
            interner.labels(&format!(r#"{{"a":"{round}"}}"#));
        }
        assert!(interner.sets.len() <= LabelInterner::SMALLEST_SWEEP);
        assert!(Arc::ptr_eq(&kept, &interner.labels(r#"{"a":"kept"}"#)));
    }
}
