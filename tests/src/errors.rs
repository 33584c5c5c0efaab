//! An error hook that writes down what it is told.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use informer_runtime::{Error, Resource};
use tokio::sync::watch;

/// The errors that an informer reported, with their resources. Clones share what is written.
#[derive(Debug, Clone, Default)]
pub struct Errors {
    told: Arc<Mutex<Vec<(Resource, Error)>>>,
    count: watch::Sender<usize>,
}

impl Errors {
    /// No errors yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// What to give to `on_error`.
    pub fn hook(&self) -> impl Fn(&Resource, &Error) + Send + Sync + 'static {
        let errors = self.clone();
        move |resource, error| {
            let mut told = errors.told.lock().unwrap_or_else(PoisonError::into_inner);
            told.push((resource.clone(), error.clone()));
            errors.count.send_replace(told.len());
        }
    }

    /// All so far, with the resources.
    #[must_use]
    pub fn with_resources(&self) -> Vec<(Resource, Error)> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// All so far.
    #[must_use]
    pub fn all(&self) -> Vec<Error> {
        self.with_resources().into_iter().map(|(_, error)| error).collect()
    }

    /// Their texts.
    #[must_use]
    pub fn texts(&self) -> Vec<String> {
        self.all().iter().map(ToString::to_string).collect()
    }

    /// Waits until so many were told in all, and gives them. A wait that can't end ends with a panic after a (virtual)
    /// hour.
    pub async fn until(&self, count: usize) -> Vec<Error> {
        let mut counted = self.count.subscribe();
        let reached = counted.wait_for(|reached| *reached >= count);
        if tokio::time::timeout(Duration::from_secs(3600), reached).await.is_err() {
            panic!("only {} of {count} errors: {:?}", self.all().len(), self.texts());
        }
        self.all()
    }
}
