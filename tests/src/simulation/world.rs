//! The server: changes of its objects, and what an informer should have of them.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use informer_test_server::{Layout, Served, TestServer, namespace_and_name};
use serde_json::{Value, json};

use super::plan::{Change, Form, InformerPlan, Kind, Plan};
use crate::{WIDGETS, ZONES};

/// A pattern with characters of all lengths, and those that JSON escapes.
const TEXT: &str = "a\"\\\n\u{1}ü{}[],:☃\u{1f980}/";

/// A server and its past.
#[derive(Clone)]
pub(super) struct World {
    pub(super) server: TestServer,
    layout: Layout,
    restores: Arc<AtomicU64>,
    changes: Arc<AtomicU64>,
}

impl World {
    pub(super) fn new(plan: &Plan) -> Self {
        let layout = if plan.built_in { Layout::BuiltIn } else { Layout::Custom };
        let server = TestServer::builder()
            .resources([Served::new(WIDGETS).layout(layout), Served::new(ZONES).layout(layout)])
            .history(plan.history)
            .streaming_lists(plan.streaming_lists)
            .build();
        Self { server, layout, restores: Arc::default(), changes: Arc::default() }
    }

    /// How often versions have gone back.
    pub(super) fn restores(&self) -> u64 {
        self.restores.load(Ordering::SeqCst)
    }

    /// How many changes there were.
    pub(super) fn changes(&self) -> u64 {
        self.changes.load(Ordering::SeqCst)
    }

    pub(super) fn change(&self, change: &Change) {
        let changed = match change {
            Change::Put { kind, namespace, name, tier, size, text } => {
                let mut object = json!({"metadata": {"name": name}, "spec": {"size": size}, "text": long(*text)});
                if size.is_none() {
                    object["spec"]["size"] = json!("much");
                }
                if let Some(tier) = tier {
                    object["metadata"]["labels"] = json!({"tier": tier});
                }
                if *kind == Kind::Widgets {
                    object["metadata"]["namespace"] = json!(namespace);
                }
                self.server.apply(&kind.resource(), object).is_ok()
            }
            Change::Remove { kind, namespace, name } => {
                let namespace = if *kind == Kind::Widgets { namespace } else { "" };
                self.server.delete(&kind.resource(), namespace, name).is_ok()
            }
        };
        self.changes.fetch_add(u64::from(changed), Ordering::SeqCst);
    }

    /// Serves a kind, if it is served no more.
    pub(super) fn serve(&self, kind: Kind) {
        self.server.serve_resource(Served::new(kind.resource()).layout(self.layout));
    }

    /// Serves all kinds.
    pub(super) fn serve_all(&self) {
        [Kind::Widgets, Kind::Zones].into_iter().for_each(|kind| self.serve(kind));
    }

    /// Goes back so many versions, if they are remembered.
    pub(super) fn restore(&self, back: u64) {
        let version = self.server.resource_version().saturating_sub(back).max(1);
        if self.server.restore(version) {
            self.restores.fetch_add(1, Ordering::SeqCst);
        }
    }

    /// All objects that an informer should have, by key.
    pub(super) fn expected(&self, plan: &InformerPlan) -> BTreeMap<String, Value> {
        let objects = self.server.objects(&plan.kind.resource()).into_iter();
        let selected = objects.filter(|object| {
            let (namespace, _) = namespace_and_name(object);
            plan.namespace.is_none_or(|wanted| wanted == namespace)
                && plan.tier.is_none_or(|wanted| object["metadata"]["labels"]["tier"] == wanted)
        });
        selected.map(|object| (key(&object), kept(plan.form, object))).collect()
    }
}

/// What an informer keeps of an object.
fn kept(form: Form, mut object: Value) -> Value {
    if let Some(root) = object.as_object_mut() {
        match form {
            Form::Typed | Form::Decoded | Form::Dynamic => {}
            Form::Trimmed => drop(root.remove("text")),
            Form::Metadata => root.retain(|field, _| field == "metadata"),
        }
    }
    object
}

/// As `ObjectKey` writes it.
pub(super) fn key(object: &Value) -> String {
    match namespace_and_name(object) {
        ("", name) => name.to_owned(),
        (namespace, name) => format!("{namespace}/{name}"),
    }
}

fn long(length: usize) -> String {
    TEXT.chars().cycle().take(length).collect()
}
