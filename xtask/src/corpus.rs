//! `cargo xtask corpus`: the main job on real input. Types of all CRDs are tried ([`fidelity`]); crates of some projects
//! and of OpenAPI documents are compiled without a warning, and their informers run against the embedded API server
//! (`xtask/corpus/informers.rs`).

mod crds;
mod batch;
mod fidelity;

use crate::failure::{Failure, Result};
use crate::generate::{self, Inputs, Output};
use crate::scratch::{Scratch, Source};
use crate::{flags, process, root};
use std::path::Path;

/// Something of the corpus, and the crate made of it.
struct Project {
    /// Below the corpus.
    folder: &'static str,
    name: &'static str,
    /// Whether it is OpenAPI documents; else it is CRDs.
    openapi: bool,
}

const fn crds(folder: &'static str, name: &'static str) -> Project {
    Project { folder, name, openapi: false }
}

const fn openapi(folder: &'static str, name: &'static str) -> Project {
    Project { folder, name, openapi: true }
}

/// What crates are made of.
const PROJECTS: [Project; 8] = [
    crds("crds/argo-cd", "argo-cd-informers"),
    crds("crds/cert-manager", "cert-manager-informers"),
    crds("crds/gateway-api", "gateway-api-informers"),
    crds("crds/prometheus-operator", "prometheus-operator-informers"),
    // a server of 2017: no marks in its document, every type generated
    openapi("openapi/1.5/v2", "kubernetes-1-5-informers"),
    // what a server makes of CRDs
    openapi("openapi/1.37-crds", "served-crds-informers"),
    openapi("openapi/noncore/karmada", "karmada-informers"),
    openapi("openapi/noncore/kubevirt", "kubevirt-informers"),
];

/// All parts, on the corpus that was named; a quick run is the first on some of the CRDs.
///
/// # Errors
/// When none was named, or a part fails.
pub(crate) async fn run(flags: &flags::Corpus) -> Result {
    let Some(corpus) = root::corpus(&flags.corpus)? else {
        return Err(Failure::new("name the corpus: --corpus DIR or INFORMER_CORPUS"));
    };
    fidelity::run(&corpus, flags.quick, flags.keep).await?;
    if flags.quick {
        return Ok(());
    }
    let scratch = generate(&corpus)?;
    let done = async {
        lint(&scratch).await?;
        test(&scratch).await
    };
    let done = done.await;
    if !flags.keep {
        scratch.remove()?;
    }
    done
}

/// Tries the types of some CRDs, then generates the crates and compiles them; a warning of rustc or clippy is an error.
///
/// # Errors
/// When something fails.
pub(crate) async fn compile(corpus: &Path) -> Result {
    fidelity::run(corpus, true, false).await?;
    let scratch = generate(corpus)?;
    let done = lint(&scratch).await;
    scratch.remove()?;
    done
}

/// Generates the crates and runs their informers.
///
/// # Errors
/// When something fails.
pub(crate) async fn behave(corpus: &Path) -> Result {
    let scratch = generate(corpus)?;
    let done = test(&scratch).await;
    scratch.remove()?;
    done
}

/// The crates stand alone, as for a user: they lie in a workspace that does not have them as members.
fn generate(corpus: &Path) -> Result<Scratch> {
    let scratch = Scratch::new("corpus", &["corpus-tests"], &PROJECTS.map(|project| project.name))?;
    let mut crates = vec![("informer-runtime", "informer-runtime"), ("informer-test-server", "tests/api-server")];
    for Project { folder, name, openapi } in PROJECTS {
        let folder = corpus.join(folder);
        let folder = [&*folder.to_string_lossy()];
        let inputs = if openapi { Inputs::OpenApi(&folder) } else { Inputs::Crds(&folder) };
        generate::write(&Output { name, inputs, out: name }, scratch.folder())?;
        scratch.copy_lock(name)?;
        crates.push((name, name));
    }
    let source = Source { from: "xtask/corpus/informers.rs", to: "src/lib.rs" };
    scratch.package("corpus-tests", &[source], &crates, &["kube", "serde", "serde_json", "tokio"])?;
    Ok(scratch)
}

async fn lint(scratch: &Scratch) -> Result {
    for Project { name, .. } in PROJECTS {
        let clippy = ["clippy", "--all-targets", "--", "-D", "warnings"];
        process::run(&mut process::cargo(&scratch.folder().join(name), clippy)).await?;
    }
    Ok(())
}

async fn test(scratch: &Scratch) -> Result {
    process::run(&mut scratch.cargo(["test", "--package", "corpus-tests", "--lib"])).await
}
