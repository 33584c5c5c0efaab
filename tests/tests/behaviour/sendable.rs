//! Every future and every handle can go to another thread.

use informer_runtime::{
    Cached, CancellationToken, Event, Events, HandlerOptions, Registration, SharedInformer, SharedInformerFactory,
    WorkQueue, default_controller_rate_limiter, wait_for_cache_sync, wait_for_cache_sync_within,
};
use informer_test_server::TestServer;
use informer_tests::{Recorder, WIDGETS, Widget};
use std::time::Duration;

fn sendable<T: Send>(value: T) -> T {
    value
}

fn shared<T: Send + Sync + 'static>() {}

#[test]
fn handles_are_send_and_sync() {
    shared::<Registration>();
    shared::<SharedInformer<Widget>>();
    shared::<SharedInformerFactory>();
    shared::<Cached<Widget>>();
    shared::<Event<Widget>>();
    shared::<Events<Widget>>();
    // Even of what is neither: the type is a view only.
    shared::<SharedInformer<std::rc::Rc<()>>>();
    shared::<Events<std::rc::Rc<()>>>();
}

#[tokio::test(start_paused = true)]
async fn futures_are_send() {
    let server = TestServer::new([&WIDGETS]);
    let factory = SharedInformerFactory::new(server.client(), Duration::ZERO);
    let informer = factory.informer_for::<Widget>();
    let registration = informer.add_event_handler(Recorder::new()).unwrap();
    let mut events = informer.events_with(HandlerOptions::new().coalesced()).unwrap();
    let stop = CancellationToken::new();
    factory.start(&stop);
    sendable(informer.wait_for_cache_sync(&stop)).await.unwrap();
    sendable(factory.wait_for_cache_sync(&stop)).await.unwrap();
    sendable(wait_for_cache_sync(&stop, [&informer])).await.unwrap();
    sendable(wait_for_cache_sync_within(Duration::from_secs(1), [&informer])).await.unwrap();
    assert!(sendable(registration.synced()).await);
    assert!(matches!(sendable(events.next()).await, Some(Event::Synced)));
    let queue = WorkQueue::new();
    queue.add(1);
    assert!(sendable(queue.get()).await.is_some());
    drop(sendable(default_controller_rate_limiter::<String>()));
    assert!(sendable(registration.drain()).await);
    sendable(registration.remove()).await;
    drop(sendable(informer.run(stop.clone())));
    sendable(informer.shutdown()).await;
    sendable(factory.shutdown()).await;
}
