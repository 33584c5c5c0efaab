//! The informers of a run, and the handlers that come and go.

use std::time::Duration;

use futures::FutureExt;
use informer_runtime::{
    Cached, CancellationToken, Delivery, DynamicObject, Error, FilteringEventHandler, HandlerOptions, IndexFunc,
    Registration, SharedInformer, SharedInformerBuilder, SharedInformerFactory, Transform,
};

use super::ledger::Ledger;
use super::plan::{Ending, Flavour, Form, InformerPlan, Kind, Leaving, Plan};
use super::rates::Started;
use super::trace::Trace;
use super::world::World;
use crate::{Widget, Zone};

/// The index on the label `tier`.
pub(super) const BY_TIER: &str = "tier";
/// The index on the size, for which objects are decoded.
pub(super) const BY_SIZE: &str = "size";
/// What filtering handlers want.
pub(super) const WANTED_TIER: &str = "front";

/// A handler that is there.
pub(super) struct Member {
    pub(super) ledger: Ledger,
    pub(super) registration: Registration,
    pub(super) flavour: Flavour,
}

/// An informer that runs.
pub(super) struct Running {
    pub(super) informer: SharedInformer<DynamicObject>,
    pub(super) members: Vec<Member>,
    pub(super) indexed: bool,
    version: u64,
    backward: u64,
}

/// All informers of a run.
pub(super) struct Fleet {
    plans: Vec<InformerPlan>,
    world: World,
    trace: Trace,
    seed: u64,
    pub(super) factory: SharedInformerFactory,
    stop: CancellationToken,
    pub(super) running: Vec<Option<Running>>,
    /// Ledgers of handlers that have gone.
    gone: Vec<Ledger>,
    pub(super) starts: Vec<Started>,
    pub(super) wrongs: Vec<String>,
    handlers: usize,
}

impl Fleet {
    pub(super) fn new(plan: &Plan, world: &World, client: kube::Client, trace: &Trace) -> Self {
        let errors = trace.clone();
        let factory = SharedInformerFactory::builder(client)
            .on_error(move |resource, error| errors.note(format_args!("{resource}: {error}")))
            .build()
            .expect("no tables, so no conflict between them");
        Self {
            plans: plan.informers.clone(),
            world: world.clone(),
            trace: trace.clone(),
            seed: plan.seed,
            factory,
            stop: CancellationToken::new(),
            running: plan.informers.iter().map(|_| None).collect(),
            gone: Vec::new(),
            starts: Vec::new(),
            wrongs: Vec::new(),
            handlers: 0,
        }
    }

    /// The informers that run, with their plans.
    pub(super) fn running(&self) -> impl Iterator<Item = (&InformerPlan, &Running)> {
        self.plans.iter().zip(&self.running).filter_map(|(plan, running)| Some((plan, running.as_ref()?)))
    }

    /// Asks for an informer and starts it, unless it runs.
    pub(super) fn start(&mut self, number: usize, handlers: &[Flavour]) {
        if self.running[number].is_some() {
            return;
        }
        let plan = self.plans[number].clone();
        let seed = self.seed.wrapping_add(self.starts.len() as u64);
        let informer = informer(&self.factory, &plan, seed);
        let informer = match informer {
            Ok(informer) => informer,
            Err(error) => return self.wrongs.push(format!("no informer: {error}")),
        };
        let target = format!("{}?{}", plan.kind.resource().path(plan.namespace), selector(&plan).unwrap_or_default());
        self.starts.push(Started { target, at: self.trace.elapsed() });
        let running = Running { informer, members: Vec::new(), indexed: false, version: 0, backward: 0 };
        self.running[number] = Some(running);
        for handler in handlers {
            self.join(number, *handler);
        }
        self.factory.start(&self.stop);
    }

    /// Stops an informer, and asks for another in its place.
    pub(super) async fn renew(&mut self, number: usize, handlers: &[Flavour]) {
        if let Some(old) = self.running[number].take() {
            old.informer.shutdown().await;
            if !old.informer.is_stopped() || old.informer.add_event_handler(old.informer.handler()).is_ok() {
                self.wrongs.push(format!("informer {number} lives on after its shutdown"));
            }
            for member in old.members {
                member.ledger.close();
                self.gone.push(member.ledger);
            }
            self.start(number, handlers);
        }
    }

    pub(super) fn join(&mut self, number: usize, flavour: Flavour) {
        let Some(running) = &mut self.running[number] else { return };
        self.handlers += 1;
        let name = format!("#{} of informer {number}", self.handlers);
        let ledger = Ledger::new(name.clone(), flavour, self.world.clone(), self.trace.clone());
        if flavour.reading {
            ledger.read(running.informer.indexer());
        }
        let mut options = HandlerOptions::new().name(name).delivery(flavour.delivery);
        if let Some(period) = flavour.resync {
            options = options.resync_period(period);
        }
        let registration = if let Some(pause) = flavour.stream {
            running.informer.events_with(options).map(|events| {
                let registration = events.registration().clone();
                tokio::spawn(ledger.clone().follow(events, pause));
                registration
            })
        } else if flavour.filtering {
            let filter = |object: &Cached<DynamicObject>| object.labels().get("tier") == Some(WANTED_TIER);
            running.informer.add_event_handler_with(options, FilteringEventHandler::new(filter, ledger.clone()))
        } else {
            running.informer.add_event_handler_with(options, ledger.clone())
        };
        match registration {
            Ok(registration) => running.members.push(Member { ledger, registration, flavour }),
            Err(error) => self.wrongs.push(format!("no handler: {error}")),
        }
    }

