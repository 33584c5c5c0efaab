//! Every chore of this workspace, as `cargo xtask CHORE`: the command line is in `flags.rs`, and each chore is a file
//! of its own.
//!
//! Exit codes: 0 done, 1 something failed, 2 wrong usage or a committed file is stale, 130 interrupted.

mod say;
mod failure;
mod flags;
mod root;
mod process;
mod k8s_types;
mod generate;
mod prune_spec;
mod prune_crds;
mod tidy;
mod scratch;
mod corpus;
mod demo;
mod cases;
mod test;
mod simulate;
mod refused_release;
mod ci;

use clap::Parser as _;
use std::process::ExitCode;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let done = match flags::Xtask::parse().chore {
        flags::Chore::Demo(flags) => demo::run(&flags).await,
        flags::Chore::Test(flags) => test::run(&flags).await,
        flags::Chore::Simulate(flags) => simulate::run(&flags).await,
        flags::Chore::Generate(flags) => generate::run(&flags),
        flags::Chore::PruneSpec(flags) => prune_spec::run(&flags),
        flags::Chore::PruneCrds(flags) => prune_crds::run(&flags),
        flags::Chore::K8sTypes(flags) => k8s_types::run(&flags).await,
        flags::Chore::Tidy => tidy::run(),
        flags::Chore::Corpus(flags) => corpus::run(&flags).await,
        flags::Chore::Ci(flags) => ci::run(&flags).await,
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
