//! The command line: flags to values, no work.

use std::path::{Path, PathBuf};

use clap::{Parser, Subcommand, ValueEnum};
use informer_gen::{Input, Release, Request};

use crate::config::{self, Config};

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

  A module of a crate that exists, and what a pattern names:
    informer-gen --crd 'crds/**/*.yaml' --module --out src/shop

  The same again, with the flags in informer-gen.toml (crd = 'crds', crate = 'shop-informers', out = 'shop'):
    informer-gen

  What is made of a CRD, and why:
    informer-gen explain widget.yaml

  In CI, to see that the output is up to date:
    informer-gen --crd crds/ --crate shop-informers --out shop-informers --check

Exit codes: 0 done (with --keep-going: without what was wrong), 1 something is wrong with the input or the
command line (nothing was written), 2 the output is not up to date (--check), 3 a mistake of informer-gen itself.";

/// Makes a Rust crate of typed Kubernetes informers, listers and types from CustomResourceDefinitions and OpenAPI
/// documents.
#[derive(Debug, Parser)]
#[command(name = "informer-gen", version, after_help = EXAMPLES, max_term_width = 100)]
#[command(args_conflicts_with_subcommands = true, disable_help_subcommand = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,

    /// CRDs: a YAML or JSON file, a folder of them, a pattern with `*`, `?` and `**`, or `-`; may be repeated
    #[arg(long = "crd", value_name = "FILE|DIR|PATTERN|-")]
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

    /// A line for the crate's [dependencies], for crates that --types, --derive and --attribute name
    #[arg(long = "dependency", value_name = "LINE")]
    dependencies: Vec<String>,

    /// Another name for what comes from the input: `group:shop.example.test=shop` for its module and accessor,
    /// `kind:shop.example.test/v1/Foo=ShopFoo` for its type and all that is called after it,
    /// `plural:shop.example.test/v1/foos=shop_foos` for its accessor, `definition:com.example.v1.Part=SparePart` for the
    /// type of a definition; may be repeated
    #[arg(long = "rename", value_name = "WHAT=NAME", value_parser = renaming)]
    renames: Vec<(String, String)>,

    /// Derives: `Eq` for every type (a derive of std where it holds), `@struct=…` or `@enum=…`, `Widget.spec=…` for the
    /// type of one place, `Widget.spec.*=…` for all below it, `shop.example.test/v1/Widget=…`; may be repeated
    #[arg(long = "derive", value_name = "[WHAT=]DERIVES")]
    derives: Vec<String>,

    /// An attribute, without `#[` and `]`: `Widget.spec.size=deprecated` for a field, `type:Widget.spec.size=…` for the type
    /// of its value, and as with --derive; may be repeated
    #[arg(long = "attribute", value_name = "WHAT=ATTRIBUTE")]
    attributes: Vec<String>,

    /// Give every API group a cargo feature, all of them on by default
    #[arg(long)]
    group_features: bool,

    /// Write nothing; print which kinds get an informer and which not and why
    #[arg(long, value_name = "FORMAT", num_args = 0..=1, default_missing_value = "text", conflicts_with_all = ["check", "dump_model"])]
    pub(crate) report: Option<ReportFormat>,

    /// Name of the crate to make
    #[arg(long = "crate", value_name = "NAME", conflicts_with = "module")]
    crate_name: Option<String>,

    /// Folder of the crate; files in it that are not ours are left alone
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Make a module of a crate that exists, which depends on `informer-runtime`: `mod.rs` and what is below it in the
    /// folder of --out, whose name is the module's
    #[arg(long)]
    module: bool,

    /// Read the flags from this file; without it from informer-gen.toml if no input, name and folder are given. Each
    /// key is a flag; what is on the command line goes first. Several outputs are tables [[output]] with these keys
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// Depend on the `informer-runtime` in this folder
    #[arg(long, value_name = "DIR")]
    runtime_path: Option<PathBuf>,

    /// Write nothing; tell which files are out of date, and exit with 2
    #[arg(long, conflicts_with = "dump_model")]
    pub(crate) check: bool,

    /// Write nothing; tell which files would change
    #[arg(long, conflicts_with_all = ["check", "dump_model", "report"])]
    pub(crate) dry_run: bool,

    /// How problems are told on standard error; docs/errors.md names the fields of the JSON objects
    #[arg(long, value_name = "FORMAT", default_value = "human", global = true)]
    pub(crate) message_format: MessageFormat,

    /// Generate every type, also where a schema is exactly that of a type which kinds could share: conditions
    /// (informer_runtime::Condition), label selectors, tolerations, affinity and others of Kubernetes (k8s-openapi). Helps
    /// where --derive asks for what those do not have
    #[arg(long)]
    own_types: bool,

    /// Leave the descriptions of the CRDs out
    #[arg(long)]
    no_docs: bool,

    /// Leave out CRDs that are wrong and inputs that can't be read, and generate the rest. Every problem is told all the
    /// same, the last line counts what was left out, and the exit code is 0: who wants a run to fail for one bad CRD
    /// leaves this out
    #[arg(long, conflicts_with_all = ["dump_model", "report"])]
    keep_going: bool,

    /// Write nothing; print what was understood as JSON
    #[arg(long)]
    pub(crate) dump_model: bool,

    /// Say nothing when all is well
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// Other things to do than to generate.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Print what is made of CRDs and why: names, paths, the tree of types
    Explain {
        /// CRDs, as --crd takes them
        #[arg(value_name = "CRD", required = true)]
        crds: Vec<PathBuf>,
    },
}

