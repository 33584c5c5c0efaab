//! One object from a plan.

use serde_json::{Map, Value};

use super::Manner;
use super::plan::{Form, INT_OR_STRING_FORMS, Member, Plan, Text};
use super::random::Random;
use super::value;

/// What stands for a null that means nothing until the object is done. No other value is equal to it.
const DROPPED: &str = "\u{0}null";

/// Levels of JSON that no schema describes.
const ANY_LEVELS: u32 = 4;

/// Makes values until it has made enough of them; then only what must be there follows.
pub(super) struct Maker {
    manner: Manner,
    random: Random,
    left: usize,
    /// Objects of the schema that are being made, each within the one before.
    level: u32,
}

impl Maker {
    pub(super) fn new(manner: Manner, random: Random, budget: usize) -> Self {
        Maker { manner, random, left: budget, level: 0 }
    }

    /// The fields of an object, without those that every object has: as given and as written again.
    pub(super) fn root(mut self, plan: &Plan) -> (Map<String, Value>, Map<String, Value>) {
        let root = match &plan.form {
            Form::Object { members, open } => {
                let known = ["apiVersion", "kind", "metadata"];
                let members: Vec<&Member> =
                    members.iter().filter(|member| !known.contains(&member.name.as_str())).collect();
                self.object(&members, *open)
            }
            _ => value::any_object(&mut self.random, ANY_LEVELS),
        };
        let mut given = Value::Object(root.clone());
        let mut written = Value::Object(root);
        settle(&mut given, false);
        settle(&mut written, true);
        match (given, written) {
            (Value::Object(given), Value::Object(written)) => (given, written),
            _ => Default::default(),
        }
    }

    fn object(&mut self, members: &[&Member], open: bool) -> Map<String, Value> {
        let mut object = Map::new();
        if open && !matches!(self.manner, Manner::Minimal | Manner::Deep | Manner::Choice(_)) {
            object = value::any_object(&mut self.random, ANY_LEVELS);
            for key in ["apiVersion", "kind", "metadata", "items"] {
                object.remove(key);
            }
            members.iter().for_each(|member| drop(object.remove(&member.name)));
        }
        // What the size leaves room for is not always the same.
        let mut order: Vec<&Member> = members.to_vec();
        self.random.shuffle(&mut order);
        order.sort_by_key(|member| !member.required);
        self.level += 1;
        let highest = members.iter().map(|member| member.plan.height).max().unwrap_or(0);
        for member in order {
            if let Some(value) = self.member(member, highest) {
                object.insert(member.name.clone(), value);
            }
        }
        self.level -= 1;
        object
    }

    fn member(&mut self, member: &Member, highest: u32) -> Option<Value> {
        let Member { required, default, plan, .. } = member;
        let older = matches!(self.manner, Manner::Older(_));
        let wanted = match self.manner {
            _ if *required && !(older && self.random.percent(20)) => true,
            _ if self.left == 0 => false,
            Manner::Full | Manner::Nulls => true,
            Manner::Minimal => false,
            Manner::Deep => plan.height == highest && plan.height > 0,
            Manner::Choice(_) => plan.choices > 0,
            // Without a spec there is little to see.
            Manner::Chance(_) | Manner::Older(_) if self.level == 1 => self.random.percent(80),
            Manner::Chance(share) | Manner::Older(share) => self.random.percent(share),
        };
        if !wanted {
            // The server fills it in.
            return default.clone().filter(|default| !default.is_null());
        }
        if let Some(default) = default.as_ref().filter(|default| !default.is_null())
            && self.random.percent(20)
        {
            return Some(default.clone());
        }
        let null = match self.manner {
            Manner::Nulls => true,
            Manner::Full | Manner::Deep | Manner::Choice(_) | Manner::Minimal => false,
            Manner::Chance(_) | Manner::Older(_) => self.random.percent(25),
        };
        // An enum never lets it through, not even one that lists null.
        if null && plan.nullable && plan.values.is_empty() && !matches!(plan.form, Form::Nothing) {
            let absent = !required && plan.null_is_absent(default.is_some());
            return Some(if absent { Value::from(DROPPED) } else { Value::Null });
        }
        self.value(plan)
    }

    /// `None` where nothing can be put.
    fn value(&mut self, plan: &Plan) -> Option<Value> {
        self.left = self.left.saturating_sub(1);
        if !plan.values.is_empty() {
            return Some(self.listed(plan));
        }
        let random = &mut self.random;
        Some(match &plan.form {
            Form::Nothing => return None,
            Form::Any => value::any(random, ANY_LEVELS),
            Form::Boolean => Value::Bool(random.percent(50)),
            Form::Integer { least, most } => value::integer(random, *least, *most),
            Form::Number => value::number(random),
            Form::Text(Text::Plain) => value::text(random),
            Form::Text(Text::DateTime) => value::time(random),
            Form::Text(Text::Bytes) => value::bytes(random),
            Form::IntOrString => {
                let form = if let Manner::Choice(at) = self.manner { at } else { random.next() as usize };
                value::int_or_string(form % INT_OR_STRING_FORMS)
            }
            Form::List(items) => Value::Array((0..self.count()).filter_map(|_| self.slot(items)).collect()),
            Form::Map(values) => {
                let mut map = Map::new();
                for _ in 0..self.count() {
                    if let Some(value) = self.slot(values) {
                        map.insert(value::key(&mut self.random), value);
                    }
                }
                Value::Object(map)
            }
            Form::Object { members, open } => Value::Object(self.object(&members.iter().collect::<Vec<_>>(), *open)),
            Form::Embedded(members) => {
                let mut object = self.object(&members.iter().collect::<Vec<_>>(), false);
                object.insert("apiVersion".into(), "v1".into());
                object.insert("kind".into(), "ConfigMap".into());
                object.insert("metadata".into(), value::metadata(&mut self.random, true, false));
                Value::Object(object)
            }
        })
    }

    /// One of the values that a schema lists, now and then one that a later schema may list.
    fn listed(&mut self, plan: &Plan) -> Value {
        let at = match self.manner {
            Manner::Choice(at) => at,
            Manner::Chance(_) if matches!(plan.form, Form::Text(_)) && self.random.percent(5) => {
                return value::text(&mut self.random);
            }
            _ => self.random.next() as usize,
        };
        plan.values[at % plan.values.len()].clone()
    }

    fn count(&mut self) -> usize {
        match self.manner {
            Manner::Minimal => 0,
            Manner::Deep | Manner::Choice(_) => 1,
            _ if self.left == 0 => 0,
            Manner::Full | Manner::Nulls => 2,
            Manner::Chance(_) | Manner::Older(_) => self.random.below(4),
        }
    }

    fn slot(&mut self, plan: &Plan) -> Option<Value> {
        let null = matches!(self.manner, Manner::Nulls) || self.random.percent(15);
        let may = plan.nullable && plan.values.is_empty() && !matches!(self.manner, Manner::Deep | Manner::Choice(_));
        if null && may { Some(Value::Null) } else { self.value(plan) }
    }
}

/// Puts null for what stands for it, or leaves it out.
fn settle(value: &mut Value, leave_out: bool) {
    // As deep as plans are.
    match value {
        Value::Object(fields) => {
            if leave_out {
                fields.retain(|_, value| *value != DROPPED);
            }
            fields.values_mut().for_each(|value| settle(value, leave_out));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| settle(item, leave_out)),
        value if *value == DROPPED => *value = Value::Null,
        _ => {}
    }
}
