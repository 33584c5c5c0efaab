//! What is logged, as text.

use std::fmt::{Debug, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tracing::field::{Field, Visit};
use tracing::span;

/// All that is logged, at every level, in text.
#[derive(Debug, Clone, Default)]
pub struct Log(Arc<Mutex<String>>);

struct Line<'a>(&'a mut String);

impl Visit for Line<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let _ = write!(self.0, "{}={value:?} ", field.name());
    }
}

impl Log {
    /// Nothing yet. Give a clone to `tracing::subscriber::set_default`.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// All so far.
    #[must_use]
    pub fn text(&self) -> String {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl tracing::Subscriber for Log {
    fn enabled(&self, _: &tracing::Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, attributes: &span::Attributes<'_>) -> span::Id {
        attributes.record(&mut Line(&mut self.lock()));
        span::Id::from_u64(1)
    }

    fn record(&self, _: &span::Id, values: &span::Record<'_>) {
        values.record(&mut Line(&mut self.lock()));
    }

    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}

    fn event(&self, event: &tracing::Event<'_>) {
        let mut text = self.lock();
        let _ = write!(text, "{} {} ", event.metadata().level(), event.metadata().target());
        event.record(&mut Line(&mut text));
        text.push('\n');
    }

    fn enter(&self, _: &span::Id) {}

    fn exit(&self, _: &span::Id) {}
}
