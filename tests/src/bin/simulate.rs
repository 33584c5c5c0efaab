//! Runs the simulation for many seeds: `simulate [--seeds N] [--first-seed S] [--trace]`.
//!
//! The last line is `simulate: N seeds, N events, N faults, N failed`; events are calls of handlers. What was wrong with
//! a seed, and how to play it again, goes to standard error. Exit code 0, 1 if a seed failed, 2 on wrong usage.

use std::collections::BTreeMap;
use std::panic::catch_unwind;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use informer_tests::simulation::{Outcome, simulate};

/// One seed in so many is played twice, and both times must be the same.
const TWICE: u64 = 16;
/// A seed that takes longer than this, in real time, hangs.
const LIMIT: Duration = Duration::from_secs(60);
const USAGE: &str = "simulate [--seeds N] [--first-seed S] [--trace]";

#[derive(Debug, Clone, Copy)]
struct Arguments {
    seeds: u64,
    first: u64,
    trace: bool,
}

fn arguments() -> Option<Arguments> {
    let mut arguments = Arguments { seeds: 200, first: 0, trace: false };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--seeds" => arguments.seeds = words.next()?.parse().ok()?,
            "--first-seed" => arguments.first = words.next()?.parse().ok()?,
            "--trace" => arguments.trace = true,
            _ => return None,
        }
    }
    Some(arguments)
}

enum Report {
    Begun(u64),
    Ended(u64, Outcome),
}

fn run(seed: u64, trace: bool) -> Outcome {
    let failed = |why: &str| Outcome { wrongs: vec![why.to_owned()], ..Outcome::default() };
    let played = catch_unwind(|| simulate(seed, trace));
    let mut outcome = played.unwrap_or_else(|_| failed("it panicked"));
    if seed.is_multiple_of(TWICE) && outcome.wrongs.is_empty() {
        let again = catch_unwind(|| simulate(seed, false)).unwrap_or_else(|_| failed("it panicked the second time"));
        if again != outcome {
            outcome.wrongs.push(format!("two runs differ: {outcome:x?} and {again:x?}"));
        }
    }
    outcome
}

fn main() -> ExitCode {
    let Some(Arguments { seeds, first, trace }) = arguments() else {
        eprintln!("usage: {USAGE}");
        return ExitCode::from(2);
    };
    let start = Instant::now();
    let (sender, reports) = mpsc::channel();
    let next = AtomicU64::new(0);
    let next: &'static AtomicU64 = Box::leak(Box::new(next));
    for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
        let sender = sender.clone();
        std::thread::spawn(move || {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(seed) = first.checked_add(number).filter(|_| number < seeds) else { return };
                if sender.send(Report::Begun(seed)).is_err()
                    || sender.send(Report::Ended(seed, run(seed, trace))).is_err()
                {
                    return;
                }
            }
        });
    }
    drop(sender);
    let (mut total, mut failed, mut running) = (Outcome::default(), Vec::new(), BTreeMap::new());
    loop {
        match reports.recv_timeout(Duration::from_secs(1)) {
            Ok(Report::Begun(seed)) => {
                running.insert(seed, Instant::now());
            }
            Ok(Report::Ended(seed, outcome)) => {
                running.remove(&seed);
                total.events += outcome.events;
                total.faults += outcome.faults;
                total.requests += outcome.requests;
                total.changes += outcome.changes;
                total.busiest = total.busiest.max(outcome.busiest);
                if !outcome.wrongs.is_empty() {
                    report(seed, &outcome.wrongs);
                    failed.push(seed);
                }
            }
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {}
        }
        let hangs: Vec<u64> =
            running.iter().filter(|(_, begun)| begun.elapsed() > LIMIT).map(|(seed, _)| *seed).collect();
        if !hangs.is_empty() {
            hangs.iter().for_each(|seed| report(*seed, &[format!("no end within {LIMIT:?}")]));
            failed.extend(hangs);
            break;
        }
    }
    failed.sort_unstable();
    if !failed.is_empty() {
        println!("failed seeds: {failed:?}");
    }
    let Outcome { requests, busiest, changes, .. } = total;
    println!("{requests} requests, for one thing at most {busiest} a minute, and {changes} changes on the server");
    println!("in {:.1} s", start.elapsed().as_secs_f64());
    println!("simulate: {seeds} seeds, {} events, {} faults, {} failed", total.events, total.faults, failed.len());
    ExitCode::from(u8::from(!failed.is_empty()))
}

fn report(seed: u64, wrongs: &[String]) {
    eprintln!("seed {seed} failed; to play it again: cargo xtask simulate --seeds 1 --first-seed {seed} --trace");
    for wrong in wrongs {
        eprintln!("  {wrong}");
    }
}
