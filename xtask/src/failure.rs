//! What a chore that did not succeed says, and the exit code it ends with.

use std::fmt;
use std::process::ExitCode;

/// Why a chore ended early.
#[derive(Debug)]
pub(crate) struct Failure {
    code: u8,
    message: String,
}

/// What every chore returns.
pub(crate) type Result<T = ()> = std::result::Result<T, Failure>;

impl Failure {
    /// Something failed: exit code 1.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { code: 1, message: message.into() }
    }

    /// A committed file is not what it should be: exit code 2. The message says which command mends it.
    pub(crate) fn stale(message: impl Into<String>) -> Self {
        Self { code: 2, message: message.into() }
    }

    /// A signal ended it: 128 and the signal's number, as a shell counts it.
    pub(crate) fn signal(number: u8, message: impl Into<String>) -> Self {
        Self { code: 128 + number, message: message.into() }
    }

    /// A file or folder could not be used.
    pub(crate) fn io(doing: &str, path: &std::path::Path, error: &std::io::Error) -> Self {
        Self::new(format!("cannot {doing} {}: {error}", path.display()))
    }

    /// True when a signal was the reason, so that no further step is to be tried.
    pub(crate) fn is_signal(&self) -> bool {
        self.code > 128
    }

    /// Prints the message and gives the exit code.
    pub(crate) fn report(&self) -> ExitCode {
        eprintln!("xtask: {self}");
        ExitCode::from(self.code)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}
