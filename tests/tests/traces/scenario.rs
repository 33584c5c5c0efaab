//! A scripted server and the informer that talks to it, as `tests/data/traces/scenarios.jsonl` has them.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;

/// One scenario. `tests/data/traces/README.md` describes every field.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Scenario {
    pub(crate) name: String,
    /// What it is about, for readers of the file.
    #[serde(rename = "about")]
    _about: String,
    #[serde(default)]
    resource: Option<String>,
    #[serde(default)]
    pub(crate) namespace: String,
    pub(crate) streaming: bool,
    run_ms: u64,
    #[serde(default)]
    resync_ms: u64,
    #[serde(default)]
    pub(crate) label_selector: String,
    #[serde(default)]
    pub(crate) for_us: ForUs,
    #[serde(default = "one_handler")]
    pub(crate) handlers: Vec<Handler>,
    pub(crate) steps: Vec<Step>,
}

/// What differs for our informer, where the script follows what client-go did so closely that ours would not meet it.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ForUs {
    /// When stop is called.
    run_ms: Option<u64>,
    /// For a step, counted from one: how many requests it answers.
    repeat: BTreeMap<usize, usize>,
    /// Steps behind the last one.
    more: Vec<Step>,
    /// With how many seeds it is played.
    pub(crate) seeds: Option<u64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Handler {
    pub(crate) name: String,
    pub(crate) add_after_step: usize,
    pub(crate) remove_after_step: usize,
    pub(crate) slow_ms: u64,
    resync_ms: Option<u64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Step {
    pub(crate) expect: String,
    repeat: usize,
    delay_ms: u64,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) code: Option<u16>,
    pub(crate) list: Option<List>,
    pub(crate) status: Option<Status>,
    pub(crate) body: Option<Value>,
    pub(crate) events: Vec<Event>,
    then: Option<Then>,
    then_after_ms: u64,
    pub(crate) refuse_ms: u64,
    /// Plays no part: our requests say that they take no compression.
    #[serde(rename = "gzip")]
    _gzip: Option<String>,
}

/// How an answer ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Then {
    Close,
    Cut,
    Drop,
    Hang,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct List {
    pub(crate) rv: String,
    #[serde(rename = "continue")]
    pub(crate) continue_token: String,
    pub(crate) items: Vec<Object>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Status {
    pub(crate) code: u16,
    pub(crate) reason: String,
    pub(crate) message: String,
    #[serde(rename = "continue")]
    pub(crate) continue_token: String,
    pub(crate) retry_after_s: u32,
    pub(crate) causes: Vec<Value>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Object {
    pub(crate) kind: String,
    pub(crate) name: String,
    pub(crate) ns: String,
    pub(crate) rv: String,
    pub(crate) uid: String,
    pub(crate) labels: BTreeMap<String, String>,
    pub(crate) size: i64,
}

/// What a watch sends, or a pause.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Event {
    Add(Object),
    Modify(Object),
    Delete(Object),
    Bookmark(Bookmark),
    Error(Status),
    WaitMs(u64),
    Raw(String),
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Bookmark {
    pub(crate) rv: String,
    pub(crate) end: String,
}

fn one_handler() -> Vec<Handler> {
    vec![Handler { name: String::from("h1"), ..Handler::default() }]
}

impl Scenario {
    /// All scenarios of a file, one a line.
    pub(crate) fn all(text: &str) -> Vec<Self> {
        let parse = |line| {
            let mut scenario: Self = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error} in {line}"));
            scenario.steps.append(&mut scenario.for_us.more);
            scenario
        };
        text.lines().map(parse).collect()
    }

    /// Whether it is about zones, which are cluster-scoped, instead of widgets.
    pub(crate) fn has_zones(&self) -> bool {
        self.resource.as_deref() == Some("zones")
    }

    pub(crate) fn kind(&self) -> &'static str {
        if self.has_zones() { "Zone" } else { "Widget" }
    }

    /// When stop is called.
    pub(crate) fn run_time(&self) -> Duration {
        Duration::from_millis(self.for_us.run_ms.unwrap_or(self.run_ms))
    }

    /// How many requests a step, counted from zero, answers.
    pub(crate) fn times(&self, step: usize) -> usize {
        self.for_us.repeat.get(&(step + 1)).copied().unwrap_or_else(|| self.steps[step].repeat.max(1))
    }

    pub(crate) fn resync(&self) -> Duration {
        Duration::from_millis(self.resync_ms)
    }

    /// Whether some handler blocks its thread.
    pub(crate) fn blocks(&self) -> bool {
        self.handlers.iter().any(|handler| handler.slow_ms > 0)
    }
}

impl Handler {
    pub(crate) fn resync(&self) -> Option<Duration> {
        self.resync_ms.map(Duration::from_millis)
    }
}

impl Step {
    pub(crate) fn delay(&self) -> Duration {
        Duration::from_millis(self.delay_ms)
    }

    /// How long after the last event it ends.
    pub(crate) fn end_delay(&self) -> Duration {
        Duration::from_millis(self.then_after_ms)
    }

    pub(crate) fn streams(&self) -> bool {
        self.list.is_none() && self.status.is_none() && self.body.is_none()
    }

    pub(crate) fn then(&self) -> Then {
        self.then.unwrap_or(if self.streams() { Then::Hang } else { Then::Close })
    }

    /// From the request to the last event.
    pub(crate) fn time_to_last_event(&self) -> Duration {
        let waits = self.events.iter().map(|event| match event {
            Event::WaitMs(pause) => *pause,
            _ => 0,
        });
        self.delay() + Duration::from_millis(waits.sum())
    }
}
