//! The command `informer-gen`: flags in, the library called, messages and an exit code out.

use std::process::ExitCode;

mod config;
mod args;
mod messages;

use args::{Args, Command, ReportFormat};
use clap::Parser;
use informer_gen::{Generated, Problems, Request, check, dump_model, explain, generate, report, write};
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
        Ok(Err(Failed { problems, written })) => {
            problems.iter().for_each(|problems| messages.problems(problems));
            messages.failed(&problems, written);
            if problems.iter().any(Problems::is_internal) { INTERNAL } else { INPUT }.into()
        }
        Err(_) => {
            messages.internal();
            INTERNAL.into()
        }
    }
}

/// What went wrong, and how many outputs were written all the same.
struct Failed {
    problems: Vec<Problems>,
    written: usize,
}

/// What only prints makes a text of a request.
type Print = fn(&Request) -> Result<String, Problems>;

fn run(args: &Args, messages: Messages) -> Result<u8, Failed> {
    let requests = match args.requests() {
        Ok(requests) => requests,
        Err(message) => {
            messages.usage(&message);
            return Ok(INPUT);
        }
    };
    let print: Option<Print> = match (&args.command, args.report) {
        (Some(Command::Explain { .. }), _) => Some(explain),
        _ if args.dump_model => Some(dump_model),
        (_, Some(ReportFormat::Text)) => Some(|request| Ok(report(request)?.to_string())),
        (_, Some(ReportFormat::Json)) => Some(|request| Ok(report(request)?.json())),
        _ => None,
    };
    if let Some(print) = print {
        each(&requests, print)?.iter().for_each(out);
        return Ok(DONE);
    }
    // All are made before one is written.
    let generated = each(&requests, generate)?;
    let mut code = DONE;
    let mut failed = Failed { problems: Vec::new(), written: 0 };
    for (request, generated) in requests.iter().zip(&generated) {
        match finish(args, request, generated, messages) {
            Ok(done) => {
                code = code.max(done);
                failed.written += usize::from(!args.check && !args.dry_run);
            }
            Err(problems) => failed.problems.push(problems),
        }
    }
    if failed.problems.is_empty() { Ok(code) } else { Err(failed) }
}

/// Something of each request; or the problems of all, if any has some.
fn each<T>(requests: &[Request], of: impl Fn(&Request) -> Result<T, Problems>) -> Result<Vec<T>, Failed> {
    let (mut made, mut problems) = (Vec::new(), Vec::new());
    for request in requests {
        match of(request) {
            Ok(one) => made.push(one),
            Err(some) => problems.push(some),
        }
    }
    if problems.is_empty() { Ok(made) } else { Err(Failed { problems, written: 0 }) }
}

/// Writes an output, or checks it.
fn finish(args: &Args, request: &Request, generated: &Generated, messages: Messages) -> Result<u8, Problems> {
    // What is missing is told in any case.
    let is_whole = generated.left_out.is_empty();
    if !(generated.warnings.is_empty() || args.quiet && is_whole) {
        messages.problems(&generated.warnings);
    }
    if !is_whole {
        messages.left_out(&generated.warnings, &generated.left_out);
    }
    if args.dry_run {
        messages.trial(&check(&generated.tree, &request.out)?, request);
        return Ok(DONE);
    }
    if args.check {
        let check = check(&generated.tree, &request.out)?;
        if !check.is_clean() {
            messages.stale(&check, request);
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
