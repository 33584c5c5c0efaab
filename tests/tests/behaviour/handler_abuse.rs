//! A hundred tasks that add and remove handlers of all modes while ten thousand events flow, on real threads.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use informer_runtime::{
    Cached, CancellationToken, Deleted, Event, EventHandler, HandlerOptions, IndexFunc, SharedInformer,
};
use informer_test_server::TestServer;
use informer_tests::{WIDGETS, Widget, sized};

/// Keeps a map from its calls, and checks that they are a legal history.
#[derive(Clone, Default)]
struct Mirror {
    objects: Arc<Mutex<BTreeMap<String, (String, String)>>>,
    closed: Arc<AtomicBool>,
}

fn state(object: &Cached<Widget>) -> (String, String) {
    (object.uid().to_string(), object.resource_version().to_owned())
}

impl Mirror {
    fn open(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, (String, String)>> {
        assert!(!self.closed.load(Ordering::SeqCst), "a call after the removal");
        self.objects.lock().unwrap()
    }
}

impl EventHandler<Widget> for Mirror {
    fn on_add(&self, object: &Cached<Widget>, _: bool) {
        assert_eq!(self.open().insert(object.key().to_string(), state(object)), None);
    }

    fn on_update(&self, old: &Cached<Widget>, new: &Cached<Widget>) {
        assert_eq!(self.open().insert(new.key().to_string(), state(new)), Some(state(old)));
    }

    fn on_delete(&self, deleted: &Deleted<Widget>) {
        assert!(self.open().remove(&deleted.key().to_string()).is_some());
    }
}

fn tell(mirror: &Mirror, event: &Event<Widget>) {
    match event {
        Event::Added { object, is_initial } => mirror.on_add(object, *is_initial),
        Event::Updated { old, new } => mirror.on_update(old, new),
        Event::Deleted(deleted) => mirror.on_delete(deleted),
        Event::Synced => {}
    }
}

fn options(number: usize) -> HandlerOptions {
    match number % 3 {
        0 => HandlerOptions::new(),
        1 => HandlerOptions::new().coalesced(),
        _ => HandlerOptions::new().bounded(100),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn s7_handlers_of_all_modes_come_and_go_under_load() {
    let server = TestServer::new([&WIDGETS]);
    let informer = SharedInformer::<Widget>::builder(server.client()).build();
    let panics = Arc::new(Mutex::new(Vec::new()));
    informer.start(&CancellationToken::new());
    let stays = Mirror::default();
    let stays_on = informer.add_event_handler(stays.clone()).unwrap();
    let done = Arc::new(AtomicBool::new(false));
    let abusers: Vec<_> = (0..100_usize)
        .map(|number| {
            let (informer, done, panics) = (informer.clone(), done.clone(), panics.clone());
            tokio::spawn(async move {
                let mut round = number;
                while !done.load(Ordering::Relaxed) {
                    let mirror = Mirror::default();
                    if round % 5 == 4 {
                        let mut events = informer.events_with(options(round)).unwrap();
                        for _ in 0..50 {
                            let next = tokio::time::timeout(Duration::from_millis(10), events.next()).await;
                            let Ok(Some(event)) = next else { break };
                            tell(&mirror, &event);
                        }
                    } else {
                        let registration = informer.add_event_handler_with(options(round), mirror.clone()).unwrap();
                        tokio::task::yield_now().await;
                        match round % 4 {
                            0 => registration.remove().await,
                            1 => assert!(registration.drain().await),
                            2 => {
                                registration.close();
                                registration.remove().await;
                            }
                            _ => tokio::join!(registration.remove(), registration.remove()).0,
                        }
                        mirror.closed.store(true, Ordering::SeqCst);
                        if registration.panics() > 0 {
                            panics.lock().unwrap().push(round);
                        }
                    }
                    round += 1;
                    tokio::time::sleep(Duration::from_millis(1)).await;
                }
                round - number
            })
        })
        .collect();
    for change in 0..10_000_u32 {
        let name = format!("w{:03}", (change * 7919) % 200);
        match change % 5 {
            4 => drop(server.delete(&WIDGETS, "red", &name)),
            _ => drop(server.apply(&WIDGETS, sized("red", &name, change)).unwrap()),
        }
        if change % 2_000 == 1_999 {
            informer.add_index(&format!("at {change}"), IndexFunc::on_label("app")).unwrap();
        }
        if change % 20 == 0 {
            tokio::task::yield_now().await;
        }
    }
    let last = server.resource_version().to_string();
    let mut looks = 0;
    while informer.last_sync_resource_version() != last || stays_on.backlog() > 0 {
        looks += 1;
        assert!(looks < 6_000, "stuck at {}", informer.last_sync_resource_version());
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    done.store(true, Ordering::Relaxed);
    for abuser in abusers {
        assert!(abuser.await.unwrap() > 0);
    }
    assert!(stays_on.drain().await);
    assert_eq!(stays_on.panics(), 0);
    assert_eq!(*panics.lock().unwrap(), Vec::<usize>::new());
    let cache: BTreeMap<_, _> =
        informer.store().list().iter().map(|object| (object.key().to_string(), state(object))).collect();
    assert_eq!(*stays.objects.lock().unwrap(), cache);
    for index in ["at 1999", "at 3999", "at 5999", "at 7999", "at 9999"] {
        let filed: usize = informer
            .indexer()
            .list_index_func_values(index)
            .unwrap()
            .iter()
            .map(|value| informer.indexer().index_keys(index, value).unwrap().len())
            .sum();
        assert_eq!(filed, cache.len(), "{index}");
    }
    informer.shutdown().await;
    assert_eq!(server.open_watches(), 0);
}

/// Handlers that are added while the informer starts, on other threads.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn s8_handlers_may_come_while_the_informer_starts() {
    let server = TestServer::new([&WIDGETS]);
    for number in 0..10 {
        server.apply(&WIDGETS, sized("red", &format!("w{number}"), 1)).unwrap();
    }
    for _ in 0..100 {
        let informer = SharedInformer::<Widget>::builder(server.client()).build();
        let adding: Vec<_> = (0..4_usize)
            .map(|number| {
                let informer = informer.clone();
                tokio::spawn(async move {
                    let mirror = Mirror::default();
                    let registration = informer.add_event_handler_with(options(number), mirror.clone()).unwrap();
                    informer.add_index(&number.to_string(), IndexFunc::on_label("app")).unwrap();
                    let synced = tokio::time::timeout(Duration::from_secs(60), registration.synced()).await;
                    assert_eq!(synced, Ok(true));
                    assert_eq!((mirror.open().len(), registration.panics()), (10, 0));
                })
            })
            .collect();
        informer.start(&CancellationToken::new());
        informer.start(&CancellationToken::new());
        for one in adding {
            one.await.unwrap();
        }
        assert_eq!(informer.indexer().list_index_func_values("3").unwrap().len(), 10);
        informer.shutdown().await;
    }
}
