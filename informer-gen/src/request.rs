//! What is asked of one run.

use std::path::PathBuf;

use crate::model::Release;

/// One input document, or several.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Input {
    /// A YAML or JSON file, or a folder of them (`*.yaml`, `*.yml`, `*.json`, not those in folders below it), or a
    /// pattern: `*` and `?` stand for any characters and one of a name, `**` for any folders.
    Path(PathBuf),
    /// Standard input, read to its end; `-` on the command line. At most once in a request.
    Stdin,
    /// A text that the caller has already, with the name that messages show.
    Text {
        /// The name that messages show.
        name: String,
        /// YAML or JSON.
        text: String,
    },
}

/// What is asked of one run: which documents, and which crate to make of them, where.
///
/// ```
/// # use informer_gen::{Input, Request};
/// let request = Request::new("shop-informers", "generated/shop").input(Input::Path("crds".into()));
/// assert!(request.docs);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// CRDs. As with all inputs, their order does not change the output.
    pub inputs: Vec<Input>,
    /// OpenAPI documents of Kubernetes API servers: Swagger 2 or OpenAPI 3, JSON or YAML, also in gzip; folders are
    /// read with all that is below them.
    pub openapi: Vec<Input>,
    /// The same for one Kubernetes release each, to make one crate that gives every program the kinds of the release
    /// that it chose. The crate asks for the earliest of them or a later one.
    pub releases: Vec<(Release, Input)>,
    /// Types that exist: the beginning of a definition's name (whole parts: `com.example.api`), and the Rust path that
    /// stands for it (`example_types::api`); the parts after it become the rest of the path, and the longest beginning
    /// wins. An empty path makes the generator write the types. The built-in types of Kubernetes are known.
    pub types: Vec<(String, String)>,
    /// Lines for the `[dependencies]` of the crate to make: the crates that `types` names.
    pub dependencies: Vec<String>,
    /// Names to take in place of those that the generator would give: what is named, and the name. The first is
    /// `group:shop.example.test` (a name for its module and accessor), `kind:shop.example.test/v1/Widget` (for its type and
    /// all that is called after it) `plural:shop.example.test/v1/widgets` (for its accessor) or `definition:com.example.v1.Part`
    /// (for its type).
    pub renames: Vec<(String, String)>,
    /// Derives of the generated types, as `--derive` takes them: `Eq` for every type, `@enum=Hash` for every enum,
    /// `Widget.spec=schemars::JsonSchema` for one. Derives of std that are not for one type alone are given to the types
    /// that can have them.
    pub derives: Vec<String>,
    /// Attributes, as `--attribute` takes them: `Widget.spec.size=deprecated` for a field, `type:Widget.spec=must_use` for
    /// the type of its value, `@struct=…`, `@enum=…`.
    pub attributes: Vec<String>,
    /// Whether every API group gets a cargo feature of its own, all of them on by default. Default: no.
    pub group_features: bool,
    /// Whether to make a module for a crate that exists, with its `mod.rs` in `out`, instead of a crate. That crate
    /// depends on `informer-runtime` itself. Default: no.
    pub module: bool,
    /// Name of the crate to make, as in its `Cargo.toml`; of the module.
    pub crate_name: String,
    /// The crate's folder. It need not exist.
    pub out: PathBuf,
    /// Folder of the `informer-runtime` crate, for a path dependency. `None`: the published crate.
    pub runtime_path: Option<PathBuf>,
    /// Whether every type is the output's own, also where a schema is exactly that of a type which exists and which all
    /// kinds could share: conditions (`informer_runtime::Condition`), and types of Kubernetes such as label selectors,
    /// tolerations, affinity (k8s-openapi's). Default: no.
    pub own_types: bool,
    /// Whether to leave out CRDs that are wrong, and inputs that can't be read, and to generate the rest. All problems
    /// are still told. What is wrong with an OpenAPI document or with the request itself still forbids an output, and so
    /// does it when nothing is left. For [`generate`](crate::generate) alone. Default: no.
    pub keep_going: bool,
    /// Whether descriptions of the schema become doc comments. Default: yes.
    pub docs: bool,
    /// The command that makes this output again, for the header of every file and for `--check`. `None`: the
    /// `informer-gen` command line of this request.
    pub command: Option<String>,
    /// What was found around `out`; filled in by `generate`.
    pub(crate) surroundings: Surroundings,
}

