//! Removes the members that a JSON pointer (RFC 6901) names, on the bytes.

use std::ops::Range;

use super::check::Malformed;
use super::cursor::{Cursor, Members};

/// A pointer that is ready to be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Removal {
    segments: Vec<String>,
}

impl Removal {
    /// `None` for what is no pointer, or is one to the whole text.
    pub(crate) fn new(pointer: &str) -> Option<Self> {
        let path = pointer.strip_prefix('/')?;
        let segments = path.split('/').map(|segment| segment.replace("~1", "/").replace("~0", "~")).collect();
        Some(Self { segments })
    }

    /// The text without the members that are named; `None` if there are none. Of a name that stands twice in one
    /// object, both go. The text is known to be JSON.
    pub(crate) fn apply(&self, text: &str) -> Option<String> {
        let mut cuts = Vec::new();
        let mut cursor = Cursor::new(text);
        find(&mut cursor, &self.segments, &mut cuts).ok()?;
        let mut from = 0;
        let mut rest = String::with_capacity(text.len());
        for cut in &cuts {
            rest.push_str(text.get(from..cut.start)?);
            from = cut.end;
        }
        rest.push_str(text.get(from..)?);
        (!cuts.is_empty()).then_some(rest)
    }
}

/// Steps over the value before the cursor and collects what to cut from it. As deep as the pointer, whatever the text.
fn find(cursor: &mut Cursor<'_>, segments: &[String], cuts: &mut Vec<Range<usize>>) -> Result<(), Malformed> {
    let Some((segment, inner)) = segments.split_first() else {
        return cursor.skip().map(|_| ());
    };
    match cursor.peek() {
        Some(b'{') => {
            let mut members = cursor.object()?;
            let mut kept = false;
            while let Some(key) = cursor.member(&mut members)? {
                let named = key.with(|name| name == segment.as_bytes());
                if named && inner.is_empty() {
                    let end = cursor.skip()?.end;
                    cuts.push(place(cursor, &members, kept, end));
                    continue;
                }
                kept = true;
                if named {
                    find(cursor, inner, cuts)?;
                } else {
                    cursor.skip()?;
                }
            }
            Ok(())
        }
        Some(b'[') => {
            // An item is a way through, never itself removed: the others would get other places.
            let end = cursor.clone().skip()?.end;
            if let Some(index) = segment.parse().ok().filter(|_| !inner.is_empty()) {
                let mut item = cursor.clone();
                if item.enter_item(index).is_some() {
                    find(&mut item, inner, cuts)?;
                }
            }
            cursor.move_to(end);
            Ok(())
        }
        _ => cursor.skip().map(|_| ()),
    }
}

/// The member and one comma: that before it, or that behind it as long as no member before it stays.
fn place(cursor: &mut Cursor<'_>, members: &Members, kept: bool, end: usize) -> Range<usize> {
    match members.comma {
        Some(comma) if kept => comma..end,
        _ if cursor.peek() == Some(b',') => members.key..cursor.position() + 1,
        _ => members.key..end,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    fn without(text: &str, pointer: &str) -> Option<String> {
        Removal::new(pointer).unwrap().apply(text)
    }

    #[test]
    fn cuts_members_wherever_they_stand() {
        for (text, pointer, rest) in [
            (r#"{"a":1}"#, "/a", "{}"),
            (r#"{"a":1 , "b":2}"#, "/a", r#"{ "b":2}"#),
            (r#"{"a":1,"b":{"c":[1,2]}}"#, "/b", r#"{"a":1}"#),
            (r#"{"a":1,"a":2,"b":3,"a":4}"#, "/a", r#"{"b":3}"#),
            (r#"{"a":{"x/y":1,"~":2}}"#, "/a/x~1y", r#"{"a":{"~":2}}"#),
            (r#"{"l":[{"a":1},{"a":1,"b":2}]}"#, "/l/1/a", r#"{"l":[{"a":1},{"b":2}]}"#),
            (r#"{"\u0061":1,"b":2}"#, "/a", r#"{"b":2}"#),
        ] {
            assert_eq!(without(text, pointer).as_deref(), Some(rest), "{text} {pointer}");
        }
        for pointer in ["/b", "/a/b", "/l/0", "/l/x/a", "/l/7/a", "/l/0/0"] {
            assert_eq!(without(r#"{"a":1,"l":[{"c":1}]}"#, pointer), None, "{pointer}");
        }
        assert!(Removal::new("").is_none() && Removal::new("a").is_none());
    }

    fn tree() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![Just(json!(null)), any::<u8>().prop_map(|n| json!(n)), Just(json!("x,\"}"))];
        leaf.prop_recursive(4, 32, 4, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
                proptest::collection::btree_map("[abc]", inner, 0..4).prop_map(|map| json!(map)),
            ]
        })
    }

    fn remove(value: &mut Value, path: &[String]) -> bool {
        let (last, parents) = path.split_last().unwrap();
        let pointer: String = parents.iter().map(|segment| format!("/{segment}")).collect();
        let parent = value.pointer_mut(&pointer).and_then(Value::as_object_mut);
        parent.is_some_and(|parent| parent.remove(last).is_some())
    }

    proptest! {
        #[test]
        fn removes_what_a_tree_would(value in tree(), path in proptest::collection::vec("[abc01]", 1..4)) {
            for text in [value.to_string(), serde_json::to_string_pretty(&value).unwrap()] {
                let mut expected = value.clone();
                let found = remove(&mut expected, &path);
                let pointer: String = path.iter().map(|segment| format!("/{segment}")).collect();
                let rest = without(&text, &pointer);
                prop_assert_eq!(rest.is_some(), found);
                let rest: Value = serde_json::from_str(rest.as_deref().unwrap_or(&text)).unwrap();
                prop_assert_eq!(rest, expected);
            }
        }
    }
}
