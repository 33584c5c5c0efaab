//! Choices for one handler.

use std::time::Duration;

/// What happens to changes that a handler has not got to yet.
///
/// Whatever is chosen: the changes of one object come in order, each begins where the last one ended, and a map that is
/// kept by them alone ends up equal to the cache. An object that was deleted and made again (another uid) is told as a
/// delete and an add, merged or not; a delete comes with the last state there was, told before or not. The first objects
/// and resyncs wait as snapshots that cost nothing; they are told one by one and never merged.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Delivery {
    /// Every change is told. Past 65,536 waiting changes they are merged per object, so that a handler that is stuck
    /// costs at most one waiting change per object (and one more for an object that was deleted and made again);
    /// [`Registration::merged`](crate::Registration::merged) counts what was merged away. The default.
    #[default]
    EveryEvent,
    /// Only the last state of each object waits: a change that comes while one of the same object is waiting takes its
    /// place in line. What came and went meanwhile, and what is back as it was, is not told of at all. For handlers that
    /// only want to know how things are.
    Coalesced,
    /// Every change is told, none is ever merged, and when this many wait (0 is taken as 1), the informer waits: it
    /// takes nothing more into the store until there is room, so its queue fills, and so does the connection. What one
    /// batch brings still comes in whole, so the queue may grow beyond the bound by 256 changes, or by all that a
    /// relist found.
    ///
    /// No thread is blocked, no lock is held, readers and resyncs go on, and other handlers go on with all that is in
    /// the store; but what is not in the store yet reaches nobody. A handler of this kind that waits for the informer
    /// to move on waits for ever, as does the informer. A server ends watches of clients that read too slowly; the
    /// informer then goes on from its version, or lists anew.
    Bounded(usize),
}

/// Choices for one handler.
#[derive(Debug, Clone, Default)]
#[must_use]
pub struct HandlerOptions {
    pub(crate) name: Option<String>,
    pub(crate) resync_period: Option<Duration>,
    pub(crate) delivery: Delivery,
}

impl HandlerOptions {
    /// The informer's own resync period, a number as name, every event.
    pub fn new() -> Self {
        Self::default()
    }

    /// Tells the handler all objects again, as updates from and to the same version, in this period. Zero: never. A
    /// period below one second is taken as one second. No request is made for it. A handler that has not got to the
    /// last resync yet gets no second one.
    #[doc(alias = "ResyncPeriod")]
    pub fn resync_period(mut self, period: Duration) -> Self {
        self.resync_period = Some(period);
        self
    }

    /// What errors call the handler.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// What happens to changes that the handler has not got to yet. Default: [`Delivery::EveryEvent`].
    pub fn delivery(mut self, delivery: Delivery) -> Self {
        self.delivery = delivery;
        self
    }

    /// Short for [`Delivery::Coalesced`].
    pub fn coalesced(self) -> Self {
        self.delivery(Delivery::Coalesced)
    }

    /// Short for [`Delivery::Bounded`].
    pub fn bounded(self, changes: usize) -> Self {
        self.delivery(Delivery::Bounded(changes))
    }
}
