//! `cargo xtask generate [--check]`: makes the committed generated crates again from their inputs.

use crate::failure::{Failure, Result};
use crate::{flags, k8s_types, root};
use informer_gen::{Input, Problems, Release, Request, Tree};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// One generated crate: what it is called, what it is made from, where it lies. Paths are below the root.
pub(crate) struct Output<'a> {
    pub(crate) name: &'a str,
    pub(crate) inputs: Inputs<'a>,
    pub(crate) out: &'a str,
}

/// What a crate is made from.
pub(crate) enum Inputs<'a> {
    /// CRDs.
    Crds(&'a [&'a str]),
    /// OpenAPI documents.
    OpenApi(&'a [&'a str]),
    /// The OpenAPI document of each release, by its name, in this folder.
    Releases(&'a str),
}

/// Two kinds of our own, both scopes, two versions: for the demo, the examples and the tests.
pub(crate) const EXAMPLE: Output<'static> =
    Output { name: "shop-informers", inputs: Inputs::Crds(&["generated/example/crds"]), out: "generated/example" };

/// One kind in another group: a second crate, so that two can meet in one factory.
const EXAMPLE_PARTS: Output<'static> = Output {
    name: "parts-informers",
    inputs: Inputs::Crds(&["generated/example-parts/crds"]),
    out: "generated/example-parts",
};

/// The small document of each Kubernetes release. Whatever else names all releases takes them from here.
pub(crate) const SPECS: &str = "generated/specs";

/// Every built-in kind of these releases.
const KUBERNETES: Output<'static> =
    Output { name: "kubernetes-informers", inputs: Inputs::Releases(SPECS), out: "generated/kubernetes" };

/// The kinds of the Gateway API, standard channel, from pruned CRDs: those of commit 4564255ac2c3 of its repository, in
/// `config/crd/standard`.
const GATEWAY_API: Output<'static> = Output {
    name: "gateway-api-informers",
    inputs: Inputs::Crds(&["generated/gateway-api/crds"]),
    out: "generated/gateway-api",
};

/// Everything that is committed in its generated form.
const OUTPUTS: &[Output<'static>] = &[EXAMPLE, EXAMPLE_PARTS, KUBERNETES, GATEWAY_API];

/// The table of built-in kinds for people, made from the same documents.
const KINDS_TABLE: &str = "docs/built-in-kinds.md";

/// Writes each output, or says which are not what their inputs make of them.
///
/// # Errors
/// When an input is bad, or with `--check` an output is stale.
pub(crate) fn run(flags: &flags::Generate) -> Result {
    let mut stale = Vec::new();
    for output in OUTPUTS {
        if !flags.check {
            write(output, root::root())?;
        } else if !check(output)? {
            stale.push(output.out);
        }
    }
    if !kinds_table(flags.check)? {
        stale.push(KINDS_TABLE);
    }
    match stale.as_slice() {
        [] => Ok(()),
        stale => Err(Failure::stale(format!("stale: {}; `cargo xtask generate` mends it", stale.join(", ")))),
    }
}

/// Writes the table of built-in kinds, or with `check` tells whether it is as it would be written.
fn kinds_table(check: bool) -> Result<bool> {
    let report = informer_gen::report(&request(&KUBERNETES, root::root())?).map_err(|problems| failure(&problems))?;
    let releases = releases(&root::root().join(SPECS))?.into_keys().collect();
    let text = format!(
        "# Built-in kinds\n\nMade by `cargo xtask generate` from `{SPECS}`. How they compare with what client-go has: \
         [comparison](built-in-kinds-compared.md).\n\n{}\n## Beside k8s-openapi\n\nk8s-openapi calls a type listable \
         (`ListableResource`) when a server can be asked for a list of it. An informer needs a watch too.\n\n{}",
        report.markdown(),
        k8s_types::compared(&report, &releases)?
    );
    let path = root::root().join(KINDS_TABLE);
    let fresh = std::fs::read_to_string(&path).is_ok_and(|there| there.replace("\r\n", "\n") == text);
    if fresh || check {
        if !fresh {
            eprintln!("{KINDS_TABLE}: changed");
        }
        return Ok(fresh);
    }
    let written = path.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| std::fs::write(&path, text));
    written.map_err(|error| Failure::new(format!("{KINDS_TABLE}: {error}")))?;
    Ok(true)
}

