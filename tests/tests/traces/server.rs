//! The steps of a scenario as a script of the test server.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use informer_test_server::{Answer, Events, RequestRecord, Rule, Script};
use tokio::sync::watch;

use crate::scenario::{Event, Scenario, Step, Then};
use crate::trace::{Log, millis};
use crate::wire;

/// How long after its last bytes an answer is cut, so that they are read first.
const CUT_DELAY: Duration = Duration::from_millis(50);

/// Gives each request the first step of its kind that is not used up. When there is none, no answer comes.
pub(crate) struct Steps {
    scenario: Arc<Scenario>,
    log: Arc<Log>,
    state: Mutex<State>,
    /// For each step, when its last event is sent, once that is known.
    reached: Vec<watch::Sender<Option<u64>>>,
}

struct State {
    used: Vec<usize>,
    /// Nobody listens from the first to the second of these times.
    refusing: Option<(u64, u64)>,
}

impl Steps {
    pub(crate) fn new(scenario: Arc<Scenario>, log: Arc<Log>) -> Arc<Self> {
        let count = scenario.steps.len();
        let state = Mutex::new(State { used: vec![0; count], refusing: None });
        let reached = (0..count).map(|_| watch::Sender::new(None)).collect();
        Arc::new(Self { scenario, log, state, reached })
    }

    pub(crate) fn script(self: &Arc<Self>) -> Script {
        let steps = self.clone();
        Script::new().rule(Rule::any().answered_by(move |request| steps.answer(request)))
    }

    /// Waits until it is known when the last event of a step, counted from one, is sent.
    pub(crate) async fn reached(&self, step: usize) -> u64 {
        let mut reached = self.reached[step - 1].subscribe();
        let time = reached.wait_for(Option::is_some).await.expect("the sender is borrowed");
        time.unwrap_or_default()
    }

    /// When the last event of a step is sent, if that is known.
    pub(crate) fn reached_at(&self, step: usize) -> Option<u64> {
        *self.reached[step - 1].borrow()
    }

    fn answer(&self, request: &RequestRecord) -> Answer {
        let now = self.log.now();
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.refusing.is_some_and(|(from, to)| (from..to).contains(&now)) {
            return Answer::refused();
        }
        let kind = if request.is_watch() { "WATCH" } else { "LIST" };
        let free = |(number, step): &(usize, &Step)| {
            (step.expect == kind || step.expect == "any") && state.used[*number] < self.scenario.times(*number)
        };
        let Some((number, step)) = self.scenario.steps.iter().enumerate().find(free) else {
            return Answer::never();
        };
        state.used[number] += 1;
        self.log.answered_by(number + 1);
        let last = now + millis(step.time_to_last_event());
        if step.refuse_ms > 0 {
            let end = last + millis(step.end_delay());
            state.refusing = Some((end, end + step.refuse_ms));
        }
        self.reached[number].send_if_modified(|reached| reached.is_none() && reached.replace(last).is_none());
        self.play(step)
    }

    fn play(&self, step: &Step) -> Answer {
        let answer = match step.then() {
            Then::Close if !step.streams() => {
                let (code, body) = wire::whole(&self.scenario, step);
                Answer::raw(code, "application/json", body)
            }
            then => {
                let mut events = match step.streams() {
                    true => Events::new(),
                    false => Events::new().bytes(wire::whole(&self.scenario, step).1),
                };
                for event in &step.events {
                    events = match (event, wire::event(&self.scenario, event)) {
                        (Event::WaitMs(pause), _) => events.wait(Duration::from_millis(*pause)),
                        (_, Some(bytes)) => events.bytes(bytes),
                        (_, None) => events,
                    };
                }
                // A step that ends at once must not wait: a pause of nothing costs a turn of the clock.
                let pause =
                    step.end_delay() + if matches!(then, Then::Cut | Then::Drop) { CUT_DELAY } else { Duration::ZERO };
                if !pause.is_zero() {
                    events = events.wait(pause);
                }
                match then {
                    Then::Close => events.close(),
                    Then::Cut => events.cut(),
                    Then::Drop => events.dropped(),
                    Then::Hang => events.stall(),
                }
                .into()
            }
        };
        let answer = step.headers.iter().fold(answer, |answer, (name, value)| answer.header(name, value));
        answer.delayed(step.delay())
    }
}
