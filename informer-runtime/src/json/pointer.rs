//! Finds the value at a JSON pointer (RFC 6901) without decoding anything.

use super::cursor::Cursor;

/// The text of the value at `pointer`; `None` if there is none. `""` is the whole text.
pub(crate) fn value_at<'a>(text: &'a str, pointer: &str) -> Option<&'a str> {
    let mut cursor = Cursor::new(text);
    for segment in pointer.split('/').skip(1) {
        let segment = segment.replace("~1", "/").replace("~0", "~");
        match cursor.peek()? {
            b'{' => {
                let mut members = cursor.object().ok()?;
                loop {
                    let key = cursor.member(&mut members).ok()??;
                    if key.with(|name| name == segment.as_bytes()) {
                        break;
                    }
                    cursor.skip().ok()?;
                }
            }
            b'[' => cursor.enter_item(segment.parse().ok()?)?,
            _ => return None,
        }
    }
    let place = cursor.skip().ok()?;
    text.get(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_serde_json() {
        let text = r#"{"a":{"b":[10,{"c/d":"x"},[]],"":1,"~":2},"z":null}"#;
        let value: serde_json::Value = serde_json::from_str(text).unwrap();
        for pointer in [
            "",
            "/a",
            "/a/b",
            "/a/b/0",
            "/a/b/1",
            "/a/b/1/c~1d",
            "/a/b/2",
            "/a/b/3",
            "/a/b/2/0",
            "/a/",
            "/a/~0",
            "/z",
            "/y",
            "/a/b/x",
            "/z/z",
        ] {
            let found = value_at(text, pointer).map(|json| serde_json::from_str::<serde_json::Value>(json).unwrap());
            assert_eq!(found.as_ref(), value.pointer(pointer), "{pointer}");
        }
    }
}
