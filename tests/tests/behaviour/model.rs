//! The cache, its indexes and listers against plain maps, over random histories: whatever happened, both say the same.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use informer_runtime::{IndexFunc, ObjectKey, Selector};
use informer_test_server::{Status, TestServer, namespace_and_name};
use informer_tests::{Running, WIDGETS, Widget};
use serde_json::{Value, json};

const NAMESPACES: [&str; 3] = ["blue", "green", "red"];
const TIERS: [&str; 3] = ["a", "b", "c"];

fn some<'a>(random: &mut fastrand::Rng, of: &[&'a str]) -> &'a str {
    of[random.usize(..of.len())]
}

/// A widget of any size with no, one or two labels.
fn any_widget(random: &mut fastrand::Rng) -> Value {
    let mut labels = serde_json::Map::new();
    for label in ["tier", "zone"] {
        if random.bool() {
            labels.insert(label.to_owned(), json!(some(random, &TIERS)));
        }
    }
    let name = format!("w{}", random.u8(..12));
    json!({
        "metadata": {"namespace": some(random, &NAMESPACES), "name": name, "labels": labels},
        "spec": {"size": random.u32(..6)},
    })
}

/// One thing that happens to the server.
fn happen(random: &mut fastrand::Rng, server: &TestServer) {
    match random.u8(..20) {
        0..=11 => drop(server.apply(&WIDGETS, any_widget(random)).unwrap()),
        12..=15 => {
            let objects = server.objects(&WIDGETS);
            if let Some(object) = random.choice(&objects) {
                let (namespace, name) = namespace_and_name(object);
                server.delete(&WIDGETS, namespace, name).unwrap();
            }
        }
        16 => server.cut_watches(),
        17 => server.close_watches(),
        18 => server.change_definition(&WIDGETS),
        _ => {
            server.expire_versions();
            server.fail_watches(&Status::expired());
        }
    }
}

fn is_shown(size: &u64) -> bool {
    !size.is_multiple_of(2)
}

/// What the index on sizes and that on label values must hold, and all objects.
#[derive(Default)]
struct Model {
    objects: BTreeMap<ObjectKey, String>,
    sizes: BTreeMap<String, BTreeSet<ObjectKey>>,
    values: BTreeMap<String, BTreeSet<ObjectKey>>,
}

impl Model {
    fn of(server: &TestServer) -> Self {
        let mut model = Self::default();
        for object in server.objects(&WIDGETS) {
            let (namespace, name) = namespace_and_name(&object);
            let key = ObjectKey::new(namespace, name);
            if let Some(size) = object["spec"]["size"].as_u64().filter(is_shown) {
                model.sizes.entry(size.to_string()).or_default().insert(key.clone());
            }
            for value in object["metadata"]["labels"].as_object().into_iter().flat_map(serde_json::Map::values) {
                model.values.entry(value.as_str().unwrap().to_owned()).or_default().insert(key.clone());
            }
            model.objects.insert(key, object["metadata"]["resourceVersion"].as_str().unwrap().to_owned());
        }
        model
    }

    fn check(&self, running: &Running, labels_are_indexed: bool, why: &str) {
        let (store, indexer) = (running.informer.store(), running.informer.indexer());
        let held = store.list();
        let found: Vec<_> = held.iter().map(|held| (held.key(), held.resource_version().to_owned())).collect();
        assert_eq!(found, self.objects.clone().into_iter().collect::<Vec<_>>(), "{why}");
        assert_eq!(store.list_keys(), self.objects.keys().cloned().collect::<Vec<_>>(), "{why}");
        for (key, version) in &self.objects {
            assert_eq!(store.get_by_key(key).unwrap().resource_version(), version, "{why}");
        }
        let indexes = [("size", &self.sizes), ("label", &self.values)];
        for (name, expected) in indexes.into_iter().take(1 + usize::from(labels_are_indexed)) {
            let values: Vec<_> = expected.keys().cloned().collect();
            assert_eq!(indexer.list_index_func_values(name).unwrap(), values, "{why}: {name}");
            for (value, keys) in expected {
                let keys: Vec<_> = keys.iter().cloned().collect();
                assert_eq!(indexer.index_keys(name, value).unwrap(), keys, "{why}: {name} {value}");
                let objects = indexer.by_index(name, value).unwrap();
                assert!(objects.iter().all(|object| self.objects[&object.key()] == object.resource_version()), "{why}");
                assert_eq!(objects.len(), keys.len(), "{why}: {name} {value}");
            }
            assert!(indexer.by_index(name, "none such").unwrap().is_empty(), "{why}");
        }
        let lister = running.informer.lister();
        let tier: Selector = "tier=a".parse().unwrap();
        let chosen = held.iter().filter(|held| held.labels().get("tier") == Some("a")).count();
        assert_eq!(lister.list(&tier).len(), chosen, "{why}");
        for namespace in NAMESPACES {
            let expected: Vec<_> = self.objects.keys().filter(|key| key.namespace() == namespace).cloned().collect();
            let found = lister.by_namespace(namespace).list(&Selector::everything());
            assert_eq!(found.iter().map(informer_runtime::Cached::key).collect::<Vec<_>>(), expected, "{why}");
        }
    }
}

async fn history(seed: u64) {
    let mut random = fastrand::Rng::with_seed(seed);
    let server = TestServer::new([&WIDGETS]);
    for _ in 0..random.usize(..40) {
        let _ = server.apply(&WIDGETS, any_widget(&mut random));
    }
    let streaming = random.bool();
    let running = Running::with(&server, |builder| {
        builder.reflector_options(|options| {
            options.streaming_list = streaming;
            options.page_size = random.choice([None, Some(1), Some(7)]).flatten();
        })
    });
    let sizes = IndexFunc::on_object(|widget: &Widget| {
        Some(u64::from(widget.spec.size)).filter(is_shown).map(|size| size.to_string())
    });
    running.informer.add_index("size", sizes).unwrap();
    running.synced().await;
    let indexed_at = random.usize(..10);
    for round in 0..10 {
        for _ in 0..random.usize(..12) {
            happen(&mut random, &server);
            if random.u8(..4) == 0 {
                tokio::time::sleep(Duration::from_millis(random.u64(..3_000))).await;
            }
        }
        if round == indexed_at {
            let values = IndexFunc::on_head(|head| {
                ["tier", "zone"].map(|label| head.labels().get(label).map(str::to_owned)).into_iter().flatten()
            });
            running.informer.add_index("label", values).unwrap();
        }
        tokio::time::sleep(Duration::from_secs(200)).await;
        Model::of(&server).check(&running, round >= indexed_at, &format!("seed {seed}, round {round}"));
    }
    running.informer.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn b29_q16_s18_cache_and_indexes_follow_plain_maps() {
    for seed in 0..60 {
        history(seed).await;
    }
}
