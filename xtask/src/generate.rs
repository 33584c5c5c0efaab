//! `cargo xtask generate [--check]`: makes the committed generated crates again from their inputs.

mod foreign;

use crate::failure::{Failure, Result};
use crate::{flags, k8s_types, root};
use informer_gen::{DifferenceKind, Input, Problems, Release, Request};
use std::collections::{BTreeMap, BTreeSet};
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
const SPECS: &str = "generated/specs";

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

/// Where all of it lies.
const FOLDER: &str = "generated";

/// The table of built-in kinds for people, made from the same documents.
const KINDS_TABLE: &str = "docs/built-in-kinds.md";

/// Writes each output, or says which are not what their inputs make of them; both say what has no place among them.
///
/// # Errors
/// When an input is bad, or with `--check` an output is stale or a file has no place.
pub(crate) fn run(flags: &flags::Generate) -> Result {
    let root = flags.root.as_deref().unwrap_or(root::root());
    let mut stale = Vec::new();
    let mut known = BTreeSet::new();
    for output in OUTPUTS {
        let request = request(output, root, root)?;
        if !flags.check {
            make(output, &request, &mut known)?;
        } else if !check(output, &request, &mut known)? {
            stale.push(output.out);
        }
    }
    if !kinds_table(root, flags.check)? {
        stale.push(KINDS_TABLE);
    }
    let foreign = foreign::foreign(root, &known)?;
    for path in &foreign {
        eprintln!("{path}: neither made by informer-gen nor read by it");
    }
    let mut told = Vec::new();
    if !stale.is_empty() {
        told.push(format!("stale: {}; `cargo xtask generate` mends it", stale.join(", ")));
    }
    if !foreign.is_empty() {
        told.push(format!("without a place: `rm {}` mends it", foreign.join(" ")));
    }
    match told.join("\n       ") {
        told if told.is_empty() => Ok(()),
        told if flags.check => Err(Failure::stale(told)),
        told => {
            eprintln!("{told}");
            Ok(())
        }
    }
}

/// Writes the table of built-in kinds, or with `check` tells whether it is as it would be written.
fn kinds_table(root: &Path, check: bool) -> Result<bool> {
    let report = informer_gen::report(&request(&KUBERNETES, root, root)?).map_err(|problems| failure(&problems))?;
    let releases = releases(&root.join(SPECS))?.into_keys().collect();
    let text = format!(
        "# Built-in kinds\n\nMade by `cargo xtask generate` from `{SPECS}`. How they compare with what client-go has: \
         [comparison](built-in-kinds-compared.md).\n\n{}\n## Beside k8s-openapi\n\nk8s-openapi calls a type listable \
         (`ListableResource`) when a server can be asked for a list of it. An informer needs a watch too.\n\n{}",
        report.markdown(),
        k8s_types::compared(&report, &releases)?
    );
    let path = root.join(KINDS_TABLE);
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

/// Generates the output into a folder below `base`, from inputs of the root, and says what was left out or made looser.
pub(crate) fn write(output: &Output<'_>, base: &Path) -> Result {
    make(output, &request(output, root::root(), base)?, &mut BTreeSet::new())
}

/// Generates the output; its files come to those that are known.
fn make(output: &Output<'_>, request: &Request, known: &mut BTreeSet<String>) -> Result {
    let generated = informer_gen::generate(request).map_err(|problems| failure(&problems))?;
    for note in &generated.notes {
        eprintln!("{}: {note}", output.name);
    }
    if !generated.warnings.is_empty() {
        eprint!("{}", generated.warnings);
    }
    let written = informer_gen::write(&generated.tree, &request.out).map_err(|problems| failure(&problems))?;
    known.extend(generated.tree.iter().map(|(path, _)| format!("{}/{path}", output.out)));
    let changed = written.created + written.replaced + written.deleted;
    eprintln!("{}: {} files, {changed} changed", output.name, generated.tree.len());
    Ok(())
}

/// Whether the committed output is what its inputs make of it; if not, prints what differs. Its files come to those
/// that are known.
fn check(output: &Output<'_>, request: &Request, known: &mut BTreeSet<String>) -> Result<bool> {
    let generated = informer_gen::generate(request).map_err(|problems| failure(&problems))?;
    let found = informer_gen::check(&generated.tree, &request.out).map_err(|problems| failure(&problems))?;
    known.extend(generated.tree.iter().map(|(path, _)| format!("{}/{path}", output.out)));
    for difference in &found.differences {
        eprintln!("{}/{difference}", output.out);
        // told already
        if difference.kind == DifferenceKind::Extra {
            known.insert(format!("{}/{}", output.out, difference.path));
        }
    }
    Ok(found.is_clean())
}

/// Inputs and runtime are below `root`, the output below `base`.
fn request(output: &Output<'_>, root: &Path, base: &Path) -> Result<Request> {
    let request = Request::new(output.name, base.join(output.out))
        .runtime_path(root.join("informer-runtime"))
        .command("cargo xtask generate");
    let mut request = match output.inputs {
        Inputs::Crds(inputs) => {
            inputs.iter().fold(request, |request, input| request.input(Input::Path(root.join(input))))
        }
        Inputs::OpenApi(inputs) => {
            inputs.iter().fold(request, |request, input| request.openapi(Input::Path(root.join(input))))
        }
        Inputs::Releases(folder) => {
            let mut request = request;
            request.group_features = true;
            for (release, path) in releases(&root.join(folder))? {
                request = request.release(release, Input::Path(path));
            }
            request
        }
    };
    request.docs = !matches!(output.inputs, Inputs::Releases(_));
    Ok(request)
}

/// The Kubernetes releases that there are built-in kinds for, in order, each with its document.
pub(crate) fn built_in() -> Result<BTreeMap<Release, PathBuf>> {
    releases(&root::root().join(SPECS))
}

/// The documents in a folder, each named by its release: `1.37.json`.
fn releases(folder: &Path) -> Result<BTreeMap<Release, PathBuf>> {
    let failed = |error| Failure::new(format!("{}: {error}", shown(folder)));
    let mut releases = BTreeMap::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if let Some(release) = foreign::release_of(name) {
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
    fn committed_crates_are_what_their_inputs_make_of_them() {
        if let Err(failure) = run(&flags::Generate { check: true, root: None }) {
            panic!("{failure}");
        }
    }
}
