//! `cargo xtask prune-spec DOC`: the small form of an OpenAPI document, as `generated/specs/` has them.

use crate::failure::{Failure, Result};
use crate::flags;
use informer_gen::Input;
use std::io::Write as _;

/// Reads the document and writes its small form.
///
/// # Errors
/// When it is no OpenAPI document, or the output can't be written.
pub(crate) fn run(flags: &flags::PruneSpec) -> Result {
    let pruned = informer_gen::prune(&Input::Path(flags.document.clone()), flags.release)
        .map_err(|problems| Failure::new(format!("cannot prune:\n{problems}")))?;
    let written = match &flags.out {
        Some(path) => std::fs::write(path, &pruned),
        None => std::io::stdout().lock().write_all(pruned.as_bytes()),
    };
    written.map_err(|error| Failure::new(format!("cannot write the small document: {error}")))
}
