//! What an expression in CEL can reach from a value: the fields of a schema under the names that the server gives them.
//!
//! A field that no schema declares can't be named, not even where the server keeps unknown keys; nor can one that may
//! hold anything, but for a number or text.

use super::keyword::{flag, present, text};
use crate::document::node::Node;

/// Fields that an error may tell of.
const MAX_TOLD: usize = 20;

/// Fields that are looked at for that.
const MAX_LOOKED_AT: usize = 1000;

/// What is known of the value of an expression.
#[derive(Clone, Copy, Debug)]
pub(super) enum Type<'a> {
    /// Nothing, or that it may be anything.
    Dyn,
    /// A value of a schema.
    Of(Node<'a>),
    /// An object of Kubernetes as such, of this schema: apiVersion, kind and metadata are there, whatever it says.
    Resource(Node<'a>),
    /// The metadata of one: a rule sees the names in it only.
    Metadata,
    /// A text of the server's own, such as kind.
    Text,
}

impl<'a> Type<'a> {
    /// Of a value with this schema below another.
    pub(super) fn of(schema: Node<'a>) -> Self {
        let names_type = text(schema, "type").is_some();
        if flag(schema, "x-kubernetes-int-or-string") || !names_type {
            Type::Dyn
        } else if flag(schema, "x-kubernetes-embedded-resource") {
            Type::Resource(schema)
        } else {
            Type::Of(schema)
        }
    }

    /// Of a field; an error tells the fields that there are, or many of them.
    pub(super) fn field(self, name: &str) -> Result<Type<'a>, Vec<String>> {
        let (schema, resource) = match self {
            Type::Dyn => return Ok(Type::Dyn),
            Type::Metadata if matches!(name, "name" | "generateName") => return Ok(Type::Text),
            Type::Metadata => return Err(vec!["name".into(), "generateName".into()]),
            Type::Text => return Err(Vec::new()),
            Type::Of(schema) => (schema, false),
            Type::Resource(schema) => (schema, true),
        };
        if resource && matches!(name, "apiVersion" | "kind") {
            return Ok(Type::Text);
        }
        if resource && name == "metadata" {
            return Ok(Type::Metadata);
        }
        if text(schema, "type") == Some("object")
            && let Some(values) = present(schema, "additionalProperties")
            && values.as_bool() != Some(false)
        {
            return Ok(if values.is_object() { Type::of(values) } else { Type::Dyn });
        }
        if !resource && text(schema, "type") != Some("object") {
            return Err(Vec::new());
        }
        let found = |field: &str| {
            present(schema, "properties")?.get(field).filter(|property| can_be_named(*property)).map(Type::of)
        };
        // What has two of these is escaped for the server.
        let found = if name.contains("__") {
            let field = unescaped(name);
            found(&field).filter(|_| escaped(&field) == name && escaped_is_right(&field))
        } else {
            found(name)
        };
        found.ok_or_else(|| {
            let fields = properties(schema).take(MAX_LOOKED_AT).filter(|(_, property)| can_be_named(*property));
            fields.take(MAX_TOLD).map(|(field, _)| escaped(field)).collect()
        })
    }

    /// Of an item of a list, or of a value of a map.
    pub(super) fn item(self) -> Type<'a> {
        let (Type::Of(schema) | Type::Resource(schema)) = self else { return Type::Dyn };
        let items = present(schema, "items").or_else(|| present(schema, "additionalProperties"));
        items.filter(|items| items.is_object()).map_or(Type::Dyn, Type::of)
    }

    /// Whether it is known to be a list.
    pub(super) fn is_list(self) -> bool {
        matches!(self, Type::Of(schema) if text(schema, "type") == Some("array"))
    }

    /// The type of something that nothing can be in, if it is known to be such.
    pub(super) fn is_one_value(self) -> Option<&'a str> {
        match self {
            Type::Text => Some("string"),
            Type::Of(schema) => text(schema, "type").filter(|kind| !matches!(*kind, "array" | "object")),
            _ => None,
        }
    }

    /// Whether it may be a text.
    pub(super) fn may_be_text(self) -> bool {
        match self {
            Type::Dyn | Type::Text => true,
            Type::Of(schema) => text(schema, "type") == Some("string"),
            _ => false,
        }
    }

    /// Whether a rule may end with it: whether it may be true or false.
    pub(super) fn may_be_boolean(self) -> bool {
        match self {
            Type::Dyn => true,
            Type::Of(schema) => text(schema, "type") == Some("boolean"),
            _ => false,
        }
    }
}

fn properties<'a>(schema: Node<'a>) -> impl Iterator<Item = (&'a str, Node<'a>)> {
    let properties = present(schema, "properties").into_iter().flat_map(Node::entries);
    properties.map(|(key, property)| (key.name, property))
}

/// A field without a type is none for the server, an integer or text aside.
fn can_be_named(property: Node<'_>) -> bool {
    text(property, "type").is_some() || flag(property, "x-kubernetes-int-or-string")
}

/// Whether a name is one for the server once it is escaped.
fn escaped_is_right(field: &str) -> bool {
    let good = |c: char| c.is_ascii_alphanumeric() || "_.-/".contains(c);
    field.starts_with(|c: char| c.is_ascii_alphabetic() || "_.-/".contains(c)) && field.chars().all(good)
}

/// How an expression names a field that no identifier can be.
fn escaped(field: &str) -> String {
    if KEYWORDS.contains(&field) {
        return format!("__{field}__");
    }
    let field = field.replace("__", "__underscores__");
    field.replace('.', "__dot__").replace('-', "__dash__").replace('/', "__slash__")
}

/// The field that an expression may mean by a name.
fn unescaped(name: &str) -> String {
    let word = name.strip_prefix("__").and_then(|name| name.strip_suffix("__"));
    if let Some(word) = word.filter(|word| KEYWORDS.contains(word)) {
        return word.to_owned();
    }
    const ESCAPES: [(&str, char, &str); 4] =
        [("__underscores__", '_', "_"), ("__dot__", '.', ""), ("__dash__", '-', ""), ("__slash__", '/', "")];
    let (mut field, mut rest) = (String::new(), name);
    while let Some(first) = rest.chars().next() {
        let escape = ESCAPES.iter().find(|(escape, ..)| rest.starts_with(escape));
        let (length, c, more) =
            escape.map_or((first.len_utf8(), first, ""), |(escape, c, more)| (escape.len(), *c, *more));
        field.push(c);
        field.push_str(more);
        rest = &rest[length..];
    }
    field
}

/// Words that the language keeps for itself.
const KEYWORDS: &[&str] = &[
    "true",
    "false",
    "null",
    "in",
    "as",
    "break",
    "const",
    "continue",
    "else",
    "for",
    "function",
    "if",
    "import",
    "let",
    "loop",
    "package",
    "namespace",
    "return",
    "var",
    "void",
    "while",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_again() {
        let mut open = vec![String::new()];
        for _ in 0..6 {
            let longer =
                open.iter().flat_map(|field| ["_", "-", ".", "/", "dot", "dash"].map(|part| format!("{field}{part}")));
            open = longer.collect();
            for field in &open {
                assert_eq!(unescaped(&escaped(field)), *field);
            }
        }
        for field in KEYWORDS.iter().chain(&["underscores", "__", "a__b", "__in__", "größe", ""]) {
            assert_eq!(unescaped(&escaped(field)), *field);
        }
    }
}
