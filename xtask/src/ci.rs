//! `cargo xtask ci`: everything beside the tests that must hold before a change lands.
//!
//! All steps run even if one fails, so that one run tells everything; an interrupt ends it at once.

use crate::failure::{Failure, Result};
use crate::flags;
use crate::process::{self, KUBERNETES};
use crate::say::say;
use crate::{corpus, generate, refused_release, root, tidy};
use informer_gen::Release;
use std::time::Instant;

/// The package that walks through every built-in kind.
const BUILT_IN: &str = "kubernetes-informers-tests";

/// Runs every step.
///
/// # Errors
/// When one failed; the message names all that did.
pub(crate) async fn run(flags: &flags::Ci) -> Result {
    let corpus = root::corpus(&flags.corpus)?;
    let mut steps = Steps { failed: Vec::new() };
    steps.done("fmt", step("fmt", fmt()).await)?;
    steps.done("tidy", step("tidy", async { tidy::run() }).await)?;
    let check = flags::Generate { check: true, root: None };
    steps.done("generate --check", step("generate --check", async { generate::run(&check) }).await)?;
    let clippy = ["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"];
    steps.done("clippy", step("clippy", cargo(&clippy, &[])).await)?;
    let metrics = ["--package", "informer-runtime", "--features", "metrics"];
    let all_targets = ["--all-targets", "--", "-D", "warnings"];
    let clippy = [&["clippy"], &metrics[..], &all_targets].concat();
    steps.done("clippy with metrics", step("clippy with metrics", cargo(&clippy, &[])).await)?;
    let test = [&["test"], &metrics[..], &["--lib", "--test", "metrics"]].concat();
    steps.done("test with metrics", step("test with metrics", cargo(&test, &[])).await)?;
    for groups in ["core,apps", "events"] {
        let clippy = ["clippy", "--package", "kubernetes-informers", "--no-default-features", "--features", groups];
        let clippy = [&clippy[..], &["--", "-D", "warnings"]].concat();
        let name = format!("kubernetes-informers with only the groups {groups}");
        steps.done(&name, step(&name, cargo(&clippy, &[])).await)?;
    }
    let doc = ["doc", "--workspace", "--no-deps"];
    steps.done("doc", step("doc", cargo(&doc, &[("RUSTDOCFLAGS", "-D warnings")])).await)?;
    let name = "h37: a crate with a build script packages cleanly, and compiles from its package";
    steps.done(name, step(name, package()).await)?;
    match corpus {
        Some(folder) => steps.done("corpus", step("corpus", corpus::compile(&folder)).await)?,
        None => say("\n== corpus: skipped, since none was given (--corpus DIR or INFORMER_CORPUS)"),
    }
    releases(&mut steps).await?;
    match steps.failed.as_slice() {
        [] => {
            say("\nci: all steps passed");
            Ok(())
        }
        failed => Err(Failure::new(format!("ci: failed: {}", failed.join(", ")))),
    }
}

/// What depends on the Kubernetes release, for each that has a document.
async fn releases(steps: &mut Steps) -> Result {
    let releases: Vec<Release> = generate::built_in()?.into_keys().collect();
    // The latest is that of `.cargo/config.toml`, and so of all other steps.
    let [first, .., _] = releases[..] else { return Err(Failure::new("too few documents of releases")) };
    for release in &releases[..releases.len() - 1] {
        let name = format!("check with Kubernetes {release}");
        let environment = [(KUBERNETES, &*release.to_string())];
        steps.done(&name, step(&name, cargo(&["check", "--workspace"], &environment)).await)?;
        // while that release is compiled anyway
        if *release == first {
            let name = "h36: a crate for later releases is refused, and says what to choose";
            steps.done(name, step(name, refused_release::run(&releases)).await)?;
        }
    }
    for release in &releases {
        let name = format!("built-in kinds of Kubernetes {release}");
        let environment = [(KUBERNETES, &*release.to_string())];
        steps.done(&name, step(&name, cargo(&["test", "--package", BUILT_IN], &environment)).await)?;
    }
    // An empty variable chooses nothing and keeps that of `.cargo/config.toml` away, so the feature alone does it.
    let feature = format!("v1_{}", first.minor());
    let features = ["test", "--package", BUILT_IN, "--test", "walk", "--features", &feature];
    let name = format!("built-in kinds of Kubernetes {first}, chosen by feature alone");
    steps.done(&name, step(&name, cargo(&features, &[(KUBERNETES, "")])).await)
}

struct Steps {
    failed: Vec<String>,
}

impl Steps {
    /// Notes a failure and lets the rest go on; an interrupt comes back at once.
    fn done(&mut self, name: &str, done: Result) -> Result {
        match done {
            Err(failure) if failure.is_signal() => return Err(failure),
            Err(failure) => {
                say(format!("== {name}: {failure}"));
                self.failed.push(name.to_owned());
            }
            Ok(()) => {}
        }
        Ok(())
    }
}

async fn step(name: &str, work: impl Future<Output = Result>) -> Result {
    say(format!("\n== {name}"));
    let start = Instant::now();
    work.await?;
    say(format!("== {name}: passed in {:.1} s", start.elapsed().as_secs_f64()));
    Ok(())
}

/// The workspace, and the source files that no package of it has.
async fn fmt() -> Result {
    cargo(&["fmt", "--all", "--check"], &[]).await?;
    let mut rustfmt = tokio::process::Command::new("rustfmt");
    rustfmt
        .args(["--check", "--edition", "2024", "xtask/corpus/informers.rs", "xtask/corpus/roundtrip.rs"])
        .current_dir(root::root());
    process::run(&mut rustfmt).await
}

/// Packages the example and compiles what was packed; cargo fails when its build script then writes beside `OUT_DIR`.
/// Only the crates that are not published yet come from this workspace.
async fn package() -> Result {
    let crates = [
        ("informer-runtime", "informer-runtime"),
        ("informer-gen", "informer-gen"),
        ("informer-templates", "templates"),
        ("informer-test-server", "tests/api-server"),
    ];
    let patches = crates.map(|(name, folder)| {
        let folder = root::root().join(folder);
        format!("patch.crates-io.{name}.path={:?}", folder.display().to_string())
    });
    let args = ["package", "--package", "informer-build-script-example", "--allow-dirty"];
    let args = args.into_iter().chain(patches.iter().flat_map(|patch| ["--config", patch])).collect::<Vec<_>>();
    cargo(&args, &[]).await
}

async fn cargo(args: &[&str], environment: &[(&str, &str)]) -> Result {
    process::run(process::cargo(root::root(), args).envs(environment.iter().copied())).await
}
