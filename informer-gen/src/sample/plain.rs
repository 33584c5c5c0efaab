//! Objects as a person would write them to try a kind out: few values, each called after its field.

use serde_json::{Map, Value, json};

use super::plan::{Form, Member, Plan, Text};

/// How many optional fields an object gets at each level, the root first. Deeper ones have what is required.
const OPTIONAL: [usize; 4] = [6, 8, 3, 1];

/// The fields of an object, without those that every object has. Each number gives another object, as far as the
/// schema has room for more than one; all of them have the same fields.
pub(super) fn object(plan: &Plan, number: usize) -> Map<String, Value> {
    let Form::Object { members, .. } = &plan.form else { return Map::new() };
    let own: Vec<&Member> =
        members.iter().filter(|member| !["apiVersion", "kind", "metadata"].contains(&member.name.as_str())).collect();
    // People don't write the status, unless there is nothing else.
    let more = own.iter().any(|member| member.name != "status");
    let written = own.into_iter().filter(|member| member.required || member.name != "status" || !more);
    fields(written, number, 0)
}

fn fields<'a>(members: impl Iterator<Item = &'a Member>, number: usize, level: usize) -> Map<String, Value> {
    let mut left = OPTIONAL.get(level).copied().unwrap_or(0);
    let mut object = Map::new();
    for member in members {
        if !member.required && left == 0 {
            continue;
        }
        let scalar = member.default.as_ref().filter(|default| !default.is_null() && !is_nested(default));
        let value = match scalar {
            Some(default) if number == 0 => Some(default.clone()),
            _ => value(&member.plan, &member.name, number, level),
        };
        if let Some(value) = value {
            object.insert(member.name.clone(), value);
            left = if member.required { left } else { left - 1 };
        }
    }
    object
}

fn is_nested(value: &Value) -> bool {
    value.is_array() || value.is_object()
}

/// `None` where nothing can be put. Recursion follows the depth of a plan, which is bounded.
fn value(plan: &Plan, name: &str, number: usize, level: usize) -> Option<Value> {
    if !plan.values.is_empty() {
        let said: Vec<&Value> = plan.values.iter().filter(|value| !value.is_null() && *value != "").collect();
        return said.get(number % said.len().max(1)).or(plan.values.first().as_ref()).map(|value| (*value).clone());
    }
    let step = number as i64;
    Some(match &plan.form {
        Form::Nothing => return None,
        Form::Boolean => Value::Bool(number.is_multiple_of(2)),
        Form::Integer { least, most } => {
            let first = 1.clamp(*least, *most);
            let up = first.saturating_add(step);
            Value::from(if up <= *most { up } else { first.saturating_sub(step).max(*least) })
        }
        Form::Number => Value::from(step as f64 + 0.5),
        Form::IntOrString => Value::from(8080 + step),
        Form::Text(Text::DateTime) => Value::from(format!("2024-05-{:02}T10:00:00Z", number % 28 + 1)),
        Form::Text(Text::Bytes) => Value::from(["c2FtcGxl", "AAEC", ""][number % 3]),
        Form::Any | Form::Text(Text::Plain) => Value::from(word(name, number)),
        Form::List(items) => value(items, name, number, level).into_iter().collect(),
        Form::Map(values) => {
            value(values, name, number, level).map(|value| ("example".to_owned(), value)).into_iter().collect()
        }
        Form::Object { members, open: true } if members.is_empty() => json!({ "anything": word(name, number) }),
        Form::Object { members, .. } => Value::Object(fields(members.iter(), number, level + 1)),
        Form::Embedded(members) => {
            let mut object = fields(members.iter(), number, level + 1);
            object.insert("apiVersion".into(), "v1".into());
            object.insert("kind".into(), "ConfigMap".into());
            object.insert("metadata".into(), json!({ "name": word(name, number) }));
            Value::Object(object)
        }
    })
}

/// `secretName` as `secret-name`, and from the second one on with a number.
fn word(name: &str, number: usize) -> String {
    let mut word = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() && word.ends_with(|before: char| before.is_ascii_lowercase()) {
            word.push('-');
        }
        word.push(c.to_ascii_lowercase());
    }
    if number == 0 { word } else { format!("{word}-{}", number + 1) }
}
