//! Our informer against the traces of the real client-go: the same scripted servers, and what each did.
//!
//! `tests/data/traces/README.md` describes the data. Where ours does something else on purpose, `intended.tsv` says
//! which parts differ and why, and `ours/` holds what ours does, to the letter. After a change that is meant to be:
//! `TRACES_WRITE=1 cargo test -p informer-tests --test traces`, and a look at the difference.
//!
//! A program of its own instead of a `#[test]`, so that its last line is the last line.

// From here on, a file uses only files declared above it.
mod arguments;
mod scenario;
mod wire;
mod trace;
mod transport;
mod handler;
mod server;
mod stage;
mod play;
mod by_hand;
mod golden;
mod summary;
mod compare;
mod render;
mod intended;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use informer_tests::{Widget, Zone};

use arguments::Wanted;
use golden::Golden;
use scenario::Scenario;
use summary::Summary;
use trace::Trace;

/// How often each scenario is played, with other random numbers. Enough for every random wait to show its range.
const SEEDS: u64 = 16;

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data/traces")
}

fn read(name: &str) -> String {
    let path = data().join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn play(scenario: &Arc<Scenario>, seed: u64) -> Trace {
    match (scenario.blocks(), scenario.has_zones()) {
        (true, _) => by_hand::play::<Widget>(scenario, seed),
        (false, true) => play::play::<Zone>(scenario, seed),
        (false, false) => play::play::<Widget>(scenario, seed),
    }
}

fn main() -> ExitCode {
    match arguments::wanted(std::env::args().skip(1)) {
        Wanted::Play => return play_all(),
        Wanted::List => println!("{}: test", arguments::NAME),
        Wanted::Nothing => {}
    }
    ExitCode::SUCCESS
}

fn play_all() -> ExitCode {
    let scenarios: Vec<Arc<Scenario>> = Scenario::all(&read("scenarios.jsonl")).into_iter().map(Arc::new).collect();
    let goldens = Golden::all(&read("client-go.jsonl"));
    let mut intended = intended::parse(&read("intended.tsv"));
    let write = std::env::var_os("TRACES_WRITE").is_some();
    let mut kept: BTreeSet<String> = BTreeSet::new();
    let (mut equal, mut meant, mut open) = (0, 0, 0);
    for (scenario, golden) in scenarios.iter().zip(&goldens) {
        assert_eq!(scenario.name, golden.name, "the files go together");
        let name = &scenario.name;
        let runs: Vec<Trace> = (0..scenario.for_us.seeds.unwrap_or(SEEDS)).map(|seed| play(scenario, seed)).collect();
        let ours = match Summary::of(&runs) {
            Ok(ours) => ours,
            Err(difference) => {
                open += 1;
                println!("open: {name}: two seeds differ\n{difference}");
                continue;
            }
        };
        let differences = compare::compare(&ours, golden, runs.len());
        let mut parts: Vec<String> = differences.iter().map(|difference| difference.part.clone()).collect();
        parts.dedup();
        let row = intended.remove(name);
        if parts.is_empty() && row.is_none() {
            equal += 1;
            continue;
        }
        let text = render::render(&ours);
        let file = format!("ours/{name}.txt");
        if write && row.is_some() {
            fs::write(data().join(&file), &text).expect("the file can be written");
        }
        let is_meant = row.as_ref().is_some_and(|row| row.parts == parts && read(&file) == text);
        if is_meant {
            kept.insert(format!("{name}.txt"));
            meant += 1;
            continue;
        }
        open += 1;
        println!("open: {name}: {}", parts.join(", "));
        for difference in &differences {
            println!("    {}: {}", difference.part, difference.detail);
        }
        if let Some(row) = row {
            println!("    meant: {}: {} ({})", row.parts.join(", "), row.reason, row.id);
        }
        println!("{text}");
    }
    let unknown: Vec<&String> = intended.keys().collect();
    let files = fs::read_dir(data().join("ours")).expect("the folder is there");
    let stale: Vec<String> = files
        .map(|file| file.expect("the folder can be read").file_name().to_string_lossy().into_owned())
        .filter(|file| open == 0 && !kept.contains(file))
        .collect();
    if !unknown.is_empty() {
        println!("rows of no scenario: {unknown:?}");
    }
    if !stale.is_empty() {
        println!("files of no row: {stale:?}");
    }
    println!("traces: {equal} equal, {meant} intended, {open} open");
    if open == 0 && unknown.is_empty() && stale.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
