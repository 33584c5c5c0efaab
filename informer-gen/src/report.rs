//! Problems as people read them: the lines of the file with the place marked, the CRD and path, the hint.

use std::fmt;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use crate::problem::{Place, Problem, Problems, Severity};
use crate::source::Sources;

/// Problems that are told in full; of more only the number is told.
const MAX_TOLD: usize = 200;

/// Bytes of an excerpt that are shown; a file without line ends would flood the terminal.
const MAX_EXCERPT: usize = 4096;

impl Problems {
    /// The full text, ending in a line feed (empty without problems).
    ///
    /// `colour`: with terminal colours. Text from files is shown without control characters.
    pub fn render(&self, colour: bool) -> String {
        let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
        let renderer = renderer.decor_style(DecorStyle::Ascii);
        let mut text = String::new();
        for problem in self.iter().take(MAX_TOLD) {
            text += &renderer.render(&[group(problem, self.sources())]);
            text += "\n\n";
        }
        if self.len() > MAX_TOLD {
            text += &format!("… and {} more\n", self.len() - MAX_TOLD);
        } else {
            text.truncate(text.trim_end().len());
            text += if text.is_empty() { "" } else { "\n" };
        }
        text
    }
}

/// For programs.
impl Problems {
    /// One JSON object a line, for every problem. `severity` (`error`, `warning`) and `message` are always there; where
    /// known, `file`, `line` and `column` (from 1, in characters), `start` and `end` (bytes from the start of the text
    /// as UTF-8), `document` (its number in a file of several, from 1), `crd`, `pointer` (JSON pointer in the CRD),
    /// `hint`, `related` (other places, each with a `message`), and `left_out`: true for errors for which only something
    /// was left out.
    pub fn json_lines(&self) -> String {
        let mut text = String::new();
        for problem in self.iter() {
            let mut object = serde_json::Map::new();
            let severity = match problem.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            };
            object.insert("severity".into(), severity.into());
            object.insert("message".into(), (*problem.message).into());
            if let Some(place) = &problem.place {
                located(place, self.sources(), &mut object);
            }
            if let Some(hint) = &problem.hint {
                object.insert("hint".into(), (**hint).into());
            }
            if problem.forgiven {
                object.insert("left_out".into(), true.into());
            }
            if !problem.related.is_empty() {
                let related = problem.related.iter().map(|(place, words)| {
                    let mut object = serde_json::Map::new();
                    object.insert("message".into(), words.as_str().into());
                    located(place, self.sources(), &mut object);
                    serde_json::Value::Object(object)
                });
                object.insert("related".into(), related.collect());
            }
            text += &serde_json::Value::Object(object).to_string();
            text.push('\n');
        }
        text
    }
}

fn located(place: &Place, sources: &Sources, object: &mut serde_json::Map<String, serde_json::Value>) {
    if let Some(file) = sources.file(place.span) {
        let ((line, column), range) = (file.line_and_column(place.span), file.range(place.span));
        object.insert("file".into(), file.name().into());
        for (key, value) in [("line", line), ("column", column), ("start", range.start), ("end", range.end)] {
            object.insert(key.into(), value.into());
        }
        if let Some((number, _)) = file.document(place.span) {
            object.insert("document".into(), number.into());
        }
    }
    for (key, value) in [("crd", &place.crd), ("pointer", &place.pointer)] {
        if let Some(value) = value {
            object.insert(key.into(), (**value).into());
        }
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.render(false).trim_end())
    }
}

fn group<'a>(problem: &'a Problem, sources: &'a Sources) -> Group<'a> {
    let level = match problem.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let mut group = Group::with_title(level.primary_title(printable(&problem.message)));
    if let Some(place) = &problem.place {
        group = mark(group, place, None, sources);
        if let Some(words) = place_words(place, sources) {
            group = group.element(Level::NOTE.message(words));
        }
    }
    for (place, words) in &problem.related {
        group = mark(group, place, Some(words), sources);
    }
    if problem.internal {
        group = group.element(Level::NOTE.message("this is a mistake of informer-gen itself; please report it"));
    }
    match &problem.hint {
        Some(hint) => group.element(Level::HELP.message(printable(hint))),
        None => group,
    }
}

