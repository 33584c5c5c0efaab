//! A schema to what the server stores under it.
//!
//! This is read from the schema by itself and knows nothing of [`Shape`](crate::model), so that a mistake made there
//! is not made here again. Recursion is bounded by [`LEVELS`].

use serde_json::{Map, Number, Value};

use crate::document::node::{self, Node};

/// Levels that samples have. What is deeper is left out, since serde_json reads 128 levels.
const LEVELS: u32 = 100;

/// Values that the server stores in one place.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) form: Form,
    pub(crate) nullable: bool,
    /// The only values, where the schema lists some that fit its type.
    pub(crate) values: Vec<Value>,
    /// How many values there are to go through here or below: those of the longest enum, forms of int-or-string.
    pub(crate) choices: usize,
    /// Levels of nesting below.
    pub(crate) height: u32,
}

#[derive(Clone, Debug)]
pub(crate) enum Form {
    /// Whatever JSON has.
    Any,
    Boolean,
    Integer {
        least: i64,
        most: i64,
    },
    Number,
    Text(Text),
    IntOrString,
    /// An object of Kubernetes within the object.
    Embedded(Vec<Member>),
    List(Box<Plan>),
    Map(Box<Plan>),
    Object {
        members: Vec<Member>,
        /// Whether other keys are kept.
        open: bool,
    },
    /// Too deep, or contradicting itself: nothing can be put there.
    Nothing,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Text {
    Plain,
    DateTime,
    Bytes,
}

#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) required: bool,
    pub(crate) default: Option<Value>,
    pub(crate) plan: Plan,
}

/// Forms that an int-or-string takes; see the values.
pub(crate) const INT_OR_STRING_FORMS: usize = 12;

impl Plan {
    /// The plan of a schema that the lowering has found no fault with.
    pub(crate) fn of(schema: Node<'_>) -> Self {
        read(schema, 0)
    }

    fn new(form: Form, nullable: bool) -> Self {
        let (choices, height) = match &form {
            Form::IntOrString => (INT_OR_STRING_FORMS, 0),
            Form::List(inner) | Form::Map(inner) => (inner.choices, inner.height + 1),
            Form::Object { members, .. } | Form::Embedded(members) => members
                .iter()
                .fold((0, 0), |(most, high), member| (most.max(member.plan.choices), high.max(member.plan.height + 1))),
            _ => (0, 0),
        };
        Plan { form, nullable, values: Vec::new(), choices, height }
    }

    /// Whether an optional field of this may be null, and then is the same as one that is not there.
    pub(crate) fn null_is_absent(&self, default: bool) -> bool {
        self.nullable && !default && !matches!(self.form, Form::Any)
    }
}

fn flag(schema: Node<'_>, key: &str) -> bool {
    schema.get(key).and_then(Node::as_bool) == Some(true)
}

fn read(schema: Node<'_>, level: u32) -> Plan {
    let nullable = flag(schema, "nullable");
    if level >= LEVELS {
        return Plan::new(Form::Nothing, nullable);
    }
    let mut plan = Plan::new(form(schema, level), nullable);
    let listed = schema.get("enum").filter(|values| values.is_array());
    if let Some(listed) = listed {
        plan.values = listed.items().map(json).filter(|value| fits(&plan.form, value)).collect();
        plan.choices = plan.choices.max(plan.values.len());
        if plan.values.is_empty() && listed.items().len() > 0 {
            plan.form = Form::Nothing;
        }
    }
    plan
}

