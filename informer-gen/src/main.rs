//! The command `informer-gen`: flags in, the library called, messages and an exit code out.

use std::process::ExitCode;

mod config;
mod args;
mod messages;

use args::{Args, Command, ReportFormat};
use clap::Parser;
use informer_gen::{Problems, check, dump_model, explain, generate, report, write};
use messages::{Messages, out};

const DONE: u8 = 0;
const INPUT: u8 = 1;
const STALE: u8 = 2;
const INTERNAL: u8 = 3;

fn main() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => {
            Messages { format: messages::asked_format() }.command_line(&error);
            // Help and version are no errors.
            return if error.use_stderr() { INPUT } else { DONE }.into();
        }
    };
    let messages = Messages { format: args.message_format };
    messages.catch_panics();
    // A panic is a mistake of ours like any other: told, and with the exit code for it.
    match std::panic::catch_unwind(|| run(&args, messages)) {
        Ok(Ok(code)) => code.into(),
        Ok(Err(problems)) => {
            messages.problems(&problems);
            messages.failed(&problems);
            if problems.is_internal() { INTERNAL } else { INPUT }.into()
        }
        Err(_) => {
            messages.internal();
            INTERNAL.into()
        }
    }
}

fn run(args: &Args, messages: Messages) -> Result<u8, Problems> {
    let request = match args.request() {
        Ok(request) => request,
        Err(message) => {
            messages.usage(&message);
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
    // What is missing is told in any case.
    let is_whole = generated.left_out.is_empty();
    if !(generated.warnings.is_empty() || args.quiet && is_whole) {
        messages.problems(&generated.warnings);
    }
    if !is_whole {
        messages.left_out(&generated.warnings, &generated.left_out);
    }
    if args.dry_run {
        messages.trial(&check(&generated.tree, &request.out)?, &request);
        return Ok(DONE);
    }
    if args.check {
        let check = check(&generated.tree, &request.out)?;
        if !check.is_clean() {
            messages.stale(&check, &request);
            return Ok(STALE);
        }
        if !args.quiet {
            out(format_args!("{} is up to date", request.out.display()));
        }
        return Ok(DONE);
    }
    let written = write(&generated.tree, &request.out)?;
    for path in &written.abandoned {
        messages.warning(&format!("{path} is no longer wanted, but was edited by hand: it stays, as your file"));
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
