//! Plays a scenario on tokio's paused clock.

use std::sync::Arc;
use std::time::Duration;

use informer_runtime::Object;
use tokio::time::{Instant, sleep, sleep_until, timeout};

use crate::scenario::Scenario;
use crate::stage::Stage;
use crate::trace::{Clock, Trace};

/// How often versions are looked at: what is there for less may be missed.
const LOOK: Duration = Duration::from_millis(10);
/// How long after the last event of a step handlers come and go.
pub(crate) const SETTLED: Duration = Duration::from_millis(200);

/// Plays a scenario whose handlers do not block.
pub(crate) fn play<K: Object>(scenario: &Arc<Scenario>, seed: u64) -> Trace {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    runtime.expect("a runtime of this thread").block_on(run::<K>(scenario.clone(), seed))
}

async fn run<K: Object>(scenario: Arc<Scenario>, seed: u64) -> Trace {
    let start = Instant::now();
    let stage = Stage::<K>::new(scenario.clone(), Clock::Tokio(start), seed);
    for (number, handler) in scenario.handlers.iter().enumerate() {
        for (step, comes) in [(handler.add_after_step, true), (handler.remove_after_step, false)] {
            if step > 0 {
                let stage = stage.clone();
                tokio::spawn(async move {
                    let reached = stage.steps.reached(step).await;
                    sleep_until(start + Duration::from_millis(reached) + SETTLED).await;
                    if comes {
                        watch_sync(&stage, number);
                    } else {
                        stage.remove_handler(number).await;
                    }
                });
            } else if comes {
                watch(&stage, number);
            }
        }
    }
    let looking = stage.clone();
    let look = tokio::spawn(async move {
        loop {
            sleep(LOOK).await;
            looking.look_at_version();
        }
    });
    let running = stage.clone();
    let run = tokio::spawn(async move { running.informer.run(running.stop.clone()).await });
    let waiting = stage.clone();
    tokio::spawn(async move {
        if waiting.informer.wait_for_cache_sync(&waiting.stop).await.is_ok() {
            waiting.look_at_sync();
        }
    });
    sleep_until(start + scenario.run_time()).await;
    look.abort();
    stage.stop();
    if timeout(Duration::from_secs(20), run).await.is_ok() {
        stage.returned();
    }
    sleep(Duration::from_millis(300)).await; // for calls that come too late
    stage.log.take()
}

/// Adds a handler and notes when it has synced.
fn watch_sync<K: Object>(stage: &Arc<Stage<K>>, number: usize) {
    stage.add_handler(number);
    watch(stage, number);
}

fn watch<K: Object>(stage: &Arc<Stage<K>>, number: usize) {
    if let Some(registration) = stage.registration(number) {
        let stage = stage.clone();
        tokio::spawn(async move {
            registration.synced().await;
            stage.look_at_sync();
        });
    }
}
