//! The whole command line.

use clap::{Args, Parser, Subcommand};
use informer_gen::Release;
use std::ffi::OsString;
use std::path::PathBuf;

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
    /// Informers under random histories and faults, repeatable by their seeds
    Simulate(Simulate),
    /// Make the committed generated crates again from their inputs
    Generate(Generate),
    /// Make the small form of an OpenAPI document: what of it the generator reads
    PruneSpec(PruneSpec),
    /// Make the small form of CRDs: what of them the generator reads
    PruneCrds(PruneCrds),
    /// Write down which types k8s-openapi has, for the generator, from the sources of the version in use
    K8sTypes(K8sTypes),
    /// The house rules: module docs, file length, imports, versions, licences
    Tidy,
    /// Generate crates from real CRDs, compile them without a warning, run their informers
    Corpus(Corpus),
    /// Everything beside the tests that must hold before a change lands
    Ci(Ci),
}

#[derive(Debug, Args)]
pub(crate) struct Demo {
    /// Your CRDs instead of the example: a file, a folder of them or a pattern; may be repeated
    #[arg(long = "crd", value_name = "FILE|DIR|PATTERN")]
    pub(crate) crds: Vec<PathBuf>,
    /// Which kind of your CRDs runs through the steps: its name, plural, or `PLURAL.VERSION.GROUP`; without it the
    /// first one that lives in namespaces
    #[arg(long, value_name = "NAME", requires = "crds")]
    pub(crate) kind: Option<String>,
    /// Keep target/demo, the generated crate and the program on it, for a look afterwards
    #[arg(long)]
    pub(crate) keep: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Test {
    /// Run nothing; print every case with the tests that prove it, or the reason where there is none
    #[arg(long)]
    pub(crate) list_cases: bool,
    #[command(flatten)]
    pub(crate) corpus: CorpusFolder,
    /// Handed to `cargo test` as they are, for instance `-p informer-runtime`
    #[arg(value_name = "ARGS", allow_hyphen_values = true)]
    pub(crate) args: Vec<OsString>,
    /// Handed to the test programs, for instance `-- --nocapture`
    #[arg(value_name = "TEST ARGS", last = true)]
    pub(crate) program_args: Vec<OsString>,
}

impl Test {
    /// What stands after `cargo test`, its own `--` included where one is needed.
    pub(crate) fn cargo_args(&self) -> Vec<OsString> {
        // after other arguments clap leaves the `--` in place
        let dashes = (!self.program_args.is_empty()).then(|| OsString::from("--"));
        self.args.iter().cloned().chain(dashes).chain(self.program_args.iter().cloned()).collect()
    }
}

#[derive(Debug, Args)]
pub(crate) struct Simulate {
    /// How many seeds
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub(crate) seeds: u64,
    /// The first seed; the others follow it
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub(crate) first_seed: u64,
    /// Optimised: worth its compilation from some thousand seeds on
    #[arg(long)]
    pub(crate) release: bool,
    /// Every request, error and call on standard error
    #[arg(long)]
    pub(crate) trace: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Generate {
    /// Write nothing; say what would change, and exit with 2 if anything would
    #[arg(long)]
    pub(crate) check: bool,
    /// A copy of the workspace that is meant, in place of this one; its `generated`, `docs` and `Cargo.toml` will do
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct PruneSpec {
    /// The document, Swagger 2 or OpenAPI 3, also .gz; or a folder of them
    #[arg(value_name = "DOC")]
    pub(crate) document: PathBuf,
    /// The release that the small one is for: then types that k8s-openapi has for it are left out
    #[arg(long, value_name = "1.N")]
    pub(crate) release: Option<Release>,
    /// Where the small one goes; without it to standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct PruneCrds {
    /// The CRDs: a file, a folder of them or a pattern
    #[arg(value_name = "CRDS")]
    pub(crate) crds: PathBuf,
    /// The folder for the small ones
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct K8sTypes {
    /// Write nothing; exit with 2 if anything would change
    #[arg(long)]
    pub(crate) check: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Corpus {
    #[command(flatten)]
    pub(crate) corpus: CorpusFolder,
    /// Only the types, and those of about 60 CRDs, always the same
    #[arg(long)]
    pub(crate) quick: bool,
    /// Keep what is generated, in target/corpus-types and target/corpus, for a look afterwards
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

#[cfg(test)]
mod tests {
    use super::*;

    fn cargo_args(line: &str) -> String {
        let parsed = Xtask::try_parse_from(line.split_whitespace()).expect("a valid line");
        let Chore::Test(flags) = parsed.chore else { panic!("not the chore test") };
        flags.cargo_args().join(std::ffi::OsStr::new(" ")).into_string().expect("text")
    }

    #[test]
    fn the_command_line_is_consistent() {
        use clap::CommandFactory as _;
        Xtask::command().debug_assert();
    }

    #[test]
    fn what_follows_test_is_for_cargo() {
        assert_eq!(cargo_args("xtask test"), "");
        assert_eq!(cargo_args("xtask test -p a --lib"), "-p a --lib");
        assert_eq!(cargo_args("xtask test --corpus DIR -p a -- --nocapture b"), "-p a -- --nocapture b");
        assert_eq!(cargo_args("xtask test -- --nocapture"), "-- --nocapture");
    }
}
