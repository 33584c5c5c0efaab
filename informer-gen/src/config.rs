//! `informer-gen.toml`: the flags of a run by their names, so that they need not be typed again; or those of several
//! outputs, each in a table `[[output]]`.

use std::fs;
use std::path::Path;

use serde::Deserialize;

/// The name of the file that a bare `informer-gen` reads.
pub(crate) const NAME: &str = "informer-gen.toml";

/// What the file may say: every key is the flag of that name.
#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Config {
    #[serde(default)]
    pub(crate) crd: Texts,
    #[serde(default)]
    pub(crate) openapi: Texts,
    #[serde(default)]
    pub(crate) release: Texts,
    #[serde(default)]
    pub(crate) types: Texts,
    #[serde(default)]
    pub(crate) dependency: Texts,
    #[serde(default)]
    pub(crate) rename: Texts,
    #[serde(default)]
    pub(crate) derive: Texts,
    #[serde(default)]
    pub(crate) attribute: Texts,
    #[serde(rename = "crate")]
    pub(crate) crate_name: Option<String>,
    pub(crate) out: Option<String>,
    pub(crate) runtime_path: Option<String>,
    #[serde(default)]
    pub(crate) module: bool,
    #[serde(default)]
    pub(crate) group_features: bool,
    #[serde(default)]
    pub(crate) own_types: bool,
    #[serde(default)]
    pub(crate) no_docs: bool,
    #[serde(default)]
    pub(crate) keep_going: bool,
    /// Several outputs; then the file says nothing else.
    #[serde(default)]
    output: Vec<Config>,
}

/// One text or a list of them.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub(crate) enum Texts {
    One(String),
    Many(Vec<String>),
}

impl Default for Texts {
    fn default() -> Self {
        Texts::Many(Vec::new())
    }
}

impl Texts {
    pub(crate) fn iter(&self) -> impl Iterator<Item = &String> {
        match self {
            Texts::One(text) => std::slice::from_ref(text).iter(),
            Texts::Many(texts) => texts.iter(),
        }
    }
}

/// Reads the file: one output, or several. Its paths are relative to the folder in which the command runs.
pub(crate) fn read(path: &Path) -> Result<Vec<Config>, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("{} can't be read: {error}", path.display()))?;
    let mut whole: Config = toml::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
    let outputs = std::mem::take(&mut whole.output);
    if outputs.is_empty() {
        return Ok(vec![whole]);
    }
    if whole != Config::default() {
        return Err(format!("{}: beside [[output]] no other key may stand; put each into an output", path.display()));
    }
    match outputs.iter().any(|output| !output.output.is_empty()) {
        true => Err(format!("{}: an [[output]] can't have outputs of its own", path.display())),
        false => Ok(outputs),
    }
}
