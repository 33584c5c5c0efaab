//! What a derive or an attribute is for, as people write it: `Widget.spec.size`, `@enum`.

use crate::model::Kind;

/// What is changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// Every type.
    All,
    /// `@struct`
    Structs,
    /// `@enum`
    Enums,
    /// A kind or a definition, and a path in it.
    At(Path),
}

/// `shop.example.test/v1/Widget.spec.size`, with the parts before the kind or without;
/// `definition:"com.example.v1.Part".size`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Path {
    /// Whether the type of the value is meant and not the field: `type:` before all.
    pub(crate) of_type: bool,
    pub(crate) of: Of,
    /// Names as in JSON, through lists and maps.
    pub(crate) steps: Vec<String>,
    /// Whether all that is below is meant, and not what is there: `*` as the last part.
    pub(crate) below: bool,
}

/// What a path is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Of {
    /// A kind in a group and version; without them, in all.
    Kind { group_version: Option<(String, String)>, kind: String },
    /// A definition of an OpenAPI document, by its name.
    Definition(String),
}

impl Of {
    /// The name of the kind or definition.
    pub(super) fn name(&self) -> &str {
        match self {
            Of::Kind { kind: name, .. } | Of::Definition(name) => name,
        }
    }
}

/// How targets are written.
pub(super) const FORM: &str = "write Widget.spec.size (also shop.example.test/v1/Widget.spec.size, Widget.spec.* for \
                               all below, definition:com.example.v1.Part, Widget.\"odd name\".size), @struct or @enum before the `=`";

impl Target {
    /// Reads a target; `None` for what is none.
    pub(super) fn parse(text: &str) -> Option<Self> {
        match text.trim() {
            "" => Some(Target::All),
            "@struct" => Some(Target::Structs),
            "@enum" => Some(Target::Enums),
            text => Path::parse(text).map(Target::At),
        }
    }
}

