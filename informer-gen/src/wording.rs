//! Facts in words: short sentences for docs and for `explain`.

use serde_json::Number;

use crate::model::{Fact, Field, Rule, Shape};

/// A sentence; what comes out of a schema is apart from our own words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sentence(pub(crate) Vec<Part>);

/// A part of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// Our own words.
    Ours(String),
    /// A name, value or expression of a schema.
    Code(String),
    /// Words of a schema.
    Theirs(String),
}

/// What is demanded of a field, and of the items and values in it. What is demanded of objects is told with their type.
pub(crate) fn of_field(field: &Field) -> Vec<Sentence> {
    let mut told = sentences(&field.facts);
    let mut about = String::new();
    let mut shape = &field.shape;
    while let Shape::List(slot) | Shape::Map(slot) = shape {
        about.push_str(match (shape, about.is_empty()) {
            (Shape::List(_), true) => "Each item: ",
            (Shape::List(_), false) => "each item: ",
            (_, true) => "Each value: ",
            (_, false) => "each value: ",
        });
        told.extend(sentences(&slot.facts).into_iter().map(|sentence| sentence.after(&about)));
        shape = &slot.shape;
    }
    told
}

/// What facts say.
pub(crate) fn sentences(facts: &[Fact]) -> Vec<Sentence> {
    let mut told = Vec::new();
    let mut rest = facts;
    while let Some((fact, after)) = rest.split_first() {
        let (sentence, both) = match (range(fact), after.first().and_then(range)) {
            // The two ends of one range are one sentence.
            (Some(lower), Some(upper)) if lower.unit == upper.unit && lower.is_lower && !upper.is_lower => {
                (ours(ends(&lower, &upper)), true)
            }
            (Some(one), _) => (ours(one.end(true)), false),
            (None, _) => (single(fact), false),
        };
        told.push(sentence);
        rest = if both { &after[1..] } else { after };
    }
    told
}

/// One end of what a number, or the number of something, may be.
struct End<'a> {
    number: &'a Number,
    exclusive: bool,
    is_lower: bool,
    /// What is counted: one, and several; nothing for the value itself.
    unit: (&'static str, &'static str),
}

fn range(fact: &Fact) -> Option<End<'_>> {
    let count = |number, is_lower, unit| Some(End { number, exclusive: false, is_lower, unit });
    match fact {
        Fact::Minimum { value, exclusive } => {
            Some(End { number: value, exclusive: *exclusive, is_lower: true, unit: ("", "") })
        }
        Fact::Maximum { value, exclusive } => {
            Some(End { number: value, exclusive: *exclusive, is_lower: false, unit: ("", "") })
        }
        Fact::MinLength(number) => count(number, true, CHARACTERS),
        Fact::MaxLength(number) => count(number, false, CHARACTERS),
        Fact::MinItems(number) => count(number, true, ITEMS),
        Fact::MaxItems(number) => count(number, false, ITEMS),
        Fact::MinProperties(number) => count(number, true, KEYS),
        Fact::MaxProperties(number) => count(number, false, KEYS),
        _ => None,
    }
}

const CHARACTERS: (&str, &str) = ("character", "characters");
const ITEMS: (&str, &str) = ("item", "items");
const KEYS: (&str, &str) = ("key", "keys");

impl End<'_> {
    fn end(&self, with_unit: bool) -> String {
        let words = match (self.is_lower, self.exclusive) {
            (true, false) => "At least",
            (true, true) => "More than",
            (false, false) => "At most",
            (false, true) => "Less than",
        };
        let unit = if with_unit { self.unit_words() } else { String::new() };
        format!("{words} {}{unit}.", self.number)
    }

    fn unit_words(&self) -> String {
        let (one, several) = self.unit;
        let word = if self.number.as_u64() == Some(1) { one } else { several };
        if word.is_empty() { String::new() } else { format!(" {word}") }
    }
}

fn ends(lower: &End<'_>, upper: &End<'_>) -> String {
    if lower.number == upper.number && !lower.exclusive && !upper.exclusive {
        return format!("Exactly {}{}.", lower.number, lower.unit_words());
    }
    let begin = lower.end(true);
    let end = upper.end(false);
    format!("{}, {}", begin.trim_end_matches('.'), uncapitalised(&end))
}

