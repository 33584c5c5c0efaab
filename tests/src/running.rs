//! An informer of widgets with a handler and an error hook that write down what they are told.

use std::time::Duration;

use informer_runtime::{CancellationToken, Registration, SharedInformer, SharedInformerBuilder};
use informer_test_server::TestServer;

use crate::{Errors, Recorder, Widget};

/// Lets every task come to rest, at the price of a virtual millisecond.
pub async fn settled() {
    tokio::time::sleep(Duration::from_millis(1)).await;
}

/// A started informer.
#[derive(Debug)]
pub struct Running {
    /// The informer.
    pub informer: SharedInformer<Widget>,
    /// What its first handler was told.
    pub recorder: Recorder,
    /// What its error hook was told.
    pub errors: Errors,
    /// Of the first handler.
    pub registration: Registration,
    /// The token it was started with.
    pub stop: CancellationToken,
}

impl Running {
    /// With default options, so with a streaming list first.
    #[must_use]
    pub fn streaming(server: &TestServer) -> Self {
        Self::with(server, |builder| builder)
    }

    /// With plain lists only.
    #[must_use]
    pub fn plain(server: &TestServer) -> Self {
        Self::with(server, |builder| builder.reflector_options(|options| options.streaming_list = false))
    }

    /// With options of the test's own.
    #[must_use]
    pub fn with(
        server: &TestServer,
        change: impl FnOnce(SharedInformerBuilder<Widget>) -> SharedInformerBuilder<Widget>,
    ) -> Self {
        let errors = Errors::new();
        let builder = SharedInformer::<Widget>::builder(server.client()).random_seed(7).on_error(errors.hook());
        let informer = change(builder).build();
        let recorder = Recorder::new();
        let registration = informer.add_event_handler(recorder.clone()).expect("it has not stopped");
        let stop = CancellationToken::new();
        informer.start(&stop);
        Self { informer, recorder, errors, registration, stop }
    }

    /// Waits until the cache is filled and the handler was told of it. A wait that can't end ends with a panic after a
    /// (virtual) hour.
    pub async fn synced(&self) {
        let hour = Duration::from_secs(3600);
        let synced = tokio::time::timeout(hour, self.registration.synced()).await;
        assert_eq!(synced, Ok(true), "not synced: {:?}", self.errors.texts());
    }

    /// Keys and versions of all that is in the cache, as `red/a@5`.
    #[must_use]
    pub fn cache(&self) -> Vec<String> {
        self.informer.store().list().iter().map(|object| format!("{object:?}")).collect()
    }
}
