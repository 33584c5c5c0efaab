//! What it costs to make a typed value of every object, which is what this runtime does not do on arrival.

use crate::{measure::Clock, pods::Form, report::Figures, wire};
use k8s_openapi::api::core::v1::Pod;
use serde::de::IgnoredAny;
use std::hint::black_box;

/// Decodes every Pod by serde_json, from text and from bytes; then only checks it.
pub(crate) fn measure(form: Form, count: usize) -> serde_json::Result<Figures> {
    let pods: Vec<String> = wire::pods(form, count).collect();
    let bytes: usize = pods.iter().map(String::len).sum();

    let clock = Clock::start();
    for pod in &pods {
        black_box(serde_json::from_str::<Pod>(black_box(pod))?);
    }
    let (_, from_str) = clock.per_object(count);

    let clock = Clock::start();
    for pod in &pods {
        black_box(serde_json::from_slice::<Pod>(black_box(pod.as_bytes()))?);
    }
    let (_, from_slice) = clock.per_object(count);

    let clock = Clock::start();
    for pod in &pods {
        black_box(serde_json::from_slice::<IgnoredAny>(black_box(pod.as_bytes()))?);
    }
    let (_, check) = clock.per_object(count);

    let mut figures = Figures::default();
    figures.set("bytes", bytes as f64 / count as f64);
    figures.set("from_str", from_str);
    figures.set("from_slice", from_slice);
    figures.set("check", check);
    Ok(figures)
}