impl Args {
    /// What the flags ask for, with those of the configuration file: at least one output, none in the folder of
    /// another.
    ///
    /// # Errors
    /// The file can't be read or is wrong, or something is missing: then how to say it.
    pub(crate) fn requests(&self) -> Result<Vec<Request>, String> {
        if let Some(Command::Explain { crds }) = &self.command {
            let request = Request::new("explained", "explained");
            return Ok(vec![crds.iter().fold(request, |request, path| request.input(input(path)))]);
        }
        let outputs = self.config()?;
        if outputs.len() == 1 {
            return outputs.into_iter().map(|output| self.request(output)).collect();
        }
        if !self.is_silent() || self.module {
            return Err(
                "the file has several outputs; leave out --crd, --openapi, --release, --crate, --module and --out"
                    .to_owned(),
            );
        }
        let mut requests: Vec<Request> = Vec::new();
        for (at, output) in outputs.into_iter().enumerate() {
            let number = at + 1;
            let request = self.request(output).map_err(|message| format!("[[output]] {number}: {message}"))?;
            let folder = |out: &Path| std::path::absolute(out).unwrap_or(out.to_owned());
            if let Some(other) = requests.iter().position(|other| folder(&other.out) == folder(&request.out)) {
                let out = request.out.display();
                return Err(format!("[[output]] {number}: {out} is the folder of [[output]] {} already", other + 1));
            }
            requests.push(request);
        }
        if requests.iter().filter(|request| reads_stdin(request)).count() > 1 {
            return Err("standard input can be read once only, but several outputs are made of it".to_owned());
        }
        Ok(requests)
    }