fn form(schema: Node<'_>, level: u32) -> Form {
    if flag(schema, "x-kubernetes-int-or-string") {
        return Form::IntOrString;
    }
    let kind = schema.get("type").and_then(Node::as_str).unwrap_or_default();
    let open = flag(schema, "x-kubernetes-preserve-unknown-fields");
    if flag(schema, "x-kubernetes-embedded-resource") {
        let mut members = members(schema, level);
        members.retain(|member| !["apiVersion", "kind", "metadata"].contains(&member.name.as_str()));
        return Form::Embedded(members);
    }
    match kind {
        "boolean" => Form::Boolean,
        "integer" => integer(schema),
        "number" => Form::Number,
        "string" => Form::Text(match schema.get("format").and_then(Node::as_str) {
            Some("date-time") => Text::DateTime,
            Some("byte") => Text::Bytes,
            _ => Text::Plain,
        }),
        "array" => match schema.get("items") {
            Some(items) => Form::List(Box::new(read(items, level + 1))),
            None => Form::Nothing,
        },
        "object" => {
            let members = members(schema, level);
            match schema.get("additionalProperties") {
                Some(values) if values.is_object() && members.is_empty() => {
                    Form::Map(Box::new(read(values, level + 1)))
                }
                Some(values) => Form::Object { members, open: open || values.as_bool() == Some(true) },
                None => Form::Object { members, open },
            }
        }
        _ => Form::Any,
    }
}

fn members(schema: Node<'_>, level: u32) -> Vec<Member> {
    let Some(properties) = schema.get("properties") else { return Vec::new() };
    let required: Vec<&str> =
        schema.get("required").into_iter().flat_map(|list| list.items().filter_map(Node::as_str)).collect();
    let member = |(key, property): (node::Key<'_>, Node<'_>)| Member {
        name: key.name.to_owned(),
        required: required.contains(&key.name),
        default: property.get("default").map(json),
        plan: read(property, level + 1),
    };
    properties.entries().map(member).collect()
}

fn integer(schema: Node<'_>) -> Form {
    let bound = |key: &str| match schema.get(key).map(Node::value) {
        Some(node::Value::Number(number)) => number.as_f64(),
        _ => None,
    };
    let (mut least, mut most) = match schema.get("format").and_then(Node::as_str) {
        Some("int32") => (i64::from(i32::MIN), i64::from(i32::MAX)),
        _ => (i64::MIN, i64::MAX),
    };
    // Whole numbers inside of exclusive bounds too; `as` stays within the range of i64.
    if let Some(bound) = bound("minimum") {
        least = least.max((bound.floor() as i64).saturating_add(1));
    }
    if let Some(bound) = bound("maximum") {
        most = most.min((bound.ceil() as i64).saturating_sub(1));
    }
    if least > most { Form::Integer { least: most, most } } else { Form::Integer { least, most } }
}

/// Whether the server would take a listed value, going by its type.
fn fits(form: &Form, value: &Value) -> bool {
    match form {
        Form::Any => true,
        Form::Boolean => value.is_boolean(),
        Form::Integer { .. } => value.is_i64(),
        Form::Number => value.is_number(),
        Form::Text(_) => value.is_string(),
        Form::IntOrString => value.is_string() || value.is_i64(),
        Form::List(_) => value.is_array(),
        Form::Embedded(_) | Form::Map(_) | Form::Object { .. } => value.is_object(),
        Form::Nothing => false,
    }
}

/// A value of a document, numbers as the server gives them back: `1.0` is `1`.
fn json(node: Node<'_>) -> Value {
    match node.value() {
        node::Value::Null => Value::Null,
        node::Value::Bool(value) => Value::Bool(*value),
        node::Value::Number(number) => Value::Number(whole(number)),
        node::Value::String(text) => Value::String(text.clone()),
        // The reader of documents bounds the depth.
        node::Value::Array(_) => Value::Array(node.items().map(json).collect()),
        node::Value::Object(_) => {
            Value::Object(node.entries().map(|(key, value)| (key.name.to_owned(), json(value))).collect::<Map<_, _>>())
        }
    }
}

fn whole(number: &Number) -> Number {
    match number.as_f64() {
        Some(value) if number.is_f64() && value.fract() == 0.0 && value.abs() < 9e15 => Number::from(value as i64),
        _ => number.clone(),
    }
}
