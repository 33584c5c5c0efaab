//! The whole way of an object, from the bytes of a streaming list to a handler that reads key and labels.

use crate::{
    AnyError,
    measure::{Clock, PeakMemory, resident},
    memory::Memory,
    pods::Form,
    report::Figures,
    serve::Server,
    wire,
};
use informer_runtime::{CancellationToken, EventHandlerFuncs, SharedInformer, Transport};
use k8s_openapi::api::core::v1::Pod;
use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

/// How often the end of a relist is looked for: seldom, since waking up costs processor time.
const LOOK: Duration = Duration::from_millis(20);

/// Whether somebody listens.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Handler {
    None,
    ReadsKeysAndLabels,
}

/// With every byte in memory.
pub(crate) async fn from_memory(form: Form, count: usize, handler: Handler) -> Result<Figures, AnyError> {
    let memory = Memory::new(form, count);
    let expiring = memory.clone();
    let expire = async move || {
        expiring.expire();
        Ok(())
    };
    measure(memory, expire, count, handler).await
}

/// With a server in another process, over loopback, by this crate's client or by kube's default one.
pub(crate) async fn from_server(form: Form, count: usize, default_client: bool) -> Result<Figures, AnyError> {
    let server = Arc::new(Server::spawn(form, count)?);
    let client = server.client(default_client)?;
    let expire = async move || {
        let server = Arc::clone(&server);
        Ok(tokio::task::spawn_blocking(move || server.expire()).await??)
    };
    measure(client, expire, count, Handler::ReadsKeysAndLabels).await
}

async fn measure(
    transport: impl Transport,
    expire: impl AsyncFn() -> Result<(), AnyError>,
    count: usize,
    handler: Handler,
) -> Result<Figures, AnyError> {
    let before = resident();
    let stop = CancellationToken::new();
    let informer = SharedInformer::<Pod>::builder(transport)
        .on_error(|resource, error| {
            // the expired watch is wanted, and reported as it should be
            if !error.is_expired() {
                eprintln!("{resource:?}: {error}");
            }
        })
        .build();
    let (added, read) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let mut registration = None;
    if handler == Handler::ReadsKeysAndLabels {
        let (added, read) = (Arc::clone(&added), Arc::clone(&read));
        let reads = EventHandlerFuncs::<Pod>::new().on_add(move |pod, _| {
            let labels: usize = pod.labels().iter().map(|(name, value)| name.len() + value.len()).sum();
            let key = pod.name().len() + pod.namespace().map_or(0, str::len);
            added.fetch_add(1, Ordering::Relaxed);
            read.fetch_add(labels + key, Ordering::Relaxed);
        });
        registration = Some(informer.add_event_handler(reads)?);
    }

    let clock = Clock::start();
    informer.start(&stop);
    informer.wait_for_cache_sync(&stop).await?;
    if let Some(registration) = &registration {
        registration.synced().await;
        assert_eq!(added.load(Ordering::Relaxed), count, "the handler was told of every Pod");
        assert!(read.load(Ordering::Relaxed) > count, "and read something of each");
    }
    let sync = clock.per_object(count);
    let steady = resident() - before;
    let mut figures = Figures::default();
    figures.set("wall", sync.0);
    figures.set("cpu", sync.1);
    figures.set("rss", steady as f64 / count as f64);
    if handler == Handler::None {
        return Ok(figures); // a profile of this shows the first list alone
    }

    let relist = async |number: u64| {
        expire().await?;
        let relisted = (wire::COLLECTION_VERSION + number).to_string();
        while informer.last_sync_resource_version() != relisted {
            tokio::time::sleep(LOOK).await;
        }
        Ok::<_, AnyError>(())
    };
    // memory first, while nothing is free that was used by an earlier relist; watching it takes processor time
    let peak = PeakMemory::watch();
    relist(1).await?;
    let peak = peak.stop() - before;
    let clock = Clock::start();
    relist(2).await?;
    let (_, relist_cpu) = clock.per_object(count);
    assert_eq!(informer.store().list_keys().len(), count);
    informer.shutdown().await;

    figures.set("relist_cpu", relist_cpu);
    figures.set("relist_peak", peak as f64 / steady as f64);
    Ok(figures)
}
