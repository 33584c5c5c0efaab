//! `cargo xtask simulate`: the seeded simulation of `tests/src/simulation.rs`, for many seeds.

use crate::failure::Result;
use crate::{flags, process, root};

/// Compiles the program and runs it; its last line is the summary.
///
/// # Errors
/// When a seed fails; what was wrong and how to play it again stands before the summary.
pub(crate) async fn run(flags: &flags::Simulate) -> Result {
    let mut cargo =
        process::cargo(root::root(), ["run", "--quiet", "--package", "informer-tests", "--bin", "simulate"]);
    if flags.release {
        cargo.arg("--release");
    }
    cargo.args(["--", "--seeds", &flags.seeds.to_string(), "--first-seed", &flags.first_seed.to_string()]);
    if flags.trace {
        cargo.arg("--trace");
    }
    process::run(&mut cargo).await
}
