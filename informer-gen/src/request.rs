//! What is asked of one run.

use std::path::PathBuf;

/// One input document, or several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A YAML or JSON file, or a folder of them (`*.yaml`, `*.yml`, `*.json`, not those in folders below it).
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
    /// The documents. Their order does not change the output.
    pub inputs: Vec<Input>,
    /// Name of the crate to make, as in its `Cargo.toml`.
    pub crate_name: String,
    /// The crate's folder. It need not exist.
    pub out: PathBuf,
    /// Folder of the `informer-runtime` crate, for a path dependency. `None`: the published crate.
    pub runtime_path: Option<PathBuf>,
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
    pub(crate) inputs: Vec<String>,
}

impl Request {
    /// A request for a crate of this name in this folder, as yet without inputs.
    pub fn new(crate_name: impl Into<String>, out: impl Into<PathBuf>) -> Self {
        Request {
            inputs: Vec::new(),
            crate_name: crate_name.into(),
            out: out.into(),
            runtime_path: None,
            docs: true,
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
    pub(crate) fn input_names(&self) -> &[String] {
        &self.surroundings.inputs
    }
}

impl Request {
    /// The command that makes the output: the one that the request names, else the `informer-gen` command line with
    /// the paths as they were given.
    pub fn command_line(&self) -> String {
        let inputs = self.inputs.iter().map(|input| match input {
            Input::Path(path) => path.display().to_string(),
            Input::Stdin => "-".to_owned(),
            Input::Text { name, .. } => name.clone(),
        });
        let runtime_path = self.runtime_path.as_ref().map(|path| path.display().to_string());
        self.command_with(inputs, &self.out.display().to_string(), runtime_path)
    }

    /// The command that makes the output again, run in the output folder: the one that the request names, else the
    /// `informer-gen` command line.
    pub(crate) fn remake_command(&self) -> String {
        let runtime_path = self.runtime_dependency_path().map(str::to_owned);
        self.command_with(self.input_names().iter().cloned(), ".", runtime_path)
    }

    fn command_with(&self, inputs: impl Iterator<Item = String>, out: &str, runtime_path: Option<String>) -> String {
        if let Some(command) = &self.command {
            return command.clone();
        }
        let mut words = vec!["informer-gen".to_owned()];
        for input in inputs {
            words.extend(["--crd".into(), quoted(&input)]);
        }
        words.extend(["--crate".into(), quoted(&self.crate_name), "--out".into(), quoted(out)]);
        if let Some(path) = runtime_path {
            words.extend(["--runtime-path".into(), quoted(&path)]);
        }
        if !self.docs {
            words.push("--no-docs".into());
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
        request.docs = false;
        let command = r"informer-gen --crd - --crate shop --out 'it'\''s here' --runtime-path ../rt --no-docs";
        assert_eq!(request.command_line(), command);
        assert_eq!(request.command("cargo xtask generate").command_line(), "cargo xtask generate");
    }
}
