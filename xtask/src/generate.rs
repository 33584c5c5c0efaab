//! `cargo xtask generate [--check]`: makes the committed generated crates again from their inputs.

use crate::failure::{Failure, Result};
use crate::{flags, root};
use informer_gen::{Input, Problems, Request};
use std::path::Path;

/// One generated crate: what it is called, what it is made from, where it lies. Paths are below the root.
pub(crate) struct Output {
    pub(crate) name: &'static str,
    pub(crate) inputs: &'static [&'static str],
    pub(crate) out: &'static str,
}

/// Two kinds of our own, both scopes, two versions: for the demo, the examples and the tests.
pub(crate) const EXAMPLE: Output =
    Output { name: "shop-informers", inputs: &["generated/example/crds"], out: "generated/example" };

/// One kind in another group: a second crate, so that two can meet in one factory.
const EXAMPLE_PARTS: Output =
    Output { name: "parts-informers", inputs: &["generated/example-parts/crds"], out: "generated/example-parts" };

/// Everything that is committed in its generated form.
const OUTPUTS: &[Output] = &[EXAMPLE, EXAMPLE_PARTS];

/// Writes each output, or says which are not what their inputs make of them.
///
/// # Errors
/// When an input is bad, or with `--check` an output is stale.
pub(crate) fn run(flags: &flags::Generate) -> Result {
    let mut stale = Vec::new();
    for output in OUTPUTS {
        if !flags.check {
            write(output, root::root())?;
        } else if !check(output)? {
            stale.push(output.out);
        }
    }
    match stale.as_slice() {
        [] => Ok(()),
        stale => Err(Failure::stale(format!("stale: {}; `cargo xtask generate` mends it", stale.join(", ")))),
    }
}
