//! Values of the plainer forms: texts, numbers, keys, JSON of any kind, metadata.

use serde_json::{Map, Number, Value, json};

use super::random::Random;

const TEXTS: [&str; 14] = [
    "a",
    "",
    " a b ",
    "größe",
    "\"\\/\u{8}\n\t\u{1}",
    "\u{202e}日本\u{1f980}",
    "100Mi",
    "1.50",
    "1e3",
    "true",
    "null",
    "0x10",
    "-0",
    "<a href='b'>&amp;</a>",
];

/// In every form that the server takes and keeps.
const TIMES: [&str; 6] = [
    "2024-05-01T10:00:00Z",
    "2024-05-01T10:00:00.123456789Z",
    "2024-05-01T10:00:00.500+02:00",
    "0001-01-01T00:00:00Z",
    "2024-05-01t10:00:00z",
    "9999-12-31T23:59:59-11:30",
];

const BYTES: [&str; 3] = ["", "AAEC", "c2FtcGxl"];

const KEYS: [&str; 9] = ["a", "example.test/b.c", "", "größe", "type", "Self", "a b\"\\", "0", "extra"];

pub(crate) fn text(random: &mut Random) -> Value {
    Value::from(*random.pick(&TEXTS).unwrap_or(&"a"))
}

pub(crate) fn time(random: &mut Random) -> Value {
    Value::from(*random.pick(&TIMES).unwrap_or(&"a"))
}

pub(crate) fn bytes(random: &mut Random) -> Value {
    Value::from(*random.pick(&BYTES).unwrap_or(&"a"))
}

/// A key of a map. Two calls may give the same.
pub(crate) fn key(random: &mut Random) -> String {
    (*random.pick(&KEYS).unwrap_or(&"a")).to_owned()
}

pub(crate) fn integer(random: &mut Random, least: i64, most: i64) -> Value {
    let candidates = [0, 1, -1, 80, 2_147_483_648, 9_007_199_254_740_993, least, most];
    let value = *random.pick(&candidates).unwrap_or(&0);
    Value::from(value.clamp(least, most))
}

pub(crate) fn number(random: &mut Random) -> Value {
    match random.below(13) {
        0 => Value::from(0),
        1 => Value::from(-7),
        2 => Value::from(0.25),
        3 => Value::from(-1.5e-7),
        4 => Value::from(1e21),
        // What the server makes of 12345678901234567890.
        5 => Value::from(12_345_678_901_234_567_000_u64),
        6 => Value::from(i64::MAX),
        7 => Value::from(0.1 + 0.2),
        8 => Value::from(0.123_456_789_012_345_68),
        9 => Value::from(f64::MAX),
        10 => Value::from(f64::from_bits(1)),
        11 => Value::from(u64::MAX),
        _ => Number::from_f64((random.next() % 1_000_000) as f64 / 1_000.0 + 0.0005)
            .map_or(Value::from(1), Value::Number),
    }
}

/// The form of that number; there are [`INT_OR_STRING_FORMS`](super::plan::INT_OR_STRING_FORMS).
pub(crate) fn int_or_string(form: usize) -> Value {
    match form {
        0 => json!(80),
        1 => json!("http"),
        2 => json!(0),
        3 => json!("25%"),
        4 => json!(-1),
        5 => json!("80"),
        6 => json!(i64::MAX),
        7 => json!(""),
        8 => json!(i64::MIN),
        9 => json!("1.5Gi"),
        10 => json!(17_179_869_184_i64),
        _ => json!("-0"),
    }
}

/// JSON of any kind but null at the top, at most so many levels deep.
pub(crate) fn any(random: &mut Random, levels: u32) -> Value {
    let inner = |random: &mut Random| if random.percent(20) { Value::Null } else { any(random, levels - 1) };
    match random.below(if levels == 0 { 5 } else { 8 }) {
        0 => Value::Bool(random.percent(50)),
        1 => number(random),
        2 => integer(random, i64::MIN, i64::MAX),
        3 | 4 => text(random),
        5 => Value::Array((0..random.below(4)).map(|_| inner(random)).collect()),
        _ => Value::Object(any_object(random, levels)),
    }
}

/// An object with keys and values of any kind.
pub(crate) fn any_object(random: &mut Random, levels: u32) -> Map<String, Value> {
    let mut object = Map::new();
    for _ in 0..random.below(4) {
        let value = if levels == 0 || random.percent(20) { Value::Null } else { any(random, levels.saturating_sub(1)) };
        object.insert(key(random), value);
    }
    object
}

/// Metadata as the server gives it back.
pub(crate) fn metadata(random: &mut Random, namespaced: bool, full: bool) -> Value {
    let mut metadata = json!({
        "name": "a", "uid": "6c3bb0f5-0000-4000-8000-000000000001", "resourceVersion": "12", "generation": 3,
        "creationTimestamp": "2024-05-01T10:00:00Z",
    });
    let Some(fields) = metadata.as_object_mut() else { return metadata };
    if namespaced {
        fields.insert("namespace".into(), "red".into());
    }
    if full || random.percent(30) {
        let more = json!({
            "labels": {"example.test/tier": "a", "b": ""}, "annotations": {"example.test/notes": "{\"a\":[1]}"},
            "finalizers": ["example.test/wait"], "generateName": "a-", "deletionGracePeriodSeconds": 0,
            "deletionTimestamp": "2024-05-01T10:00:01Z",
            "ownerReferences": [{
                "apiVersion": "apps/v1", "kind": "Deployment", "name": "a", "controller": true,
                "uid": "6c3bb0f5-0000-4000-8000-000000000002", "blockOwnerDeletion": false,
            }],
            "managedFields": [{
                "apiVersion": "apps/v1", "fieldsType": "FieldsV1", "fieldsV1": {"f:spec": {"f:a": {}}},
                "manager": "kubectl", "operation": "Update", "subresource": "status", "time": "2024-05-01T10:00:00Z",
            }],
        });
        if let Value::Object(more) = more {
            fields.extend(more);
        }
    }
    metadata
}
