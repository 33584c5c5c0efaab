//! `cargo xtask generate [--check]`: makes the committed generated crates again from their inputs.

use crate::failure::{Failure, Result};
use crate::{flags, root};
use informer_gen::{Input, Problems, Release, Request};
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

/// Every built-in kind of five releases.
const KUBERNETES: Output<'static> =
    Output { name: "kubernetes-informers", inputs: Inputs::Releases("generated/specs"), out: "generated/kubernetes" };

/// Everything that is committed in its generated form.
const OUTPUTS: &[Output<'static>] = &[EXAMPLE, EXAMPLE_PARTS, KUBERNETES];

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
    match stale.as_slice() {
        [] => Ok(()),
        stale => Err(Failure::stale(format!("stale: {}; `cargo xtask generate` mends it", stale.join(", ")))),
    }
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
    Ok(found.is_clean())
}

fn request(output: &Output<'_>, base: &Path) -> Result<Request> {
    let request = Request::new(output.name, base.join(output.out))
        .runtime_path(root::root().join("informer-runtime"))
        .command("cargo xtask generate");
    let mut request = match output.inputs {
        Inputs::Crds(inputs) => {
            inputs.iter().fold(request, |request, input| request.input(Input::Path(root::root().join(input))))
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
    request.docs = matches!(output.inputs, Inputs::Crds(_));
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
    fn committed_crates_are_what_their_inputs_make_of_them() {
        if let Err(failure) = run(&flags::Generate { check: true }) {
            panic!("{failure}");
        }
    }
}
