//! What an informer counts, published through the `metrics` crate.
//!
//! A task looks at the counters now and then, so that nothing is published on the path of events, and no recorder, slow
//! as it may be, holds anybody up.

use std::collections::HashMap;
use std::pin::pin;
use std::time::Duration;

use metrics::{Label, counter, gauge};

use crate::reflector::Target;
use crate::stats::InformerStats;

/// How often it looks.
const PERIOD: Duration = Duration::from_secs(5);
/// How many digits of a version fit into a gauge, whose value is a float, without a loss: the last ones, as client-go
/// has it (`tools/cache/informer_metrics.go`).
const VERSION_DIGITS: usize = 15;

/// Publishes until the informer has stopped, and once more then.
pub(crate) async fn publish(target: Target, stats: impl Fn() -> InformerStats, stopped: impl Future<Output = ()>) {
    let mut series = Series::new(labels(&target));
    let mut stopped = pin!(stopped);
    loop {
        series.publish(&stats());
        if tokio::time::timeout(PERIOD, &mut stopped).await.is_ok() {
            return series.publish(&stats());
        }
    }
}

/// What tells one informer from another: its resource and its scope.
fn labels(target: &Target) -> Vec<Label> {
    let mut labels = vec![
        Label::new("group", target.resource.group().to_owned()),
        Label::new("version", target.resource.version().to_owned()),
        Label::new("resource", target.resource.plural().to_owned()),
    ];
    let scopes = [
        ("namespace", &target.namespace),
        ("label_selector", &target.options.label_selector),
        ("field_selector", &target.options.field_selector),
    ];
    labels.extend(scopes.into_iter().filter_map(|(name, scope)| Some(Label::new(name, scope.clone()?))));
    labels
}

/// The series of one informer. Counters are moved on by what came since the last time: a successor of a stopped informer
/// goes on where that one ended.
struct Series {
    labels: Vec<Label>,
    told: HashMap<&'static str, u64>,
}

impl Series {
    fn new(labels: Vec<Label>) -> Self {
        Self { labels, told: HashMap::new() }
    }

    #[allow(clippy::cast_precision_loss)] // gauges are floats
    fn publish(&mut self, stats: &InformerStats) {
        let decode =
            [("informer_decode_hits_total", stats.decode.hits), ("informer_decode_misses_total", stats.decode.misses)];
        for (name, count) in stats.counters().chain(decode) {
            let told = self.told.insert(name, count).unwrap_or_default();
            counter!(name, self.labels.clone()).increment(count.saturating_sub(told));
        }
        let gauges = [
            ("informer_queue_length", stats.queue as f64),
            ("informer_handlers", stats.handlers as f64),
            ("informer_handler_backlog", stats.backlog as f64),
            ("informer_objects", stats.objects as f64),
            ("informer_decoded_bytes", stats.decode.kept_bytes as f64),
            ("informer_resource_version", version(&stats.resource_version)),
        ];
        for (name, value) in gauges {
            gauge!(name, self.labels.clone()).set(value);
        }
    }
}

/// The last digits of a version; 0 for one that is no number.
fn version(text: &str) -> f64 {
    let digits = text.len().checked_sub(VERSION_DIGITS).and_then(|cut| text.get(cut..)).unwrap_or(text);
    digits.parse::<u64>().unwrap_or_default() as f64
}

#[cfg(test)]
mod tests {
    use super::version;

    #[test]
    fn a_version_is_its_last_digits() {
        assert_eq!(version("12"), 12.0);
        assert_eq!(version("91234567890123456"), 234_567_890_123_456.0);
        assert_eq!(version(""), 0.0);
        assert_eq!(version("größer"), 0.0);
    }
}
