//! Paths to fields, as rules and selectable fields give them: `.spec.size`, `['max-size']`.

use super::keyword::present;
use crate::document::node::Node;

/// Where a path leads to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found<'a> {
    /// The schema of the field; `None` where nothing is said of it.
    pub(super) schema: Option<Node<'a>>,
}

/// Follows a path through a schema; an error tells why it leads nowhere. `brackets` tells whether names may stand in
/// brackets and quotes.
pub(super) fn follow<'a>(path: &str, schema: Node<'a>, brackets: bool) -> Result<Found<'a>, String> {
    let mut found = Found { schema: Some(schema) };
    let mut rest = path;
    while !rest.is_empty() {
        let token = token(rest);
        rest = &rest[token.len()..];
        let name = match token {
            "." if rest.is_empty() => return Err("it ends in a dot".to_owned()),
            "." => {
                let name = self::token(rest);
                rest = &rest[name.len()..];
                name.to_owned()
            }
            "[" if !brackets => return Err("names in brackets are not allowed here".to_owned()),
            "[" => {
                let quoted = self::token(rest);
                rest = rest[quoted.len()..].strip_prefix(']').ok_or("a bracket is not closed")?;
                let inner = quoted.strip_prefix('\'').and_then(|quoted| quoted.strip_suffix('\''));
                let inner = inner.filter(|_| quoted.len() >= 2).ok_or("in brackets there must be a name in quotes")?;
                inner.replace("\\'", "'").replace("\\\\", "\\")
            }
            other => return Err(format!("there must be a dot before {other:?}")),
        };
        found = step(&name, found)?;
    }
    Ok(found)
}

fn step<'a>(name: &str, found: Found<'a>) -> Result<Found<'a>, String> {
    let schema = found.schema.ok_or_else(|| format!("nothing is known of what {name:?} is in"))?;
    let properties = present(schema, "properties").filter(|properties| properties.entries().len() > 0);
    if let Some(properties) = properties {
        let property = properties.get(name).ok_or_else(|| format!("there is no field {name:?}"))?;
        return Ok(Found { schema: Some(property) });
    }
    let values = present(schema, "additionalProperties").ok_or_else(|| format!("there is no field {name:?}"))?;
    Ok(Found { schema: Some(values).filter(|values| values.is_object()) })
}

/// A dot, a bracket, a text in quotes or what stands between those.
fn token(text: &str) -> &str {
    if let Some(inner) = text.strip_prefix('\'') {
        let mut before = '\'';
        for (at, c) in inner.char_indices() {
            if c == '\'' && before != '\\' {
                return &text[..at + 2];
            }
            before = c;
        }
        return text;
    }
    match text.find(['.', '[', ']']) {
        Some(0) => &text[..1],
        Some(end) => &text[..end],
        None => text,
    }
}