impl Path {
    fn parse(text: &str) -> Option<Self> {
        let (of_type, text) = match text.strip_prefix("type:") {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        if let Some(rest) = text.strip_prefix("definition:") {
            // Such a name has dots itself; in quotes it can have a path behind it.
            let steps = if rest.starts_with('"') { steps(rest)? } else { vec![(rest.to_owned(), true)] };
            return Path::new(of_type, steps, |name| (!name.is_empty()).then_some(Of::Definition(name)));
        }
        // Names in quotes may hold anything; they come after the kind.
        let unquoted = &text[..text.find('"').unwrap_or(text.len())];
        let (before, rest) = match unquoted.rfind('/') {
            Some(at) => (Some(&text[..at]), &text[at + 1..]),
            None => (None, text),
        };
        let group_version = before.map(|before| match before.split_once('/') {
            Some((group, version)) => (group.to_owned(), version.to_owned()),
            None => (String::new(), before.to_owned()),
        });
        Path::new(of_type, steps(rest)?, |kind| {
            let plain = kind.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
            plain.then_some(Of::Kind { group_version, kind })
        })
    }

    /// From the parts between dots, of which `of` takes the first.
    fn new(of_type: bool, mut steps: Vec<(String, bool)>, of: impl FnOnce(String) -> Option<Of>) -> Option<Self> {
        let below = steps.len() > 1 && steps.last().is_some_and(|(step, quoted)| step == "*" && !quoted);
        if below {
            steps.pop();
        }
        let mut steps = steps.into_iter().map(|(step, _)| step);
        Some(Path { of_type, of: of(steps.next()?)?, steps: steps.collect(), below })
    }

    /// Whether it is about this kind.
    pub(crate) fn is_in(&self, kind: &Kind) -> bool {
        let same = |(group, version): &(String, String)| *group == kind.group && *version == kind.version;
        match &self.of {
            Of::Kind { group_version, kind: name } => *name == kind.kind && group_version.as_ref().is_none_or(same),
            Of::Definition(_) => false,
        }
    }

    /// Whether it is about this definition.
    pub(crate) fn is_in_definition(&self, name: &str) -> bool {
        matches!(&self.of, Of::Definition(definition) if definition == name)
    }

    /// Whether it means the type of what it leads to, and not a field.
    pub(crate) fn is_of_type(&self) -> bool {
        self.of_type || self.steps.is_empty() && !self.below
    }
}

/// A path as it is written.
pub(super) fn joined(kind: &str, steps: &[String]) -> String {
    steps.iter().fold(kind.to_owned(), |path, step| {
        if is_plain(step) { format!("{path}.{step}") } else { format!("{path}.{step:?}") }
    })
}

fn is_plain(step: &str) -> bool {
    !step.is_empty() && step != "*" && !step.contains(['.', '"', '/', '=', ' ', '\\'])
}

/// The parts between dots, each with whether it was in quotes.
fn steps(text: &str) -> Option<Vec<(String, bool)>> {
    let mut steps = Vec::new();
    let mut rest = text;
    loop {
        let (step, length) = match rest.strip_prefix('"') {
            Some(_) => {
                let length = quoted_length(rest)?;
                (serde_json::from_str(&rest[..length]).ok()?, length)
            }
            None => {
                let length = rest.find('.').unwrap_or(rest.len());
                (rest[..length].to_owned(), length)
            }
        };
        let quoted = rest.starts_with('"');
        if !quoted && (step.is_empty() || step.contains('"')) {
            return None;
        }
        steps.push((step, quoted));
        match rest[length..].strip_prefix('.') {
            Some(after) => rest = after,
            None => return rest[length..].is_empty().then_some(steps),
        }
    }
}

/// The length of a text in quotes at the start, with them.
fn quoted_length(text: &str) -> Option<usize> {
    let mut escaped = false;
    let end = text.char_indices().skip(1).find(|(_, c)| {
        let is_end = *c == '"' && !escaped;
        escaped = *c == '\\' && !escaped;
        is_end
    });
    end.map(|(at, _)| at + 1)
}

/// What stands before and after the first `=` that is in no quotes.
pub(super) fn split(text: &str) -> Option<(&str, &str)> {
    let mut at = 0;
    while let Some(found) = text[at..].find(['=', '"']) {
        at += found;
        if text[at..].starts_with('=') {
            return Some((&text[..at], &text[at + 1..]));
        }
        at += quoted_length(&text[at..])?;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> Path {
        match Target::parse(text) {
            Some(Target::At(path)) => path,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn targets_are_read_as_they_are_written() {
        assert_eq!(Target::parse(" @enum "), Some(Target::Enums));
        assert_eq!(Target::parse(""), Some(Target::All));
        let whole = path("shop.example.test/v1/Widget.spec.*");
        let of =
            |group: &str, kind: &str| Of::Kind { group_version: Some((group.into(), "v1".into())), kind: kind.into() };
        assert_eq!(whole.of, of("shop.example.test", "Widget"));
        assert!(whole.below && !whole.of_type && whole.steps == ["spec"]);
        assert_eq!(path("v1/Pad").of, of("", "Pad"));
        assert_eq!(path("definition:a.b.C").of, Of::Definition("a.b.C".into()));
        let inside = path("type:definition:\"a.b.C\".size.*");
        assert!(inside.of == Of::Definition("a.b.C".into()) && inside.steps == ["size"] && inside.below);
        let odd = path(r#"type:Widget."a.b/c\"d"."*".x"#);
        assert!(odd.of_type && !odd.below && odd.steps == ["a.b/c\"d", "*", "x"], "{odd:?}");
        assert_eq!(joined(odd.of.name(), &odd.steps), r#"Widget."a.b/c\"d"."*".x"#);
        for text in [
            "Widget.",
            ".spec",
            "Widget..a",
            "Widget.\"a",
            "Widget.\"a\"b",
            "Widget.a\"b\"",
            "a/b/",
            "@x",
            "definition:",
        ] {
            assert_eq!(Target::parse(text), None, "{text}");
        }
    }

    #[test]
    fn the_first_sign_outside_of_quotes_parts_them() {
        assert_eq!(split("Widget.a=b = c"), Some(("Widget.a", "b = c")));
        assert_eq!(split(r#"Widget."a=\"".b=c"#), Some((r#"Widget."a=\"".b"#, "c")));
        assert_eq!(split("Eq"), None);
        assert_eq!(split("Widget.\"a=b"), None);
    }
}
