//! Plays a scenario with a handler that blocks its thread: on real threads, with a clock that is set by hand.
//!
//! A blocked thread keeps a paused clock from moving. So a slow handler stays in its call until it is let go, and the
//! next thing that is due (its release, a removal, stop) happens when all other threads have come to rest. Nothing
//! depends on how fast the machine is.

use std::collections::VecDeque;
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use informer_runtime::Object;
use tokio::runtime::{Builder, Handle};

use crate::play::SETTLED;
use crate::scenario::Scenario;
use crate::stage::Stage;
use crate::trace::{Clock, Trace, millis};

const THREADS: usize = 3;

enum Due {
    Release,
    Remove(usize),
    Stop,
}

/// Plays a scenario with one slow handler. All that its server does, it does at once.
pub(crate) fn play<K: Object>(scenario: &Arc<Scenario>, seed: u64) -> Trace {
    let runtime = Builder::new_multi_thread().worker_threads(THREADS).enable_time().build().expect("a runtime");
    let _within = runtime.enter();
    let stage = Stage::<K>::new(scenario.clone(), Clock::Hand(0.into()), seed);
    let running = stage.clone();
    let run = runtime.spawn(async move { running.informer.run(running.stop.clone()).await });
    rest(&stage);
    stage.look_at_version();
    stage.look_at_sync();
    let mut plan = plan(&stage);
    loop {
        let release = stage.busy.since().map(|since| (since + slowness(scenario), Due::Release));
        let planned = plan.front().map(|(time, _)| *time);
        let (time, due) = match release {
            Some((time, due)) if planned.is_none_or(|planned| time <= planned) => (time, due),
            _ => match plan.pop_front() {
                Some(next) => next,
                None => break,
            },
        };
        stage.log.set_clock(time);
        match due {
            Due::Release => stage.busy.let_go(),
            Due::Stop => stage.stop(),
            Due::Remove(number) => {
                let stage = stage.clone();
                runtime.spawn(async move { stage.remove_handler(number).await });
            }
        }
        rest(&stage);
        stage.look_at_version();
        stage.look_at_sync();
        if run.is_finished() && stage.log.lock().returned.is_none() {
            stage.returned();
        }
    }
    stage.log.take()
}

fn slowness(scenario: &Scenario) -> u64 {
    scenario.handlers.iter().map(|handler| handler.slow_ms).max().unwrap_or_default()
}

/// Removals and stop, in order.
fn plan<K: Object>(stage: &Stage<K>) -> VecDeque<(u64, Due)> {
    let scenario = &stage.scenario;
    let mut plan: Vec<(u64, Due)> = vec![(millis(scenario.run_time()), Due::Stop)];
    for (number, handler) in scenario.handlers.iter().enumerate() {
        assert_eq!(handler.add_after_step, 0, "no scenario has a late handler beside a slow one");
        if handler.remove_after_step > 0 {
            let reached = stage.steps.reached_at(handler.remove_after_step).expect("the step was reached at once");
            plan.push((reached + millis(SETTLED), Due::Remove(number)));
        }
    }
    plan.sort_by_key(|(time, _)| *time);
    plan.into()
}

/// Waits until no thread does anything but the one that a handler blocks.
///
/// Threads that are parked may have been woken without having come so far yet. So a task is sent through the runtime
/// again and again: whichever thread runs it looks for other work when it is done.
fn rest<K>(stage: &Stage<K>) {
    const ROUNDS: usize = 50;
    let runtime = Handle::current();
    let metrics = runtime.metrics();
    let deadline = Instant::now() + Duration::from_secs(60);
    let (mut seen, mut count) = (None, 0);
    while count < ROUNDS {
        let (done, ran) = mpsc::channel();
        runtime.spawn(async move { done.send(()) });
        ran.recv_timeout(Duration::from_secs(60)).expect("a thread is free");
        let blocked = loop {
            assert!(Instant::now() < deadline, "the runtime does not come to rest");
            let blocked = stage.busy.since();
            let parked = |worker: &usize| metrics.worker_park_unpark_count(*worker) % 2 == 1;
            let free = THREADS - usize::from(blocked.is_some());
            if (0..THREADS).filter(parked).count() == free && metrics.global_queue_depth() == 0 {
                break blocked;
            }
            std::thread::yield_now();
        };
        let now = Some((blocked, stage.log.size()));
        count = if now == seen { count + 1 } else { 0 };
        seen = now;
    }
}