/// Generates the output into a folder below `base`, and says what was left out or made looser.
pub(crate) fn write(output: &Output<'_>, base: &Path) -> Result {
    let request = request(output, base)?;
    let generated = informer_gen::generate(&request).map_err(|problems| failure(&problems))?;
    for note in &generated.notes {
        eprintln!("{}: {note}", output.name);
    }
    if !generated.warnings.is_empty() {
        eprint!("{}", generated.warnings);
    }
    let written = informer_gen::write(&generated.tree, &request.out).map_err(|problems| failure(&problems))?;
    let changed = written.created + written.replaced + written.deleted;
    eprintln!("{}: {} files, {changed} changed", output.name, generated.tree.len());
    Ok(())
}

/// Whether the committed output is what its inputs make of it; if not, prints what differs.
fn check(output: &Output<'_>) -> Result<bool> {
    let request = request(output, root::root())?;
    let generated = informer_gen::generate(&request).map_err(|problems| failure(&problems))?;
    let found = informer_gen::check(&generated.tree, &request.out).map_err(|problems| failure(&problems))?;
    for difference in &found.differences {
        eprintln!("{}/{difference}", output.out);
    }
    // The generator leaves files of others alone; among committed sources there must be none.
    let foreign = foreign(&generated.tree, &request.out)?;
    for path in &foreign {
        eprintln!("{}/{path}: not made by informer-gen; `rm {0}/{path}`", output.out);
    }
    Ok(found.is_clean() && foreign.is_empty())
}

/// Files below `src` of an output that are not in its tree, by their paths in the output.
fn foreign(tree: &Tree, out: &Path) -> Result<Vec<String>> {
    let mut foreign = Vec::new();
    let mut folders = vec![out.join("src")];
    while let Some(folder) = folders.pop() {
        let failed = |error: std::io::Error| Failure::new(format!("{}: {error}", shown(&folder)));
        let entries = match std::fs::read_dir(&folder) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
            entries => entries.map_err(failed)?,
        };
        for entry in entries {
            let path = entry.map_err(failed)?.path();
            let name = path.strip_prefix(out).unwrap_or(&path).to_string_lossy().replace('\\', "/");
            if path.is_dir() {
                folders.push(path);
            } else if tree.get(&name).is_none() {
                foreign.push(name);
            }
        }
    }
    foreign.sort();
    Ok(foreign)
}

fn request(output: &Output<'_>, base: &Path) -> Result<Request> {
    let request = Request::new(output.name, base.join(output.out))
        .runtime_path(root::root().join("informer-runtime"))
        .command("cargo xtask generate");
    let mut request = match output.inputs {
        Inputs::Crds(inputs) => {
            inputs.iter().fold(request, |request, input| request.input(Input::Path(root::root().join(input))))
        }
        Inputs::OpenApi(inputs) => {
            inputs.iter().fold(request, |request, input| request.openapi(Input::Path(root::root().join(input))))
        }
        Inputs::Releases(folder) => {
            let mut request = request;
            request.group_features = true;
            for (release, path) in releases(&root::root().join(folder))? {
                request = request.release(release, Input::Path(path));
            }
            request
        }
    };
    request.docs = !matches!(output.inputs, Inputs::Releases(_));
    Ok(request)
}

/// The documents in a folder, each named by its release: `1.37.json`.
fn releases(folder: &Path) -> Result<BTreeMap<Release, PathBuf>> {
    let failed = |error| Failure::new(format!("{}: {error}", shown(folder)));
    let mut releases = BTreeMap::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if let Some(Ok(release)) = name.strip_suffix(".json").map(str::parse) {
            releases.insert(release, path);
        }
    }
    Ok(releases)
}

fn failure(problems: &Problems) -> Failure {
    Failure::new(format!("cannot generate:\n{problems}"))
}

/// A folder as seen from the root, for messages.
pub(crate) fn shown(folder: &Path) -> std::path::Display<'_> {
    folder.strip_prefix(root::root()).unwrap_or(folder).display()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_others_among_the_sources_are_found() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut tree = Tree::new();
        tree.insert("src/lib.rs", "");
        std::fs::create_dir_all(folder.path().join("src/core")).expect("folders");
        for path in ["src/lib.rs", "src/core/extra.rs", "README.md"] {
            std::fs::write(folder.path().join(path), "").expect("a file");
        }
        assert_eq!(foreign(&tree, folder.path()).expect("a list"), ["src/core/extra.rs"]);
    }

    #[test]
    fn committed_crates_are_what_their_inputs_make_of_them() {
        if let Err(failure) = run(&flags::Generate { check: true }) {
            panic!("{failure}");
        }
    }
}
