//! Which requests get a fault.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use fastrand::Rng;
use informer_test_server::{Answer, RequestRecord, Rule};

use super::fault::Fault;
use super::plan::Weather;
use super::trace::Trace;

/// How many requests there may be at one moment, of all informers and with all pages of their lists.
const AT_ONCE: usize = 5_000;

/// What a request is about: the same for all requests of one informer, and different for those of others.
pub(super) fn target(request: &RequestRecord) -> String {
    format!("{}?{}", request.path, request.query("labelSelector").unwrap_or_default())
}

/// The faults of one run. Clones are the same.
#[derive(Clone)]
pub(super) struct Sky {
    state: Arc<Mutex<State>>,
}

struct State {
    rng: Rng,
    weather: Weather,
    trace: Trace,
    faults: u64,
    asked: Vec<Asked>,
    /// How many requests there were at the last moment that had some.
    at_once: (Duration, usize),
    storms: Vec<String>,
}

/// A request, and what it was told.
#[derive(Debug, Clone)]
pub(super) struct Asked {
    pub(super) target: String,
    pub(super) at: Duration,
    /// How long to wait, if that was the answer.
    pub(super) wait: Option<Duration>,
}

impl Sky {
    /// Fair weather.
    pub(super) fn new(seed: u64, trace: Trace) -> Self {
        // Another sequence than that of the plan
        let rng = Rng::with_seed(!seed);
        let state = State {
            rng,
            weather: Weather::default(),
            trace,
            faults: 0,
            asked: Vec::new(),
            at_once: (Duration::ZERO, 0),
            storms: Vec::new(),
        };
        Self { state: Arc::new(Mutex::new(state)) }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn set(&self, weather: Weather) {
        self.lock().weather = weather;
    }

    /// One more fault, from elsewhere.
    pub(super) fn count(&self) {
        self.lock().faults += 1;
    }

    pub(super) fn faults(&self) -> u64 {
        self.lock().faults
    }

    /// All requests so far, in order.
    pub(super) fn asked(&self) -> Vec<Asked> {
        self.lock().asked.clone()
    }

    /// Requests without any time between them, which a look at minutes would never see.
    pub(super) fn storms(&self) -> Vec<String> {
        self.lock().storms.clone()
    }

    /// What answers requests.
    pub(super) fn rule(&self) -> Rule {
        let sky = self.clone();
        Rule::any().answered_by(move |request| sky.lock().answer(request))
    }
}

impl State {
    fn answer(&mut self, request: &RequestRecord) -> Answer {
        let at_once = if self.at_once.0 == request.at { self.at_once.1 + 1 } else { 1 };
        self.at_once = (request.at, at_once);
        if at_once > AT_ONCE {
            // Without an answer time goes on, and the run comes to its end
            self.storms.push(format!("more than {AT_ONCE} requests at {:?}, now {request}", request.at));
            return Answer::never();
        }
        let hit = self.rng.u8(..100) < self.weather.percent;
        let kind = self.rng.choice(self.weather.faults.iter().copied()).filter(|_| hit);
        let fault = kind.map(|kind| Fault::draw(kind, request, &mut self.rng));
        let text = fault.as_ref().map_or("", |fault| &fault.text);
        self.trace.note(format_args!("{request} {} => {text}", request.query("timeoutSeconds").unwrap_or("")));
        let wait = fault.as_ref().and_then(|fault| fault.wait);
        self.asked.push(Asked { target: target(request), at: request.at, wait });
        self.faults += u64::from(fault.is_some());
        fault.map_or_else(Answer::state, |fault| fault.answer)
    }
}
