//! `cargo xtask tidy`: the house rules that no compiler checks. Also run as a test of this package.
//!
//! Each rule is a function from a file's path and text to the lines that break it, in `tidy/`.

mod files;
mod text;
mod manifest;
mod imports;
mod releases;

use crate::failure::{Failure, Result};
use crate::root;
use crate::say::say;
use std::fmt;
use std::path::Path;

/// A rule that is broken somewhere.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Finding {
    /// Path under the root, with forward slashes.
    file: String,
    /// Line number from 1; 0 for the file as a whole.
    line: usize,
    what: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.file, self.what),
            line => write!(f, "{}:{line}: {}", self.file, self.what),
        }
    }
}

/// Prints every broken rule.
///
/// # Errors
/// When there is one.
pub(crate) fn run() -> Result {
    let findings = look(root::root())?;
    findings.iter().for_each(say);
    match findings.len() {
        0 => Ok(()),
        count => Err(Failure::new(format!("tidy: {count} house rules broken"))),
    }
}

/// Everything that is wrong in the workspace below the folder, ordered by file and line.
fn look(root: &Path) -> Result<Vec<Finding>> {
    let files = files::read(root)?;
    let mut findings = Vec::new();
    for file in &files {
        text::check(file, &mut findings);
        manifest::check(file, &mut findings);
    }
    imports::check(&files, &mut findings);
    releases::check(&files, &mut findings);
    findings.sort();
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_workspace_keeps_the_house_rules() {
        let findings = look(root::root()).expect("readable");
        let lines: Vec<String> = findings.iter().map(ToString::to_string).collect();
        assert!(lines.is_empty(), "{}", lines.join("\n"));
    }
}
