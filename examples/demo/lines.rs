//! What the demos have in common: steps, lines below them, and their end.

use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;
use tokio::sync::mpsc::UnboundedReceiver;

/// What ends a demo early.
pub(crate) type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// How long a step waits for what it is about. Far more than any machine needs.
const DEADLINE: Duration = Duration::from_secs(60);

/// Runs a demo to its end, or until somebody interrupts it.
pub(crate) async fn end_of(demo: impl Future<Output = Result>) -> ExitCode {
    tokio::select! {
        done = demo => match done {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("demo: {error}");
                ExitCode::FAILURE
            }
        },
        _ = tokio::signal::ctrl_c() => {
            eprintln!("demo: interrupted");
            ExitCode::from(130)
        }
    }
}

/// Prints the title of a step.
pub(crate) fn step(out: &mut impl Write, number: usize, what: &str) -> Result {
    writeln!(out, "demo {number}/8 {what}")?;
    Ok(out.flush()?)
}

/// Prints a line below a step.
pub(crate) fn say(out: &mut impl Write, line: &str) -> Result {
    writeln!(out, "  {line}")?;
    Ok(out.flush()?)
}

/// Prints what the handler heard, up to the first line that begins as wanted.
pub(crate) async fn wait_for(out: &mut impl Write, seen: &mut UnboundedReceiver<String>, wanted: &str) -> Result {
    loop {
        let heard = tokio::time::timeout(DEADLINE, seen.recv()).await;
        let heard = heard.map_err(|_| format!("no `{wanted}` came within {} s", DEADLINE.as_secs()))?;
        let line = heard.ok_or_else(|| format!("the informer ended before `{wanted}` came"))?;
        say(out, &line)?;
        if line.starts_with(wanted) {
            return Ok(());
        }
    }
}
