//! A summary as text, for the files of what ours does where client-go does something else.

use std::fmt::Write;

use crate::summary::{Happened, Span, Summary, When};

/// The shortest back-off, in milliseconds, that the known ranges begin with.
const FIRST: u64 = 800;
const CAP: u64 = 30_000;

/// The text. Random waits are named by their range, so that it is the same for any seed.
pub(crate) fn render(summary: &Summary) -> String {
    let mut text = String::from("requests\n");
    for request in &summary.requests {
        let (gap, refused) = (gap(request.gap), if request.refused { "refused, " } else { "" });
        line(&mut text, &format!("{}: {gap}: {refused}{}", when(&request.when), request.text));
    }
    for handler in &summary.handlers {
        let mut parts = vec![format!("handler {}", handler.name)];
        for (name, time) in [("added", &handler.added), ("synced", &handler.synced), ("removed", &handler.removed)] {
            match time {
                Some(time) => parts.push(format!("{name} at {}", when(time))),
                None if name == "synced" => parts.push(String::from("never synced")),
                None => {}
            }
        }
        if handler.late_calls > 0 {
            parts.push(format!("{} calls after stop", handler.late_calls));
        }
        let _ = writeln!(text, "{}", parts.join(", "));
        rows(&mut text, &handler.calls);
    }
    text.push_str("errors\n");
    rows(&mut text, &summary.errors);
    let synced = summary.synced.as_ref().map_or(String::from("never"), |time| format!("at {}", when(time)));
    let _ = writeln!(text, "synced {synced}");
    let _ = writeln!(text, "versions {}; at the end {:?}", summary.versions.join(" "), summary.store_version);
    let _ = writeln!(text, "store {}", summary.store.join(", "));
    let returned = summary.returned.map_or(String::from("never"), seconds);
    let _ = writeln!(text, "ended after {returned}");
    text
}

fn line(text: &mut String, line: &str) {
    let _ = writeln!(text, "  {line}");
}

fn rows(text: &mut String, rows: &[Happened]) {
    for row in rows {
        line(text, &format!("{}: {}", when(&row.when), row.text));
    }
}

/// `1.500` since the start; `#3+0.050` since the third request, which came after a random wait; or `random`.
fn when(when: &When) -> String {
    match (when.round, when.offset.low == when.offset.high) {
        (Some(round), true) => format!("#{}+{}", round + 1, seconds(when.offset)),
        (None, true) => seconds(when.offset),
        _ => String::from("random"),
    }
}

fn seconds(span: Span) -> String {
    if span.low == span.high {
        return format!("{}.{:03}", span.low / 1000, span.low % 1000);
    }
    String::from("random")
}

/// A wait by its name: at once, exact, or the range of a back-off, which a Retry-After may cut off below.
fn gap(span: Span) -> String {
    if span.high == 0 {
        return String::from("at once");
    }
    if span.low == span.high {
        return format!("after {}", seconds(span));
    }
    let mut from = FIRST;
    while from <= CAP {
        if span.low >= from && span.high <= 2 * from + 1 {
            let range = format!("back-off {}..{}", tenths(from), tenths(2 * from));
            let whole = span.low.is_multiple_of(1000) && span.low > from;
            return if whole { format!("{range}, at least {}", tenths(span.low)) } else { range };
        }
        from = if from * 2 > CAP && from < CAP { CAP } else { from * 2 };
    }
    format!("{}..{}", tenths(span.low), tenths(span.high))
}

fn tenths(millis: u64) -> String {
    format!("{}.{}", millis / 1000, millis % 1000 / 100)
}
