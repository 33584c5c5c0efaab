//! Waiting until caches are filled, and saying which are not, and why.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::error::{Error, Kind};
use crate::informer::InformerHandle;
use crate::resource::Resource;
use crate::shared_informer::SharedInformer;

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

/// Waits until the first whole list of each informer is in its cache. Signal-driven: nothing is polled.
///
/// # Errors
/// If `stop` is cancelled, or one of the informers stops, before all are synced: the error names each that is not, with
/// its last error. Cancel safe.
#[doc(alias = "WaitForCacheSync")]
#[doc(alias = "InformerSynced")]
pub async fn wait_for_cache_sync<'a, K: 'a>(
    stop: &CancellationToken,
    informers: impl IntoIterator<Item = &'a SharedInformer<K>>,
) -> Result<SyncResult, Error> {
    wait(stop, informers.into_iter().map(|informer| informer.handle().clone()).collect()).await
}

/// As [`wait_for_cache_sync`], for at most `limit`.
///
/// # Errors
/// As [`wait_for_cache_sync`], and if the time is over.
pub async fn wait_for_cache_sync_within<'a, K: 'a>(
    limit: Duration,
    informers: impl IntoIterator<Item = &'a SharedInformer<K>>,
) -> Result<SyncResult, Error> {
    let handles = informers.into_iter().map(|informer| informer.handle().clone()).collect();
    wait_within(limit, handles).await
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
