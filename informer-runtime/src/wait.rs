//! Waiting for several informers at once.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::error::Error;
use crate::shared_informer::SharedInformer;
use crate::sync::{SyncResult, Until, wait};

/// Waits until the first whole list of each informer is in its cache. Signal-driven: nothing is polled.
///
/// # Errors
/// If `stop` is cancelled, or one of the informers stops, before all are synced: the error names each that is not, with
/// its last error. An informer that is not synced goes on all the same, so the wait may be repeated. Cancel safe.
#[doc(alias = "WaitForCacheSync")]
#[doc(alias = "InformerSynced")]
pub async fn wait_for_cache_sync<'a, K: 'a>(
    stop: &CancellationToken,
    informers: impl IntoIterator<Item = &'a SharedInformer<K>>,
) -> Result<SyncResult, Error> {
    let handles = informers.into_iter().map(|informer| informer.handle().clone()).collect();
    wait(Until::Cancelled(stop), handles, Vec::new()).await
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
    wait(Until::Over(limit), handles, Vec::new()).await
}
