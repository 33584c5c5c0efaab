//! Label selectors: which objects, by their labels.
//!
//! A [`Selector`] is what `kubectl -l` takes and what a request carries as `labelSelector`. It is a list of
//! requirements on label keys that must all hold. Matching follows the API server: `!=` and `notin` hold for an
//! object that lacks the key; `in`, `=`, `>` and `<` do not.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

mod parse;
mod syntax;

pub use parse::ParseSelectorError;

/// Chooses objects by their labels.
///
/// Selectors are kept in one canonical form: requirements in order of their keys, without repetition, and
/// `a in (b)` is the same as `a=b`. Two selectors written in different orders are therefore equal, and
/// [`Display`](fmt::Display) prints that form, which parses to an equal selector.
///
/// ```
/// use informer_runtime::Selector;
/// let selector: Selector = "tier in (web, api), !canary".parse()?;
/// assert!(selector.matches_with(|key| (key == "tier").then_some("web")));
/// assert!(!selector.matches_with(|_| None));
/// assert_eq!(selector.to_string(), "!canary,tier in (api,web)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "labels.Selector")]
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Selector {
    // Sorted and without repetition, so that equal selections are equal values
    requirements: Vec<Requirement>,
}

/// One condition on one label key.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Requirement {
    key: String,
    test: Test,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Test {
    /// `!key`
    Absent,
    /// `key`
    Present,
    /// `key=value` for one value, else `key in (…)`
    In(BTreeSet<String>),
    /// `key!=value` for one value, else `key notin (…)`
    NotIn(BTreeSet<String>),
    /// `key>number`
    Above(i64),
    /// `key<number`
    Below(i64),
}

impl Selector {
    /// The selector that every object matches. Also the default, and what the empty text parses to.
    #[doc(alias = "labels.Everything")]
    #[must_use]
    pub const fn everything() -> Self {
        Self { requirements: Vec::new() }
    }

    /// A selector that no object matches. It is written as a contradiction, `nothing,!nothing`, so that a
    /// server which is sent its text answers with no objects too.
    #[doc(alias = "labels.Nothing")]
    #[must_use]
    pub fn nothing() -> Self {
        let key = "nothing".to_owned();
        Self::of([Requirement { key: key.clone(), test: Test::Present }, Requirement { key, test: Test::Absent }])
    }

    /// Objects that carry each of these labels with exactly this value. No pairs: everything.
    ///
    /// Keys and values are not checked for the syntax of labels; what no label can be, matches nothing.
    #[doc(alias = "labels.SelectorFromSet")]
    #[doc(alias = "labels.SelectorFromValidatedSet")]
    pub fn from_set<K: Into<String>, V: Into<String>>(labels: impl IntoIterator<Item = (K, V)>) -> Self {
        Self::of(
            labels
                .into_iter()
                .map(|(key, value)| Requirement { key: key.into(), test: Test::In([value.into()].into()) }),
        )
    }

    /// Whether every object matches, because nothing is required.
    #[must_use]
    pub const fn is_everything(&self) -> bool {
        self.requirements.is_empty()
    }

    /// The same as [`is_everything`](Self::is_everything), under client-go's name: the selector is empty, not
    /// the selection.
    #[doc(alias = "Empty")]
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.is_everything()
    }

    /// Whether an object matches whose label values `get` returns by key.
    ///
    /// `get` is called once per requirement, in order of the keys, until one fails.
    #[doc(alias = "Matches")]
    pub fn matches_with<'a>(&self, get: impl Fn(&str) -> Option<&'a str>) -> bool {
        self.requirements.iter().all(|requirement| requirement.test.holds(get(&requirement.key)))
    }

    /// The objects that match this selector and also `other`.
    #[doc(alias = "Add")]
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self::of(self.requirements.into_iter().chain(other.requirements))
    }

    fn of(requirements: impl IntoIterator<Item = Requirement>) -> Self {
        let mut requirements: Vec<_> = requirements.into_iter().collect();
        requirements.sort();
        requirements.dedup();
        Self { requirements }
    }
}

impl Test {
    fn holds(&self, value: Option<&str>) -> bool {
        let number = |value: &str| value.parse::<i64>().ok();
        match (self, value) {
            (Self::Absent, value) => value.is_none(),
            (Self::NotIn(_), None) => true,
            (_, None) => false,
            (Self::Present, Some(_)) => true,
            (Self::In(values), Some(value)) => values.contains(value),
            (Self::NotIn(values), Some(value)) => !values.contains(value),
            (Self::Above(bound), Some(value)) => number(value).is_some_and(|value| value > *bound),
            (Self::Below(bound), Some(value)) => number(value).is_some_and(|value| value < *bound),
        }
    }
}

impl FromStr for Selector {
    type Err = ParseSelectorError;

    /// Reads the API server's grammar: `a=b`, `c==d`, `e!=f`, `g in (h,i)`, `j notin (k)`, `l`, `!m`, `n>3`,
    /// `o<4`, joined by commas. Keys and values must be possible label keys and values.
    ///
    /// # Errors
    /// With the byte position of the first fault.
    fn from_str(text: &str) -> Result<Self, ParseSelectorError> {
        parse::requirements(text).map(Self::of)
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, requirement) in self.requirements.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            write!(f, "{comma}{requirement}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = &self.key;
        match &self.test {
            Test::Absent => write!(f, "!{key}"),
            Test::Present => f.write_str(key),
            Test::In(values) => write_values(f, key, values, "=", "in"),
            Test::NotIn(values) => write_values(f, key, values, "!=", "notin"),
            Test::Above(bound) => write!(f, "{key}>{bound}"),
            Test::Below(bound) => write!(f, "{key}<{bound}"),
        }
    }
}

fn write_values(
    f: &mut fmt::Formatter<'_>,
    key: &str,
    values: &BTreeSet<String>,
    one: &str,
    many: &str,
) -> fmt::Result {
    let mut rest = values.iter();
    match (rest.next(), values.len()) {
        (Some(value), 1) => return write!(f, "{key}{one}{value}"),
        (Some(value), _) => write!(f, "{key} {many} ({value}")?,
        (None, _) => write!(f, "{key} {many} (")?,
    }
    for value in rest {
        write!(f, ",{value}")?;
    }
    f.write_str(")")
}

impl From<kube::core::Selector> for Selector {
    /// Keys and values are taken as they are, without a check of their syntax.
    fn from(selector: kube::core::Selector) -> Self {
        selector.into_iter().map(Self::from).fold(Self::everything(), Self::and)
    }
}

impl From<kube::core::Expression> for Selector {
    /// Keys and values are taken as they are, without a check of their syntax. `In` with no values matches
    /// nothing, `NotIn` with no values everything.
    fn from(expression: kube::core::Expression) -> Self {
        use kube::core::Expression;
        let (key, test) = match expression {
            Expression::In(_, values) if values.is_empty() => return Self::nothing(),
            Expression::NotIn(_, values) if values.is_empty() => return Self::everything(),
            Expression::In(key, values) => (key, Test::In(values)),
            Expression::NotIn(key, values) => (key, Test::NotIn(values)),
            Expression::Equal(key, value) => (key, Test::In([value].into())),
            Expression::NotEqual(key, value) => (key, Test::NotIn([value].into())),
            Expression::Exists(key) => (key, Test::Present),
            Expression::DoesNotExist(key) => (key, Test::Absent),
        };
        Self::of([Requirement { key, test }])
    }
}
