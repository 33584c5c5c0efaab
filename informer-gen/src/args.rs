//! The command line: flags to values, no work.

use std::path::PathBuf;

use clap::Parser;
use informer_gen::{Input, Request};

const EXAMPLES: &str = "\
Examples:
  From one CRD to a crate:
    informer-gen --crd widget.yaml --crate shop-informers --out shop-informers

  From a folder of CRDs, and from a cluster:
    informer-gen --crd crds/ --crate shop-informers --out shop-informers
    kubectl get crds -o yaml | informer-gen --crd - --crate all-informers --out all-informers

  In CI, to see that the output is up to date:
    informer-gen --crd crds/ --crate shop-informers --out shop-informers --check

Exit codes: 0 done, 1 something is wrong with the input or the command line (nothing was written),
2 the output is not up to date (--check), 3 a mistake of informer-gen itself.";

/// Makes a Rust crate of typed Kubernetes informers, listers and types from CustomResourceDefinitions.
#[derive(Debug, Parser)]
#[command(name = "informer-gen", version, after_help = EXAMPLES, max_term_width = 100)]
pub(crate) struct Args {
    /// CRDs: a YAML or JSON file, a folder of them, or `-`; may be repeated
    #[arg(long = "crd", value_name = "FILE|DIR|-", required = true)]
    crds: Vec<PathBuf>,

    /// Name of the crate to make
    #[arg(long = "crate", value_name = "NAME")]
    crate_name: String,

    /// Folder of the crate; files in it that are not ours are left alone
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// Depend on the `informer-runtime` in this folder
    #[arg(long, value_name = "DIR")]
    runtime_path: Option<PathBuf>,

    /// Write nothing; tell which files are out of date, and exit with 2
    #[arg(long, conflicts_with = "dump_model")]
    pub(crate) check: bool,

    /// Leave the descriptions of the CRDs out
    #[arg(long)]
    no_docs: bool,

    /// Write nothing; print what was understood as JSON
    #[arg(long)]
    pub(crate) dump_model: bool,

    /// Say nothing when all is well
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

impl Args {
    /// What the flags ask for.
    pub(crate) fn request(&self) -> Request {
        let mut request = Request::new(&self.crate_name, &self.out);
        for path in &self.crds {
            let stdin = path.as_os_str() == "-";
            request = request.input(if stdin { Input::Stdin } else { Input::Path(path.clone()) });
        }
        request.runtime_path.clone_from(&self.runtime_path);
        request.docs = !self.no_docs;
        request
    }
}
