//! What is in a Secret is in no message: not in errors, not in what is printed of anything, not in logs, on no path.

use std::fmt::{self, Debug, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use informer_runtime::{
    CancellationToken, DynamicObject, Error, IndexFunc, ObjectKey, Resource, Selector, SharedInformer,
    SharedInformerFactory, Transform, wait_for_cache_sync_within,
};
use informer_test_server::{Answer, Events, Listing, Script, TestServer};
use informer_tests::{Errors, Log, settled};
use k8s_openapi::api::core::v1::Secret;
use serde::Deserialize;
use serde_json::{Value, json};

const SECRETS: Resource = Resource::new("", "v1", "Secret", "secrets", true);
/// In every secret: as a value, as base64, and as the name of a field.
const MARKERS: [&str; 2] = ["hunter2", "aHVudGVyMg"];

fn secret(name: &str, version: u64) -> Value {
    json!({
        "kind": "Secret", "apiVersion": "v1", "type": "hunter2",
        "metadata": {
            "namespace": "red", "name": name, "resourceVersion": version.to_string(), "uid": format!("u-{name}"),
            "annotations": {"hunter2": "hunter2"},
        },
        "data": {"hunter2": "aHVudGVyMg=="},
        "stringData": {"hunter2": "hunter2"},
    })
}

/// All that could be read by somebody who should not.
#[derive(Default)]
struct Seen(String);

impl Seen {
    fn debug(&mut self, value: &impl Debug) {
        let _ = writeln!(self.0, "{value:?} {value:#?}");
    }

    fn both(&mut self, value: &(impl Debug + fmt::Display)) {
        let _ = writeln!(self.0, "{value} {value:?} {value:#?}");
    }

    fn errors(&mut self, errors: &Errors) {
        errors.all().iter().for_each(|error| self.error(error));
    }

    fn error(&mut self, error: &Error) {
        self.both(error);
        let mut source = std::error::Error::source(error);
        while let Some(cause) = source {
            let _ = writeln!(self.0, "{cause} {cause:?}");
            source = cause.source();
        }
        for (_, why) in error.not_synced() {
            why.into_iter().for_each(|why| self.both(why));
        }
    }

    fn check(&self, what: &str) {
        for marker in MARKERS {
            assert!(!self.0.contains(marker), "{what} tells {marker}: {}", self.0);
        }
    }
}

fn builder(server: &TestServer, errors: &Errors) -> informer_runtime::SharedInformerBuilder<Secret> {
    SharedInformer::<Secret>::builder(server.client()).random_seed(1).on_error(errors.hook())
}

/// Answers that are wrong in every way, each with a secret in it.
fn spoilt() -> Vec<(&'static str, Answer)> {
    let whole = secret("a", 5).to_string();
    let raw = |code, text: &str| Answer::raw(code, "application/json", text.to_owned());
    let line = |text: String| Answer::from(Events::new().line(&text).close());
    let cut = &whole[..whole.len() - 9];
    vec![
        ("a secret in place of a list or an event", raw(200, &whole)),
        ("a list cut in the middle of a secret", raw(200, &format!(r#"{{"kind":"SecretList","items":[{cut}"#))),
        ("an item that is not JSON", raw(200, &format!(r#"{{"kind":"SecretList","items":[{whole}x{whole}]}}"#))),
        ("items that are none", raw(200, &format!(r#"{{"kind":"SecretList","items":{whole}}}"#))),
        ("metadata of the wrong kind", raw(200, r#"{"kind":"SecretList","metadata":"hunter2","items":[]}"#)),
        ("a list of another kind", raw(200, r#"{"kind":"hunter2","items":[]}"#)),
        (
            "bytes that are not UTF-8",
            Answer::raw(200, "application/json", b"{\"items\":[{\"hunter2\":\"\xff\"}]}".to_vec()),
        ),
        ("an error with a secret as its body", raw(500, &whole)),
        ("an error with text", Answer::raw(403, "text/plain", "hunter2")),
        ("an event without an end", line(format!(r#"{{"type":"ADDED","object":{cut}"#))),
        ("an event of no known type", line(format!(r#"{{"type":"hunter2","object":{whole}}}"#))),
        ("an error event with a secret", line(format!(r#"{{"type":"ERROR","object":{whole}}}"#))),
        ("an event with a secret beside it", line(format!(r#"{{"type":"ADDED","hunter2":{whole}}}"#))),
        (
            "an object of another kind",
            line(format!(r#"{{"type":"ADDED","object":{}}}"#, whole.replace("Secret", "hunter2"))),
        ),
        (
            "an object without a name",
            line(r#"{"type":"ADDED","object":{"kind":"Secret","data":{"hunter2":"hunter2"}}}"#.to_owned()),
        ),
        ("a name that is no text", line(r#"{"type":"ADDED","object":{"metadata":{"name":{"hunter2":1}}}}"#.to_owned())),
        ("a header that is no number", raw(503, &whole).header("retry-after", "hunter2")),
    ]
}

#[tokio::test(start_paused = true)]
async fn no_answer_that_is_wrong_is_repeated() {
    let log = Log::default();
    let _guard = tracing::subscriber::set_default(log.clone());
    for (what, answer) in spoilt() {
        for streams in [true, false] {
            for first in [true, false] {
                let server = TestServer::new([&SECRETS]);
                let good = Listing::at(10).items([secret("b", 9)]);
                server.script(match (first, streams) {
                    (true, _) => Script::new().otherwise(answer.clone()),
                    (false, true) => {
                        let state = Events::new().added(secret("b", 9)).initial_events_end(10).close();
                        Script::new().watch(1, state).otherwise(answer.clone())
                    }
                    (false, false) => Script::new().list(1, good).otherwise(answer.clone()),
                });
                let errors = Errors::new();
                let informer = builder(&server, &errors)
                    .reflector_options(|options| {
                        options.streaming_list = streams;
                        options.max_object_bytes = 2_000;
                    })
                    .build();
                informer.start(&CancellationToken::new());
                let waited = wait_for_cache_sync_within(Duration::from_secs(120), [&informer]).await;
                tokio::time::sleep(Duration::from_secs(120)).await;
                let mut seen = Seen::default();
                seen.errors(&errors);
                seen.debug(&waited);
                waited.err().iter().for_each(|error| seen.error(error));
                informer.last_error().iter().for_each(|error| seen.error(error));
                assert!(!errors.all().is_empty() || !first, "{what}");
                seen.check(what);
                informer.shutdown().await;
            }
        }
    }
    let log = Seen(log.text());
    assert!(log.0.contains("informer"), "it was captured: {}", log.0);
    log.check("the log");
}

/// What is expected to be otherwise, so that every secret fails somewhere.
#[derive(Debug, Deserialize)]
#[allow(dead_code)] // for its errors only
struct Odd {
    data: std::collections::BTreeMap<String, u32>,
}

#[derive(Debug, Deserialize)]
#[allow(dead_code)] // for its errors only
enum Mode {
    Fast,
}

#[derive(Debug, Deserialize)]
#[allow(dead_code)] // for its errors only
struct OddType {
    r#type: Mode,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)] // for its errors only
struct Closed {
    kind: String,
}

#[tokio::test(start_paused = true)]
async fn no_secret_that_is_read_in_the_wrong_way_is_told() {
    let log = Log::default();
    let _guard = tracing::subscriber::set_default(log.clone());
    let server = TestServer::new([&SECRETS]);
    let mut spoilt = secret("spoilt", 6);
    spoilt["data"] = json!({"hunter2": ["hunter2"]});
    spoilt["metadata"]["annotations"] = json!({"hunter2": ["hunter2"]});
    let first = Events::new().added(secret("a", 5)).added(spoilt.clone()).initial_events_end(10);
    server.script(Script::new().watch(1, first.modified(secret("a", 11)).deleted(spoilt).stall()));
    let (errors, mut seen) = (Errors::new(), Seen::default());
    let informer = builder(&server, &errors).project::<Odd>().decoded::<Secret>().decoded_budget(100).build();
    informer.add_index("odd", IndexFunc::on_object(|_: &OddType| [String::new()])).unwrap();
    informer.add_index("hunted", IndexFunc::on_object(|_: &Closed| [String::new()])).unwrap();
    let told = Arc::new(Mutex::new(Seen::default()));
    let (adds, updates, deletes) = (told.clone(), told.clone(), told.clone());
    let registration = informer
        .add_event_handler(
            informer
                .handler()
                .on_add(move |object, _| adds.lock().unwrap().debug(&(object, object.get().err(), object.key())))
                .on_update(move |old, new| updates.lock().unwrap().debug(&(old, new, new.differs(old, "/data"))))
                .on_delete(move |deleted| {
                    deletes.lock().unwrap().debug(&(deleted, deleted.last_known().annotations().err()));
                }),
        )
        .unwrap();
    informer.add_event_handler(informer.handler().on_add(|object, _| panic!("at {object:?}"))).unwrap();
    informer.start(&CancellationToken::new());
    assert!(registration.synced().await);
    let spoilt = informer.lister().get("red", "spoilt");
    for object in informer.store().list() {
        seen.debug(&object);
        object.get().err().iter().for_each(|error| seen.both(error));
        seen.both(&object.get_as::<Odd>().unwrap_err());
        seen.both(&object.get_as::<OddType>().unwrap_err());
        seen.both(&object.get_as::<Closed>().unwrap_err());
        seen.both(&object.get_as::<u32>().unwrap_err());
        object.annotations().err().iter().for_each(|error| seen.both(error));
        seen.debug(&object.cast::<DynamicObject>());
        seen.both(&Error::from(object.get_as::<Odd>().unwrap_err()));
        assert!(object.raw().contains("hunter2"), "who asks for it gets it");
    }
    let (_, undecoded) = informer.lister().list_decoded(&Selector::everything());
    undecoded.iter().for_each(|error| seen.both(error));
    if let Ok(spoilt) = spoilt {
        assert_eq!(
            spoilt.get_as::<Odd>().unwrap_err().to_string(),
            "red/spoilt does not decode at data: wrong type, expected u32",
            "where, but not under which name"
        );
    }
    let projections = informer.indexer().projections::<Odd>().unwrap();
    projections.errors().for_each(|error| seen.both(error));
    seen.debug(&(&projections, informer.indexer(), informer.lister(), informer.store(), &informer, &registration));
    seen.debug(&(informer.controller(), informer.decode_stats(), informer.lister().by_namespace("red")));
    seen.debug(&informer.indexer().by_index("odd", "hunted"));
    settled().await;
    seen.error(&informer.lister().get("red", "none").unwrap_err());
    assert!(informer.store().get_by_key(&ObjectKey::new("red", "a")).is_some());
    informer.shutdown().await;
    seen.errors(&errors);
    assert!(errors.texts().iter().any(|text| text.contains("the index")), "{:?}", errors.texts());
    assert!(errors.all().iter().any(Error::is_handler_panic));
    seen.check("what was printed");
    told.lock().unwrap().check("a handler");
    Seen(log.text()).check("the log");
}

#[tokio::test(start_paused = true)]
async fn no_transform_that_fails_tells() {
    let log = Log::default();
    let _guard = tracing::subscriber::set_default(log.clone());
    let server = TestServer::new([&SECRETS]);
    server.script(Script::new().watch(1, Events::new().added(secret("a", 5)).initial_events_end(10).stall()));
    let (errors, mut seen) = (Errors::new(), Seen::default());
    let factory = SharedInformerFactory::builder(server.client())
        .on_error(errors.hook())
        .transform(Transform::json("no type", |_| Err("it does not fit")))
        .build()
        .unwrap();
    let secrets = factory.informer_for::<Secret>();
    let stop = CancellationToken::new();
    factory.start(&stop);
    factory.wait_for_cache_sync(&stop).await.unwrap();
    let a = secrets.lister().get("red", "a").unwrap();
    seen.both(&a.get().unwrap_err());
    seen.both(&a.raw());
    seen.debug(&(&factory, &secrets, factory.dynamic(&SECRETS), factory.metadata(&SECRETS)));
    seen.errors(&errors);
    assert_eq!(errors.all().len(), 1);
    seen.check("a failed transform");
    Seen(log.text()).check("the log");
    factory.shutdown().await;
}
