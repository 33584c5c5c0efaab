//! A crate that was made for some Kubernetes releases, compiled for an earlier one: it must fail, with our words on what
//! to choose among those of rustc.

use crate::failure::{Failure, Result};
use crate::generate::{self, Inputs, Output};
use crate::process::KUBERNETES;
use crate::scratch::Scratch;
use crate::{process, root};
use informer_gen::Release;
use std::process::Stdio;

/// Generates a crate for the last two of these releases, and compiles it for the first.
///
/// # Errors
/// When it compiles, or fails without our words.
pub(crate) async fn run(releases: &[Release]) -> Result {
    const NAME: &str = "later-informers";
    let [other, .., from, to] = releases else { return Err(Failure::new("too few documents of releases")) };
    let scratch = Scratch::new("refused-release", &[NAME], &[])?;
    for release in [from, to] {
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
    let done = process::run(check.env(KUBERNETES, other.to_string()).stderr(Stdio::from(file))).await;
    let text = std::fs::read_to_string(&said).map_err(|error| Failure::io("read", &said, &error))?;
    let message = format!(
        "this crate was made for Kubernetes {from} to {to}: choose one of these releases by the feature v1_{} to v1_{}",
        from.minor(),
        to.minor()
    );
    match done {
        Err(failure) if failure.is_signal() => return Err(failure),
        Err(_) if text.contains(&message) => {}
        Err(failure) => return Err(Failure::new(format!("{failure}, without our words:\n{text}"))),
        Ok(()) => return Err(Failure::new(format!("a crate for {from} and {to} compiles for {other}"))),
    }
    scratch.remove()
}