fn single(fact: &Fact) -> Sentence {
    let labelled = |label: &str, code: &str| parts([Part::Ours(label.to_owned()), Part::Code(code.to_owned()), end()]);
    match fact {
        Fact::MultipleOf(number) => ours(format!("A multiple of {number}.")),
        Fact::Pattern(pattern) => labelled("Matches ", pattern),
        Fact::Format(format) => labelled("Format: ", format),
        Fact::Unique => ours("No two items are equal."),
        Fact::KeyedBy(keys) => list("Items are told apart by ", keys, 0),
        Fact::Atomic => ours("Replaced as a whole by server-side apply."),
        Fact::OneOf { values, more } => list("One of ", values, *more),
        Fact::Default(Some(value)) => labelled("Default: ", value),
        Fact::Default(None) => ours("Has a default."),
        Fact::Immutable => ours("Can't be changed once it is set."),
        Fact::Rule(Rule::Expression(rule)) => labelled("Rule: ", rule),
        Fact::Rule(Rule::Message(message)) => {
            let stop = if message.trim_end().ends_with(['.', '!', '?', '…']) { "" } else { "." };
            parts([Part::Ours("Rule: ".into()), Part::Theirs(message.clone()), Part::Ours(stop.into())])
        }
        Fact::MoreRules(1) => ours("And 1 rule more."),
        Fact::MoreRules(number) => ours(format!("And {number} rules more.")),
        // The ends of ranges.
        _ => Sentence(Vec::new()),
    }
}

fn end() -> Part {
    Part::Ours(".".to_owned())
}

fn ours(text: impl Into<String>) -> Sentence {
    Sentence(vec![Part::Ours(text.into())])
}

fn parts(parts: impl IntoIterator<Item = Part>) -> Sentence {
    Sentence(parts.into_iter().collect())
}

fn list(label: &str, values: &[String], more: usize) -> Sentence {
    let mut told = vec![Part::Ours(label.to_owned())];
    for (at, value) in values.iter().enumerate() {
        if at > 0 {
            told.push(Part::Ours(", ".to_owned()));
        }
        told.push(Part::Code(value.clone()));
    }
    told.push(Part::Ours(if more > 0 { format!(" and {more} more.") } else { ".".to_owned() }));
    Sentence(told)
}

impl Sentence {
    /// The sentence behind words that say what it is about.
    fn after(mut self, about: &str) -> Self {
        if let Some(Part::Ours(text)) = self.0.first_mut() {
            *text = format!("{about}{}", uncapitalised(text));
        }
        self
    }

    /// As plain text on one line.
    pub(crate) fn plain(&self) -> String {
        let parts = self.0.iter().map(|part| match part {
            Part::Ours(text) | Part::Code(text) | Part::Theirs(text) => printable(text),
        });
        parts.collect()
    }
}

/// A text of somebody else on one line of a terminal: nothing in it that would move or paint what is around it.
pub(crate) fn printable(text: &str) -> String {
    let seen = text.chars().map(|c| if c.is_whitespace() { ' ' } else { c });
    seen.filter(|c| !c.is_control() && !matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')).collect()
}

fn uncapitalised(text: &str) -> String {
    let mut text = text.to_owned();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_lowercase();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(facts: &[Fact]) -> Vec<String> {
        sentences(facts).iter().map(Sentence::plain).collect()
    }

    fn minimum(value: i64, exclusive: bool) -> Fact {
        Fact::Minimum { value: value.into(), exclusive }
    }

    fn maximum(value: i64, exclusive: bool) -> Fact {
        Fact::Maximum { value: value.into(), exclusive }
    }

    #[test]
    fn two_ends_are_one_sentence() {
        assert_eq!(said(&[minimum(1, false), maximum(10, false)]), ["At least 1, at most 10."]);
        assert_eq!(said(&[minimum(0, true), maximum(10, true)]), ["More than 0, less than 10."]);
        assert_eq!(said(&[minimum(5, false), maximum(5, false)]), ["Exactly 5."]);
        assert_eq!(
            said(&[Fact::MinLength(1.into()), Fact::MaxLength(63.into()), Fact::MinItems(2.into())]),
            ["At least 1 character, at most 63.", "At least 2 items."]
        );
        assert_eq!(said(&[maximum(-1, false), Fact::MaxProperties(1.into())]), ["At most -1.", "At most 1 key."]);
    }

    #[test]
    fn everything_has_words() {
        let values = vec!["1".to_owned(), "2".to_owned()];
        let facts = [
            Fact::MultipleOf(5.into()),
            Fact::Pattern("^a$".into()),
            Fact::Format("date".into()),
            Fact::Unique,
            Fact::KeyedBy(values.clone()),
            Fact::Atomic,
            Fact::OneOf { values, more: 3 },
            Fact::Default(Some("\"x\"".into())),
            Fact::Default(None),
            Fact::Immutable,
            Fact::Rule(Rule::Expression("self > 0".into())),
            Fact::Rule(Rule::Message("must be small".into())),
            Fact::Rule(Rule::Message("Must it be?".into())),
            Fact::MoreRules(1),
            Fact::MoreRules(2),
        ];
        assert_eq!(
            said(&facts),
            [
                "A multiple of 5.",
                "Matches ^a$.",
                "Format: date.",
                "No two items are equal.",
                "Items are told apart by 1, 2.",
                "Replaced as a whole by server-side apply.",
                "One of 1, 2 and 3 more.",
                "Default: \"x\".",
                "Has a default.",
                "Can't be changed once it is set.",
                "Rule: self > 0.",
                "Rule: must be small.",
                "Rule: Must it be?",
                "And 1 rule more.",
                "And 2 rules more.",
            ]
        );
    }
}
