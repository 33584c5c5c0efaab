//! Where our informer does something else than client-go.

use crate::golden::{Call, Golden, Seconds};
use crate::summary::{Asked, Happened, Span, Summary, When};

/// How far a time may be from a recorded one, in milliseconds: those are rounded to a tenth of a second, and had a
/// real network.
const LEEWAY: f64 = 110.0;

/// One difference: which part of the trace it is in, and what it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Difference {
    pub(crate) part: String,
    pub(crate) detail: String,
}

/// All differences, in the order of the trace.
pub(crate) fn compare(ours: &Summary, golden: &Golden, runs: usize) -> Vec<Difference> {
    let mut found = Found { times: Times::of(golden), runs, differences: Vec::new() };
    found.requests(ours, golden);
    for (ours, theirs) in ours.handlers.iter().zip(&golden.handlers) {
        let name = &theirs.name;
        assert_eq!(&ours.name, name, "the same scenario");
        found.when(&format!("{name} added"), ours.added.as_ref(), theirs.added);
        found.when(&format!("{name} synced"), ours.synced.as_ref(), theirs.synced);
        found.when(&format!("{name} removed"), ours.removed.as_ref(), theirs.removed);
        found.calls(&format!("{name} calls"), &ours.calls, &theirs.calls);
        if ours.late_calls > 0 {
            found.note(&format!("{name} calls"), format!("{} after stop", ours.late_calls));
        }
    }
    found.errors(&ours.errors, golden);
    found.when("synced", ours.synced.as_ref(), golden.synced);
    // Versions that were there for a moment only may have been seen or not: those that a watch was asked from.
    let brief = |version: &&String| {
        let asked = format!("resourceVersion={version}&");
        ours.versions.contains(version) || !ours.requests.iter().any(|request| request.text.contains(&asked))
    };
    let seen: Vec<String> = golden.versions.iter().filter(brief).cloned().collect();
    found.same("versions", &ours.versions, &seen);
    // client-go keeps two versions: that of the reflector and that of the store. Ours are the same one.
    let last = [golden.last_version.as_str(), golden.store_version.as_str()];
    found.same("last version", &[ours.store_version.as_str(); 2], &last);
    found.same("store", &ours.store, &golden.store);
    match (ours.returned, golden.returned) {
        (Some(ours), Some([low, high])) if within(ours, low, high) => {}
        (None, None) => {}
        (ours, theirs) => found.note("end", format!("{ours:?} ms after stop, client-go {theirs:?} s")),
    }
    found.differences
}

fn within(ours: Span, low: f64, high: f64) -> bool {
    let (least, most) = (ours.low as f64, ours.high as f64);
    least >= low * 1000.0 - LEEWAY && most <= high * 1000.0 + LEEWAY
}

/// When the rounds of client-go began.
struct Times {
    rounds: Vec<(usize, Seconds)>,
}

impl Times {
    fn of(golden: &Golden) -> Self {
        let asked = golden.requests.iter().map(|request| (&request.gap, request.t));
        let refused = golden.refused.iter().map(|refused| (&refused.gap, refused.t));
        let mut all: Vec<_> = asked.chain(refused).collect();
        all.sort_by(|(_, one), (_, other)| one[0].total_cmp(&other[0]));
        let random = all.into_iter().enumerate().filter(|(_, (gap, _))| gap.starts_with("back-off"));
        Self { rounds: random.map(|(number, (_, time))| (number, time)).collect() }
    }

    /// Whether a time of ours is one of theirs: counted from the same round, if there was one before.
    fn fits(&self, ours: &When, [low, high]: Seconds) -> bool {
        let before = |(_, [least, most]): &&(usize, Seconds)| *least <= low && *most <= high;
        match (ours.round, self.rounds.iter().rev().find(before)) {
            (Some(round), Some((number, [least, most]))) if round == *number => {
                let (one, other) = (low - least, high - most);
                within(ours.offset, one.min(other), one.max(other))
            }
            (None, None) => within(ours.absolute, low, high),
            _ => false,
        }
    }
}

struct Found {
    times: Times,
    runs: usize,
    differences: Vec<Difference>,
}

impl Found {
    fn note(&mut self, part: &str, detail: String) {
        self.differences.push(Difference { part: part.to_owned(), detail });
    }

    fn same<T: PartialEq + std::fmt::Debug>(&mut self, part: &str, ours: &[T], theirs: &[T]) {
        if ours != theirs {
            self.note(part, format!("{ours:?}, client-go {theirs:?}"));
        }
    }

    fn when(&mut self, part: &str, ours: Option<&When>, theirs: Option<Seconds>) {
        match (ours, theirs) {
            (None, None) => {}
            (Some(ours), Some(theirs)) if self.times.fits(ours, theirs) => {}
            (ours, theirs) => self.note(part, format!("{ours:?}, client-go {theirs:?}")),
        }
    }

