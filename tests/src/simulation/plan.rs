//! What happens in one run, as plain data.

use std::time::Duration;

use informer_runtime::{Delivery, Resource};
use informer_test_server::End;

use super::fault::FaultKind;
use crate::{WIDGETS, ZONES};

/// One run.
#[derive(Debug, Clone)]
pub struct Plan {
    /// What the faults and the informers draw from; and the name of the plan, if it was drawn.
    pub seed: u64,
    /// How many changes the server remembers for each resource.
    pub history: usize,
    /// Whether the server knows streaming lists.
    pub streaming_lists: bool,
    /// Whether the server writes its objects as those of built-in kinds: items of lists without kind and apiVersion.
    pub built_in: bool,
    /// What is there before the first informer.
    pub first: Vec<Change>,
    /// All informers, running or not.
    pub informers: Vec<InformerPlan>,
    /// What happens then.
    pub steps: Vec<Step>,
    /// How it ends.
    pub ending: Ending,
}

/// One thing that happens, after a pause.
#[derive(Debug, Clone)]
pub struct Step {
    /// How long nothing is done before it.
    pub pause: Duration,
    /// What is done.
    pub action: Action,
}

/// The kinds of object in the simulation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Widgets, which have a namespace.
    Widgets,
    /// Zones, which have none.
    Zones,
}

impl Kind {
    /// The resource.
    #[must_use]
    pub fn resource(self) -> Resource {
        match self {
            Self::Widgets => WIDGETS,
            Self::Zones => ZONES,
        }
    }
}

/// A change of one object on the server.
#[derive(Debug, Clone)]
pub enum Change {
    /// Creates it, or changes it if it is there.
    Put {
        /// Of what kind.
        kind: Kind,
        /// Its namespace; without effect on kinds that have none.
        namespace: &'static str,
        /// Its name.
        name: String,
        /// The value of its label `tier`.
        tier: Option<&'static str>,
        /// A number in it; `None` makes it one that does not decode.
        size: Option<u32>,
        /// How long its text is.
        text: usize,
    },
    /// Deletes it, if it is there.
    Remove {
        /// Of what kind.
        kind: Kind,
        /// Its namespace.
        namespace: &'static str,
        /// Its name.
        name: String,
    },
}

/// What an informer keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Objects of a type.
    Typed,
    /// Objects of a type, each kept decoded.
    Decoded,
    /// Objects of a resource whose type is not known.
    Dynamic,
    /// Objects without their text, by a transform.
    Trimmed,
    /// Metadata alone.
    Metadata,
}

/// One informer. No two of a plan watch the same.
#[derive(Debug, Clone, PartialEq)]
pub struct InformerPlan {
    /// What it watches.
    pub kind: Kind,
    /// What it keeps of it.
    pub form: Form,
    /// Only this namespace.
    pub namespace: Option<&'static str>,
    /// Only objects with this value of the label `tier`.
    pub tier: Option<&'static str>,
    /// Whether it begins with a streaming list.
    pub streaming: bool,
    /// The page size of its lists.
    pub page_size: Option<u32>,
    /// The shortest time a watch is asked to last.
    pub watch_timeout: Duration,
}

/// What a handler is like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flavour {
    /// It stands behind a filter on a label.
    pub filtering: bool,
    /// It panics at every third call.
    pub panicking: bool,
    /// It reads the cache at every call.
    pub reading: bool,
    /// It is told everything again in this period.
    pub resync: Option<Duration>,
    /// How changes wait for it.
    pub delivery: Delivery,
    /// It is a stream, read with this pause after each event; then it neither filters nor panics.
    pub stream: Option<Duration>,
}

/// How many requests fail, and how.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Weather {
    /// How many of a hundred requests get a fault.
    pub percent: u8,
    /// The faults, all as likely.
    pub faults: Vec<FaultKind>,
}

/// What can happen.
#[derive(Debug, Clone)]
pub enum Action {
    /// Changes on the server, at one moment.
    Changes(Vec<Change>),
    /// Other faults from now on.
    Weather(Weather),
    /// The version moves on without a change.
    Advance(u64),
    /// The history is forgotten.
    Compact,
    /// All versions so far are unknown.
    ExpireVersions,
    /// Reads of any version are answered from so many versions ago; zero: from now.
    Lag(u64),
    /// The server is again as it was so many versions ago. The faults go on for a while, then stop, and nothing changes
    /// until all informers have had the time to notice: a server that passes the versions that informers know, before
    /// they have asked it, can't be told from one that never went back.
    Restore(u64),
    /// The definition of a kind changes: its watches end, and no version can be watched from.
    Redefine(Kind),
    /// A kind is served no more, but its objects stay.
    Unserve(Kind),
    /// The definition of a kind is deleted, and all its objects with it.
    Undefine(Kind),
    /// The storage of a kind is set up anew: so many requests get 429.
    Initialize(Kind, usize),
    /// A kind is served again.
    Serve(Kind),
    /// A bookmark to all open watches, so many times.
    Bookmarks(usize),
    /// All open watches end.
    End(End),
    /// All open watches get an ERROR event and end.
    Fail(FaultKind),
    /// An informer is asked for and started, with handlers from before its start.
    Start {
        /// Which one.
        informer: usize,
        /// Its first handlers.
        handlers: Vec<Flavour>,
    },
    /// An informer is stopped, and asked for again.
    Renew {
        /// Which one.
        informer: usize,
        /// The first handlers of the new one.
        handlers: Vec<Flavour>,
    },
    /// A handler comes.
    Join {
        /// To which informer; without effect if it does not run.
        informer: usize,
        /// What it is like.
        handler: Flavour,
    },
    /// A handler goes.
    Leave {
        /// Of which informer.
        informer: usize,
        /// Which one, counted around.
        handler: usize,
        /// In which way.
        how: Leaving,
    },
    /// An index is added.
    Index {
        /// To which informer.
        informer: usize,
    },
}

/// How a handler goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leaving {
    /// Its removal is awaited.
    Removed,
    /// The future of its removal is dropped after one poll.
    Dropped,
    /// It is closed, and nobody waits.
    Closed,
    /// It is told what waits for it, and that is awaited.
    Drained,
}

/// How a run ends. In each way no task may be left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// By the factory's shutdown.
    Shutdown,
    /// By the token.
    Cancel,
    /// By dropping all that came from the factory.
    Drop,
}
