//! Code of the user's that takes its time or calls back: it holds up nobody, and finds no lock.

use std::sync::mpsc;
use std::sync::{Arc, Mutex, OnceLock};

use futures::executor::block_on;
use informer_runtime::{CancellationToken, EventHandlerFuncs, IndexFunc, Registration, SharedInformer};
use informer_test_server::TestServer;
use informer_tests::{Recorder, Running, WIDGETS, Widget, settled, sized, widget};

/// An index function may do with its informer what others may, but add an index.
#[tokio::test(start_paused = true)]
async fn an_index_function_may_use_its_informer() {
    let server = TestServer::new([&WIDGETS]);
    server.create(&WIDGETS, widget("red", "a")).unwrap();
    let running = Running::streaming(&server);
    running.synced().await;
    let (own, recorder) = (Arc::new(OnceLock::<SharedInformer<Widget>>::new()), Recorder::new());
    own.set(running.informer.clone()).unwrap();
    let (informer, second, refusals) = (own.clone(), recorder.clone(), Arc::new(Mutex::new(Vec::new())));
    let refused = refusals.clone();
    let function = IndexFunc::on_head(move |object| {
        let informer = informer.get().unwrap();
        let registration = informer.add_event_handler(second.clone()).unwrap();
        if object.resource_version() != "2" {
            registration.close();
        }
        let error = informer.add_index("other", IndexFunc::on_label("app")).unwrap_err();
        refused.lock().unwrap().push(error.to_string());
        [informer.store().len().to_string()]
    });
    running.informer.add_index("size", function).unwrap();
    server.create(&WIDGETS, widget("red", "b")).unwrap();
    running.recorder.until(2).await;
    settled().await;
    assert_eq!(recorder.told(), ["+red/a@2!", "+red/b@3"]);
    assert_eq!(*refusals.lock().unwrap(), ["an index function can't add the index \"other\""; 2]);
    assert!(running.errors.all().is_empty());
    running.informer.add_index("other", IndexFunc::on_label("app")).unwrap();
    running.informer.shutdown().await;
}

/// Adding an index takes as long as its function does; the store, the handlers and those who come do not wait for it,
/// and what happens meanwhile is in it.
#[tokio::test(start_paused = true)]
async fn b29_adding_an_index_holds_up_nobody() {
    let server = TestServer::new([&WIDGETS]);
    for name in ["a", "b", "c"] {
        server.create(&WIDGETS, widget("red", name)).unwrap();
    }
    let running = Running::streaming(&server);
    running.synced().await;
    let (entered, enter) = mpsc::channel();
    let (go, gate) = mpsc::channel::<()>();
    let gate = Mutex::new(gate);
    let function = IndexFunc::on_head(move |object| {
        if object.name() == "b" && object.resource_version() == "3" {
            entered.send(()).unwrap();
            gate.lock().unwrap().recv().unwrap();
        }
        [object.resource_version().to_owned()]
    });
    let informer = running.informer.clone();
    let adding = std::thread::spawn(move || informer.add_index("version", function));
    enter.recv().unwrap();
    // Its function is in the middle of the objects. Life goes on.
    server.apply(&WIDGETS, sized("red", "b", 1)).unwrap(); // 5
    server.delete(&WIDGETS, "red", "c").unwrap(); // 6
    server.create(&WIDGETS, widget("red", "d")).unwrap(); // 7
    running.recorder.until(6).await;
    let late = Recorder::new();
    let registration = running.informer.add_event_handler(late.clone()).unwrap();
    assert!(registration.synced().await);
    assert_eq!(late.told(), ["+red/a@2!", "+red/b@5!", "+red/d@7!"]);
    running.informer.add_index("other", IndexFunc::on_label("app")).unwrap();
    assert!(running.informer.indexer().by_index("version", "2").is_err(), "not before it is complete");
    go.send(()).unwrap();
    adding.join().unwrap().unwrap();
    let indexer = running.informer.indexer();
    assert_eq!(indexer.list_index_func_values("version").unwrap(), ["2", "5", "7"]);
    server.apply(&WIDGETS, sized("red", "a", 1)).unwrap(); // 8
    running.recorder.until(7).await;
    assert_eq!(indexer.list_index_func_values("version").unwrap(), ["5", "7", "8"]);
    assert!(running.errors.all().is_empty());
}

