//! What `cargo xtask demo --crd FILE` compiles and runs: typed informers of a `Widget` against an API server on
//! loopback, in eight steps. The names here are put in from the CRD, the objects are made from its schema.

mod lines;
mod values;

use informer_runtime::{Deleted, GenericInformer, HandlerOptions, Resource};
use informer_test_server::{Answer, Gate, Script, TestServer};
use lines::{Result, say, step, wait_for};
use serde_json::Value;
use shop_informers::prelude::*;
use shop_informers::shop_example_test::v1 as api;
use std::collections::BTreeMap;
use std::io::Write;
use std::process::ExitCode;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use values::{changed, first_difference, without_metadata};

/// Lines that one object may take.
const TREE: usize = 40;

/// Kinds that the last step looks at.
const KINDS: usize = 20;

/// Objects by resource (`PLURAL.VERSION.GROUP`): three for each, with the same fields and other values.
pub(crate) type Objects = BTreeMap<String, Vec<Value>>;

#[tokio::main]
async fn main() -> ExitCode {
    let file = std::env::args_os().nth(1).unwrap_or_default();
    let demo = async {
        let objects: Objects = serde_json::from_str(&std::fs::read_to_string(file)?)?;
        run(&mut std::io::stdout(), &objects).await
    };
    lines::end_of(demo).await
}

pub(crate) async fn run(out: &mut (impl Write + Send), objects: &Objects) -> Result {
    let resource = Resource::of::<api::Widget>();
    let [first, second, third] = three(objects, &resource)?;
    let at = |namespace: &str, name: &str, object: &Value| placed(&resource, namespace, name, object);
    let server = TestServer::new(shop_informers::RESOURCES);
    let loopback = server.listen().await?;
    for (namespace, name, object) in [("red", "one", first), ("red", "two", second), ("blue", "one", third)] {
        server.create(&resource, at(namespace, name, object))?;
    }
    let key = |namespace: &str, short: &str| {
        let (space, name) = (space(&resource, namespace), name(&resource, namespace, short));
        if space.is_empty() { name } else { format!("{space}/{name}") }
    };

    step(out, 1, "initial adds")?;
    let factory = new_shared_informer_factory(informer_runtime::client(loopback.config())?, Duration::ZERO);
    let kind = factory.shop_example_test().v1().widgets();
    let (sender, mut seen) = unbounded_channel();
    let registration = kind.informer().add_event_handler(reporter(sender))?;
    let stop = CancellationToken::new();
    factory.start(&stop);
    for _ in 0..3 {
        wait_for(out, &mut seen, "add").await?;
    }

    step(out, 2, "synced")?;
    factory.wait_for_cache_sync(&stop).await?;
    registration.synced().await;
    let informer = kind.informer();
    say(out, &format!("cache of {}: {}", informer.resource(), informer.has_synced()))?;
    say(out, &format!("handler: {}", registration.has_synced()))?;

    let everything = Selector::everything();
    let listed = if resource.is_namespaced() {
        step(out, 3, "namespaced list")?;
        kind.lister().by_namespace("red").list(&everything)
    } else {
        step(out, 3, "list (the kind has no namespaces)")?;
        kind.lister().list(&everything)
    };
    for object in &listed {
        say(out, &described(object))?;
    }
    let object = listed.first().ok_or("the lister has nothing")?;
    say(out, &format!("{} decoded to shop_informers::shop_example_test::v1::Widget, and that as JSON:", object.key()))?;
    let typed: Value = serde_json::to_value(&*object.get()?)?;
    tree(out, &without_metadata(&typed))?;
    let raw: Value = serde_json::from_str(&object.raw())?;
    let same = first_difference(&without_metadata(&raw), &without_metadata(&typed));
    say(out, &same.map_or("which is what the server sent".to_owned(), |difference| format!("differs: {difference}")))?;

    step(out, 4, "live add, update, delete")?;
    server.create(&resource, at("red", "three", first))?;
    wait_for(out, &mut seen, &format!("add {}", key("red", "three"))).await?;
    server.apply(&resource, at("red", "three", &changed(first, second)))?;
    wait_for(out, &mut seen, &format!("update {}", key("red", "three"))).await?;
    server.delete(&resource, space(&resource, "red"), &name(&resource, "red", "three"))?;
    wait_for(out, &mut seen, &format!("delete {}", key("red", "three"))).await?;

    step(out, 5, "watch cut, update after it")?;
    server.cut_watches();
    server.apply(&resource, at("red", "one", &changed(first, third)))?;
    wait_for(out, &mut seen, &format!("update {}", key("red", "one"))).await?;

    step(out, 6, "delete found by relist (final state unknown)")?;
    // while the next watch waits at the gate, an object goes and the server forgets how
    let gate = Gate::new();
    server.script(Script::new().watch(1, Answer::state().held_by(&gate)));
    server.close_watches();
    server.delete(&resource, space(&resource, "red"), &name(&resource, "red", "two"))?;
    server.compact();
    gate.open();
    wait_for(out, &mut seen, &format!("delete {}", key("red", "two"))).await?;

    step(out, 7, "resync (same version)")?;
    let (sender, mut resyncs) = unbounded_channel();
    let every_second = HandlerOptions::default().name("resync").resync_period(Duration::from_secs(1));
    let resynced = kind.informer().add_event_handler_with(every_second, reporter(sender))?;
    for _ in kind.informer().store().list_keys() {
        wait_for(out, &mut resyncs, "update").await?;
    }
    resynced.remove().await;

    step(out, 8, "for_resource")?;
    let others: Vec<&Resource> = shop_informers::RESOURCES.iter().filter(|other| **other != resource).collect();
    for other in &others {
        let [object, ..] = three(objects, other)?;
        server.create(other, placed(other, "red", "one", object))?;
    }
    let shown = [&resource].into_iter().chain(others.iter().copied()).take(KINDS);
    let informers = shown.map(|shown| factory.for_resource(&shown.group_version_resource()));
    let informers = informers.collect::<std::result::Result<Vec<_>, _>>()?;
    let listers: Vec<_> = informers.iter().map(GenericInformer::lister).collect();
    factory.start(&stop); // the factory has informers of them from the listers on
    factory.wait_for_cache_sync(&stop).await?;
    for (informer, lister) in informers.iter().zip(&listers) {
        let found = lister.list(&everything);
        let keys: Vec<String> = found.iter().map(|object| object.key().to_string()).collect();
        say(out, &format!("{}: {}", informer.resource(), keys.join(", ")))?;
    }
    match (1 + others.len()).saturating_sub(KINDS) {
        0 => {}
        more => say(out, &format!("… and {more} more"))?,
    }

    stop.cancel();
    factory.shutdown().await;
    loopback.stop().await;
    Ok(())
}