    pub(super) async fn leave(&mut self, number: usize, handler: usize, how: Leaving) {
        let Some(running) = self.running[number].as_mut().filter(|running| !running.members.is_empty()) else { return };
        let Member { ledger, registration, flavour } = running.members.remove(handler % running.members.len());
        let mut drained = true;
        match how {
            Leaving::Removed => registration.remove().await,
            Leaving::Dropped => drop(registration.remove().now_or_never()),
            Leaving::Closed => registration.close(),
            Leaving::Drained => drained = registration.drain().await,
        }
        ledger.close();
        if !drained || (registration.merged() > 0 && flavour.delivery != Delivery::Coalesced) {
            let merged = registration.merged();
            self.wrongs.push(format!("{registration:?} went: drained is {drained}, {merged} merged"));
        }
        self.gone.push(ledger);
    }

    pub(super) fn index(&mut self, number: usize) {
        let Some(running) = self.running[number].as_mut().filter(|running| !running.indexed) else { return };
        running.indexed = true;
        let by_size = IndexFunc::on_object(|widget: &Widget| [widget.spec.size.to_string()]);
        let added = [(BY_TIER, IndexFunc::on_label("tier")), (BY_SIZE, by_size)];
        for (name, function) in added {
            if let Err(error) = running.informer.add_index(name, function) {
                self.wrongs.push(format!("no index: {error}"));
            }
        }
    }

    /// Looks at all versions.
    pub(super) fn look(&mut self) {
        let restores = self.world.restores();
        for running in self.running.iter_mut().flatten() {
            let version = running.informer.last_sync_resource_version().parse().unwrap_or_default();
            running.backward += u64::from(version < running.version);
            if running.backward > restores {
                let last = running.version;
                self.wrongs.push(format!("{:?} went back from {last} to {version}", running.informer));
            }
            running.version = version;
        }
    }

    /// After so long a quiet time, handlers with a shorter resync period must have been told everything again; and only
    /// where it was asked for, changes may have been merged.
    pub(super) fn expect(&mut self, quiet: Duration) {
        for member in self.running.iter().flatten().flat_map(|running| &running.members) {
            if member.registration.merged() > 0 && member.flavour.delivery != Delivery::Coalesced {
                self.wrongs.push(format!("changes merged for {:?}", member.registration));
            }
            let due = member.flavour.resync.is_some_and(|period| 2 * period < quiet);
            if due && !member.ledger.known().is_empty() && member.ledger.resyncs() == 0 {
                self.wrongs.push(format!("no resync of {:?}", member.registration));
            }
        }
    }

    /// The ledgers of all handlers that ever were.
    pub(super) fn ledgers(&self) -> impl Iterator<Item = &Ledger> {
        let members = self.running.iter().flatten().flat_map(|running| &running.members);
        members.map(|member| &member.ledger).chain(&self.gone)
    }

    /// Ends everything; gives back the ledgers and what was wrong.
    pub(super) async fn end(self, ending: Ending) -> (Vec<Ledger>, Vec<String>) {
        let ledgers: Vec<Ledger> = self.ledgers().cloned().collect();
        match ending {
            Ending::Shutdown => self.factory.shutdown().await,
            Ending::Cancel => self.stop.cancel(),
            // A handler that reads would keep its informer, and so would a stream
            Ending::Drop => {
                ledgers.iter().for_each(Ledger::close_reader);
                let members = self.running.iter().flatten().flat_map(|running| &running.members);
                members.filter(|member| member.flavour.stream.is_some()).for_each(|member| member.registration.close());
            }
        }
        let wrongs = self.wrongs;
        drop((self.factory, self.running, self.stop));
        // A slow stream hears of the end after its pause
        tokio::time::sleep(Duration::from_secs(1)).await;
        (ledgers, wrongs)
    }
}

fn selector(plan: &InformerPlan) -> Option<String> {
    plan.tier.map(|tier| format!("tier={tier}"))
}

/// The informer of a plan, whatever its type seen as a dynamic one.
fn informer(
    factory: &SharedInformerFactory,
    plan: &InformerPlan,
    seed: u64,
) -> Result<SharedInformer<DynamicObject>, Error> {
    let resource = plan.kind.resource();
    Ok(match (plan.form, plan.kind) {
        (Form::Dynamic, _) => factory.dynamic(&resource).informer_with(|builder| prepared(plan, seed, builder))?,
        (Form::Metadata, _) => {
            factory.metadata(&resource).informer_with(|builder| prepared(plan, seed, builder))?.cast()
        }
        (_, Kind::Widgets) => factory.informer_for_with::<Widget>(|builder| prepared(plan, seed, builder))?.cast(),
        (_, Kind::Zones) => factory.informer_for_with::<Zone>(|builder| prepared(plan, seed, builder))?.cast(),
    })
}

fn prepared<K>(plan: &InformerPlan, seed: u64, builder: SharedInformerBuilder<K>) -> SharedInformerBuilder<K> {
    let builder = match plan.form {
        Form::Decoded => builder.decoded::<Widget>(),
        Form::Trimmed => builder.transform(Transform::remove(["/text"])),
        _ => builder,
    };
    builder
        .namespace(plan.namespace.unwrap_or_default())
        .tweak_list_options(|options| options.label_selector = selector(plan))
        .reflector_options(|options| {
            options.streaming_list = plan.streaming;
            options.page_size = plan.page_size;
            options.min_watch_timeout = plan.watch_timeout;
        })
        .random_seed(seed)
}