    /// One output: the flags, then what the file says of it.
    fn request(&self, file: Config) -> Result<Request, String> {
        let missing = |what: &str| format!("{what} is missing; see informer-gen --help");
        let out = self.out.clone().or(file.out.as_ref().map(PathBuf::from)).ok_or(missing("--out DIR"))?;
        let name = self.crate_name.clone().or(file.crate_name.clone());
        let module = self.module || file.module && self.crate_name.is_none();
        let name = match (name, module) {
            (Some(name), false) => name,
            (_, true) => module_name(&out)?,
            (None, false) => return Err(missing("--crate NAME")),
        };
        let mut request = Request::new(name, &out);
        request.module = module;
        let no_inputs = self.crds.is_empty() && self.openapi.is_empty() && self.releases.is_empty();
        for path in &self.crds {
            request = request.input(input(path));
        }
        for path in &self.openapi {
            request = request.openapi(input(path));
        }
        for (release, path) in &self.releases {
            request = request.release(*release, input(path));
        }
        if no_inputs {
            request = file.crd.iter().fold(request, |request, path| request.input(input(path.as_ref())));
            request = file.openapi.iter().fold(request, |request, path| request.openapi(input(path.as_ref())));
            for text in file.release.iter() {
                let (release, path) = release(text)?;
                request = request.release(release, input(&path));
            }
        }
        if request.inputs.is_empty() && request.openapi.is_empty() && request.releases.is_empty() {
            return Err(missing("--crd FILE"));
        }
        request.types.clone_from(&self.types);
        if self.types.is_empty() {
            request.types = file.types.iter().map(|text| mapping(text)).collect::<Result<_, _>>()?;
        }
        request.renames.clone_from(&self.renames);
        if self.renames.is_empty() {
            request.renames = file.rename.iter().map(|text| renaming(text)).collect::<Result<_, _>>()?;
        }
        let or_of_file = |given: &[String], file: &config::Texts| match given {
            [] => file.iter().cloned().collect(),
            given => given.to_vec(),
        };
        request.dependencies = or_of_file(&self.dependencies, &file.dependency);
        request.derives = or_of_file(&self.derives, &file.derive);
        request.attributes = or_of_file(&self.attributes, &file.attribute);
        request.group_features = self.group_features || file.group_features;
        request.runtime_path = self.runtime_path.clone().or(file.runtime_path.map(PathBuf::from));
        request.own_types = self.own_types || file.own_types;
        request.docs = !(self.no_docs || file.no_docs);
        request.keep_going = self.keep_going || file.keep_going;
        Ok(request)
    }

    /// Whether no input, name and folder is given.
    fn is_silent(&self) -> bool {
        let no_inputs = self.crds.is_empty() && self.openapi.is_empty() && self.releases.is_empty();
        no_inputs && self.crate_name.is_none() && self.out.is_none()
    }

    /// The outputs of the configuration file, if it is asked for: by name, or by saying nothing.
    fn config(&self) -> Result<Vec<Config>, String> {
        let silent = self.is_silent();
        match &self.config {
            Some(path) => config::read(path),
            None if silent && Path::new(config::NAME).exists() => config::read(Path::new(config::NAME)),
            None if silent => {
                Err(format!("no inputs are named, and there is no {} here; see informer-gen --help", config::NAME))
            }
            None => Ok(vec![Config::default()]),
        }
    }
}

/// A module is called as its folder.
fn module_name(out: &Path) -> Result<String, String> {
    let out = std::path::absolute(out).unwrap_or(out.to_owned());
    let name = out.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let good = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    if name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(good) {
        return Ok(name);
    }
    Err(format!("--out {}: its last part can't be the name of a module, such as src/shop", out.display()))
}

/// How problems are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum MessageFormat {
    /// With the lines of the file.
    Human,
    /// A JSON object a line.
    Json,
}

/// How a report is printed.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ReportFormat {
    /// For people.
    Text,
    /// For programs.
    Json,
}

fn reads_stdin(request: &Request) -> bool {
    let releases = request.releases.iter().map(|(_, input)| input);
    request.inputs.iter().chain(&request.openapi).chain(releases).any(|input| *input == Input::Stdin)
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

fn renaming(text: &str) -> Result<(String, String), String> {
    let (origin, name) =
        text.rsplit_once('=').ok_or("write what is meant and a name: kind:shop.example.test/v1/Foo=ShopFoo")?;
    Ok((origin.to_owned(), name.to_owned()))
}
