//! Waiting until caches are filled, or have reached a version; and saying which have not, and why.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::error::{Error, Kind, WaitEnd};
use crate::informer::InformerHandle;
use crate::resource::Resource;
use crate::version::{is_number, is_older};

/// The informers that a successful wait waited for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyncResult {
    synced: Vec<Resource>,
}

impl SyncResult {
    /// What is synced now, in the order in which it was asked for.
    #[must_use]
    pub fn synced(&self) -> &[Resource] {
        &self.synced
    }
}

/// When a wait ends though what is waited for has not come.
pub(crate) enum Until<'a> {
    Cancelled(&'a CancellationToken),
    Over(Duration),
}

impl Until<'_> {
    async fn reached(&self) -> WaitEnd {
        match self {
            Self::Cancelled(token) => {
                token.cancelled().await;
                WaitEnd::Cancelled
            }
            Self::Over(limit) => {
                tokio::time::sleep(*limit).await;
                WaitEnd::Deadline
            }
        }
    }

    /// What ended the wait, where several things may have at once.
    fn or(&self, end: WaitEnd) -> WaitEnd {
        match self {
            Self::Cancelled(token) if token.is_cancelled() => WaitEnd::Cancelled,
            _ => end,
        }
    }
}

/// Something that ended before it was synced, and why it was not.
pub(crate) type Failed = (Resource, Option<Error>);

/// Waits for all at once: the first one that stops before it is synced ends the wait.
pub(crate) async fn wait(
    until: Until<'_>,
    informers: Vec<Arc<InformerHandle>>,
    failed: Vec<Failed>,
) -> Result<SyncResult, Error> {
    let each = informers.iter().map(|informer| async {
        let mut phase = informer.watch_phase();
        // The sender lives in the informer that we hold.
        let _ = phase.wait_for(|phase| phase.synced || phase.stopped).await;
        if informer.phase().synced { Ok(()) } else { Err(()) }
    });
    let end = tokio::select! {
        biased;
        _ = futures::future::try_join_all(each), if failed.is_empty() => WaitEnd::Stopped,
        () = std::future::ready(()), if !failed.is_empty() => WaitEnd::Stopped,
        end = until.reached() => end,
    };
    let not_synced = |informer: &&Arc<InformerHandle>| !informer.phase().synced;
    let open = informers.iter().filter(not_synced).map(|informer| (informer.resource().clone(), reason(informer)));
    let waiting: Vec<_> = failed.into_iter().chain(open).map(|(resource, why)| (resource.to_string(), why)).collect();
    if waiting.is_empty() {
        let synced = informers.iter().map(|informer| informer.resource().clone()).collect();
        return Ok(SyncResult { synced });
    }
    Err(Kind::NotSynced { waiting, end: until.or(end) }.into())
}

/// Waits until the cache has reached a version.
pub(crate) async fn wait_for_version(
    until: Until<'_>,
    informer: &Arc<InformerHandle>,
    wanted: &str,
) -> Result<(), Error> {
    if !is_number(wanted) {
        return Err(Kind::InvalidVersion(wanted.chars().take(40).collect()).into());
    }
    let mut moved = informer.watch_snapshots();
    let mut phase = informer.watch_phase();
    let reached = async {
        loop {
            // Seen before it is looked at: what comes after the look wakes.
            let stopped = phase.borrow_and_update().stopped;
            moved.mark_unchanged();
            let version = &informer.snapshot().resource_version;
            if is_number(version) && !is_older(version, wanted) {
                return Ok(());
            }
            if stopped {
                return Err(WaitEnd::Stopped);
            }
            // The senders live in the informer that we hold.
            tokio::select! {
                _ = moved.changed() => {}
                _ = phase.changed() => {}
            }
        }
    };
    let ended = tokio::select! {
        biased;
        ended = reached => ended,
        end = until.reached() => Err(end),
    };
    ended.map_err(|end| {
        let resource = informer.resource().clone();
        let reached = informer.snapshot().resource_version.to_string();
        let (wanted, reason) = (wanted.to_owned(), reason(informer));
        Kind::VersionNotReached { resource, wanted, reached, reason, end: until.or(end) }.into()
    })
}

/// Why an informer is not further than it is, as far as known.
pub(crate) fn reason(informer: &InformerHandle) -> Option<Error> {
    let stopped = || informer.phase().stopped.then(|| Kind::Stopped(informer.resource().clone()).into());
    informer.last_error().or_else(stopped)
}
