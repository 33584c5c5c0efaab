//! Crates that hold what was generated from many files, each file's output a module.

use crate::corpus::crds::File;
use crate::failure::{Failure, Result};
use crate::scratch::{Scratch, Source};
use informer_gen::{Input, Problems, Request, Samples};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// What a file became.
pub(crate) struct Module {
    /// The module's name: all outputs are told apart by it, in messages of the compiler too.
    pub(crate) name: String,
    /// The file below the corpus.
    pub(crate) file: String,
    /// Objects of each kind and version, without the objects themselves: those are on the disk.
    pub(crate) versions: Vec<Samples>,
    /// CRDs by their names.
    pub(crate) crds: BTreeSet<String>,
    /// Lines of Rust.
    pub(crate) lines: usize,
    /// Where it is put.
    pub(crate) batch: usize,
}

/// What was generated from a file, not on the disk yet.
pub(crate) struct Generated<'f> {
    file: &'f File,
    name: String,
    sources: Vec<(String, String)>,
    versions: Vec<Samples>,
}

impl<'f> Generated<'f> {
    /// Generates a file's output and its objects.
    ///
    /// # Errors
    /// When the file is refused.
    pub(crate) fn new(file: &'f File, name: String, objects: usize) -> std::result::Result<Self, Problems> {
        let request =
            Request::new(name.clone(), &name).command("cargo xtask corpus").input(Input::Path(file.path.clone()));
        let generated = informer_gen::generate(&request)?;
        let sources = generated.tree.iter().filter_map(|(path, text)| Some((path.strip_prefix("src/")?, text)));
        let sources = sources.map(|(path, text)| (path.to_owned(), text.to_owned())).collect();
        let versions = informer_gen::samples(&request, objects, super::crds::hash(&file.name))?;
        Ok(Self { file, name, sources, versions })
    }

    /// Lines of Rust, comments aside.
    pub(crate) fn lines(&self) -> usize {
        let lines = self.sources.iter().flat_map(|(_, text)| text.lines());
        lines.filter(|line| !line.trim_start().starts_with("//")).count()
    }

    /// Puts it into a batch.
    ///
    /// # Errors
    /// When the disk fails.
    pub(crate) fn write(self, batch: usize, scratch: &Scratch) -> Result<Module> {
        let lines = self.lines();
        let Self { file, name, sources, mut versions } = self;
        for (path, text) in &sources {
            scratch.write(&format!("{}/src/{name}/{path}", package(batch)), text)?;
        }
        for (at, version) in versions.iter_mut().enumerate() {
            let mut text = String::new();
            for sample in version.objects.drain(..) {
                let _ = writeln!(text, "{}\t{}", sample.given, sample.written.unwrap_or_default());
            }
            scratch.write(&format!("{}/{}", package(batch), objects_file(&name, at)), &text)?;
        }
        let crds = versions.iter().map(|version| format!("{}.{}", version.plural, version.group)).collect();
        Ok(Module { name, file: file.name.clone(), versions, crds, lines, batch })
    }
}

/// The package of a batch.
pub(crate) fn package(batch: usize) -> String {
    format!("corpus-batch-{batch:02}")
}

fn objects_file(module: &str, at: usize) -> String {
    format!("objects/{module}-{at}.txt")
}

/// Writes what makes a package of a batch: manifest, root, the code that tries the types.
pub(crate) fn write(batch: usize, modules: &[&Module], scratch: &Scratch) -> Result {
    let name = package(batch);
    let source = Source { from: "xtask/corpus/roundtrip.rs", to: "src/roundtrip.rs" };
    scratch.package(&name, &[source], &[("informer-runtime", "informer-runtime")], &[])?;
    let mut declared = String::new();
    let mut rounds = String::new();
    for module in modules {
        let Module { name, file, versions, .. } = module;
        let _ = writeln!(declared, "// {file}\n#[path = \"{name}/lib.rs\"]\npub mod {name};");
        for (at, version) in versions.iter().enumerate() {
            let shown = format!("{}.{} {} of {file}", version.plural, version.group, version.version);
            let objects = objects_file(name, at);
            let _ = writeln!(rounds, "    rounds.version::<{name}::{}>({shown:?}, {objects:?});", version.path);
        }
    }
    let library = format!(
        "#![deny(warnings)]\n{declared}\n#[cfg(test)]\nmod roundtrip;\n\n#[cfg(test)]\n#[test]\nfn every_version() {{\n    \
         let mut rounds = roundtrip::Rounds::new(env!(\"CARGO_MANIFEST_DIR\").as_ref());\n{rounds}    rounds.end();\n}}\n"
    );
    scratch.write(&format!("{name}/src/lib.rs"), &library)?;
    older_edition(&name, batch, scratch)
}

/// A package of the same source in the edition before.
fn older_edition(package: &str, batch: usize, scratch: &Scratch) -> Result {
    let name = format!("corpus-2021-{batch:02}");
    let manifest = scratch.read(&format!("{package}/Cargo.toml"))?;
    let manifest = manifest.replace(package, &name).replace("2024", "2021");
    scratch.write(&format!("{name}/Cargo.toml"), &format!("{manifest}\n[lib]\npath = \"../{package}/src/lib.rs\"\n"))
}

/// What the types of a batch did with their objects.
pub(crate) struct Rounds {
    /// Versions of which all objects came back.
    pub(crate) good: usize,
    /// Objects that they had.
    pub(crate) objects: usize,
    /// What failed, each with its version.
    pub(crate) bad: Vec<String>,
}

/// Reads what the test of a batch has left. `None` if it did not come to its end.
pub(crate) fn report(batch: usize, scratch: &Scratch) -> Result<Option<Rounds>> {
    let path = scratch.folder().join(package(batch)).join("report.txt");
    let text = match std::fs::read_to_string(&path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        text => text.map_err(|error| Failure::io("read", &path, &error))?,
    };
    let mut rounds = Rounds { good: 0, objects: 0, bad: Vec::new() };
    for line in text.lines() {
        match line.split('\t').collect::<Vec<_>>()[..] {
            ["ok", _, count] => {
                rounds.good += 1;
                rounds.objects += count.parse::<usize>().unwrap_or(0);
            }
            ["wrong", version, ref what @ ..] => rounds.bad.push(format!("{version}: {}", what.join(" "))),
            _ => {}
        }
    }
    Ok(text.ends_with("end\n").then_some(rounds))
}
