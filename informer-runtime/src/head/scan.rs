//! Reads the head out of an object's JSON while checking all of it, in one pass.

use std::ops::Range;

use crate::json::{Cursor, Malformed, Text};

/// The annotation by which a server marks the bookmark that ends the initial events (KEP-3157).
const INITIAL_EVENTS_END: &str = "k8s.io/initial-events-end";

/// What one pass over an object found. Places are byte offsets into the text that the cursor reads.
#[derive(Debug, Default)]
pub(crate) struct ScannedObject<'a> {
    pub(crate) api_version: Option<Text<'a>>,
    pub(crate) kind: Option<Text<'a>>,
    pub(crate) namespace: Option<Text<'a>>,
    pub(crate) name: Option<Text<'a>>,
    pub(crate) uid: Option<Text<'a>>,
    pub(crate) resource_version: Option<Text<'a>>,
    /// The object of labels.
    pub(crate) labels: Option<Range<usize>>,
    /// What to cut so that the object has no managedFields, a comma included.
    pub(crate) managed_fields: Option<Range<usize>>,
    /// The whole object.
    pub(crate) place: Range<usize>,
    pub(crate) initial_events_end: bool,
}

/// Checks and reads the object before the cursor.
pub(crate) fn scan_object<'a>(cursor: &mut Cursor<'a>) -> Result<ScannedObject<'a>, Malformed> {
    let mut found = ScannedObject::default();
    cursor.peek();
    let start = cursor.position();
    let mut members = cursor.object()?;
    while let Some(key) = cursor.member(&mut members)? {
        match key.with(Member::of) {
            Member::ApiVersion => found.api_version = cursor.string_or_null()?,
            Member::Kind => found.kind = cursor.string_or_null()?,
            Member::Metadata if cursor.peek() == Some(b'{') => scan_metadata(cursor, &mut found)?,
            _ => {
                cursor.skip()?;
            }
        }
    }
    found.place = start..cursor.position();
    Ok(found)
}

enum Member {
    ApiVersion,
    Kind,
    Metadata,
    Other,
}

impl Member {
    fn of(name: &[u8]) -> Self {
        match name {
            b"apiVersion" => Self::ApiVersion,
            b"kind" => Self::Kind,
            b"metadata" => Self::Metadata,
            _ => Self::Other,
        }
    }
}

enum Meta {
    Namespace,
    Name,
    Uid,
    ResourceVersion,
    Labels,
    Annotations,
    ManagedFields,
    Other,
}

impl Meta {
    fn of(name: &[u8]) -> Self {
        match name {
            b"namespace" => Self::Namespace,
            b"name" => Self::Name,
            b"uid" => Self::Uid,
            b"resourceVersion" => Self::ResourceVersion,
            b"labels" => Self::Labels,
            b"annotations" => Self::Annotations,
            b"managedFields" => Self::ManagedFields,
            _ => Self::Other,
        }
    }
}

fn scan_metadata<'a>(cursor: &mut Cursor<'a>, found: &mut ScannedObject<'a>) -> Result<(), Malformed> {
    let mut members = cursor.object()?;
    while let Some(key) = cursor.member(&mut members)? {
        match key.with(Meta::of) {
            Meta::Namespace => found.namespace = cursor.string_or_null()?,
            Meta::Name => found.name = cursor.string_or_null()?,
            Meta::Uid => found.uid = cursor.string_or_null()?,
            Meta::ResourceVersion => {
                found.resource_version = cursor.string_or_null()?;
            }
            Meta::Labels if cursor.peek() == Some(b'{') => found.labels = Some(cursor.skip()?),
            Meta::Annotations if cursor.peek() == Some(b'{') => scan_annotations(cursor, found)?,
            Meta::ManagedFields => {
                let end = cursor.skip()?.end;
                found.managed_fields = Some(match members.comma {
                    Some(comma) => comma..end,
                    None if cursor.peek() == Some(b',') => members.key..cursor.position() + 1,
                    None => members.key..end,
                });
            }
            _ => {
                cursor.skip()?;
            }
        }
    }
    Ok(())
}

fn scan_annotations<'a>(cursor: &mut Cursor<'a>, found: &mut ScannedObject<'a>) -> Result<(), Malformed> {
    let mut members = cursor.object()?;
    while let Some(key) = cursor.member(&mut members)? {
        if key.with(|name| name == INITIAL_EVENTS_END.as_bytes()) && cursor.peek() == Some(b'"') {
            found.initial_events_end = cursor.string()?.with(|value| value == b"true");
        } else {
            cursor.skip()?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scan(text: &str) -> Result<ScannedObject<'_>, Malformed> {
        let mut cursor = Cursor::new(text);
        let found = scan_object(&mut cursor)?;
        cursor.end()?;
        Ok(found)
    }

    #[test]
    fn reads_the_head_in_any_order() {
        let text = r#" {"spec":{"metadata":{"name":"no"}},"metadata":{"labels":{"a":"b"},"name":"n\u0031","namespace":"red","uid":"u","resourceVersion":"7"},"kind":"Widget","apiVersion":"v1"} "#;
        let found = scan(text).unwrap();
        assert_eq!(found.name.unwrap().value().unwrap(), "n1");
        assert_eq!(found.namespace.unwrap().value().unwrap(), "red");
        assert_eq!(&text[found.labels.unwrap()], r#"{"a":"b"}"#);
        assert_eq!(found.kind.unwrap().value().unwrap(), "Widget");
        assert_eq!(&text[found.place], text.trim());
    }

    #[test]
    fn managed_fields_can_be_cut_wherever_they_stand() {
        for text in [
            r#"{"metadata":{"managedFields":[{"a":1}]}}"#,
            r#"{"metadata":{"managedFields":[{"a":1}] , "name":"n"}}"#,
            r#"{"metadata":{"name":"n" , "managedFields":[{"a":1}]}}"#,
            r#"{"metadata":{"name":"n","managedFields":[{"a":1}],"uid":"u"}}"#,
        ] {
            let cut = scan(text).unwrap().managed_fields.unwrap();
            let rest = format!("{}{}", &text[..cut.start], &text[cut.end..]);
            let mut expected: serde_json::Value = serde_json::from_str(text).unwrap();
            expected["metadata"].as_object_mut().unwrap().remove("managedFields");
            assert_eq!(serde_json::from_str::<serde_json::Value>(&rest).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn nulls_are_nothing_and_wrong_kinds_are_refused() {
        let found = scan(r#"{"metadata":{"name":null,"labels":null,"annotations":null},"kind":null}"#).unwrap();
        assert!(found.name.is_none() && found.labels.is_none() && found.kind.is_none());
        assert!(scan(r#"{"metadata":null}"#).is_ok());
        assert!(scan(r#"{"metadata":{"name":1}}"#).is_err());
        assert!(scan(r#"{"metadata":{"name":"a"}"#).is_err());
        assert!(scan("[]").is_err());
    }

    #[test]
    fn the_end_of_the_initial_events_is_marked_by_the_word_true() {
        let mark = |value| {
            scan(&format!(r#"{{"metadata":{{"annotations":{{"x":1,"k8s.io/initial-events-end":{value}}}}}}}"#))
                .unwrap()
                .initial_events_end
        };
        assert!(mark("\"true\""));
        assert!(!mark("\"false\""));
        assert!(!mark("true"));
    }
}
