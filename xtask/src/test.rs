//! `cargo xtask test`: all tests of the workspace, documentation examples too.

use crate::failure::Result;
use crate::say::say;
use crate::{cases, corpus, flags, process, root};

/// Runs `cargo test` on the workspace, and with a corpus what needs one.
///
/// # Errors
/// When a test fails, or a case has neither a test nor a reason.
pub(crate) async fn run(flags: &flags::Test) -> Result {
    if flags.list_cases {
        return cases::list();
    }
    let folder = root::corpus(&flags.corpus)?;
    let chosen = flags.args.iter().any(|arg| matches!(arg.to_str(), Some("-p" | "--package")));
    let mut cargo = process::cargo(root::root(), ["test"]);
    if !chosen {
        cargo.arg("--workspace");
    }
    cargo.args(flags.cargo_args()).env_remove(CORPUS);
    if let Some(folder) = &folder {
        cargo.env(CORPUS, folder);
    }
    process::run(&mut cargo).await?;
    match folder {
        Some(folder) if !chosen => corpus::behave(&folder).await,
        Some(_) => Ok(()),
        None => {
            say("\nSkipped, since they need real CRDs, which are not part of this repository: the corpus tests.");
            say(format!("`cargo xtask test --corpus DIR` runs them, or {CORPUS}=DIR in the environment."));
            Ok(())
        }
    }
}

/// The variable in which tests find the corpus.
const CORPUS: &str = "INFORMER_CORPUS";
