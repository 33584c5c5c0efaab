//! One line of a watch.

use crate::head::{ScannedObject, scan_object};
use crate::json::{Cursor, Malformed};

/// What an event says of its object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EventType {
    Added,
    Modified,
    Deleted,
    Bookmark,
    Error,
}

impl EventType {
    fn of(name: &[u8]) -> Option<Self> {
        Some(match name {
            b"ADDED" => Self::Added,
            b"MODIFIED" => Self::Modified,
            b"DELETED" => Self::Deleted,
            b"BOOKMARK" => Self::Bookmark,
            b"ERROR" => Self::Error,
            _ => return None,
        })
    }
}

/// Checks a line and reads what it holds; `None` for an event that has no type known to us, or no object.
pub(crate) fn parse_event(line: &str) -> Result<Option<(EventType, ScannedObject<'_>)>, Malformed> {
    let mut cursor = Cursor::new(line);
    let (mut kind, mut object) = (None, None);
    let mut members = cursor.object()?;
    while let Some(key) = cursor.member(&mut members)? {
        enum Member {
            Type,
            Object,
            Other,
        }
        let member = key.with(|name| match name {
            b"type" => Member::Type,
            b"object" => Member::Object,
            _ => Member::Other,
        });
        match member {
            Member::Type => kind = cursor.string()?.with(EventType::of),
            Member::Object if cursor.peek() == Some(b'{') => object = Some(scan_object(&mut cursor)?),
            _ => {
                cursor.skip()?;
            }
        }
    }
    cursor.end()?;
    Ok(kind.zip(object))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_events_in_any_order_of_members() {
        for line in [
            r#"{"type":"MODIFIED","object":{"metadata":{"name":"a"}}}"#,
            r#" {"x":[1], "object":{"metadata":{"name":"a"}} , "type":"MODIFIED"} "#,
        ] {
            let (kind, object) = parse_event(line).unwrap().unwrap();
            assert_eq!(kind, EventType::Modified);
            assert_eq!(object.name.unwrap().value().unwrap(), "a");
        }
    }

    #[test]
    fn what_is_no_event_is_told_apart_from_what_is_no_json() {
        assert!(parse_event(r#"{"kind":"Status","code":403}"#).unwrap().is_none());
        assert!(parse_event(r#"{"type":"NEW","object":{}}"#).unwrap().is_none());
        assert!(parse_event(r#"{"type":"ADDED","object":null}"#).unwrap().is_none());
        assert!(parse_event(r#"{"type":"ADDED","object":{}"#).is_err());
        assert!(parse_event("<html>").is_err());
        assert!(parse_event(r#"{"type":"ADDED","object":{}} x"#).is_err());
    }
}
