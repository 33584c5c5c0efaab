//! What an informer publishes through the `metrics` crate.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use futures::StreamExt;
use futures::future::BoxFuture;
use http::{HeaderMap, Request, StatusCode};
use informer_runtime::{CancellationToken, SharedInformer, Transport, TransportError, TransportResponse};
use k8s_openapi::api::core::v1::ConfigMap;
use metrics::{Counter, Gauge, Histogram, Key, KeyName, Metadata, Recorder, SharedString, Unit};

/// All series, by name and labels.
#[derive(Debug, Default)]
struct Series {
    counters: Mutex<BTreeMap<String, Arc<AtomicU64>>>,
    gauges: Mutex<BTreeMap<String, Arc<AtomicU64>>>,
}

fn name(key: &Key) -> String {
    let labels: Vec<String> = key.labels().map(|label| format!("{}={}", label.key(), label.value())).collect();
    format!("{} {}", key.name(), labels.join(","))
}

impl Recorder for Series {
    fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn register_counter(&self, key: &Key, _: &Metadata<'_>) -> Counter {
        Counter::from_arc(self.counters.lock().unwrap().entry(name(key)).or_default().clone())
    }

    fn register_gauge(&self, key: &Key, _: &Metadata<'_>) -> Gauge {
        Gauge::from_arc(self.gauges.lock().unwrap().entry(name(key)).or_default().clone())
    }

    fn register_histogram(&self, _: &Key, _: &Metadata<'_>) -> Histogram {
        Histogram::noop()
    }
}

impl Series {
    fn counter(&self, series: &str) -> u64 {
        self.counters.lock().unwrap()[series].load(Ordering::Relaxed)
    }

    fn gauge(&self, series: &str) -> f64 {
        f64::from_bits(self.gauges.lock().unwrap()[series].load(Ordering::Relaxed))
    }
}

/// A server with one list and one watch that brings an event and stays open.
struct Server;

impl Transport for Server {
    fn send(&self, request: Request<()>) -> BoxFuture<'static, Result<TransportResponse, TransportError>> {
        let object = |version: &str| {
            format!(
                r#"{{"kind":"ConfigMap","metadata":{{"name":"a","namespace":"red","resourceVersion":"{version}"}}}}"#
            )
        };
        let text = match request.uri().query().unwrap_or_default().contains("watch=true") {
            true => format!("{{\"type\":\"MODIFIED\",\"object\":{}}}\n", object("91234567890123457")),
            false => {
                format!(r#"{{"metadata":{{"resourceVersion":"91234567890123456"}},"items":[{}]}}"#, object("5"))
            }
        };
        let open = request.uri().query().unwrap_or_default().contains("watch=true");
        let first = futures::stream::iter([Ok(Bytes::from(text))]);
        let body = if open { first.chain(futures::stream::pending()).boxed() } else { first.boxed() };
        let response = TransportResponse { status: StatusCode::OK, headers: HeaderMap::new(), body };
        Box::pin(async { Ok(response) })
    }
}

/// Runs one informer to its end; its cache holds the object in its second state then.
async fn a_life() {
    let builder = SharedInformer::<ConfigMap>::builder(Server).namespace("red");
    let informer = builder.reflector_options(|options| options.streaming_list = false).build();
    informer.add_event_handler(informer.handler().on_update(|_, _| ())).unwrap();
    informer.start(&CancellationToken::new());
    tokio::time::sleep(Duration::from_secs(7)).await;
    let found = informer.lister().get("red", "a").unwrap();
    found.get().unwrap();
    found.get().unwrap();
    informer.shutdown().await;
}

#[test]
fn w22_counters_and_gauges_carry_the_resource_and_the_scope() {
    let series = Series::default();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    let of = |name: &str| format!("{name} group=,version=v1,resource=configmaps,namespace=red");
    metrics::with_local_recorder(&series, || {
        runtime.block_on(async {
            let life = tokio::spawn(a_life());
            tokio::time::sleep(Duration::from_secs(6)).await;
            assert_eq!(series.gauge(&of("informer_objects")), 1.0);
            assert_eq!(series.gauge(&of("informer_handlers")), 1.0);
            assert_eq!(series.gauge(&of("informer_handler_backlog")), 0.0);
            assert_eq!(series.gauge(&of("informer_queue_length")), 0.0);
            assert_eq!(series.gauge(&of("informer_resource_version")), 234_567_890_123_457.0, "fifteen digits");
            assert_eq!(series.counter(&of("informer_lists_total")), 1);
            life.await.unwrap();
            assert_eq!(series.counter(&of("informer_events_total")), 1);
            assert_eq!(series.counter(&of("informer_decode_misses_total")), 1, "published at the end, too");
            assert_eq!(series.counter(&of("informer_decode_hits_total")), 1);
            assert_eq!(series.gauge(&of("informer_handlers")), 0.0);
            // A successor of a stopped informer goes on.
            a_life().await;
            assert_eq!(series.counter(&of("informer_lists_total")), 2);
            assert_eq!(series.counter(&of("informer_watches_total")), 2);
        });
    });
    assert_eq!(series.counters.lock().unwrap().keys().filter(|name| !name.ends_with("namespace=red")).count(), 0);
}
