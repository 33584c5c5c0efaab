//! For build scripts: the generated code goes where cargo says, and cargo learns what it depends on.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::problem::{Problem, Problems};
use crate::request::{Input, Request};
use crate::tree::Tree;
use crate::{emit, generate, glob};

/// Generates a module from a build script (`build.rs`), instead of a crate that is committed.
///
/// ```no_run
/// // in the `main` of build.rs
/// informer_gen::Builder::new("shop").crd("crds").run();
/// ```
///
/// and in the crate, which depends on `informer-runtime`:
///
/// ```text
/// include!(concat!(env!("OUT_DIR"), "/shop.rs")); // gives `mod shop`
/// ```
///
/// Nothing is written outside of `OUT_DIR`, files that would not change are not touched, and the script runs again only
/// when an input changes.
#[derive(Clone, Debug)]
#[must_use]
pub struct Builder {
    module: String,
    request: Request,
}

impl Builder {
    /// A module of this name, as yet without inputs.
    pub fn new(module: impl Into<String>) -> Self {
        let module = module.into();
        Builder { request: Request::new(module.clone(), "").command("the build script of this crate"), module }
    }

    /// Adds CRDs: a file, or a folder of them. Relative to the crate's folder, where cargo runs build scripts.
    pub fn crd(mut self, path: impl Into<PathBuf>) -> Self {
        self.request = self.request.input(Input::Path(path.into()));
        self
    }

    /// Adds OpenAPI documents: a file, or a folder of them.
    pub fn openapi(mut self, path: impl Into<PathBuf>) -> Self {
        self.request = self.request.openapi(Input::Path(path.into()));
        self
    }

    /// Names types that exist: see [`Request::types`].
    pub fn types(mut self, prefix: impl Into<String>, path: impl Into<String>) -> Self {
        self.request.types.push((prefix.into(), path.into()));
        self
    }

    /// Names what comes from the input otherwise: see [`Request::renames`].
    pub fn rename(mut self, origin: impl Into<String>, name: impl Into<String>) -> Self {
        self.request.renames.push((origin.into(), name.into()));
        self
    }

    /// Generates every type, also those that kinds could share: see [`Request::own_types`].
    pub fn own_types(mut self) -> Self {
        self.request.own_types = true;
        self
    }

    /// Adds derives to the types: see [`Request::derives`].
    pub fn derive(mut self, derives: impl Into<String>) -> Self {
        self.request.derives.push(derives.into());
        self
    }

    /// Adds an attribute to a type or field: see [`Request::attributes`].
    pub fn attribute(mut self, attribute: impl Into<String>) -> Self {
        self.request.attributes.push(attribute.into());
        self
    }

    /// Leaves descriptions out.
    pub fn without_docs(mut self) -> Self {
        self.request.docs = false;
        self
    }

    /// Leaves out CRDs that are wrong, and generates the rest: see [`Request::keep_going`].
    pub fn keep_going(mut self) -> Self {
        self.request.keep_going = true;
        self
    }

    /// Generates into `OUT_DIR` and tells cargo what of. Problems end the build script: they are printed, and the
    /// process exits with 1; warnings become warnings of cargo.
    pub fn run(self) {
        let out = env::var_os("OUT_DIR").map(PathBuf::from);
        let out = out.ok_or_else(|| Problem::error("OUT_DIR is not set: this is for build scripts").into());
        let mut told = String::new();
        let done = out.and_then(|out| self.generate_into(&out, &mut told));
        // Whoever closed the pipe does not want it.
        let _ = std::io::stdout().lock().write_all(told.as_bytes());
        if let Err(problems) = done {
            let _ = writeln!(std::io::stderr().lock(), "{problems}");
            std::process::exit(1);
        }
    }

    /// The same into a folder of the caller's choice. `told` gets the lines that are for cargo, also after an error.
    ///
    /// # Errors
    /// All problems of the inputs; then nothing was written. Or the folder can't be written.
    pub fn generate_into(mut self, out: &Path, told: &mut String) -> Result<(), Problems> {
        for input in self.request.inputs.iter().chain(&self.request.openapi) {
            if let Input::Path(path) = input {
                tell_changes(path, told);
            }
        }
        self.request.out = out.join(&self.module);
        let generated = generate(&self.request)?;
        for problem in generated.warnings.iter() {
            let place = generated.warnings.location(problem).map(|place| place + ": ").unwrap_or_default();
            let _ = writeln!(told, "cargo::warning={}", (place + problem.message()).replace(['\n', '\r'], " "));
        }
        if !generated.left_out.is_empty() {
            let _ = writeln!(told, "cargo::warning={}", generated.left_out);
        }
        let mut tree = Tree::new();
        for (path, contents) in generated.tree.iter().filter(|(path, _)| path.starts_with("src/")) {
            tree.insert(path, contents);
        }
        emit::write(&emit::with_manifest(tree), &self.request.out)?;
        let library = self.request.out.join("src/lib.rs");
        // It is written as a library, and a program may not use it all. A Rust text literal takes any path.
        let lints = "#[allow(dead_code, unreachable_pub, unused_imports)]";
        let include = format!("{lints}\n#[path = {:?}]\npub mod {};\n", library.display().to_string(), self.module);
        let file = out.join(format!("{}.rs", self.module));
        if fs::read_to_string(&file).is_ok_and(|there| there == include) {
            return Ok(());
        }
        fs::write(&file, include).map_err(|error| Problem::error(format!("{}: {error}", file.display())).into())
    }
}

/// Tells cargo of a file, or of a folder and what is in it.
fn tell_changes(path: &Path, told: &mut String) {
    if !path.exists() && glob::is_pattern(path) {
        // New files count too, and cargo looks through folders.
        let _ = writeln!(told, "cargo::rerun-if-changed={}", glob::base(path).display());
        return;
    }
    let _ = writeln!(told, "cargo::rerun-if-changed={}", path.display());
    let Ok(entries) = fs::read_dir(path) else { return };
    let mut entries: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for entry in entries.iter().filter(|entry| entry.is_file()) {
        let _ = writeln!(told, "cargo::rerun-if-changed={}", entry.display());
    }
}
