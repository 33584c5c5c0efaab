//! Plays a plan.

use std::time::Duration;

use informer_test_server::{End, Script};
use tokio::runtime::{Builder, Handle};
use tokio::time::sleep;

use super::fleet::Fleet;
use super::plan::{Action, Change, Kind, Plan, Weather};
use super::trace::Trace;
use super::weather::Sky;
use super::world::World;
use super::{checks, rates};
use crate::settled;

/// How long after the last fault every informer must be well again: a watch of the longest kind that is silent, its
/// grace, a longest delay, and lists.
const RECOVERY: Duration = Duration::from_secs(20 * 60);
/// How long the faults go on after the server went back.
const DOUBT: Duration = Duration::from_secs(100);
/// How long after recovery a change may take: a watch may be between two rounds, a stream be read slowly.
const DELIVERY: Duration = Duration::from_secs(40);

/// How a run came out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Calls of handlers.
    pub events: u64,
    /// Faults of all kinds.
    pub faults: u64,
    /// Requests.
    pub requests: u64,
    /// The most requests for one thing within a minute.
    pub busiest: usize,
    /// Changes on the server.
    pub changes: u64,
    /// Of all requests, errors and calls, with their times.
    pub hash: u64,
    /// What was wrong; nothing, if all is well.
    pub wrongs: Vec<String>,
}

/// Plays the plan of a seed. Shown, every request, error and call goes to standard error.
///
/// # Panics
/// Within a tokio runtime, or if one can't be made.
#[must_use]
pub fn simulate(seed: u64, shown: bool) -> Outcome {
    let runtime = Builder::new_current_thread().enable_time().start_paused(true).build().expect("a runtime");
    runtime.block_on(play(&Plan::of_seed(seed), shown))
}

/// Plays a plan, on a paused clock.
pub async fn play(plan: &Plan, shown: bool) -> Outcome {
    let trace = Trace::new(shown);
    let world = World::new(plan);
    let sky = Sky::new(plan.seed, trace.clone());
    world.server.script(Script::new().rule(sky.rule()));
    let client = world.server.client();
    settled().await;
    let tasks_before = tasks();
    let mut fleet = Fleet::new(plan, &world, client.clone(), &trace);
    plan.first.iter().for_each(|change| world.change(change));
    for step in &plan.steps {
        sleep(step.pause).await;
        if shown {
            trace.note(format_args!("== {:?}", step.action));
        }
        act(&step.action, &world, &sky, &mut fleet).await;
        fleet.look();
    }
    let mut wrongs = quiet(&world, &sky, &mut fleet).await;
    wrongs.extend(sky.storms().into_iter().take(1));
    let requests = world.server.requests();
    wrongs.extend(rates::check(&requests, &sky.asked(), &fleet.starts));
    let (busiest, requests) = (rates::busiest(&requests), requests.len() as u64);
    let (ledgers, more) = fleet.end(plan.ending).await;
    wrongs.extend(more);
    wrongs.extend(ledgers.iter().flat_map(|ledger| ledger.wrongs()));
    if tasks() != tasks_before || world.server.open_watches() > 0 {
        wrongs.push(format!(
            "{} tasks and {} watches are left after {:?}",
            tasks() - tasks_before,
            world.server.open_watches(),
            plan.ending
        ));
    }
    drop(client);
    Outcome {
        events: ledgers.iter().map(|ledger| ledger.calls()).sum(),
        faults: sky.faults(),
        requests,
        busiest,
        changes: world.changes(),
        hash: trace.hash(),
        wrongs,
    }
}

async fn act(action: &Action, world: &World, sky: &Sky, fleet: &mut Fleet) {
    let server = &world.server;
    match action {
        Action::Changes(changes) => changes.iter().for_each(|change| world.change(change)),
        Action::Weather(weather) => sky.set(weather.clone()),
        Action::Advance(versions) => server.advance_version(*versions),
        Action::Start { informer, handlers } => fleet.start(*informer, handlers),
        Action::Join { informer, handler } => fleet.join(*informer, *handler),
        Action::Leave { informer, handler, how } => fleet.leave(*informer, *handler, *how).await,
        Action::Index { informer } => fleet.index(*informer),
        Action::Renew { informer, handlers } => fleet.renew(*informer, handlers).await,
        Action::Restore(back) => {
            sky.count();
            world.serve_all();
            world.restore(*back);
            sleep(DOUBT).await;
            sky.set(Weather::default());
            sleep(RECOVERY).await;
            let wrongs = checks::caches(fleet, world);
            fleet.wrongs.extend(wrongs.into_iter().map(|wrong| format!("after a restore: {wrong}")));
        }
        fault => {
            sky.count();
            befall(fault, world);
        }
    }
}

/// What befalls the server as a whole.
fn befall(fault: &Action, world: &World) {
    let server = &world.server;
    match fault {
        Action::Compact => server.compact(),
        Action::ExpireVersions => server.expire_versions(),
        Action::Lag(0) => server.lag_at(None),
        Action::Lag(back) => server.lag_at(Some(server.resource_version().saturating_sub(*back).max(1))),
        Action::Redefine(kind) => server.change_definition(&kind.resource()),
        Action::Unserve(kind) => server.unserve_resource(&kind.resource()),
        Action::Undefine(kind) => server.remove_resource(&kind.resource()),
        Action::Initialize(kind, requests) => server.initialize_storage(&kind.resource(), *requests),
        Action::Serve(kind) => world.serve(*kind),
        Action::Bookmarks(count) => (0..*count).for_each(|_| server.send_bookmark()),
        Action::End(End::Close) => server.close_watches(),
        Action::End(End::Stall) => server.stall_watches(),
        Action::End(_) => server.cut_watches(),
        Action::Fail(kind) => {
            if let Some(status) = kind.status(&mut fastrand::Rng::with_seed(server.resource_version())) {
                server.fail_watches(&status);
            }
        }
        _ => {}
    }
}

/// Stops the faults, waits until all must be well, makes some more changes, and checks everything.
async fn quiet(world: &World, sky: &Sky, fleet: &mut Fleet) -> Vec<String> {
    sky.set(Weather::default());
    world.server.lag_at(None);
    world.serve_all();
    for number in 0..fleet.running.len() {
        fleet.start(number, &[]);
    }
    sleep(RECOVERY).await;
    fleet.look();
    fleet.expect(RECOVERY);
    last_changes().iter().for_each(|change| world.change(change));
    world.server.send_bookmark();
    sleep(DELIVERY).await;
    fleet.look();
    let mut wrongs = checks::check(fleet, world);
    if let Err(error) = fleet.factory.wait_for_cache_sync_within(DELIVERY).await {
        wrongs.push(format!("not in sync: {error}"));
    }
    wrongs
}

/// Something new, something changed, something gone, of every kind.
fn last_changes() -> Vec<Change> {
    let put = |kind, namespace, name: &str, tier, size| Change::Put {
        kind,
        namespace,
        name: name.to_owned(),
        tier,
        size: Some(size),
        text: 10,
    };
    let mut changes = Vec::new();
    for kind in [Kind::Widgets, Kind::Zones] {
        for (namespace, tier) in [("red", Some("front")), ("blue", Some("back")), ("green", None)] {
            changes.push(put(kind, namespace, "n00", tier, 100));
            changes.push(put(kind, namespace, "n01", None, 101));
            changes.push(put(kind, namespace, "n00", Some("front"), 102));
            changes.push(Change::Remove { kind, namespace, name: "n01".to_owned() });
        }
    }
    changes
}

fn tasks() -> usize {
    Handle::current().metrics().num_alive_tasks()
}
