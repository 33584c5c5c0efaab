//! A plan from a seed.

use std::time::Duration;

use fastrand::Rng;
use informer_runtime::Delivery;
use informer_test_server::End;

use super::fault::FaultKind;
use super::plan::{Action, Change, Ending, Flavour, Form, InformerPlan, Kind, Leaving, Plan, Step, Weather};

const NAMESPACES: [&str; 3] = ["red", "blue", "green"];
const TIERS: [Option<&str>; 3] = [None, Some("front"), Some("back")];

impl Plan {
    /// The plan of a seed.
    #[must_use]
    pub fn of_seed(seed: u64) -> Self {
        let mut rng = Rng::with_seed(seed);
        let names = [2, 6, 20, 60][rng.usize(..4)];
        let informers = informers(&mut rng);
        let first = rng.usize(..2 * names);
        let first = (0..first).map(|_| change(&mut rng, names)).collect();
        let mut steps = vec![];
        for informer in 0..informers.len() {
            // Some come later, among the other steps
            if informer == 0 || rng.u8(..3) > 0 {
                steps.push(Step { pause: Duration::ZERO, action: start(&mut rng, informer) });
            }
        }
        if rng.bool() {
            steps.insert(0, Step { pause: Duration::ZERO, action: Action::Weather(weather(&mut rng)) });
        }
        let restores = rng.u8(..4) == 0;
        for _ in 0..rng.usize(20..120) {
            let action = action(&mut rng, informers.len(), names, restores);
            steps.push(Step { pause: pause(&mut rng), action });
        }
        let ending = [Ending::Shutdown, Ending::Cancel, Ending::Drop][rng.usize(..3)];
        let history = [5, 50, 10_000][rng.usize(..3)];
        let streaming_lists = rng.u8(..5) > 0;
        let built_in = rng.bool();
        Self { seed, history, streaming_lists, built_in, first, informers, steps, ending }
    }
}

fn informers(rng: &mut Rng) -> Vec<InformerPlan> {
    let scopes = [
        (Kind::Widgets, None, None),
        (Kind::Widgets, Some("red"), None),
        (Kind::Widgets, None, Some("front")),
        (Kind::Widgets, Some("blue"), Some("back")),
        (Kind::Zones, None, None),
        (Kind::Zones, None, Some("front")),
    ];
    let mut chosen: Vec<_> = (0..scopes.len()).collect();
    rng.shuffle(&mut chosen);
    chosen.truncate(rng.usize(1..=4));
    let plan = |number: usize| {
        let (kind, namespace, tier) = scopes[number];
        InformerPlan {
            kind,
            form: [Form::Typed, Form::Typed, Form::Decoded, Form::Dynamic, Form::Trimmed, Form::Metadata]
                [rng.usize(..6)],
            namespace,
            tier,
            streaming: rng.u8(..3) > 0,
            page_size: [None, None, Some(1), Some(7)][rng.usize(..4)],
            watch_timeout: Duration::from_secs([20, 100, 300][rng.usize(..3)]),
        }
    };
    chosen.into_iter().map(plan).collect()
}

fn flavour(rng: &mut Rng) -> Flavour {
    let stream = (rng.u8(..4) == 0).then(|| Duration::from_millis(rng.u64(..200)));
    let bound = rng.usize(..20);
    Flavour {
        stream,
        delivery: [Delivery::EveryEvent, Delivery::Coalesced, Delivery::Bounded(bound)][rng.usize(..3)],
        filtering: stream.is_none() && rng.u8(..3) == 0,
        panicking: stream.is_none() && rng.u8(..6) == 0,
        reading: rng.u8(..4) == 0,
        resync: (rng.u8(..5) == 0).then(|| Duration::from_secs(rng.u64(20..400))),
    }
}

fn flavours(rng: &mut Rng) -> Vec<Flavour> {
    (0..rng.usize(..3)).map(|_| flavour(rng)).collect()
}

fn start(rng: &mut Rng, informer: usize) -> Action {
    Action::Start { informer, handlers: flavours(rng) }
}

fn kind(rng: &mut Rng) -> Kind {
    if rng.u8(..4) == 0 { Kind::Zones } else { Kind::Widgets }
}

fn change(rng: &mut Rng, names: usize) -> Change {
    let kind = kind(rng);
    let namespace = NAMESPACES[rng.usize(..NAMESPACES.len())];
    let name = format!("n{:02}", rng.usize(..names));
    if rng.u8(..4) == 0 {
        return Change::Remove { kind, namespace, name };
    }
    let size = (rng.u8(..30) > 0).then(|| rng.u32(..10));
    let text = match rng.u8(..40) {
        0 => rng.usize(1_000..5_000),
        1..6 => rng.usize(40..1_000),
        _ => rng.usize(..40),
    };
    Change::Put { kind, namespace, name, tier: TIERS[rng.usize(..3)], size, text }
}

fn changes(rng: &mut Rng, names: usize) -> Action {
    let count = match rng.u8(..10) {
        0..5 => 1,
        5..9 => rng.usize(2..8),
        _ => rng.usize(8..120),
    };
    Action::Changes((0..count).map(|_| change(rng, names)).collect())
}

fn weather(rng: &mut Rng) -> Weather {
    let percent = [0, 10, 40, 80, 100][rng.usize(..5)];
    let all = FaultKind::ALL;
    // Now everything that can go wrong, now one thing only: a storm of it
    let count = [all.len(), 4, 1][rng.usize(..3)];
    Weather { percent, faults: rng.choose_multiple(all.iter().copied(), count) }
}

fn pause(rng: &mut Rng) -> Duration {
    match rng.u8(..10) {
        0..2 => Duration::ZERO,
        2..5 => Duration::from_millis(rng.u64(1..50)),
        5..8 => Duration::from_millis(rng.u64(50..5_000)),
        8 => Duration::from_millis(rng.u64(5_000..60_000)),
        _ => Duration::from_millis(rng.u64(60_000..400_000)),
    }
}

fn action(rng: &mut Rng, informers: usize, names: usize, restores: bool) -> Action {
    let informer = rng.usize(..informers);
    match rng.u8(..100) {
        0..50 => changes(rng, names),
        50..60 => Action::Weather(weather(rng)),
        60..63 => Action::Advance(rng.u64(1..100)),
        63..66 => Action::Compact,
        66..68 => Action::ExpireVersions,
        68..72 => Action::Lag(rng.u64(..30)),
        72..74 if restores => Action::Restore(rng.u64(..40)),
        72..74 => Action::Bookmarks(rng.usize(1..4)),
        74 => match rng.u8(..4) {
            0 => Action::Redefine(kind(rng)),
            1 => Action::Unserve(kind(rng)),
            2 => Action::Undefine(kind(rng)),
            _ => Action::Initialize(kind(rng), rng.usize(1..6)),
        },
        75 => Action::Serve(kind(rng)),
        76..82 => Action::End([End::Close, End::Cut, End::Stall][rng.usize(..3)]),
        82..84 => {
            let kinds = [FaultKind::Expired, FaultKind::TooManyRequests, FaultKind::Internal, FaultKind::Forbidden];
            Action::Fail(kinds[rng.usize(..4)])
        }
        84..86 => start(rng, informer),
        86..87 => Action::Renew { informer, handlers: flavours(rng) },
        87..93 => Action::Join { informer, handler: flavour(rng) },
        93..98 => {
            let how = [Leaving::Removed, Leaving::Dropped, Leaving::Closed, Leaving::Drained][rng.usize(..4)];
            Action::Leave { informer, handler: rng.usize(..8), how }
        }
        _ => Action::Index { informer },
    }
}
