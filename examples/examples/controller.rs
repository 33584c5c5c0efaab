//! A controller: handlers put keys on a work queue, workers look the object up and make the world match it.
//!
//! What matters to a worker is not what happened but what is there now; so a key that changed ten times is worked on
//! once, and a key whose object is gone is worked on too. What fails is tried again, after a delay that grows.

use informer_examples::{Cluster, Result, widget};
use informer_runtime::{ObjectKey, RateLimitingQueue, WorkQueue};
use kube::api::{Api, DeleteParams};
use shop_informers::prelude::*;
use shop_informers::shop_example_test::v1::{Widget, WidgetLister};
use tokio::sync::mpsc;

#[tokio::main]
async fn main() -> Result {
    run(&Cluster::start().await?).await
}

pub(crate) async fn run(cluster: &Cluster) -> Result {
    cluster.create(&widget("red", "one", "small")).await?;
    cluster.create(&widget("red", "two", "large")).await?;

    let factory = new_shared_informer_factory(cluster.client(), Duration::ZERO);
    let widgets = factory.shop_example_test().v1().widgets();
    let queue = RateLimitingQueue::default();
    widgets.informer().add_event_handler(enqueue(&queue))?;
    let lister = widgets.lister();

    let stop = CancellationToken::new();
    factory.start(&stop);
    // no worker before the cache is complete: it would take what is not there yet for deleted
    factory.wait_for_cache_sync(&stop).await?;
    let (reports, mut reported) = mpsc::unbounded_channel();
    let workers: Vec<_> = (0..2).map(|_| tokio::spawn(work(queue.clone(), lister.clone(), reports.clone()))).collect();

    for _ in 0..2 {
        println!("{}", reported.recv().await.ok_or("the workers ended early")?);
    }
    let red = Api::<Widget>::namespaced(cluster.client(), "red");
    red.delete("two", &DeleteParams::default()).await?;
    println!("{}", reported.recv().await.ok_or("the workers ended early")?);

    // first nothing new, then let the workers finish, then the rest
    queue.shut_down_with_drain().await;
    for worker in workers {
        worker.await?;
    }
    stop.cancel();
    factory.shutdown().await;
    Ok(())
}

/// A handler that only notes which key to look at.
fn enqueue(queue: &WorkQueue<ObjectKey>) -> WidgetEventHandlerFuncs {
    let (added, updated, deleted) = (queue.clone(), queue.clone(), queue.clone());
    WidgetEventHandlerFuncs::new()
        .on_add(move |widget, _is_initial| {
            added.add(widget.key());
        })
        .on_update(move |_old, new| {
            updated.add(new.key());
        })
        .on_delete(move |gone| {
            deleted.add(gone.key());
        })
}

/// One worker: takes keys until the queue is shut down.
async fn work(queue: RateLimitingQueue<ObjectKey>, lister: WidgetLister, reports: mpsc::UnboundedSender<String>) {
    while let Some(key) = queue.next().await {
        let report = match reconcile(&key, &lister) {
            Ok(report) => {
                queue.forget(&key); // its next failure is the first
                report
            }
            Err(error) => {
                queue.add_rate_limited(key.clone()); // refused during a shut-down
                format!("{key}: {error}")
            }
        };
        // the receiver may be gone during a shut-down
        let _ = reports.send(report);
    } // `key` ends here, and with it the work on it
}

/// Makes the world match the object; here the world is a line of text.
fn reconcile(key: &ObjectKey, lister: &WidgetLister) -> Result<String> {
    let Ok(widget) = lister.widgets(key.namespace()).get(key.name()) else {
        return Ok(format!("{key}: gone"));
    };
    Ok(format!("{key}: {} parts", widget.get()?.spec.parts.len()))
}
