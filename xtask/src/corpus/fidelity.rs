//! Every CRD of a corpus: generated, compiled without a warning in two editions, and objects of every version read and written again.

use crate::corpus::batch::{self, Generated, Module, package};
use crate::corpus::crds::{self, File};
use crate::failure::{Failure, Result};
use crate::process;
use crate::say::say;
use crate::scratch::Scratch;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Instant;
use tokio::process::Command;

/// Objects for each version of a kind, at least.
const OBJECTS: usize = 50;

/// Lines of Rust, comments aside, that a batch has at most if it has more than one file: rustc takes less than a GB for
/// it, so that two of them run beside each other on a small machine.
const BATCH_LINES: usize = 12_000;

/// Batches are compiled again without what failed in them, so that one mistake hides no other, but not for ever.
const ATTEMPTS: usize = 4;

/// What was counted.
#[derive(Default)]
struct Tally {
    generated: usize,
    compiled: usize,
    versions: usize,
    objects: usize,
    refused: usize,
    failures: Vec<String>,
}

/// All of it, or a sample that is quick.
///
/// # Errors
/// When anything failed; each failure was printed.
pub(crate) async fn run(corpus: &Path, quick: bool, keep: bool) -> Result {
    let files = crds::all(corpus)?;
    let files = if quick { crds::quick(files) } else { files };
    let scratch = Scratch::new("corpus-types", &["corpus-batch-*", "corpus-2021-*"], &[])?;
    let tally = tried(&files, &scratch).await;
    if !keep {
        scratch.remove()?;
    }
    let tally = tally?;
    for failure in &tally.failures {
        say(format!("corpus: FAILED: {failure}"));
    }
    let Tally { generated, compiled, versions, objects, refused, failures } = tally;
    eprintln!("corpus: {objects} objects read and written");
    say(format!(
        "corpus: {generated} generated, {compiled} compiled, {versions} versions round-tripped, \
         {refused} refused as the server does, {} failures",
        failures.len()
    ));
    if failures.is_empty() { Ok(()) } else { Err(Failure::new(format!("{} failures", failures.len()))) }
}

async fn tried(files: &[File], scratch: &Scratch) -> Result<Tally> {
    let mut tally = Tally::default();
    let start = Instant::now();
    let mut modules = generate(files, scratch, &mut tally)?;
    let batches = modules.last().map_or(0, |module| module.batch + 1);
    let lines: usize = modules.iter().map(|module| module.lines).sum();
    let seconds = |start: Instant| start.elapsed().as_secs_f64();
    eprintln!("corpus: {} files generated in {:.1} s: {lines} lines, {batches} crates", modules.len(), seconds(start));
    let start = Instant::now();
    let programs = compile(&mut modules, scratch, &mut tally).await?;
    tally.compiled = modules.iter().map(|module| module.crds.len()).sum();
    eprintln!("corpus: compiled in {:.1} s", seconds(start));
    let start = Instant::now();
    for program in programs {
        // what fails there says so in its report, or leaves none
        if let Err(failure) = process::run(Command::new(program).arg("--quiet").stdout(Stdio::null())).await
            && failure.is_signal()
        {
            return Err(failure);
        }
    }
    let tried: BTreeSet<usize> = modules.iter().map(|module| module.batch).collect();
    for batch in tried {
        match batch::report(batch, scratch)? {
            Some(rounds) => {
                tally.versions += rounds.good;
                tally.objects += rounds.objects;
                tally.failures.extend(rounds.bad);
            }
            None => tally.failures.push(format!("the test of {} did not come to its end", package(batch))),
        }
    }
    eprintln!("corpus: round trips in {:.1} s", seconds(start));
    Ok(tally)
}

fn generate(files: &[File], scratch: &Scratch, tally: &mut Tally) -> Result<Vec<Module>> {
    let mut modules: Vec<Module> = Vec::new();
    let (mut batch, mut lines) = (0, 0);
    for (at, file) in files.iter().enumerate() {
        let wanted = file.asked.iter().any(|asked| asked.taken) || file.asked.is_empty();
        match Generated::new(file, format!("f{at:03}"), OBJECTS) {
            Ok(generated) => {
                if lines > 0 && lines + generated.lines() > BATCH_LINES {
                    (batch, lines) = (batch + 1, 0);
                }
                let module = generated.write(batch, scratch)?;
                for asked in &file.asked {
                    match (module.crds.contains(&asked.crd), asked.taken) {
                        (true, true) | (false, false) => {}
                        (false, true) => tally.failures.push(format!("{} of {}: no informer", asked.crd, file.name)),
                        (true, false) => {
                            tally.failures.push(format!("{} of {}: the server refuses it", asked.crd, file.name));
                        }
                    }
                }
                lines += module.lines;
                tally.generated += module.crds.len();
                modules.push(module);
            }
            Err(problems) if wanted => tally.failures.push(format!("{}: not generated:\n{problems}", file.name)),
            Err(_) => tally.refused += file.asked.len(),
        }
    }
    Ok(modules)
}

