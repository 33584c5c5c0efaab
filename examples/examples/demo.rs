//! What `cargo xtask demo` compiles and runs: typed informers against an API server on loopback, in eight steps.
//!
//! Every line below a step is what a handler heard or a lister found. The server lives in this process, so that the
//! program can cut its watches and make it forget its history.

#[path = "../demo/lines.rs"]
mod lines;

use informer_runtime::{Deleted, GenericInformer, GroupVersionResource, HandlerOptions, Resource};
use informer_test_server::{Answer, Gate, Script, TestServer};
use lines::{Result, say, step, wait_for};
use serde_json::{Value, json};
use shop_informers::prelude::*;
use shop_informers::shop_example_test::v1::{Widget, Zone};
use std::io::Write;
use std::process::ExitCode;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

#[tokio::main]
async fn main() -> ExitCode {
    lines::end_of(run(&mut std::io::stdout())).await
}

pub(crate) async fn run(out: &mut (impl Write + Send)) -> Result {
    let (widget, zone) = (Resource::of::<Widget>(), Resource::of::<Zone>());
    let server = TestServer::new(shop_informers::RESOURCES);
    let loopback = server.listen().await?;
    for (namespace, name, size) in [("red", "one", "small"), ("red", "two", "large"), ("blue", "one", "medium")] {
        server.create(&widget, widget_json(namespace, name, size))?;
    }
    server.create(&zone, json!({"metadata": {"name": "north"}, "spec": {"region": "hills", "shelves": 12}}))?;

    step(out, 1, "initial adds")?;
    let factory = new_shared_informer_factory(informer_runtime::client(loopback.config())?, Duration::ZERO);
    let widgets = factory.shop_example_test().v1().widgets();
    let (sender, mut seen) = unbounded_channel();
    let registration = widgets.informer().add_event_handler(reporter(sender))?;
    let stop = CancellationToken::new();
    factory.start(&stop);
    for _ in 0..3 {
        wait_for(out, &mut seen, "add").await?;
    }

    step(out, 2, "synced")?;
    factory.wait_for_cache_sync(&stop).await?;
    registration.synced().await;
    let informer = widgets.informer();
    say(out, &format!("cache of {}: {}", informer.resource(), informer.has_synced()))?;
    say(out, &format!("handler: {}", registration.has_synced()))?;

    step(out, 3, "namespaced list")?;
    for widget in widgets.lister().widgets("red").list(&Selector::everything()) {
        say(out, &described(&widget))?;
    }

    step(out, 4, "live add, update, delete")?;
    server.create(&widget, widget_json("red", "three", "small"))?;
    wait_for(out, &mut seen, "add red/three").await?;
    server.apply(&widget, widget_json("red", "three", "medium"))?;
    wait_for(out, &mut seen, "update red/three").await?;
    server.delete(&widget, "red", "three")?;
    wait_for(out, &mut seen, "delete red/three").await?;

    step(out, 5, "watch cut, update after it")?;
    server.cut_watches();
    server.apply(&widget, widget_json("red", "one", "medium"))?;
    wait_for(out, &mut seen, "update red/one").await?;

    step(out, 6, "delete found by relist (final state unknown)")?;
    // while the next watch waits at the gate, an object goes and the server forgets how
    let gate = Gate::new();
    server.script(Script::new().watch(1, Answer::state().held_by(&gate)));
    server.close_watches();
    server.delete(&widget, "red", "two")?;
    server.compact();
    gate.open();
    wait_for(out, &mut seen, "delete red/two").await?;

    step(out, 7, "resync (same version)")?;
    let (sender, mut resyncs) = unbounded_channel();
    let every_second = HandlerOptions::default().name("resync").resync_period(Duration::from_secs(1));
    let resynced = widgets.informer().add_event_handler_with(every_second, reporter(sender))?;
    for _ in widgets.informer().store().list_keys() {
        wait_for(out, &mut resyncs, "update").await?;
    }
    resynced.remove().await;

    step(out, 8, "for_resource")?;
    let zones = factory.for_resource(&GroupVersionResource::gvr("shop.example.test", "v1", "zones"))?;
    let lister = zones.lister(); // from here on the factory has an informer of zones
    factory.start(&stop);
    factory.wait_for_cache_sync(&stop).await?;
    for zone in lister.list(&Selector::everything()) {
        say(out, &format!("{} {}: spec {}", zones.resource().kind(), zone.name(), zone.get()?.data["spec"]))?;
    }

    stop.cancel();
    factory.shutdown().await;
    loopback.stop().await;
    Ok(())
}

/// A handler that sends one line for each thing that it hears.
fn reporter(lines: UnboundedSender<String>) -> WidgetEventHandlerFuncs {
    let (adds, updates, deletes) = (lines.clone(), lines.clone(), lines);
    // nobody listens any more once the demo is over
    WidgetEventHandlerFuncs::new()
        .on_add(move |widget, is_initial| {
            let initial = if is_initial { ", initial" } else { "" };
            let _ = adds.send(format!("add {}{initial}", described(widget)));
        })
        .on_update(move |old, new| {
            let line = if old.resource_version() == new.resource_version() {
                format!("update {}, the same version", described(new))
            } else {
                format!("update {}, was {}", described(new), size(old))
            };
            let _ = updates.send(line);
        })
        .on_delete(move |deleted| {
            let line = match deleted {
                Deleted::Final(object) => format!("delete {}, its final state", described(object)),
                Deleted::FinalStateUnknown(object) => format!("delete {}, the last state known", described(object)),
            };
            let _ = deletes.send(line);
        })
}

/// Key, version and size: the first two from the head, the size from the decoded object.
fn described(widget: &Cached<Widget>) -> String {
    format!("{} at version {}: {}", widget.key(), widget.resource_version(), size(widget))
}

fn size(widget: &Cached<Widget>) -> String {
    match widget.get() {
        Ok(widget) => format!("{:?}", widget.spec.size),
        Err(error) => format!("does not decode: {error}"),
    }
}

fn widget_json(namespace: &str, name: &str, size: &str) -> Value {
    json!({
        "metadata": {"namespace": namespace, "name": name},
        "spec": {"size": size, "color": null, "parts": [{"name": "lid"}]},
    })
}
