//! Any bytes in any pieces: the same lines, items and heads as a plain reading with serde_json finds, or an error, but
//! never a panic and never something else because of where the bytes were cut.

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::sample::select;
use serde::de::IgnoredAny;
use serde_json::{Map, Value};

use super::{EventType, LineTooLong, Lines, ListEnvelope, parse_event};
use crate::json::{ItemSplitter, Text};

/// Names and values that mean something to whoever reads events and lists.
const WORDS: &[&str] = &[
    "metadata",
    "name",
    "namespace",
    "uid",
    "resourceVersion",
    "labels",
    "annotations",
    "managedFields",
    "kind",
    "apiVersion",
    "items",
    "object",
    "type",
    "continue",
    "k8s.io/initial-events-end",
    "true",
    "ADDED",
    "DELETED",
    "BOOKMARK",
    "Status",
    "",
];

fn text() -> impl Strategy<Value = String> {
    prop_oneof![3 => select(WORDS).prop_map(str::to_owned), 1 => "[a-zü\"\\\\\n{}\\[\\],:]{0,8}", 1 => any::<String>()]
}

fn members(values: impl Strategy<Value = Value>) -> impl Strategy<Value = Map<String, Value>> {
    btree_map(text(), values, 0..6).prop_map(|members| members.into_iter().collect())
}

/// A tree of these names and values.
fn tree() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        text().prop_map(Value::from),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 48, 6, |inner| {
        prop_oneof![vec(inner.clone(), 0..4).prop_map(Value::from), members(inner).prop_map(Value::from)]
    })
}

/// What may be an event: with a type and an object most of the time, and an object with metadata.
fn event() -> impl Strategy<Value = Value> {
    let metadata = members(prop_oneof![3 => text().prop_map(Value::from), 1 => tree()]);
    (members(tree()), text(), members(tree()), metadata, 0..8_u8).prop_map(
        |(mut root, kind, mut object, metadata, way)| {
            if way & 1 == 0 {
                object.insert("metadata".to_owned(), metadata.into());
            }
            if way & 2 == 0 {
                root.insert("object".to_owned(), object.into());
            }
            if way & 4 == 0 {
                root.insert("type".to_owned(), kind.into());
            }
            root.into()
        },
    )
}

#[derive(Debug, PartialEq)]
struct Head {
    strings: [Option<String>; 6],
    labels: Option<Value>,
    initial_events_end: bool,
}

/// A string or nothing; anything else is no head.
fn string(of: &Value, name: &str) -> Result<Option<String>, ()> {
    match of.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(()),
    }
}

fn read_plainly(event: &Value) -> Result<Option<(String, Head)>, ()> {
    let root = event.as_object().ok_or(())?;
    let kind = match root.get("type") {
        None => None,
        Some(kind) => Some(kind.as_str().ok_or(())?.to_owned()),
    };
    let head = match root.get("object") {
        Some(object) if object.is_object() => {
            let metadata = object.get("metadata").filter(|metadata| metadata.is_object()).unwrap_or(&Value::Null);
            let annotations = metadata.get("annotations").unwrap_or(&Value::Null);
            Some(Head {
                strings: [
                    string(object, "apiVersion")?,
                    string(object, "kind")?,
                    string(metadata, "namespace")?,
                    string(metadata, "name")?,
                    string(metadata, "uid")?,
                    string(metadata, "resourceVersion")?,
                ],
                labels: metadata.get("labels").filter(|labels| labels.is_object()).cloned(),
                initial_events_end: annotations.get("k8s.io/initial-events-end") == Some(&Value::from("true")),
            })
        }
        _ => None,
    };
    let known = |kind: &String| ["ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR"].contains(&kind.as_str());
    Ok(kind.filter(known).zip(head))
}

fn read_as_we_do(line: &str) -> Result<Option<(String, Head)>, ()> {
    let parsed = parse_event(line).map_err(drop)?;
    Ok(parsed.map(|(kind, found)| {
        let kind = match kind {
            EventType::Added => "ADDED",
            EventType::Modified => "MODIFIED",
            EventType::Deleted => "DELETED",
            EventType::Bookmark => "BOOKMARK",
            EventType::Error => "ERROR",
        };
        let value = |text: Option<Text<'_>>| text.map(|text| text.value().expect("no lone surrogate").into_owned());
        let head = Head {
            strings: [found.api_version, found.kind, found.namespace, found.name, found.uid, found.resource_version]
                .map(value),
            labels: found.labels.map(|place| serde_json::from_str(&line[place]).expect("checked")),
            initial_events_end: found.initial_events_end,
        };
        (kind.to_owned(), head)
    }))
}

/// Puts other bytes in, takes some out: `(place, byte, way)`.
fn spoilt(text: &str, changes: &[(usize, u8, u8)]) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for (place, byte, way) in changes {
        let place = place % (bytes.len() + 1);
        match way % 3 {
            0 => bytes.insert(place, *byte),
            1 if place < bytes.len() => bytes[place] = *byte,
            _ if place < bytes.len() => drop(bytes.remove(place)),
            _ => {}
        }
    }
    bytes
}

fn changes(most: usize) -> impl Strategy<Value = Vec<(usize, u8, u8)>> {
    let byte = prop_oneof![select(&b"{}[]\",:\\ \n\t01e-ntf\x00\x1f\x7f\xc3\xff"[..]), any::<u8>()];
    vec((any::<usize>(), byte, any::<u8>()), 0..most)
}