/// Compiles all batches in both editions; modules with errors are taken out, and the rest is compiled again. The programs that try the
/// types are run as they are: cargo would compile all anew if somebody had touched the runtime meanwhile.
async fn compile(modules: &mut Vec<Module>, scratch: &Scratch, tally: &mut Tally) -> Result<Vec<PathBuf>> {
    for _ in 0..ATTEMPTS {
        let mut batches: BTreeMap<usize, Vec<&Module>> = BTreeMap::new();
        modules.iter().for_each(|module| batches.entry(module.batch).or_default().push(module));
        if batches.is_empty() {
            return Ok(Vec::new());
        }
        for (batch, modules) in &batches {
            batch::write(*batch, modules, scratch)?;
        }
        // The older edition first: it is only checked, and mostly tells of the same mistakes.
        let older = ["check", "--package", "corpus-2021-*", "--keep-going"];
        let newer = ["test", "--package", "corpus-batch-*", "--lib", "--no-run", "--no-fail-fast"];
        let (mut done, mut log) = cargo(&older, scratch).await?;
        if done.is_ok() {
            (done, log) = cargo(&newer, scratch).await?;
        }
        let Err(failure) = done else {
            return Ok(programs(&log).map(|path| scratch.folder().join(path)).collect());
        };
        if failure.is_signal() {
            return Err(failure);
        }
        let errors = errors(&log);
        if errors.is_empty() {
            eprintln!("{log}");
            return Err(failure);
        }
        modules.retain(|module| {
            let Some(lines) = errors.get(&module.name) else { return true };
            let first = lines.first().map_or("", String::as_str);
            tally.failures.push(format!("{}: {} errors of the compiler: {first}", module.file, lines.len()));
            false
        });
    }
    Err(Failure::new("the corpus does not compile, whatever is left out"))
}

/// Runs cargo; gives how it ended and what it said.
async fn cargo(arguments: &[&str], scratch: &Scratch) -> Result<(Result, String)> {
    let log = scratch.folder().join("compile.log");
    let file = std::fs::File::create(&log).map_err(|error| Failure::io("write", &log, &error))?;
    let mut command = scratch.cargo(arguments.iter().chain(&["--message-format", "short"]));
    let done = process::run(command.stderr(file)).await;
    let log = std::fs::read_to_string(&log).map_err(|error| Failure::io("read", &log, &error))?;
    Ok((done, log))
}

/// The programs in what cargo prints: `  Executable unittests src/lib.rs (target/debug/deps/…)`.
fn programs(log: &str) -> impl Iterator<Item = &str> {
    let lines = log.lines().filter_map(|line| line.trim_start().strip_prefix("Executable "));
    lines.filter_map(|line| line.split_once('(')?.1.strip_suffix(')'))
}

/// The errors in what cargo prints, by module: `corpus-batch-00/src/f012/…: error: …`, whatever edition it is.
fn errors(log: &str) -> BTreeMap<String, Vec<String>> {
    let mut errors: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in log.lines().filter(|line| line.contains(": error")) {
        let Some((_, inner)) = line.split_once("/src/") else { continue };
        let Some((module, message)) = inner.split_once('/') else { continue };
        errors.entry(module.to_owned()).or_default().push(message.to_owned());
    }
    errors
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_those_that_cargo_names() {
        let log =
            "    Finished `test` profile\n  Executable unittests src/lib.rs (/t/deps/a-1)\n  Executable b (t/c)\n";
        assert_eq!(programs(log).collect::<Vec<_>>(), ["/t/deps/a-1", "t/c"]);
    }

    #[test]
    fn errors_of_the_compiler_are_those_of_a_module() {
        let log = "   Compiling a v0.1.0\n\
                   corpus-batch-00/src/f012/g/v1/widget.rs:3:5: error[E0428]: the name `A` is defined multiple times\n\
                   corpus-batch-00/src/f013/lib.rs:3:5: error: unused import: `b`\n\
                   error: could not compile `corpus-batch-00` (lib test) due to 2 previous errors\n";
        let errors = errors(log);
        assert_eq!(errors.keys().collect::<Vec<_>>(), ["f012", "f013"]);
        assert_eq!(errors["f013"], ["lib.rs:3:5: error: unused import: `b`"]);
    }
}
