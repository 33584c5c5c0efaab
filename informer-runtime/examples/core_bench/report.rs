//! Named figures, as a child process prints them and its parent reads them.

use std::{collections::BTreeMap, fmt};

/// Figures by name.
#[derive(Default, Clone, Debug)]
pub(crate) struct Figures(BTreeMap<String, f64>);

impl Figures {
    pub(crate) fn set(&mut self, name: &str, value: f64) {
        self.0.insert(name.to_owned(), value);
    }

    /// A figure, or not a number if it was not measured.
    pub(crate) fn get(&self, name: &str) -> f64 {
        self.0.get(name).copied().unwrap_or(f64::NAN)
    }

    /// From `name=value` words.
    pub(crate) fn parse(line: &str) -> Self {
        let pairs = line.split_whitespace().filter_map(|word| word.split_once('='));
        Self(pairs.filter_map(|(name, value)| Some((name.to_owned(), value.parse().ok()?))).collect())
    }

    /// The median of each figure over several runs.
    pub(crate) fn medians(runs: &[Self]) -> Self {
        let mut values = BTreeMap::<_, Vec<f64>>::new();
        for (name, value) in runs.iter().flat_map(|run| &run.0) {
            values.entry(name.clone()).or_default().push(*value);
        }
        let median = |mut values: Vec<f64>| {
            values.sort_by(f64::total_cmp);
            values[values.len() / 2]
        };
        Self(values.into_iter().map(|(name, values)| (name, median(values))).collect())
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|(name, value)| write!(f, "{name}={value} "))
    }
}
