//! `cargo xtask demo`: the main job once, on any machine with Rust.
//!
//! From the example CRDs a crate is generated, a small program on it is compiled, and the program runs its informers
//! against the embedded API server on loopback. The program is `examples/examples/demo.rs`, the same that the
//! workspace compiles against the committed crate and tests. With `--crd` it is about kinds of the user's ([`of_crds`]).

mod of_crds;

use crate::failure::Result;
use crate::flags;
use crate::generate::{self, Output};
use crate::process;
use crate::say::say;
use crate::scratch::{Scratch, Source};

/// What the demo generates: the committed example, into another folder.
const EXAMPLE: Output<'static> = Output { out: "shop-informers", ..generate::EXAMPLE };

/// Generates, compiles, runs; ends with what to try next.
///
/// # Errors
/// When a step fails or is interrupted. The folder is removed all the same, unless it is to be kept.
pub(crate) async fn run(flags: &flags::Demo) -> Result {
    if !flags.crds.is_empty() {
        return of_crds::run(flags).await;
    }
    let scratch = Scratch::new("demo", &["shop-informers", "demo-program"], &[])?;
    let done = steps(&scratch).await;
    if !flags.keep {
        scratch.remove()?;
    }
    done?;
    say("");
    say("That was the main job: a CRD went in, a typed crate came out, and its informers ran. Try next:");
    if flags.keep {
        say(format!("  less {}/shop-informers/src/lib.rs      the generated crate", generate::shown(scratch.folder())));
    } else {
        say("  cargo xtask demo --keep                    the same, and target/demo stays for a look");
    }
    say("  less examples/examples/demo.rs             the program that has just run");
    say("  cargo run -p informer-examples --example pod_program");
    say("                                             the ten lines of the README; more beside it");
    say("  cargo xtask demo --crd YOUR.yaml           the same with a kind of yours");
    say("  cargo run -p informer-gen -- --crd YOUR.yaml --crate your-informers --out ../your-informers \\");
    say("      --runtime-path informer-runtime        a crate from a CRD of yours");
    Ok(())
}

async fn steps(scratch: &Scratch) -> Result {
    eprintln!("generating shop-informers from generated/example/crds …");
    generate::write(&EXAMPLE, scratch.folder())?;
    scratch.package(
        "demo-program",
        &[
            Source { from: "examples/examples/demo.rs", to: "src/main.rs" },
            Source { from: "examples/demo/lines.rs", to: "demo/lines.rs" },
        ],
        &[
            ("informer-runtime", "informer-runtime"),
            ("informer-test-server", "tests/api-server"),
            ("shop-informers", "shop-informers"),
        ],
        &["serde_json", "tokio"],
    )?;
    eprintln!("compiling it, and a program on it …");
    process::run(&mut scratch.cargo(["build", "--package", "demo-program"])).await?;
    process::run(&mut scratch.cargo(["run", "--quiet", "--package", "demo-program"])).await
}
