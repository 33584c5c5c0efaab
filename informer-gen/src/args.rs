//! The command line: flags to values, no work.

use std::path::{Path, PathBuf};

use clap::{Parser, ValueEnum};
use informer_gen::{Input, Release, Request};

const EXAMPLES: &str = "\
Examples:
  From one CRD to a crate:
    informer-gen --crd widget.yaml --crate shop-informers --out shop-informers

  From a folder of CRDs, and from a cluster:
    informer-gen --crd crds/ --crate shop-informers --out shop-informers
    kubectl get crds -o yaml | informer-gen --crd - --crate all-informers --out all-informers

  From an API server's own document:
    kubectl get --raw /openapi/v2 > openapi.json
    informer-gen --openapi openapi.json --crate my-informers --out my-informers

  In CI, to see that the output is up to date:
    informer-gen --crd crds/ --crate shop-informers --out shop-informers --check

Exit codes: 0 done, 1 something is wrong with the input or the command line (nothing was written),
2 the output is not up to date (--check), 3 a mistake of informer-gen itself.";

/// Makes a Rust crate of typed Kubernetes informers, listers and types from CustomResourceDefinitions and OpenAPI
/// documents.
#[derive(Debug, Parser)]
#[command(name = "informer-gen", version, after_help = EXAMPLES, max_term_width = 100)]
pub(crate) struct Args {
    /// CRDs: a YAML or JSON file, a folder of them, or `-`; may be repeated
    #[arg(long = "crd", value_name = "FILE|DIR|-", required_unless_present_any = ["openapi", "releases"])]
    crds: Vec<PathBuf>,

    /// OpenAPI documents of an API server, Swagger 2 or OpenAPI 3: a file (also .gz), a folder with all below it, an
    /// index of a folder, or `-`; may be repeated
    #[arg(long, value_name = "FILE|DIR|-")]
    openapi: Vec<PathBuf>,

    /// The same for one Kubernetes release: `1.37=FILE`; repeated, the crate has the kinds of each release
    #[arg(long = "release", value_name = "1.N=FILE|DIR", value_parser = release)]
    releases: Vec<(Release, PathBuf)>,

    /// Rust types that exist: `com.example.api=example_types::api` for definitions that begin so (the longest wins);
    /// nothing behind `=`: generate them
    #[arg(long, value_name = "PREFIX=PATH", value_parser = mapping)]
    types: Vec<(String, String)>,

    /// A line for the crate's [dependencies], for crates that --types names
    #[arg(long = "dependency", value_name = "LINE")]
    dependencies: Vec<String>,

    /// Give every API group a cargo feature, all of them on by default
    #[arg(long)]
    group_features: bool,

    /// Write nothing; print which kinds get an informer and which not and why
    #[arg(long, value_name = "FORMAT", num_args = 0..=1, default_missing_value = "text", conflicts_with_all = ["check", "dump_model"])]
    pub(crate) report: Option<ReportFormat>,

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
            request = request.input(input(path));
        }
        for path in &self.openapi {
            request = request.openapi(input(path));
        }
        for (release, path) in &self.releases {
            request = request.release(*release, input(path));
        }
        request.types.clone_from(&self.types);
        request.dependencies.clone_from(&self.dependencies);
        request.group_features = self.group_features;
        request.runtime_path.clone_from(&self.runtime_path);
        request.docs = !self.no_docs;
        request
    }
}

/// How a report is printed.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ReportFormat {
    /// For people.
    Text,
    /// For programs.
    Json,
}

fn input(path: &Path) -> Input {
    if path.as_os_str() == "-" { Input::Stdin } else { Input::Path(path.to_owned()) }
}

fn release(text: &str) -> Result<(Release, PathBuf), String> {
    let (release, path) = text.split_once('=').ok_or("write a release and a file: 1.37=openapi.json")?;
    Ok((release.parse()?, path.into()))
}

fn mapping(text: &str) -> Result<(String, String), String> {
    let (prefix, path) =
        text.split_once('=').ok_or("write a beginning and a Rust path: com.example.api=example::api")?;
    Ok((prefix.to_owned(), path.to_owned()))
}
