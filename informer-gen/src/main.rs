//! The command `informer-gen`: flags in, the library called, messages and an exit code out.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

mod config;
mod args;

use args::{Args, Command, MessageFormat, ReportFormat};
use clap::Parser;
use informer_gen::{DifferenceKind, Problems, Request, Tree, check, dump_model, explain, generate, report, write};

const DONE: u8 = 0;
const INPUT: u8 = 1;
const STALE: u8 = 2;
const INTERNAL: u8 = 3;

fn main() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => {
            // Help and version are no errors; a closed pipe is none either.
            let _ = error.print();
            return if error.use_stderr() { INPUT } else { DONE }.into();
        }
    };
    // A panic is a mistake of ours like any other: told, and with the exit code for it.
    match std::panic::catch_unwind(|| run(&args)) {
        Ok(Ok(code)) => code.into(),
        Ok(Err(problems)) => failed(&problems, args.message_format).into(),
        Err(_) => {
            error("informer-gen: this is a mistake of informer-gen itself; please report it");
            INTERNAL.into()
        }
    }
}

fn run(args: &Args) -> Result<u8, Problems> {
    let request = match args.request() {
        Ok(request) => request,
        Err(message) => {
            usage(&message, args.message_format);
            return Ok(INPUT);
        }
    };
    if let Some(Command::Explain { .. }) = &args.command {
        out(explain(&request)?);
        return Ok(DONE);
    }
    if args.dump_model {
        out(dump_model(&request)?);
        return Ok(DONE);
    }
    if let Some(format) = args.report {
        let report = report(&request)?;
        match format {
            ReportFormat::Text => out(report),
            ReportFormat::Json => out(report.json()),
        }
        return Ok(DONE);
    }
    let generated = generate(&request)?;
    if !generated.warnings.is_empty() && !args.quiet {
        tell(&generated.warnings, args.message_format);
    }
    if args.dry_run {
        dry_run(&generated.tree, &request)?;
        return Ok(DONE);
    }
    if args.check {
        let check = check(&generated.tree, &request.out)?;
        if check.is_clean() {
            if !args.quiet {
                out(format_args!("{} is up to date", request.out.display()));
            }
            return Ok(DONE);
        }
        error(format_args!("{} is not up to date:", request.out.display()));
        for difference in &check.differences {
            error(format_args!("  {difference}"));
        }
        error(format_args!("To mend it, run:\n  {}", request.command_line()));
        return Ok(STALE);
    }
    let written = write(&generated.tree, &request.out)?;
    for path in &written.abandoned {
        error(format_args!("warning: {path} is no longer wanted, but was edited by hand: it stays, as your file"));
    }
    if !args.quiet {
        for note in &generated.notes {
            out(note);
        }
        let count = [
            (written.created, "created"),
            (written.replaced, "replaced"),
            (written.deleted, "deleted"),
            (written.unchanged, "unchanged"),
        ];
        let count: Vec<String> =
            count.iter().filter(|(n, _)| *n > 0).map(|(number, word)| format!("{number} {word}")).collect();
        out(format_args!("{}: {} files: {}", request.out.display(), generated.tree.len() - 1, count.join(", ")));
    }
    Ok(DONE)
}

/// What would be written, a line for each file.
fn dry_run(tree: &Tree, request: &Request) -> Result<(), Problems> {
    let check = check(tree, &request.out)?;
    for difference in &check.differences {
        let word = match difference.kind {
            DifferenceKind::Missing => "create",
            DifferenceKind::Changed | DifferenceKind::Edited => "replace",
            DifferenceKind::Extra => "delete",
        };
        let (added, removed) = difference.lines;
        out(format_args!("would {word} {} (+{added} -{removed} lines)", difference.path));
    }
    let unchanged = if check.is_clean() { "nothing would change" } else { "nothing was written" };
    out(format_args!("{}: {unchanged}", request.out.display()));
    Ok(())
}

fn failed(problems: &Problems, format: MessageFormat) -> u8 {
    tell(problems, format);
    if format == MessageFormat::Human {
        let errors = problems.iter().filter(|problem| problem.severity() == informer_gen::Severity::Error).count();
        let noun = if errors == 1 { "problem" } else { "problems" };
        error(format_args!("informer-gen: {errors} {noun}; nothing was written"));
    }
    if problems.is_internal() { INTERNAL } else { INPUT }
}

fn tell(problems: &Problems, format: MessageFormat) {
    match format {
        MessageFormat::Human => error(problems.render(colour())),
        MessageFormat::Json => error(problems.json_lines().trim_end()),
    }
}

/// What is wrong with the command line or its file.
fn usage(message: &str, format: MessageFormat) {
    match format {
        MessageFormat::Human => error(format_args!("error: {message}")),
        MessageFormat::Json => error(serde_json::json!({"severity": "error", "message": message})),
    }
}

/// Colour on standard error: only on a terminal, and only if nobody minds (<https://no-color.org>).
fn colour() -> bool {
    let minds = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
    !minds && !dumb && io::stderr().is_terminal()
}

/// A line to standard output. Whoever closed it doesn't want it.
fn out(text: impl Display) {
    let _ = writeln!(io::stdout().lock(), "{text}");
}

/// A line to standard error. Whoever closed it doesn't want it.
fn error(text: impl Display) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}
