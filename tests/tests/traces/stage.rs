//! A scenario set up: server, informer, handlers and log.

use std::sync::{Arc, Mutex, PoisonError};

use informer_runtime::{CancellationToken, HandlerOptions, Object, Registration, SharedInformer};
use informer_test_server::TestServer;
use informer_tests::{WIDGETS, ZONES};

use crate::handler::{Busy, Told, classify, show};
use crate::scenario::Scenario;
use crate::server::Steps;
use crate::trace::{Clock, HandlerTrace, Log};
use crate::transport::Recording;

/// Everything but the play.
pub(crate) struct Stage<K> {
    pub(crate) scenario: Arc<Scenario>,
    pub(crate) log: Arc<Log>,
    pub(crate) steps: Arc<Steps>,
    pub(crate) informer: SharedInformer<K>,
    pub(crate) stop: CancellationToken,
    /// Where slow handlers stay.
    pub(crate) busy: Arc<Busy>,
    registrations: Mutex<Vec<Option<Registration>>>,
}

impl<K: Object> Stage<K> {
    /// Sets all up, and adds the handlers that are there from the start. Within a tokio runtime.
    pub(crate) fn new(scenario: Arc<Scenario>, clock: Clock, seed: u64) -> Arc<Self> {
        let log = Arc::new(Log::new(clock));
        let server = TestServer::new([&WIDGETS, &ZONES]);
        let steps = Steps::new(scenario.clone(), log.clone());
        server.script(steps.script());
        let errors = log.clone();
        let mut builder = SharedInformer::<K>::builder(Recording::new(server.client(), log.clone()))
            .random_seed(seed)
            .namespace(&scenario.namespace)
            .resync(scenario.resync())
            .on_error(move |_, error| errors.error(classify(error)));
        if !scenario.label_selector.is_empty() {
            builder =
                builder.tweak_list_options(|options| options.label_selector = Some(scenario.label_selector.clone()));
        }
        let informer = builder.reflector_options(|options| options.streaming_list = scenario.streaming).build();
        let named =
            |handler: &crate::scenario::Handler| HandlerTrace { name: handler.name.clone(), ..Default::default() };
        log.lock().handlers = scenario.handlers.iter().map(named).collect();
        let registrations = Mutex::new(scenario.handlers.iter().map(|_| None).collect());
        let (stop, busy) = (CancellationToken::new(), Arc::default());
        let stage = Arc::new(Self { scenario, log, steps, informer, stop, busy, registrations });
        for number in 0..stage.scenario.handlers.len() {
            if stage.scenario.handlers[number].add_after_step == 0 {
                stage.add_handler(number);
            }
        }
        stage
    }

    pub(crate) fn add_handler(&self, number: usize) -> Registration {
        let handler = &self.scenario.handlers[number];
        let busy = (handler.slow_ms > 0).then(|| self.busy.clone());
        let told = Told { log: self.log.clone(), number, busy };
        let mut options = HandlerOptions::new().name(handler.name.clone());
        if let Some(period) = handler.resync() {
            options = options.resync_period(period);
        }
        let now = self.log.now();
        self.log.lock().handlers[number].added = Some(now);
        let registration = self.informer.add_event_handler_with(options, told).expect("the informer has not stopped");
        self.registrations.lock().unwrap_or_else(PoisonError::into_inner)[number] = Some(registration.clone());
        registration
    }

    pub(crate) fn registration(&self, number: usize) -> Option<Registration> {
        self.registrations.lock().unwrap_or_else(PoisonError::into_inner)[number].clone()
    }

    pub(crate) async fn remove_handler(&self, number: usize) {
        let now = self.log.now();
        self.log.lock().handlers[number].removed = Some(now);
        if let Some(registration) = self.registration(number) {
            registration.remove().await;
        }
    }

    /// Notes the version.
    pub(crate) fn look_at_version(&self) {
        self.log.version(&self.informer.last_sync_resource_version());
    }

    /// Notes who has synced.
    pub(crate) fn look_at_sync(&self) {
        let now = self.log.now();
        let synced = self.informer.has_synced();
        let mut trace = self.log.lock();
        if synced {
            trace.synced.get_or_insert(now);
        }
        for (number, handler) in trace.handlers.iter_mut().enumerate() {
            if self.registration(number).is_some_and(|registration| registration.has_synced()) {
                handler.synced.get_or_insert(now);
            }
        }
    }

    /// Notes what is there just before stop, and stops.
    pub(crate) fn stop(&self) {
        self.look_at_version();
        let mut store: Vec<String> = self.informer.store().list().iter().map(show).collect();
        store.sort();
        let now = self.log.now();
        let mut trace = self.log.lock();
        trace.store_version = self.informer.store().resource_version();
        trace.store = store;
        trace.stopped = Some(now);
        drop(trace);
        self.stop.cancel();
    }

    pub(crate) fn returned(&self) {
        let now = self.log.now();
        let mut trace = self.log.lock();
        trace.returned = trace.stopped.map(|stopped| now - stopped);
    }
}
