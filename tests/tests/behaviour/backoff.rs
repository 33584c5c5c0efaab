//! Delays after failures: they grow, have a cap, differ between informers, and start anew only after a good time.

use std::time::Duration;

use informer_test_server::{Answer, Events, Listing, Rule, Script, Status, TestServer};
use informer_tests::{Running, WIDGETS, at, settled};

/// The pauses between requests, in milliseconds.
fn pauses(server: &TestServer) -> Vec<u128> {
    let times: Vec<Duration> = server.requests().iter().map(|request| request.at).collect();
    times.windows(2).map(|pair| (pair[1] - pair[0]).as_millis()).collect()
}

fn without_jitter(server: &TestServer) -> Running {
    Running::with(server, |builder| {
        builder.reflector_options(|options| {
            options.streaming_list = false;
            options.backoff.jitter = 0.0;
            // Scripted watches have no bookmarks; questions about that are not what is tested here
            options.watch_silence = None;
        })
    })
}

async fn after(seconds: u64) {
    tokio::time::sleep(Duration::from_secs(seconds)).await;
}

#[tokio::test(start_paused = true)]
async fn b05_r10_refused_connections_are_tried_at_growing_intervals_up_to_a_cap() {
    let server = TestServer::new([&WIDGETS]);
    server.script(Script::new().otherwise(Answer::refused()));
    let running = without_jitter(&server);
    after(200).await;
    assert_eq!(pauses(&server)[..8], [800, 1600, 3200, 6400, 12800, 25600, 30000, 30000]);
    assert!(running.errors.all().iter().all(informer_runtime::Error::is_connection_refused));
    assert_eq!(running.errors.all().len(), server.requests().len());
}

/// W11: an outage, however long, is no good time.
#[tokio::test(start_paused = true)]
async fn b05_a_long_outage_stays_at_the_cap() {
    let server = TestServer::new([&WIDGETS]);
    server.script(Script::new().otherwise(Status::unavailable()));
    let running = without_jitter(&server);
    after(3600).await;
    assert!(pauses(&server)[6..].iter().all(|pause| *pause == 30_000));
    assert!(server.requests().len() < 130, "{}", server.requests().len());
    drop(running);
}

#[tokio::test(start_paused = true)]
async fn b05_only_a_good_time_starts_the_delays_anew() {
    let server = TestServer::new([&WIDGETS]);
    server.script(
        Script::new()
            .list(1..=5, Status::unavailable())
            .list(6, Listing::at(10))
            // Five bad lists, then all is well for a minute only.
            .watch(1, Events::new().wait(Duration::from_secs(60)).expired())
            .list(7, Listing::at(20))
            // Then for three minutes.
            .watch(2, Events::new().wait(Duration::from_secs(180)).expired())
            .list(8, Listing::at(30)),
    );
    let running = without_jitter(&server);
    server.wait_until(|server| server.watches().len() == 3).await;
    let pauses = pauses(&server);
    assert_eq!(pauses[..5], [800, 1600, 3200, 6400, 12800]);
    assert_eq!(pauses[6], 60_000 + 25_600, "a minute is too short");
    assert_eq!(pauses[8], 180_000 + 800);
    drop(running);
}

/// B05 a: spread between informers.
#[tokio::test(start_paused = true)]
async fn b05_no_two_informers_come_back_in_step() {
    let server = TestServer::new([&WIDGETS]);
    server.script(Script::new().otherwise(Status::unavailable()));
    let all: Vec<Running> = (0..20)
        .map(|seed| {
            Running::with(&server, |builder| {
                builder.random_seed(seed).reflector_options(|options| options.streaming_list = false)
            })
        })
        .collect();
    after(60).await;
    let mut times: Vec<Duration> = server.requests().iter().map(|request| request.at).collect();
    times.retain(|time| !time.is_zero());
    let count = times.len();
    times.sort_unstable();
    times.dedup();
    assert!(times.len() > count * 3 / 4, "{} of {count} at a time of their own", times.len());
    drop(all);
}

/// B05 b.
#[tokio::test(start_paused = true)]
async fn b05_watches_that_end_at_once_are_no_storm() {
    let server = TestServer::new([&WIDGETS]);
    server.script(Script::new().rule(Rule::plain_watch().answer(Events::new().close())));
    let running = Running::plain(&server);
    running.synced().await;
    after(600).await;
    assert!(server.watches().len() < 30, "{} in ten minutes", server.watches().len());
    assert_eq!(server.lists().len(), 1);
    // And it is over when it is over.
    server.clear_script();
    after(61).await;
    assert_eq!(server.open_watches(), 1);
}

