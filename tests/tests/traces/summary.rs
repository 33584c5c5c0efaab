//! What several runs of one scenario, each with another seed, have in common.

use crate::trace::{Request, Row, Trace};

/// Gaps above this begin a new round: what follows is counted from there, since the wait was random.
pub(crate) const AT_ONCE: u64 = 300;

/// The least and the most over all runs, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) low: u64,
    pub(crate) high: u64,
}

/// A time: since the start, and since the round began in which it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct When {
    pub(crate) absolute: Span,
    /// The request or refused attempt that began the round, by number; `None` for the start.
    pub(crate) round: Option<usize>,
    pub(crate) offset: Span,
}

/// A request, or a refused attempt at one.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) when: When,
    pub(crate) gap: Span,
    /// Step, kind, path and query.
    pub(crate) text: String,
    pub(crate) headers: String,
    pub(crate) refused: bool,
}

#[derive(Debug, Clone)]
pub(crate) struct Happened {
    pub(crate) when: When,
    pub(crate) text: String,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct HandlerSummary {
    pub(crate) name: String,
    pub(crate) added: Option<When>,
    pub(crate) synced: Option<When>,
    pub(crate) removed: Option<When>,
    pub(crate) calls: Vec<Happened>,
    pub(crate) late_calls: usize,
}

/// What all runs had in common.
#[derive(Debug, Clone, Default)]
pub(crate) struct Summary {
    pub(crate) requests: Vec<Asked>,
    pub(crate) handlers: Vec<HandlerSummary>,
    pub(crate) errors: Vec<Happened>,
    pub(crate) synced: Option<When>,
    pub(crate) versions: Vec<String>,
    pub(crate) store_version: String,
    pub(crate) store: Vec<String>,
    pub(crate) returned: Option<Span>,
}

/// What must be the same in all runs of a scenario.
fn skeleton(trace: &Trace) -> impl PartialEq + std::fmt::Debug {
    let texts = |rows: &[Row]| rows.iter().map(|row| row.text.clone()).collect::<Vec<_>>();
    let requests: Vec<_> = trace.requests.iter().map(|request| (text(request), request.refused)).collect();
    let handler = |handler: &crate::trace::HandlerTrace| {
        let times = (handler.added.is_some(), handler.synced.is_some(), handler.removed.is_some());
        (texts(&handler.calls), times, handler.late_calls)
    };
    let handlers: Vec<_> = trace.handlers.iter().map(handler).collect();
    let versions = (trace.versions.clone(), trace.store_version.clone(), trace.store.clone());
    (requests, handlers, texts(&trace.errors), versions, trace.synced.is_some(), trace.returned.is_some())
}

fn text(request: &Request) -> String {
    format!("step {} {} {}?{}", request.step, request.kind, request.path, request.query)
}

/// The wait since the last answer that had ended, or attempt that was refused, before a request.
fn gap(trace: &Trace, number: usize) -> u64 {
    let request = &trace.requests[number];
    let before = &trace.requests[..number];
    if before.last().is_some_and(|last| last.end.is_none_or(|end| end > request.at)) {
        return 0;
    }
    request.at - before.iter().filter_map(|earlier| earlier.end).max().unwrap_or(0)
}

/// The rounds of each run: numbers of requests, and when they were made.
struct Rounds {
    numbers: Vec<usize>,
    times: Vec<Vec<u64>>,
}

impl Rounds {
    fn when(&self, times: &[u64]) -> When {
        let absolute = span(times);
        let in_all = |at: &usize| times.iter().zip(&self.times).all(|(time, rounds)| rounds[*at] <= *time);
        // Where it is not the same round in all runs, it is none of them.
        let in_some = |at: &usize| times.iter().zip(&self.times).any(|(time, rounds)| rounds[*at] <= *time);
        let all = (0..self.numbers.len()).rev().find(in_all);
        let some = (0..self.numbers.len()).rev().find(in_some);
        match all {
            Some(at) if all == some && (absolute.low != absolute.high || times.len() == 1) => {
                let offsets: Vec<u64> = times.iter().zip(&self.times).map(|(time, rounds)| time - rounds[at]).collect();
                When { absolute, round: Some(self.numbers[at]), offset: span(&offsets) }
            }
            _ => When { absolute, round: None, offset: absolute },
        }
    }
}

fn span(values: &[u64]) -> Span {
    let low = values.iter().copied().min().unwrap_or_default();
    Span { low, high: values.iter().copied().max().unwrap_or_default() }
}

impl Summary {
    /// # Errors
    /// If runs differ in more than times: two that do.
    pub(crate) fn of(runs: &[Trace]) -> Result<Self, String> {
        let first = &runs[0];
        if let Some((seed, other)) = runs.iter().enumerate().find(|(_, run)| skeleton(run) != skeleton(first)) {
            return Err(format!("seed 0: {:?}\nseed {seed}: {:?}", skeleton(first), skeleton(other)));
        }
        let gaps = |number: usize| span(&runs.iter().map(|run| gap(run, number)).collect::<Vec<_>>());
        let numbers: Vec<usize> = (0..first.requests.len()).filter(|number| gaps(*number).high > AT_ONCE).collect();
        let starts = |run: &Trace| numbers.iter().map(|number| run.requests[*number].at).collect();
        let rounds = Rounds { times: runs.iter().map(starts).collect(), numbers };
        let all = |get: &dyn Fn(&Trace) -> u64| rounds.when(&runs.iter().map(get).collect::<Vec<_>>());
        let maybe = |get: &dyn Fn(&Trace) -> Option<u64>| {
            get(first).is_some().then(|| all(&|run| get(run).unwrap_or_default()))
        };
        let rows = |get: &dyn Fn(&Trace) -> &[Row]| -> Vec<Happened> {
            let row = |(number, row): (usize, &Row)| Happened {
                when: all(&|run| get(run)[number].at),
                text: row.text.clone(),
            };
            get(first).iter().enumerate().map(row).collect()
        };
        let asked = |(number, request): (usize, &Request)| Asked {
            when: all(&|run| run.requests[number].at),
            gap: gaps(number),
            text: text(request),
            headers: request.headers.clone(),
            refused: request.refused,
        };
        let handler = |(number, handler): (usize, &crate::trace::HandlerTrace)| HandlerSummary {
            name: handler.name.clone(),
            added: maybe(&|run| run.handlers[number].added),
            synced: maybe(&|run| run.handlers[number].synced),
            removed: maybe(&|run| run.handlers[number].removed),
            calls: rows(&|run| &run.handlers[number].calls),
            late_calls: handler.late_calls,
        };
        Ok(Self {
            requests: first.requests.iter().enumerate().map(asked).collect(),
            handlers: first.handlers.iter().enumerate().map(handler).collect(),
            errors: rows(&|run| &run.errors),
            synced: maybe(&|run| run.synced),
            versions: first.versions.clone(),
            store_version: first.store_version.clone(),
            store: first.store.clone(),
            returned: first.returned.map(|_| span(&runs.iter().filter_map(|run| run.returned).collect::<Vec<_>>())),
        })
    }
}