/// What the disk says about the output folder, read before anything is rendered, so that rendering needs no disk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Surroundings {
    /// Whether `out` is a member of a surrounding cargo workspace.
    pub(crate) workspace_member: bool,
    /// `runtime_path` as seen from `out`, with `/`.
    pub(crate) runtime_path: Option<String>,
    /// The inputs as seen from `out`, with `/`, sorted, each once.
    pub(crate) inputs: InputNames,
}

/// How the inputs of a request are named in its output, by the flag that gives them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct InputNames {
    pub(crate) crds: Vec<String>,
    pub(crate) openapi: Vec<String>,
    pub(crate) releases: Vec<String>,
}

impl InputNames {
    /// The names of a request's inputs, each as `name` gives it.
    pub(crate) fn of<E>(request: &Request, name: impl Fn(&Input) -> Result<String, E>) -> Result<Self, E> {
        let sorted = |inputs: &[Input]| {
            let mut names = inputs.iter().map(&name).collect::<Result<Vec<_>, E>>()?;
            names.sort();
            names.dedup();
            Ok(names)
        };
        let mut releases = request
            .releases
            .iter()
            .map(|(release, input)| Ok(format!("{release}={}", name(input)?)))
            .collect::<Result<Vec<_>, E>>()?;
        releases.sort();
        releases.dedup();
        Ok(InputNames { crds: sorted(&request.inputs)?, openapi: sorted(&request.openapi)?, releases })
    }

    /// All of them.
    pub(crate) fn all(&self) -> impl Iterator<Item = &str> {
        let releases = self.releases.iter().map(|text| text.split_once('=').map_or(text.as_str(), |(_, name)| name));
        self.crds.iter().chain(&self.openapi).map(String::as_str).chain(releases)
    }
}

impl Request {
    /// A request for a crate of this name in this folder, as yet without inputs.
    pub fn new(crate_name: impl Into<String>, out: impl Into<PathBuf>) -> Self {
        Request {
            inputs: Vec::new(),
            openapi: Vec::new(),
            releases: Vec::new(),
            types: Vec::new(),
            dependencies: Vec::new(),
            renames: Vec::new(),
            derives: Vec::new(),
            attributes: Vec::new(),
            group_features: false,
            module: false,
            crate_name: crate_name.into(),
            out: out.into(),
            runtime_path: None,
            own_types: false,
            docs: true,
            keep_going: false,
            command: None,
            surroundings: Surroundings::default(),
        }
    }

    /// Adds an input.
    #[must_use]
    pub fn input(mut self, input: Input) -> Self {
        self.inputs.push(input);
        self
    }

    /// Adds an OpenAPI document, or a folder of them.
    #[must_use]
    pub fn openapi(mut self, input: Input) -> Self {
        self.openapi.push(input);
        self
    }

    /// Adds the OpenAPI document of a release, or a folder of them.
    #[must_use]
    pub fn release(mut self, release: Release, input: Input) -> Self {
        self.releases.push((release, input));
        self
    }

    /// Depends on the `informer-runtime` in this folder.
    #[must_use]
    pub fn runtime_path(mut self, folder: impl Into<PathBuf>) -> Self {
        self.runtime_path = Some(folder.into());
        self
    }

    /// Names the command that makes this output again.
    #[must_use]
    pub fn command(mut self, command: impl Into<String>) -> Self {
        self.command = Some(command.into());
        self
    }