/// Two at once for one name: one of them gets it.
#[tokio::test(start_paused = true)]
async fn of_two_equal_names_one_wins() {
    let server = TestServer::new([&WIDGETS]);
    server.create(&WIDGETS, widget("red", "a")).unwrap();
    let running = Running::streaming(&server);
    running.synced().await;
    let (entered, enter) = mpsc::channel();
    let (go, gate) = mpsc::channel::<()>();
    let gate = Mutex::new(gate);
    let slow = IndexFunc::on_head(move |_| {
        entered.send(()).unwrap();
        gate.lock().unwrap().recv().unwrap();
        ["slow"]
    });
    let informer = running.informer.clone();
    let adding = std::thread::spawn(move || informer.add_index("name", slow));
    enter.recv().unwrap();
    running.informer.add_index("name", IndexFunc::on_head(|_| ["quick"])).unwrap();
    go.send(()).unwrap();
    let error = adding.join().unwrap().unwrap_err();
    assert_eq!(error.to_string(), "there is already an index named \"name\"");
    assert_eq!(running.informer.indexer().list_index_func_values("name").unwrap(), ["quick"]);
}

/// A writer that never rests holds up no index for ever.
#[tokio::test(flavor = "multi_thread", worker_threads = 3)]
async fn an_index_gets_done_beside_a_busy_writer() {
    let server = TestServer::new([&WIDGETS]);
    let running = Running::streaming(&server);
    running.synced().await;
    let writer = {
        let server = server.clone();
        tokio::spawn(async move {
            for change in 0..5_000_u32 {
                server.apply(&WIDGETS, sized("red", &format!("w{:03}", change % 300), change)).unwrap();
                if change % 10 == 0 {
                    tokio::task::yield_now().await;
                }
            }
        })
    };
    for number in 0..20 {
        let informer = running.informer.clone();
        let name = format!("number {number}");
        let add =
            move || informer.add_index(&name, IndexFunc::on_object(|widget: &Widget| [widget.spec.size.to_string()]));
        tokio::task::spawn_blocking(add).await.unwrap().unwrap();
    }
    writer.await.unwrap();
    running.recorder.until(5_000).await;
    let indexer = running.informer.indexer();
    for number in 0..20 {
        let name = format!("number {number}");
        for object in indexer.list() {
            let size = object.get().unwrap().spec.size.to_string();
            assert_eq!(indexer.index_keys(&name, &size).unwrap(), [object.key()]);
        }
        assert_eq!(indexer.list_index_func_values(&name).unwrap().len(), 300);
    }
    running.informer.shutdown().await;
}

/// B19: a handler that waits for its informer's sync, or even for its own.
#[tokio::test(start_paused = true)]
async fn b19_a_handler_may_wait_for_syncs() {
    let server = TestServer::new([&WIDGETS]);
    for number in 0..500 {
        server.create(&WIDGETS, widget("red", &format!("w{number:03}"))).unwrap();
    }
    let informer = SharedInformer::<Widget>::builder(server.client()).build();
    let own = Arc::new(OnceLock::<Registration>::new());
    let (inside, registration, answers) = (informer.clone(), own.clone(), Arc::new(Mutex::new(Vec::new())));
    let given = answers.clone();
    let handler = EventHandlerFuncs::new().on_add(move |_, _| {
        block_on(inside.wait_for_cache_sync(&CancellationToken::new())).unwrap();
        given.lock().unwrap().push(block_on(registration.get().unwrap().synced()));
    });
    let registered = informer.add_event_handler(handler).unwrap();
    own.set(registered.clone()).unwrap();
    informer.start(&CancellationToken::new());
    assert!(registered.synced().await);
    assert_eq!(*answers.lock().unwrap(), vec![false; 500]);
    informer.shutdown().await;
}

/// B23: an object that goes while the first ones are being told.
#[tokio::test(start_paused = true)]
async fn b23_a_deletion_amid_the_first_objects_does_not_disturb_the_sync() {
    let server = TestServer::new([&WIDGETS]);
    for number in 0..200 {
        server.create(&WIDGETS, widget("red", &format!("w{number:03}"))).unwrap();
    }
    let running = Running::streaming(&server);
    running.synced().await;
    let mut events = running.informer.events().unwrap();
    for _ in 0..10 {
        events.next().await.unwrap();
    }
    server.delete(&WIDGETS, "red", "w150").unwrap();
    running.recorder.until(201).await;
    for _ in 10..200 {
        assert!(!events.registration().has_synced());
        events.next().await.unwrap();
    }
    assert!(events.next().await.unwrap().key().is_none(), "the mark");
    assert!(events.registration().has_synced());
    assert_eq!(events.next().await.unwrap().key().unwrap().name(), "w150");
}