/// Shows a place: its lines, or only file, line and column where the lines are too long to show.
fn mark<'a>(group: Group<'a>, place: &'a Place, words: Option<&'a str>, sources: &'a Sources) -> Group<'a> {
    let Some(file) = sources.file(place.span) else {
        return group;
    };
    let kind = if words.is_some() { AnnotationKind::Context } else { AnnotationKind::Primary };
    let excerpt = file.excerpt(place.span, 1);
    if excerpt.text.len() > MAX_EXCERPT || excerpt.text.contains(|c: char| c.is_control() && !c.is_whitespace()) {
        let (line, column) = file.line_and_column(place.span);
        return group.element(Origin::path(printable(file.name())).line(line).char_column(column));
    }
    let annotation = kind.span(excerpt.mark).label(words.map(printable));
    let snippet = Snippet::source(excerpt.text).line_start(excerpt.first_line).path(printable(file.name()));
    group.element(snippet.annotation(annotation))
}

/// `in document 2 of 3, the CRD widgets.shop.example.test, at /spec/versions/0`.
fn place_words(place: &Place, sources: &Sources) -> Option<String> {
    let document = sources.file(place.span).and_then(|file| file.document(place.span));
    let document = document.map(|(number, of)| format!("in document {number} of {of}"));
    let crd = place.crd.as_ref().map(|crd| match document {
        Some(_) => format!("the CRD {crd}"),
        None => format!("in the CRD {crd}"),
    });
    let within = [document, crd].into_iter().flatten().collect::<Vec<_>>().join(", ");
    let words = match &place.pointer {
        Some(pointer) if within.is_empty() => format!("at {pointer}"),
        Some(pointer) => format!("{within} at {pointer}"),
        None if within.is_empty() => return None,
        None => within,
    };
    Some(printable(&words))
}

/// Without control characters, which could steer a terminal.
fn printable(text: &str) -> String {
    text.replace(|c: char| c.is_control() && c != '\n', "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Span;
    use expect_test::expect;

    fn problems() -> Problems {
        let mut sources = Sources::default();
        let id = sources.add("crds/widget.yaml", "spec:\n  scope: Everywhere\n  names: {}\n");
        let mut problems = Problems::new();
        problems.push(Problem::warning("one field is left \u{1b}[31mopen"));
        let place = Place::new(Span::new(id, 15, 25)).crd("widgets.shop.example.test").pointer("/spec/scope");
        let problem = Problem::error("the scope is neither Namespaced nor Cluster").at(place);
        problems.push(problem.related(Span::new(id, 28, 33), "names here").hint("write `scope: Namespaced`"));
        problems.located_in(&sources)
    }

    #[test]
    fn a_problem_is_told_with_its_lines() {
        expect![[r#"
            warning: one field is left �[31mopen

            error: the scope is neither Namespaced nor Cluster
             --> crds/widget.yaml:2:10
              |
            2 |   scope: Everywhere
              |          ^^^^^^^^^^
              |
              = note: in the CRD widgets.shop.example.test at /spec/scope
              |
             ::: crds/widget.yaml:3:3
              |
            3 |   names: {}
              |   ----- names here
              |
              = help: write `scope: Namespaced`
        "#]]
        .assert_eq(&problems().render(false));
    }

    #[test]
    fn colour_only_on_request() {
        assert!(!problems().render(false).contains('\u{1b}'));
        assert!(problems().render(true).contains('\u{1b}'));
        assert_eq!(problems().to_string(), problems().render(false).trim_end());
    }

    #[test]
    fn a_file_without_line_ends_does_not_flood_the_terminal() {
        let mut sources = Sources::default();
        let id = sources.add("a.json", "x".repeat(1 << 20));
        let problems = Problems::from(Problem::error("bad").at(Span::new(id, 500_000, 500_001))).located_in(&sources);
        let text = problems.render(false);
        assert!(text.len() < 200 && text.contains("a.json:1:500001"), "{text}");
    }
}