/// The bytes in pieces of these sizes, the sizes over and over.
fn pieces<'a>(bytes: &'a [u8], sizes: &'a [usize]) -> impl Iterator<Item = &'a [u8]> {
    let mut rest = bytes;
    let mut sizes = sizes.iter().cycle();
    std::iter::from_fn(move || {
        let (piece, after) = rest.split_at((*sizes.next()?).min(rest.len()));
        rest = after;
        (!piece.is_empty()).then_some(piece)
    })
}

fn lines(bytes: &[u8], sizes: &[usize], max: usize) -> (Vec<Vec<u8>>, bool) {
    let (mut lines, mut found) = (Lines::new(max), Vec::new());
    let mut take = |line: &[u8]| -> Result<(), LineTooLong> {
        found.push(line.to_vec());
        Ok(())
    };
    let pushed = pieces(bytes, sizes).try_for_each(|piece| lines.push(piece, &mut take));
    let whole = pushed.and_then(|()| lines.finish(&mut take)).is_ok();
    (found, whole)
}

/// The items, and what is left of the list, or what was wrong with it.
fn split(bytes: &[u8], sizes: &[usize]) -> (Vec<Vec<u8>>, Result<Vec<u8>, String>) {
    let (mut splitter, mut items) = (ItemSplitter::new(1 << 16), Vec::new());
    for piece in pieces(bytes, sizes) {
        let pushed = splitter.push(piece, |item| items.push(item.expect("small").to_vec()));
        if let Err(error) = pushed {
            return (items, Err(error.to_string()));
        }
    }
    (items, Ok(splitter.finish()))
}

/// A list with its members in any order.
fn list() -> impl Strategy<Value = (Vec<(String, Value)>, Vec<Value>)> {
    let rest = members(tree()).prop_map(|mut members| {
        members.remove("items");
        members.into_iter().collect::<Vec<_>>()
    });
    (rest.prop_shuffle(), vec(tree(), 0..6), any::<prop::sample::Index>()).prop_map(|(mut members, items, place)| {
        let place = place.index(members.len() + 1);
        members.insert(place, ("items".to_owned(), items.clone().into()));
        (members, items)
    })
}

fn written(members: &[(String, Value)], space: &str) -> String {
    let member =
        |(name, value): &(String, Value)| format!("{space}{}{space}:{space}{value}", Value::from(name.as_str()));
    format!("{{{}{space}}}", members.iter().map(member).collect::<Vec<_>>().join(","))
}

proptest! {
    #[test]
    fn events_are_read_as_serde_reads_them(event in event(), pretty: bool) {
        let line = if pretty { format!("{event:#}") } else { event.to_string() };
        prop_assert_eq!(read_as_we_do(&line), read_plainly(&event), "{}", line);
    }

    #[test]
    fn what_serde_refuses_is_refused(event in event(), changes in changes(4)) {
        let bytes = spoilt(&event.to_string(), &changes);
        if let Ok(line) = std::str::from_utf8(&bytes) && parse_event(line).is_ok() {
            prop_assert!(serde_json::from_str::<IgnoredAny>(line).is_ok(), "{}", line);
        }
    }

    #[test]
    fn lines_are_the_same_wherever_they_are_cut(
        bytes in vec(prop_oneof![4 => select(&b"\n\r {}a"[..]), 1 => any::<u8>()], 0..200),
        sizes in vec(1..20_usize, 1..6),
        max in 1..40_usize,
    ) {
        let without_return = |line: &'_ [u8]| line.strip_suffix(b"\r").unwrap_or(line).to_vec();
        let mut expected: Vec<Vec<u8>> = bytes.split(|byte| *byte == b'\n').map(without_return).collect();
        expected.retain(|line| !line.iter().all(u8::is_ascii_whitespace));
        prop_assert_eq!(lines(&bytes, &sizes, 1000), (expected.clone(), true));
        let (found, whole) = lines(&bytes, &sizes, max);
        prop_assert_eq!(&found[..], &expected[..found.len()], "what comes before a line that is too long");
        let longest = bytes.split(|byte| *byte == b'\n').map(<[u8]>::len).max().unwrap_or_default();
        prop_assert!(whole == (found.len() == expected.len()) || longest > max);
        prop_assert!(whole || longest > max);
    }

    #[test]
    fn items_are_what_serde_finds((members, items) in list(), sizes in vec(1..50_usize, 1..6), space in "[ \n]{0,2}") {
        let text = written(&members, &space);
        let (found, envelope) = split(text.as_bytes(), &sizes);
        let read = |item: &Vec<u8>| serde_json::from_slice::<Value>(item).expect("an item");
        // Through serde both, so that numbers are as it reads them.
        let expected: Vec<Value> = items.iter().map(|item| read(&item.to_string().into_bytes())).collect();
        prop_assert_eq!(found.iter().map(read).collect::<Vec<_>>(), expected);
        let envelope = envelope.expect("a good list");
        let mut whole: Value = serde_json::from_str(&text).expect("JSON");
        whole["items"] = Value::Array(Vec::new());
        prop_assert_eq!(read(&envelope), whole.clone());
        if let Ok(parsed) = ListEnvelope::parse(&envelope) {
            let said = |pointer: &str| whole.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
            prop_assert_eq!(parsed.resource_version, said("/metadata/resourceVersion"));
            prop_assert_eq!((parsed.kind, parsed.continue_token), (said("/kind"), said("/metadata/continue")));
        }
    }

    #[test]
    fn a_spoilt_list_is_the_same_wherever_it_is_cut(
        (members, _) in list(),
        changes in changes(6),
        sizes in vec(1..50_usize, 1..6),
    ) {
        let bytes = spoilt(&written(&members, ""), &changes);
        prop_assert_eq!(split(&bytes, &sizes), split(&bytes, &[bytes.len().max(1)]));
    }
}