    fn requests(&mut self, ours: &Summary, golden: &Golden) {
        let (refused, asked): (Vec<&Asked>, Vec<&Asked>) = ours.requests.iter().partition(|request| request.refused);
        let refusals: Vec<(&str, String, Seconds)> =
            golden.refused.iter().map(|refused| (refused.gap.as_str(), String::new(), refused.t)).collect();
        self.exchanges("refused", &refused, &refusals);
        let requests: Vec<(&str, String, Seconds)> =
            golden.requests.iter().map(|request| (request.gap.as_str(), request.text(), request.t)).collect();
        self.exchanges("requests", &asked, &requests);
        for request in asked {
            if request.headers != "application/json, identity" {
                self.note("headers", request.headers.clone());
            }
        }
    }

    fn exchanges(&mut self, part: &str, ours: &[&Asked], theirs: &[(&str, String, Seconds)]) {
        for (number, (ours, (gap, text, time))) in ours.iter().zip(theirs).enumerate() {
            if !text.is_empty() && ours.text != *text {
                self.note(part, format!("number {}: {}, client-go {text}", number + 1, ours.text));
            } else if !self.gap_fits(ours.gap, gap) {
                self.note(part, format!("number {} after {:?} ms, client-go {gap}", number + 1, ours.gap));
            } else if !self.times.fits(&ours.when, *time) {
                self.note(part, format!("number {} at {:?}, client-go {time:?}", number + 1, ours.when));
            }
        }
        if ours.len() != theirs.len() {
            self.note(part, format!("{} of them, client-go {}", ours.len(), theirs.len()));
        }
    }

    /// Whether all gaps of ours are in the range that a gap of client-go names.
    fn gap_fits(&self, ours: Span, theirs: &str) -> bool {
        let (low, high) = match theirs.strip_prefix("back-off ") {
            Some(range) => {
                let (low, high) = range.trim_end_matches(" s").split_once("..").expect("a range");
                (seconds(low) - 20.0, seconds(high) + 150.0)
            }
            None if theirs == "at once" => (0.0, 10.0),
            None => {
                let exact = seconds(theirs.trim_end_matches(" s"));
                (exact - 20.0, exact + 130.0)
            }
        };
        // A back-off that is no wait of its own kind has to differ between seeds.
        let random = !theirs.starts_with("back-off") || self.runs == 1 || ours.low != ours.high;
        random && ours.low as f64 >= low && ours.high as f64 <= high
    }

    fn errors(&mut self, ours: &[Happened], golden: &Golden) {
        let texts: Vec<&str> = ours.iter().map(|error| error.text.as_str()).collect();
        let theirs: Vec<&str> = golden.errors.iter().map(|error| error.error.as_str()).collect();
        self.same("errors", &texts, &theirs);
        if texts == theirs {
            for (ours, theirs) in ours.iter().zip(&golden.errors) {
                self.when("errors", Some(&ours.when), Some(theirs.t));
            }
        }
    }

    /// client-go's calls in any order may have any; so may the objects of its first list, which it hands over as they
    /// were listed. Ours must be in the order of their keys.
    fn calls(&mut self, part: &str, ours: &[Happened], theirs: &[Call]) {
        let mut from = 0;
        while from < theirs.len() {
            let first = &theirs[from];
            let alike = |call: &&Call| match first.any_order {
                0 => call.any_order == 0 && first.call.ends_with(" initial") && call.call.ends_with(" initial"),
                number => call.any_order == number,
            };
            let to = from + theirs[from..].iter().take_while(alike).count().max(1);
            let Some(ours) = ours.get(from..to) else { break };
            if to - from > 1 && !ours.is_sorted_by_key(|call| key(&call.text)) {
                self.note(part, format!("calls {} to {to} are not in the order of their keys", from + 1));
            }
            let (mut here, mut there): (Vec<&str>, Vec<&str>) = (
                ours.iter().map(|call| &*call.text).collect(),
                theirs[from..to].iter().map(|call| &*call.call).collect(),
            );
            here.sort_unstable();
            there.sort_unstable();
            if here != there {
                let odd = ours.iter().find(|call| !there.contains(&&*call.text));
                self.note(part, format!("{:?}, client-go {there:?}", odd.map_or("twice", |call| &call.text)));
                return;
            }
            for (ours, theirs) in ours.iter().zip(&theirs[from..to]) {
                if !self.times.fits(&ours.when, theirs.t) {
                    self.note(part, format!("{} at {:?}, client-go {:?}", ours.text, ours.when, theirs.t));
                }
            }
            from = to;
        }
        if ours.len() != theirs.len() {
            self.note(part, format!("{} of them, client-go {}", ours.len(), theirs.len()));
        }
    }
}

/// The key of the object in a call.
fn key(call: &str) -> &str {
    let object = call.split(' ').nth(1).unwrap_or_default();
    object.split('@').next().unwrap_or_default()
}

fn seconds(text: &str) -> f64 {
    text.parse::<f64>().expect("a number") * 1000.0
}