    /// The same with everything that is wrong forbidding an output.
    pub(crate) fn strict(&self) -> Self {
        Request { keep_going: false, ..self.clone() }
    }

    /// For the output's `Cargo.toml`: path of `informer-runtime` relative to the output folder, with `/`; `None` for
    /// the published crate.
    pub(crate) fn runtime_dependency_path(&self) -> Option<&str> {
        self.surroundings.runtime_path.as_deref()
    }

    /// For the output's `Cargo.toml`: whether the output folder is a member of a surrounding workspace (then no
    /// `[workspace]` table and no `.cargo/config.toml` of its own).
    pub(crate) fn is_workspace_member(&self) -> bool {
        self.surroundings.workspace_member
    }

    /// The inputs as the header names them: seen from the output folder, sorted.
    pub(crate) fn input_names(&self) -> impl Iterator<Item = &str> {
        self.surroundings.inputs.all()
    }
}

impl Request {
    /// The command that makes the output: the one that the request names, else the `informer-gen` command line with
    /// the paths as they were given.
    pub fn command_line(&self) -> String {
        let as_given = |input: &Input| match input {
            Input::Path(path) => Ok::<_, std::convert::Infallible>(path.display().to_string()),
            Input::Stdin => Ok("-".to_owned()),
            Input::Text { name, .. } => Ok(name.clone()),
        };
        let Ok(inputs) = InputNames::of(self, as_given);
        let runtime_path = self.runtime_path.as_ref().map(|path| path.display().to_string());
        self.command_with(&inputs, &self.out.display().to_string(), runtime_path)
    }

    /// The command that makes the output again, run in the output folder: the one that the request names, else the
    /// `informer-gen` command line.
    pub(crate) fn remake_command(&self) -> String {
        let runtime_path = self.runtime_dependency_path().map(str::to_owned);
        self.command_with(&self.surroundings.inputs, ".", runtime_path)
    }

    fn command_with(&self, inputs: &InputNames, out: &str, runtime_path: Option<String>) -> String {
        if let Some(command) = &self.command {
            return command.clone();
        }
        let mut words = vec!["informer-gen".to_owned()];
        let mut flag = |flag: &str, value: &str| words.extend([flag.to_owned(), quoted(value)]);
        inputs.crds.iter().for_each(|name| flag("--crd", name));
        inputs.openapi.iter().for_each(|name| flag("--openapi", name));
        inputs.releases.iter().for_each(|name| flag("--release", name));
        self.types.iter().for_each(|(prefix, path)| flag("--types", &format!("{prefix}={path}")));
        self.dependencies.iter().for_each(|line| flag("--dependency", line));
        self.renames.iter().for_each(|(origin, name)| flag("--rename", &format!("{origin}={name}")));
        self.derives.iter().for_each(|text| flag("--derive", text));
        self.attributes.iter().for_each(|text| flag("--attribute", text));
        if !self.module {
            flag("--crate", &self.crate_name);
        }
        flag("--out", out);
        if let Some(path) = runtime_path {
            flag("--runtime-path", &path);
        }
        if self.module {
            words.push("--module".into());
        }
        if self.group_features {
            words.push("--group-features".into());
        }
        if self.own_types {
            words.push("--own-types".into());
        }
        if !self.docs {
            words.push("--no-docs".into());
        }
        if self.keep_going {
            words.push("--keep-going".into());
        }
        words.join(" ")
    }
}

/// A word of a shell command, in quotes where it needs them.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@+,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_can_be_pasted_into_a_shell() {
        let mut request = Request::new("shop", "it's here").input(Input::Stdin).runtime_path("../rt");
        (request.docs, request.keep_going) = (false, true);
        let command =
            r"informer-gen --crd - --crate shop --out 'it'\''s here' --runtime-path ../rt --no-docs --keep-going";
        assert_eq!(request.command_line(), command);
        assert_eq!(request.command("cargo xtask generate").command_line(), "cargo xtask generate");
    }
}
