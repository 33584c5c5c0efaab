//! Runs other programs, nearly always cargo, so that none outlives this one: each gets a process group of its own,
//! and an interrupt of ours is passed on to all of it.

use crate::failure::{Failure, Result};
use crate::root;
use std::ffi::OsStr;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;
use tokio::process::{Child, Command};

/// How long a program has between our interrupt and its end.
const GRACE: Duration = Duration::from_secs(5);

/// A `cargo` command in the given folder, with the Kubernetes release chosen and the target folder shared.
///
/// The environment wins over the workspace's own choice of the release, which is in `.cargo/config.toml`.
pub(crate) fn cargo<I, A>(folder: &Path, args: I) -> Command
where
    I: IntoIterator<Item = A>,
    A: AsRef<OsStr>,
{
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(args).current_dir(folder).env("CARGO_TARGET_DIR", root::target());
    if std::env::var_os(KUBERNETES).is_none()
        && let Some(release) = option_env!("K8S_OPENAPI_ENABLED_VERSION")
    {
        command.env(KUBERNETES, release);
    }
    command
}

/// The variable that chooses the Kubernetes release of the built-in types.
pub(crate) const KUBERNETES: &str = "K8S_OPENAPI_ENABLED_VERSION";

/// Runs a program to its end. What it prints goes where our own output goes.
///
/// # Errors
/// When it can't be started, ends with anything but 0, or we are interrupted meanwhile; then it is ended first, with
/// all that it started.
pub(crate) async fn run(command: &mut Command) -> Result {
    run_until(command, interrupt()).await
}

async fn run_until(command: &mut Command, interrupt: impl Future<Output = u8>) -> Result {
    let text = shown(command);
    command.stdin(Stdio::null()).kill_on_drop(true);
    #[cfg(unix)]
    command.process_group(0);
    let mut child = command.spawn().map_err(|error| Failure::new(format!("cannot run `{text}`: {error}")))?;
    let group = child.id();
    tokio::select! {
        status = child.wait() => match status {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(Failure::new(format!("`{text}` failed: {status}"))),
            Err(error) => Err(Failure::new(format!("lost `{text}`: {error}"))),
        },
        signal = interrupt => {
            end(&mut child, group).await;
            Err(Failure::signal(signal, "interrupted"))
        }
    }
}

/// Asks the whole group to end, waits a while, then ends what is left of it.
async fn end(child: &mut Child, group: Option<u32>) {
    #[cfg(unix)]
    if let Some(group) = group.and_then(|id| i32::try_from(id).ok()).and_then(rustix::process::Pid::from_raw) {
        use rustix::process::{Signal, kill_process_group};
        // an error here means that nobody is left in the group
        let _ = kill_process_group(group, Signal::INT);
        let _ = tokio::time::timeout(GRACE, child.wait()).await;
        let _ = kill_process_group(group, Signal::KILL);
    }
    #[cfg(not(unix))]
    let _ = (group, GRACE);
    let _ = child.kill().await;
}

/// Ends when somebody wants us to end, with the number of the signal.
async fn interrupt() -> u8 {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        match (signal(SignalKind::interrupt()), signal(SignalKind::terminate())) {
            (Ok(mut interrupt), Ok(mut terminate)) => tokio::select! {
                _ = interrupt.recv() => 2,
                _ = terminate.recv() => 15,
            },
            _ => std::future::pending().await,
        }
    }
    #[cfg(not(unix))]
    {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
        2
    }
}

/// The command as a person would type it.
fn shown(command: &Command) -> String {
    let command = command.as_std();
    let program = Path::new(command.get_program()).file_name().unwrap_or(command.get_program());
    let words = std::iter::once(program).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::io::Read as _;

    #[tokio::test]
    async fn a_program_that_fails_is_named_with_its_arguments() {
        let failure = run(Command::new("false").arg("--now")).await.expect_err("false fails");
        assert_eq!(failure.to_string(), "`false --now` failed: exit status: 1");
        assert!(!failure.is_signal());
    }

    #[tokio::test]
    async fn an_interrupt_ends_the_program_and_what_it_started() {
        let (mut reader, writer) = std::io::pipe().expect("a pipe");
        let mut command = Command::new("sh");
        command.args(["-c", "sleep 600 & wait"]).stdout(writer);
        let failure = run_until(&mut command, std::future::ready(2)).await.expect_err("interrupted");
        assert!(failure.is_signal());
        drop(command); // our own copy of the writing end
        // the end of the pipe comes only when nobody holds it any more, the inner sleep included
        let mut rest = Vec::new();
        reader.read_to_end(&mut rest).expect("readable");
        assert!(rest.is_empty());
    }
}
