//! A crate that was made for some Kubernetes releases, compiled for an earlier one: it must fail, with our words on what
//! to choose among those of rustc.

use crate::failure::{Failure, Result};
use crate::generate::{self, Inputs, Output};
use crate::process::KUBERNETES;
use crate::scratch::Scratch;
use crate::{process, root};
use std::process::Stdio;

/// The releases that the crate is made for.
const MADE_FOR: [&str; 2] = ["1.36", "1.37"];
/// The release that it is compiled for.
pub(crate) const OTHER: &str = "1.33";
/// What it says then.
const MESSAGE: &str =
    "this crate was made for Kubernetes 1.36 to 1.37: choose one of these releases by the feature v1_36 to v1_37";

/// Generates the crate and compiles it.
///
/// # Errors
/// When it compiles, or fails without our words.
pub(crate) async fn run() -> Result {
    const NAME: &str = "later-informers";
    let scratch = Scratch::new("refused-release", &[NAME], &[])?;
    for release in MADE_FOR {
        let path = root::root().join(format!("generated/specs/{release}.json"));
        let text = std::fs::read_to_string(&path).map_err(|error| Failure::io("read", &path, &error))?;
        scratch.write(&format!("specs/{release}.json"), &text)?;
    }
    let specs = scratch.folder().join("specs");
    let inputs = Inputs::Releases(&specs.to_string_lossy());
    generate::write(&Output { name: NAME, inputs, out: NAME }, scratch.folder())?;
    let said = scratch.folder().join("said");
    let file = std::fs::File::create(&said).map_err(|error| Failure::io("write", &said, &error))?;
    let mut check = scratch.cargo(["check", "--quiet"]);
    let done = process::run(check.env(KUBERNETES, OTHER).stderr(Stdio::from(file))).await;
    let text = std::fs::read_to_string(&said).map_err(|error| Failure::io("read", &said, &error))?;
    match done {
        Err(failure) if failure.is_signal() => return Err(failure),
        Err(_) if text.contains(MESSAGE) => {}
        Err(failure) => return Err(Failure::new(format!("{failure}, without our words:\n{text}"))),
        Ok(()) => return Err(Failure::new(format!("a crate for {MADE_FOR:?} compiles for {OTHER}"))),
    }
    scratch.remove()
}
