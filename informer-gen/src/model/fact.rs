//! What a schema demands of values beyond what a Rust type can tell, for people to read.

use serde::Serialize;
use serde_json::Number;

/// One thing that a server sees to. Texts are cut where they are long: nothing is decided by them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) enum Fact {
    /// The least number, and whether it is out itself.
    Minimum {
        value: Number,
        exclusive: bool,
    },
    /// The greatest number, and whether it is out itself.
    Maximum {
        value: Number,
        exclusive: bool,
    },
    MultipleOf(Number),
    /// In characters.
    MinLength(Number),
    MaxLength(Number),
    /// A regular expression.
    Pattern(String),
    Format(String),
    MinItems(Number),
    MaxItems(Number),
    /// No two items of a list are equal.
    Unique,
    /// A list whose items are told apart by these keys.
    KeyedBy(Vec<String>),
    /// A list or object that is applied as a whole.
    Atomic,
    MinProperties(Number),
    MaxProperties(Number),
    /// The values that are allowed, as JSON, and how many more there are.
    OneOf {
        values: Vec<String>,
        more: usize,
    },
    /// What the server puts where nothing is, as JSON; `None` where that is long.
    Default(Option<String>),
    /// It stays as it was made.
    Immutable,
    /// A rule in CEL: what the server says of it where the schema says so, else the expression.
    Rule(Rule),
    /// So many rules more.
    MoreRules(usize),
}

/// A rule in CEL.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) enum Rule {
    Message(String),
    Expression(String),
}
