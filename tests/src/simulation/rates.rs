//! Whether the requests were within bounds: no storm, and no return before the time that the server named.

use std::collections::BTreeMap;
use std::time::Duration;

use informer_test_server::RequestRecord;

use super::weather::{Asked, target};

/// The time over which requests are counted.
const WINDOW: Duration = Duration::from_secs(60);
/// How many an informer may make in it: one a second.
const PER_WINDOW: usize = 60;
/// How many more for each start of an informer within the run.
const PER_START: usize = 5;

/// A start of an informer.
#[derive(Debug, Clone)]
pub(super) struct Started {
    pub(super) target: String,
    pub(super) at: Duration,
}

/// When each target was asked. Further pages of a list are no requests of their own here: their number is the server's
/// choice.
fn times(requests: &[RequestRecord]) -> BTreeMap<String, Vec<Duration>> {
    let mut times: BTreeMap<String, Vec<Duration>> = BTreeMap::new();
    for request in requests.iter().filter(|request| request.continue_token().is_none()) {
        times.entry(target(request)).or_default().push(request.at);
    }
    times
}

/// The most requests for one target in a window.
pub(super) fn busiest(requests: &[RequestRecord]) -> usize {
    let most = |times: &Vec<Duration>| {
        let from = |(number, at): (usize, &Duration)| times.partition_point(|time| *time < *at + WINDOW) - number;
        times.iter().enumerate().map(from).max().unwrap_or_default()
    };
    times(requests).values().map(most).max().unwrap_or_default()
}

/// What was wrong.
pub(super) fn check(requests: &[RequestRecord], asked: &[Asked], starts: &[Started]) -> Vec<String> {
    let mut wrongs = Vec::new();
    for (target, times) in &times(requests) {
        let started = starts.iter().filter(|start| start.target == *target).count();
        let most = PER_WINDOW + PER_START * started;
        if let Some(pair) = times.windows(most + 1).find(|pair| pair[most] - pair[0] < WINDOW) {
            wrongs.push(format!("more than {most} requests for {target} in the {WINDOW:?} after {:?}", pair[0]));
        }
    }
    for (number, Asked { target, at, wait }) in asked.iter().enumerate() {
        let Some(wait) = *wait else { continue };
        let Some(next) = asked[number + 1..].iter().find(|next| next.target == *target) else { continue };
        let started = starts.iter().any(|start| start.target == *target && start.at >= *at && start.at <= next.at);
        if next.at < *at + wait && !started {
            wrongs.push(format!("told at {at:?} to wait {wait:?}, {target} was asked again at {:?}", next.at));
        }
    }
    wrongs
}
