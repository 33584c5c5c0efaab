//! Objects of a kind as a server would give them back, made from the kind's schema by chance: for tests of types.

mod random;
mod plan;
mod value;
mod make;
mod plain;

use serde_json::{Map, Value, json};

use crate::document::node::Node;
use crate::model::Kind;
use make::Maker;
use plan::Plan;
use random::Random;

/// Objects of one kind in one version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Samples {
    /// The API group.
    pub group: String,
    /// The version.
    pub version: String,
    /// The kind as it stands in objects.
    pub kind: String,
    /// The resource as it stands in URLs.
    pub plural: String,
    /// Whether its objects live in namespaces.
    pub namespaced: bool,
    /// The kind's type in a generated crate, as a path from the crate's root: `shop_example_test::v1::Widget`.
    pub path: String,
    /// What gives the kind's informer in a program: a method of the version, as `widgets` in
    /// `factory.shop_example_test().v1().widgets()`.
    pub accessor: String,
    /// The objects: always the same ones for the same schema and seed.
    pub objects: Vec<Sample>,
}

/// One object, in JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// As the server gives it.
    pub given: String,
    /// What a typed value writes after it has read that: the same, but for optional fields that are null where null
    /// means nothing. `None` for an object that is not valid by the present schema, as it was stored by an earlier
    /// one: it must be read, but need not be written as it was.
    pub written: Option<String>,
}

/// What is made of a schema, one after the other; then come objects by chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manner {
    /// Every field is there, as far as the size allows.
    Full,
    /// Only what must be there.
    Minimal,
    /// Null wherever it may be.
    Nulls,
    /// Only what leads to the deepest nesting.
    Deep,
    /// Only what leads to values that are to be gone through; the value of that number.
    Choice(usize),
    /// Each field with this chance, of a hundred.
    Chance(u32),
    /// The same without some of what must be there.
    Older(u32),
}

/// Values that one object may have, so that the largest schemas give objects of a size that real ones have.
const LARGE: usize = 20_000;
const SMALL: usize = 2_000;

/// The most objects that are made just to show every value of an enum.
const MOST_CHOICES: usize = 200;

/// At least `count` objects of a kind with this schema; more where an enum has more values.
pub(crate) fn objects(schema: Node<'_>, kind: &Kind, count: usize, seed: u64) -> Vec<Sample> {
    let plan = Plan::of(schema);
    let choices = plan.choices.min(MOST_CHOICES);
    let first = [Manner::Full, Manner::Minimal, Manner::Nulls, Manner::Deep].into_iter();
    let chances = [5, 15, 30, 50, 80];
    let rest = (0..).map(|at| match at % 8 {
        7 => Manner::Older(chances[at / 8 % chances.len()]),
        _ => Manner::Chance(chances[at % chances.len()]),
    });
    let all = first.chain((0..choices).map(Manner::Choice));
    let enough = (4 + choices).max(count);
    let mut random = Random::new(seed);
    all.chain(rest).take(enough).map(|manner| sample(&plan, kind, manner, Random::new(random.next()))).collect()
}

/// So many objects of a kind as a person would write them: all with the same fields, each with other values. Their
/// only metadata is a name, the same for all.
pub(crate) fn plain(schema: Node<'_>, kind: &Kind, count: usize) -> Vec<Sample> {
    let plan = Plan::of(schema);
    let object = |number| {
        let mut object = plain::object(&plan, number);
        let metadata = json!({"name": "example"});
        head(&mut object, kind, metadata);
        let text = Value::Object(object).to_string();
        Sample { given: text.clone(), written: Some(text) }
    };
    (0..count).map(object).collect()
}

/// What every object has.
fn head(object: &mut Map<String, Value>, kind: &Kind, metadata: Value) {
    let api_version =
        if kind.group.is_empty() { kind.version.clone() } else { format!("{}/{}", kind.group, kind.version) };
    object.insert("apiVersion".into(), api_version.into());
    object.insert("kind".into(), kind.kind.clone().into());
    object.insert("metadata".into(), metadata);
}

fn sample(plan: &Plan, kind: &Kind, manner: Manner, mut random: Random) -> Sample {
    let metadata = value::metadata(&mut random, kind.namespaced, manner == Manner::Full);
    let budget = if matches!(manner, Manner::Full | Manner::Nulls) { LARGE } else { SMALL };
    let (mut given, mut written) = Maker::new(manner, random, budget).root(plan);
    for object in [&mut given, &mut written] {
        head(object, kind, metadata.clone());
    }
    let valid = !matches!(manner, Manner::Older(_));
    Sample { given: Value::Object(given).to_string(), written: valid.then(|| Value::Object(written).to_string()) }
}

#[cfg(test)]
mod tests;