/// A handler that sends one line for each thing that it hears.
fn reporter(lines: UnboundedSender<String>) -> api::WidgetEventHandlerFuncs {
    let (adds, updates, deletes) = (lines.clone(), lines.clone(), lines);
    // nobody listens any more once the demo is over
    api::WidgetEventHandlerFuncs::new()
        .on_add(move |object, is_initial| {
            let initial = if is_initial { ", initial" } else { "" };
            let _ = adds.send(format!("add {}{initial}", described(object)));
        })
        .on_update(move |old, new| {
            let what = match difference_of(old, new) {
                _ if old.resource_version() == new.resource_version() => "the same version".to_owned(),
                Ok(difference) => difference.unwrap_or_else(|| format!("labels {:?}", new.labels())),
                Err(error) => format!("does not decode: {error}"),
            };
            let _ = updates.send(format!("update {}, {what}", described(new)));
        })
        .on_delete(move |deleted| {
            let line = match deleted {
                Deleted::Final(object) => format!("delete {}, its final state", described(object)),
                Deleted::FinalStateUnknown(object) => format!("delete {}, the last state known", described(object)),
            };
            let _ = deletes.send(line);
        })
}

/// Key and version.
fn described(object: &Cached<api::Widget>) -> String {
    format!("{} at version {}", object.key(), object.resource_version())
}

/// What two decoded objects differ in.
fn difference_of(old: &Cached<api::Widget>, new: &Cached<api::Widget>) -> Result<Option<String>> {
    let [old, new] = [serde_json::to_value(&*old.get()?)?, serde_json::to_value(&*new.get()?)?];
    Ok(first_difference(&without_metadata(&old), &without_metadata(&new)))
}

/// The objects that were made for a resource.
fn three<'a>(objects: &'a Objects, resource: &Resource) -> Result<[&'a Value; 3]> {
    let found = objects.get(&resource.to_string()).map(Vec::as_slice);
    let Some([first, second, third]) = found else { return Err(format!("no three objects of {resource}").into()) };
    Ok([first, second, third])
}

/// The object with a name of its own; without namespaces the name tells them.
fn placed(resource: &Resource, namespace: &str, short: &str, object: &Value) -> Value {
    let mut object = object.clone();
    object["metadata"]["name"] = name(resource, namespace, short).into();
    if resource.is_namespaced() {
        object["metadata"]["namespace"] = namespace.into();
    }
    object
}

fn name(resource: &Resource, namespace: &str, short: &str) -> String {
    if resource.is_namespaced() { short.to_owned() } else { format!("{namespace}-{short}") }
}

fn space<'a>(resource: &Resource, namespace: &'a str) -> &'a str {
    if resource.is_namespaced() { namespace } else { "" }
}

/// Prints an object as JSON, as far as it is not too long.
fn tree(out: &mut impl Write, object: &Value) -> Result {
    let text = serde_json::to_string_pretty(object)?;
    for line in text.lines().take(TREE) {
        say(out, &format!("  {line}"))?;
    }
    match text.lines().count().saturating_sub(TREE) {
        0 => Ok(()),
        more => say(out, &format!("  … and {more} more lines")),
    }
}
