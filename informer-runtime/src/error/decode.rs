//! An object that does not fit the type it was asked as: where, and how, but not what stands there.

use std::fmt;

use serde::de::DeserializeOwned;

use crate::key::ObjectKey;

/// Why an object could not be decoded.
///
/// Names the object, the place in it and what was expected there. The value that stands there is never part of it:
/// it may be a secret.
#[derive(Clone, PartialEq, Eq)]
pub struct DecodeError {
    key: ObjectKey,
    path: String,
    problem: String,
}

impl DecodeError {
    /// Finds out why `json`, which did not decode as `T`, did not.
    pub(crate) fn explain<T: DeserializeOwned>(key: ObjectKey, json: &str) -> Self {
        let mut input = serde_json::Deserializer::from_str(json);
        let (path, problem) = match serde_path_to_error::deserialize::<_, T>(&mut input) {
            Ok(_) => (String::from("."), String::from("it decodes only at times")),
            Err(error) => (error.path().to_string(), without_values(&error.inner().to_string())),
        };
        Self { key, path, problem }
    }

    /// Of an object whose content was not kept, since its transform failed.
    pub(crate) fn withheld(key: ObjectKey) -> Self {
        Self { key, path: String::from("."), problem: String::from("its transform failed, and only its head was kept") }
    }

    /// Of an object at which the type's own code panicked.
    pub(crate) fn panicked(key: ObjectKey) -> Self {
        Self { key, path: String::from("."), problem: String::from("the type's Deserialize panicked") }
    }

    /// The same without the names of fields, which in a map are content: all but the first one go.
    pub(crate) fn without_names(mut self) -> Self {
        self.path.truncate(self.path.find(['.', '[']).filter(|&at| at > 0).unwrap_or(self.path.len()));
        self
    }

    /// The object that did not decode.
    #[must_use]
    pub fn key(&self) -> &ObjectKey {
        &self.key
    }

    /// Where in the object, as `spec.parts[1].size`.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} does not decode at {}: {}", self.key, self.path, self.problem)
    }
}

impl fmt::Debug for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DecodeError({self})")
    }
}

impl std::error::Error for DecodeError {}

/// serde's messages repeat the value that did not fit. Keeps what is known to come from the type, drops the rest.
fn without_values(message: &str) -> String {
    let message = message.rsplit_once(" at line ").map_or(message, |(text, _)| text);
    for (prefix, text) in
        [("invalid type: ", "wrong type"), ("invalid value: ", "wrong value"), ("invalid length ", "wrong length")]
    {
        if message.starts_with(prefix) {
            // The last one: a value may itself hold the word, what is expected comes from the type.
            return match message.rsplit_once(", expected ") {
                Some((_, expected)) => format!("{text}, expected {expected}"),
                None => text.to_owned(),
            };
        }
    }
    for known in ["missing field `", "duplicate field `"] {
        if message.starts_with(known) {
            return message.to_owned();
        }
    }
    if message.starts_with("recursion limit exceeded") {
        return String::from("it nests too deep");
    }
    if message.starts_with("unknown variant ") {
        return String::from("unknown variant");
    }
    String::from("the value does not fit")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Deserialize, Debug)]
    #[allow(dead_code)] // read through Debug only
    struct Sample {
        spec: Spec,
    }

    #[derive(Deserialize, Debug)]
    #[allow(dead_code)] // read through Debug only
    struct Spec {
        parts: Vec<u32>,
        mode: Option<Mode>,
    }

    #[derive(Deserialize, Debug)]
    enum Mode {
        Fast,
    }

    #[test]
    fn says_where_but_not_what() {
        let key = ObjectKey::new("red", "a");
        for (json, expected) in [
            (
                r#"{"spec":{"parts":[1,"hunter2, expected hunter2"]}}"#,
                "red/a does not decode at spec.parts[1]: wrong type, expected u32",
            ),
            (r#"{"spec":{"parts":[-1]}}"#, "red/a does not decode at spec.parts[0]: wrong value, expected u32"),
            (r#"{"spec":{}}"#, "red/a does not decode at spec: missing field `parts`"),
            (r#"{"spec":{"parts":[],"mode":"hunter2"}}"#, "red/a does not decode at spec.mode: unknown variant"),
        ] {
            let error = DecodeError::explain::<Sample>(key.clone(), json);
            assert_eq!(error.to_string(), expected);
        }
    }
}
