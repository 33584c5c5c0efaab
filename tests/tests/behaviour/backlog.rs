//! Handlers that are slow: only they are late, and what waits for them is bounded (B17).

use informer_test_server::{Answer, Events, Listing, Script, TestServer};
use informer_tests::{Running, WIDGETS, at, settled};
use serde_json::json;

/// How many changes are told one by one before they are merged.
const MERGE_ABOVE: u64 = 65_536;

/// A burst that no handler can follow: the store takes hundreds of changes while a handler gets 64 calls.
#[tokio::test(start_paused = true)]
async fn b17_beyond_a_bound_changes_of_one_object_are_merged() {
    let server = TestServer::new([&WIDGETS]);
    let objects = (0..20).map(|number| at(&format!("red/w{number:02}"), 1));
    let line =
        |kind: &str, key: String, version: u64| format!("{}\n", json!({"type": kind, "object": at(&key, version)}));
    let last = MERGE_ABOVE * 3 / 2;
    let mut burst = String::new();
    for version in 11..=last {
        // An object that comes and goes, again and again; and twenty that change.
        burst.push_str(&match version % 22 {
            20 => line("ADDED", String::from("red/passing"), version),
            21 => line("DELETED", String::from("red/passing"), version),
            number => line("MODIFIED", format!("red/w{number:02}"), version),
        });
    }
    let burst = Answer::from(Events::new().bytes(burst)).in_pieces([1 << 20]);
    server.script(Script::new().list(1, Listing::at(10).items(objects)).watch(1, burst));
    let running = Running::plain(&server);
    running.synced().await;
    let mut largest = 0;
    while running.informer.last_sync_resource_version() != last.to_string() || running.registration.backlog() > 0 {
        largest = largest.max(running.registration.backlog());
        tokio::task::yield_now().await;
    }
    settled().await;
    let (told, merged) = (running.recorder.told(), running.registration.merged());
    assert!(largest <= usize::try_from(MERGE_ABOVE).unwrap(), "{largest}");
    assert!(merged > 10_000, "{merged}");
    // Merged or not, each history is whole: every update begins where the last one ended.
    for number in 0..20 {
        let key = format!("red/w{number:02}@");
        let mut version = String::from("1");
        for line in told[20..].iter().filter(|line| line.contains(&key)) {
            let change = line.strip_prefix(&format!("~{key}{version}->"));
            version = change.unwrap_or_else(|| panic!("{line} after {version}")).to_owned();
        }
        let newest = running.informer.lister().get("red", &key[4..7]).unwrap();
        assert_eq!(version, newest.resource_version());
    }
    let mut there = false;
    for line in told.iter().filter(|line| line.contains("passing")) {
        assert_eq!(line.starts_with('+'), !there, "{line}");
        there = !there;
    }
}

/// Below the bound every change is told.
#[tokio::test(start_paused = true)]
async fn b17_below_the_bound_nothing_is_merged() {
    let server = TestServer::new([&WIDGETS]);
    let mut events = Events::new();
    for version in 11..10_011 {
        events = events.modified(at("red/a", version));
    }
    server.script(Script::new().list(1, Listing::at(10).items([at("red/a", 1)])).watch(1, events));
    let running = Running::plain(&server);
    let told = running.recorder.until(10_001).await;
    assert_eq!(told.last().unwrap(), "~red/a@10009->10010");
    settled().await;
    assert_eq!((running.registration.merged(), running.registration.backlog()), (0, 0));
}

/// The objects of the first list are no backlog: they are there anyway.
#[tokio::test(start_paused = true)]
async fn b17_b19_a_first_list_larger_than_the_bound_is_told_whole() {
    let server = TestServer::new([&WIDGETS]);
    let objects = (0..70_000).map(|number| at(&format!("red/w{number:05}"), 1));
    server.script(Script::new().list(1, Listing::at(10).items(objects)));
    let running = Running::plain(&server);
    running.synced().await;
    assert_eq!(running.recorder.told_count(), 70_000);
    assert_eq!(running.registration.merged(), 0);
}
