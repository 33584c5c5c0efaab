//! A list apart from its items.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;

/// What a list says beside its items. Servers leave out whatever they have nothing for.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct ListEnvelope {
    pub(crate) kind: String,
    pub(crate) resource_version: String,
    pub(crate) continue_token: String,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Wire {
    kind: Option<String>,
    // A map and no struct, for which serde would take an array as well.
    metadata: Option<BTreeMap<String, Value>>,
    // Taken out before; what is no array was no list of items either.
    #[allow(dead_code)] // read for its shape only
    items: Option<Vec<IgnoredAny>>,
}

impl ListEnvelope {
    /// From the list with its items taken out. The error says where, not what.
    pub(crate) fn parse(json: &[u8]) -> Result<Self, String> {
        // serde would take an array for a struct.
        if json.trim_ascii_start().first() != Some(&b'{') {
            return Err(String::from("no list, no object even"));
        }
        let wire: Wire = serde_json::from_slice(json).map_err(|error| {
            format!("no list, at line {} column {} of what is not its items", error.line(), error.column())
        })?;
        let mut metadata = wire.metadata.unwrap_or_default();
        let mut text = |name: &str| match metadata.remove(name) {
            None | Some(Value::Null) => Ok(String::new()),
            Some(Value::String(text)) => Ok(text),
            Some(_) => Err(format!("no list, its metadata.{name} is no string")),
        };
        Ok(Self {
            kind: wire.kind.unwrap_or_default(),
            resource_version: text("resourceVersion")?,
            continue_token: text("continue")?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_is_missing_is_empty() {
        for json in [r#"{}"#, r#"{"items":null}"#, r#"{"metadata":{}}"#, r#"{"metadata":null,"kind":null}"#] {
            assert_eq!(ListEnvelope::parse(json.as_bytes()), Ok(ListEnvelope::default()), "{json}");
        }
        assert!(ListEnvelope::parse(b"404 page not found").is_err());
        for wrong in ["[]", r#"{"metadata":["5"]}"#, r#"{"metadata":{"resourceVersion":5}}"#] {
            assert!(ListEnvelope::parse(wrong.as_bytes()).is_err(), "{wrong}");
        }
    }
}