/// The same with an event in each.
#[tokio::test(start_paused = true)]
async fn b05_watches_that_end_after_one_event_are_no_storm() {
    let server = TestServer::new([&WIDGETS]);
    let mut script = Script::new().list(1, Listing::at(10));
    for number in 0..500 {
        let event = at("red/a", 11 + number);
        script = script.watch(1 + usize::try_from(number).unwrap(), Events::new().modified(event).close());
    }
    server.script(script);
    let running = Running::plain(&server);
    after(600).await;
    assert!(server.watches().len() < 40, "{} in ten minutes", server.watches().len());
    let told = running.recorder.told().len();
    assert_eq!(told, server.watches().len(), "and every one was told");
}

/// B05 c.
#[tokio::test(start_paused = true)]
async fn b05_r9_refused_watches_cause_no_lists() {
    let server = TestServer::new([&WIDGETS]);
    server.script(Script::new().rule(Rule::plain_watch().answer(Status::unavailable())));
    let running = Running::plain(&server);
    running.synced().await;
    after(600).await;
    assert_eq!(server.lists().len(), 1);
    assert!(server.watches().len() < 30, "{}", server.watches().len());
}

/// The same where every round is a good list and a bad watch.
#[tokio::test(start_paused = true)]
async fn b05_lists_that_lead_to_nothing_are_no_storm() {
    let server = TestServer::new([&WIDGETS]);
    server.script(Script::new().rule(Rule::plain_watch().answer(Status::expired())));
    let running = Running::plain(&server);
    running.synced().await;
    after(600).await;
    assert!(server.lists().len() < 30, "{}", server.lists().len());
}

#[tokio::test(start_paused = true)]
async fn b05_r9_the_server_says_how_long_to_wait() {
    let server = TestServer::new([&WIDGETS]);
    server.script(
        Script::new()
            .list(1, Status::too_many_requests(7))
            .list(2, Listing::at(10).items([at("red/a", 5)]))
            .watch(1, Status::too_many_requests(20))
            .watch(2, Events::new().added(at("red/b", 11)).error(&Status::too_many_requests(50)).close())
            .watch(3, Events::new().added(at("red/c", 12))),
    );
    let running = without_jitter(&server);
    running.recorder.until(3).await;
    assert_eq!(pauses(&server), [7_000, 0, 20_000, 50_000]);
    assert_eq!(server.watches()[2].resource_version(), Some("11"), "the same watch, no list");
    assert!(running.errors.all().iter().all(informer_runtime::Error::is_too_many_requests));
    assert_eq!(running.errors.all()[2].retry_after(), Some(Duration::from_secs(50)));
}

#[tokio::test(start_paused = true)]
async fn l5_a_streaming_list_waits_too_and_stays_a_streaming_list() {
    let server = TestServer::new([&WIDGETS]);
    server.script(Script::new().watch(1, Status::too_many_requests(7)).watch(2, Answer::refused()));
    let running = Running::with(&server, |builder| builder.reflector_options(|options| options.backoff.jitter = 0.0));
    running.synced().await;
    assert_eq!(informer_tests::asked(&server), ["stream rv=", "stream rv=", "stream rv="]);
    assert_eq!(pauses(&server), [7_000, 1_600]);
}

#[tokio::test(start_paused = true)]
async fn no_list_takes_the_place_of_a_streaming_list_before_the_server_wants_it() {
    let server = TestServer::new([&WIDGETS]);
    server.script(Script::new().watch(1, Status::unavailable().with_retry_after(7)));
    let running = Running::with(&server, |builder| builder.reflector_options(|options| options.backoff.jitter = 0.0));
    running.synced().await;
    settled().await;
    assert_eq!(informer_tests::asked(&server), ["stream rv=", "list rv=0 limit=500", "watch rv=1"]);
    assert_eq!(pauses(&server), [7_000, 0]);
}

/// W8: every wait ends at once with the informer.
#[tokio::test(start_paused = true)]
async fn no_delay_outlives_the_informer() {
    let server = TestServer::new([&WIDGETS]);
    server.script(Script::new().otherwise(Status::too_many_requests(100_000)));
    let running = Running::streaming(&server);
    settled().await;
    let before = tokio::time::Instant::now();
    running.informer.shutdown().await;
    assert_eq!(before.elapsed(), Duration::ZERO);
}
