//! Lines on standard output. A reader that has seen enough (`cargo xtask … | head`) is no reason to fail.

use std::fmt::Display;
use std::io::Write as _;

/// Prints one line.
pub(crate) fn say(line: impl Display) {
    let _ = writeln!(std::io::stdout().lock(), "{line}");
}
