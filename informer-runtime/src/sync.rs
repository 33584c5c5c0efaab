//! Waiting until caches are filled, and saying which are not, and why.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::error::{Error, Kind};
use crate::informer::InformerHandle;
use crate::resource::Resource;

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

pub(crate) async fn wait_within(limit: Duration, informers: Vec<Arc<InformerHandle>>) -> Result<SyncResult, Error> {
    let late = CancellationToken::new();
    let timer = async {
        tokio::time::sleep(limit).await;
        late.cancel();
        std::future::pending().await
    };
    tokio::select! {
        biased;
        result = wait(&late, informers) => result,
        never = timer => never,
    }
}

pub(crate) async fn wait(stop: &CancellationToken, informers: Vec<Arc<InformerHandle>>) -> Result<SyncResult, Error> {
    for informer in &informers {
        let mut phase = informer.watch_phase();
        tokio::select! {
            biased;
            // The sender lives in the informer that we hold.
            _ = phase.wait_for(|phase| phase.synced || phase.stopped) => {}
            () = stop.cancelled() => break,
        }
        if !informer.phase().synced {
            break;
        }
    }
    let not_synced = |informer: &&Arc<InformerHandle>| !informer.phase().synced;
    let waiting: Vec<_> = informers
        .iter()
        .filter(not_synced)
        .map(|informer| (informer.resource().to_string(), reason(informer)))
        .collect();
    if waiting.is_empty() {
        let synced = informers.iter().map(|informer| informer.resource().clone()).collect();
        return Ok(SyncResult { synced });
    }
    Err(Kind::NotSynced { waiting, cancelled: stop.is_cancelled() }.into())
}

fn reason(informer: &InformerHandle) -> Option<Error> {
    let stopped = || informer.phase().stopped.then(|| Kind::Stopped(informer.resource().clone()).into());
    informer.last_error().or_else(stopped)
}
