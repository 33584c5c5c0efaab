//! The whole command line.

use clap::{Args, Parser, Subcommand};
use std::ffi::OsString;

/// The chores of this workspace
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", disable_help_subcommand = true)]
pub(crate) struct Xtask {
    #[command(subcommand)]
    pub(crate) chore: Chore,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Chore {
    /// The main job once, from CRD to events: generate, compile, run against the embedded API server
    Demo(Demo),
    /// All tests of the workspace, documentation examples too
    Test(Test),
    /// Make the committed generated crates again from their inputs
    Generate(Generate),
    /// The house rules: module docs, file length, imports, versions, licences
    Tidy,
    /// Generate crates from real CRDs, compile them without a warning, run their informers
    Corpus(Corpus),
    /// Everything beside the tests that must hold before a change lands
    Ci(Ci),
}

#[derive(Debug, Args)]
pub(crate) struct Demo {
    /// Keep target/demo, the generated crate and the program on it, for a look afterwards
    #[arg(long)]
    pub(crate) keep: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Test {
    #[command(flatten)]
    pub(crate) corpus: CorpusFolder,
    /// Handed to `cargo test` as they are, for instance `-p informer-runtime` or `-- --nocapture`
    #[arg(value_name = "ARGS", trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) args: Vec<OsString>,
}

#[derive(Debug, Args)]
pub(crate) struct Generate {
    /// Write nothing; say what would change, and exit with 2 if anything would
    #[arg(long)]
    pub(crate) check: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Corpus {
    #[command(flatten)]
    pub(crate) corpus: CorpusFolder,
    /// Keep target/corpus, the generated crates, for a look afterwards
    #[arg(long)]
    pub(crate) keep: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Ci {
    #[command(flatten)]
    pub(crate) corpus: CorpusFolder,
}

/// Where the real CRDs are, which are not part of this repository.
#[derive(Debug, Args)]
pub(crate) struct CorpusFolder {
    /// Folder with a corpus of real CRDs (`crds/NAME/*.yaml`); without it what needs one is skipped, and says so
    #[arg(long = "corpus", env = "INFORMER_CORPUS", value_name = "DIR")]
    pub(crate) folder: Option<OsString>,
}
