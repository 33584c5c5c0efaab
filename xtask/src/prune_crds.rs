//! `cargo xtask prune-crds CRDS --out DIR`: the small form of CRDs, as `generated/gateway-api/crds/` has them.

use crate::failure::{Failure, Result};
use crate::flags;
use informer_gen::Input;

/// Reads the CRDs and writes one file for each, by its plural.
///
/// # Errors
/// When something is no CRD, or the output can't be written.
pub(crate) fn run(flags: &flags::PruneCrds) -> Result {
    let pruned = informer_gen::prune_crds(&Input::Path(flags.crds.clone()))
        .map_err(|problems| Failure::new(format!("cannot prune:\n{problems}")))?;
    std::fs::create_dir_all(&flags.out).map_err(|error| Failure::io("make", &flags.out, &error))?;
    for (name, text) in &pruned {
        let plural = name.split('.').next().unwrap_or(name);
        let path = flags.out.join(format!("{plural}.json"));
        std::fs::write(&path, text).map_err(|error| Failure::io("write", &path, &error))?;
    }
    eprintln!("{} CRDs", pruned.len());
    Ok(())
}
