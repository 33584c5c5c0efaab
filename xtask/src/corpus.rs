//! `cargo xtask corpus`: the main job on real input. Crates are generated from real CRDs, compiled without a warning,
//! and their informers run against the embedded API server (`xtask/corpus/informers.rs`).

use crate::failure::{Failure, Result};
use crate::generate::{self, Inputs, Output};
use crate::scratch::{Scratch, Source};
use crate::{flags, process, root};
use std::path::Path;

/// The projects whose CRDs are used, by their folder under `crds/`, and the crates made of them.
const PROJECTS: [(&str, &str); 4] = [
    ("argo-cd", "argo-cd-informers"),
    ("cert-manager", "cert-manager-informers"),
    ("gateway-api", "gateway-api-informers"),
    ("prometheus-operator", "prometheus-operator-informers"),
];

/// Both parts, on the corpus that was named.
///
/// # Errors
/// When none was named, or a part fails.
pub(crate) async fn run(flags: &flags::Corpus) -> Result {
    let Some(corpus) = root::corpus(&flags.corpus)? else {
        return Err(Failure::new("name the corpus: --corpus DIR or INFORMER_CORPUS"));
    };
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

/// Generates the crates and compiles them; a warning of rustc or clippy is an error.
///
/// # Errors
/// When something fails.
pub(crate) async fn compile(corpus: &Path) -> Result {
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
    let scratch = Scratch::new("corpus", &["corpus-tests"], &PROJECTS.map(|(_, name)| name))?;
    let mut crates = vec![("informer-runtime", "informer-runtime"), ("informer-test-server", "tests/api-server")];
    for (project, name) in PROJECTS {
        let folder = corpus.join("crds").join(project);
        generate::write(
            &Output { name, inputs: Inputs::Crds(&[&folder.to_string_lossy()]), out: name },
            scratch.folder(),
        )?;
        scratch.copy_lock(name)?;
        crates.push((name, name));
    }
    let source = Source { from: "xtask/corpus/informers.rs", to: "src/lib.rs" };
    scratch.package("corpus-tests", source, &crates, &["kube", "serde", "serde_json", "tokio"])?;
    Ok(scratch)
}

async fn lint(scratch: &Scratch) -> Result {
    for (_, name) in PROJECTS {
        let clippy = ["clippy", "--all-targets", "--", "-D", "warnings"];
        process::run(&mut process::cargo(&scratch.folder().join(name), clippy)).await?;
    }
    Ok(())
}

async fn test(scratch: &Scratch) -> Result {
    process::run(&mut scratch.cargo(["test", "--package", "corpus-tests", "--lib"])).await
}
