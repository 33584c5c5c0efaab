//! What the command says, to people or to programs: lines to standard output and standard error, and problems as text or
//! as JSON objects.

use std::env;
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

use clap::error::ErrorKind;
use informer_gen::{Check, Difference, DifferenceKind, LeftOut, Problems, Request, Severity};
use serde_json::{Value, json};

use crate::args::MessageFormat;

const INTERNAL: &str = "this is a mistake of informer-gen itself; please report it";

/// Says things in one format.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Messages {
    pub(crate) format: MessageFormat,
}

impl Messages {
    /// Problems of the inputs.
    pub(crate) fn problems(self, problems: &Problems) {
        match self.format {
            MessageFormat::Human => error(problems.render(colour())),
            MessageFormat::Json => error(problems.json_lines().trim_end()),
        }
    }

    /// That problems were told, and what was written in spite of them.
    pub(crate) fn failed(self, problems: &[Problems], written: usize) {
        if self.format == MessageFormat::Human {
            let written = match written {
                0 => "nothing was written".to_owned(),
                1 => "one other output was written".to_owned(),
                count => format!("{count} other outputs were written"),
            };
            error(format_args!("informer-gen: {}; {written}", count(problems)));
        }
    }

    /// What was left out because of problems that were told.
    pub(crate) fn left_out(self, problems: &Problems, left_out: &LeftOut) {
        let line = format!("{}; {left_out}", count(std::slice::from_ref(problems)));
        match self.format {
            MessageFormat::Human => error(format_args!("informer-gen: {line}")),
            MessageFormat::Json => self.object(
                "warning",
                line,
                json!({"reason": "left-out", "crds": left_out.crds, "inputs": left_out.inputs}),
            ),
        }
    }

    /// What is wrong with the command line or its file.
    pub(crate) fn usage(self, message: &str) {
        match self.format {
            MessageFormat::Human => error(format_args!("error: {message}")),
            MessageFormat::Json => self.object("error", message, json!({"reason": "usage"})),
        }
    }

    /// What the reader of the command line has to say, help and version included.
    pub(crate) fn command_line(self, problem: &clap::Error) {
        if self.format == MessageFormat::Human || !problem.use_stderr() {
            // A closed pipe is no error.
            let _ = problem.print();
            return;
        }
        let text = problem.to_string();
        let mut parts = text.split("\n\n").map(|part| part.split_whitespace().collect::<Vec<_>>().join(" "));
        let message = parts.next().unwrap_or_default();
        let message = match problem.kind() {
            ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => "no arguments are given".to_owned(),
            _ => message.trim_start_matches("error: ").to_owned(),
        };
        let mut more = json!({"reason": "usage"});
        let hints: Vec<String> =
            parts.filter(|part| part.starts_with("tip: ") || part.starts_with("Usage: ")).collect();
        if !hints.is_empty() {
            more["hint"] = hints.join("; ").into();
        }
        self.object("error", message, more);
    }

    /// The files that are not as they would be written, and how to mend that.
    pub(crate) fn stale(self, check: &Check, request: &Request) {
        let (out, command) = (request.out.display(), request.command_line());
        match self.format {
            MessageFormat::Human => {
                error(format_args!("{out} is not up to date:"));
                check.differences.iter().for_each(|difference| error(format_args!("  {difference}")));
                error(format_args!("To mend it, run:\n  {command}"));
            }
            MessageFormat::Json => {
                for difference in &check.differences {
                    let message = format!("not up to date: {difference}");
                    self.object("error", message, of_difference("stale", difference, &request.out));
                }
                let hint = format!("to mend it, run: {command}");
                let more = json!({"reason": "stale", "hint": hint, "command": command});
                self.object("error", format!("{out} is not up to date"), more);
            }
        }
    }

    /// What would be written, a line for each file.
    pub(crate) fn trial(self, check: &Check, request: &Request) {
        for difference in &check.differences {
            let word = match difference.kind {
                DifferenceKind::Missing => "create",
                DifferenceKind::Changed | DifferenceKind::Edited => "replace",
                DifferenceKind::Extra => "delete",
            };
            let (added, removed) = difference.lines;
            match self.format {
                MessageFormat::Human => {
                    out(format_args!("would {word} {} (+{added} -{removed} lines)", difference.path));
                }
                MessageFormat::Json => out(of_difference(word, difference, &request.out)),
            }
        }
        if self.format == MessageFormat::Human {
            let unchanged = if check.is_clean() { "nothing would change" } else { "nothing was written" };
            out(format_args!("{}: {unchanged}", request.out.display()));
        }
    }

    /// Something to know that has no place in an input.
    pub(crate) fn warning(self, message: &str) {
        match self.format {
            MessageFormat::Human => error(format_args!("warning: {message}")),
            MessageFormat::Json => self.object("warning", message, json!({"reason": "output"})),
        }
    }

    /// Makes a panic an object like all else, where objects are asked for.
    pub(crate) fn catch_panics(self) {
        if self.format == MessageFormat::Json {
            std::panic::set_hook(Box::new(move |panic| {
                self.object("error", INTERNAL, json!({"reason": "internal", "hint": panic.to_string()}));
            }));
        }
    }

    /// That the command itself is at fault.
    pub(crate) fn internal(self) {
        match self.format {
            MessageFormat::Human => error(format_args!("informer-gen: {INTERNAL}")),
            // The hook has told it.
            MessageFormat::Json => {}
        }
    }

    fn object(self, severity: &str, message: impl Into<String>, mut more: Value) {
        more["severity"] = severity.into();
        more["message"] = message.into().into();
        error(more);
    }
}

fn of_difference(reason: &str, difference: &Difference, out: &Path) -> Value {
    let kind = match difference.kind {
        DifferenceKind::Missing => "missing",
        DifferenceKind::Changed => "changed",
        DifferenceKind::Edited => "edited",
        DifferenceKind::Extra => "extra",
    };
    let (added, removed) = difference.lines;
    let file = out.join(&difference.path).display().to_string();
    json!({"reason": reason, "file": file, "difference": kind, "added": added, "removed": removed})
}

fn count(problems: &[Problems]) -> String {
    let errors =
        problems.iter().flat_map(Problems::iter).filter(|problem| problem.severity() == Severity::Error).count();
    format!("{errors} problem{}", if errors == 1 { "" } else { "s" })
}

/// The format that is asked for, where the command line as a whole can't be read.
pub(crate) fn asked_format() -> MessageFormat {
    let mut args = env::args_os().map(|arg| arg.to_string_lossy().into_owned());
    let mut format = MessageFormat::Human;
    while let Some(arg) = args.next() {
        let value = match arg.as_str() {
            "--message-format" => args.next(),
            _ => arg.strip_prefix("--message-format=").map(str::to_owned),
        };
        if value.is_some_and(|value| value == "json") {
            format = MessageFormat::Json;
        }
    }
    format
}

/// Colour on standard error: only on a terminal, and only if nobody minds (<https://no-color.org>).
fn colour() -> bool {
    let minds = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = env::var_os("TERM").is_some_and(|value| value == "dumb");
    !minds && !dumb && io::stderr().is_terminal()
}

/// A line to standard output. Whoever closed it doesn't want it.
pub(crate) fn out(text: impl Display) {
    let _ = writeln!(io::stdout().lock(), "{text}");
}

/// A line to standard error. Whoever closed it doesn't want it.
fn error(text: impl Display) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}
