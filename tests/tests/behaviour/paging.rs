//! Lists in pages.

use informer_test_server::{Events, Listing, Rule, Script, Status, TestServer};
use informer_tests::{Running, WIDGETS, asked, at, settled, widget};

fn scripted(script: Script) -> TestServer {
    let server = TestServer::new([&WIDGETS]);
    server.script(script);
    server
}

fn paged(server: &TestServer, size: u32) -> Running {
    Running::with(server, |builder| {
        builder.reflector_options(|options| {
            options.streaming_list = false;
            options.page_size = Some(size);
        })
    })
}

/// B10, with an empty page in the middle. A request with a token has no version.
#[tokio::test(start_paused = true)]
async fn b10_k3_every_page_is_read_before_anything_counts() {
    let server = scripted(
        Script::new()
            .list(1, Listing::at(10).items([at("red/a", 1), at("red/b", 2)]).continue_token("k1").remaining(3))
            .list(2, Listing::at(10).items([at("red/c", 3), at("red/d", 4)]).continue_token("k2"))
            .list(3, Listing::at(10).continue_token("k3"))
            .list(4, Listing::at(10).items([at("red/e", 5)]))
            .watch(1, Events::new().added(at("red/f", 11))),
    );
    let running = paged(&server, 2);
    running.synced().await;
    assert!(running.recorder.told()[..5].iter().all(|line| line.ends_with('!')));
    assert_eq!(running.recorder.until(6).await[5], "+red/f@11");
    let expected = [
        "list rv=0 limit=2",
        "list continue=k1 limit=2",
        "list continue=k2 limit=2",
        "list continue=k3 limit=2",
        "watch rv=10",
    ];
    assert_eq!(asked(&server), expected);
}

/// B11: the token is too old. All at once, from the version asked for first; nothing of the pages counts.
#[tokio::test(start_paused = true)]
async fn b11_r4_an_expired_token_leads_to_one_whole_list() {
    let server = scripted(
        Script::new()
            .list(1, Listing::at(10).items([at("red/a", 1), at("red/b", 2)]).continue_token("k1"))
            .list(2, Status::expired().with_continue("k9"))
            .list(3, Listing::at(30).items([at("red/a", 1), at("red/c", 25)])),
    );
    let running = paged(&server, 2);
    running.synced().await;
    settled().await;
    assert_eq!(asked(&server), ["list rv=0 limit=2", "list continue=k1 limit=2", "list rv=0", "watch rv=30"]);
    assert_eq!(running.recorder.told(), ["+red/a@1!", "+red/c@25!"]);
    assert!(running.errors.all()[0].is_expired());
}

#[tokio::test(start_paused = true)]
async fn b11_r4_k3_an_expired_token_of_a_relist_lists_from_the_known_version() {
    let server = scripted(
        Script::new()
            .list(1, Listing::at(10).items([at("red/a", 1)]))
            .watch(1, Events::new().expired().close())
            .list(2, Listing::at(20).items([at("red/a", 1)]).continue_token("k1"))
            .list(3, Status::expired())
            .list(4, Listing::at(30).items([at("red/b", 25)])),
    );
    let running = paged(&server, 2);
    running.recorder.until(3).await;
    settled().await;
    let expected = [
        "list rv=0 limit=2",
        "watch rv=10",
        "list rv=10 limit=2",
        "list continue=k1 limit=2",
        "list rv=10",
        "watch rv=30",
    ];
    assert_eq!(asked(&server), expected);
    assert_eq!(running.recorder.told(), ["+red/a@1!", "-red/a@1?", "+red/b@25"]);
}

/// A server without a watch cache pages the first list though it need not: later lists are paged as well.
#[tokio::test(start_paused = true)]
async fn r8_a_server_that_pages_by_itself_is_asked_for_pages_again() {
    let server = scripted(
        Script::new()
            .list(1, Listing::at(10).items([at("red/a", 1)]).continue_token("k1"))
            .list(2, Listing::at(10).items([at("red/b", 2)]))
            .watch(1, Events::new().expired().close())
            .list(3, Listing::at(20).items([at("red/a", 1), at("red/b", 2)])),
    );
    let running = Running::plain(&server);
    running.synced().await;
    server.wait_until(|server| server.watches().len() == 2).await;
    let expected =
        ["list rv=0 limit=500", "list continue=k1 limit=500", "watch rv=10", "list rv=10 limit=500", "watch rv=20"];
    assert_eq!(asked(&server), expected);
}

/// Against the server's own pages.
#[tokio::test(start_paused = true)]
async fn b10_many_objects_in_small_pages() {
    let server = TestServer::new([&WIDGETS]);
    for number in 0..1234 {
        server.create(&WIDGETS, widget("red", &format!("w{number:04}"))).unwrap();
    }
    // This server does not page what it answers from its cache: it has none for the first list.
    let any = |request: &informer_test_server::RequestRecord| request.resource_version() == Some("0");
    server.script(Script::new().rule(Rule::list().when(any).nth(1).answer(Status::expired())));
    let running = paged(&server, 100);
    running.synced().await;
    assert_eq!(running.cache().len(), 1234);
    assert_eq!(server.lists().len(), 14);
    server.delete(&WIDGETS, "red", "w0000").unwrap();
    running.recorder.until(1235).await;
}

/// A page that fails for another reason: from the beginning, after a delay.
#[tokio::test(start_paused = true)]
async fn a_page_that_fails_starts_the_list_anew() {
    let server = scripted(
        Script::new()
            .list(1, Listing::at(10).items([at("red/a", 1)]).continue_token("k1"))
            .list(2, Status::unavailable())
            .list(3, Listing::at(12).items([at("red/b", 11)])),
    );
    let running = paged(&server, 1);
    running.synced().await;
    assert_eq!(running.recorder.told(), ["+red/b@11!"]);
    assert_eq!(asked(&server)[..3], ["list rv=0 limit=1", "list continue=k1 limit=1", "list rv=0 limit=1"]);
    let lists = server.lists();
    assert!(lists[2].at > lists[1].at);
}

/// A relist too comes in pages of the configured size, though it asks for a version.
#[tokio::test(start_paused = true)]
async fn r6_a_page_size_counts_for_relists() {
    let server = scripted(
        Script::new()
            .list(1, Listing::at(10).items([at("red/a", 1)]))
            .watch(1, Events::new().expired().close())
            .list(2, Listing::at(20).items([at("red/a", 1), at("red/b", 12)]).continue_token("k1"))
            .list(3, Listing::at(20).items([at("red/c", 13), at("red/d", 14)]).continue_token("k2"))
            .list(4, Listing::at(20).items([at("red/e", 15)])),
    );
    let running = paged(&server, 2);
    running.recorder.until(5).await;
    settled().await;
    let expected = ["list rv=10 limit=2", "list continue=k1 limit=2", "list continue=k2 limit=2", "watch rv=20"];
    assert_eq!(asked(&server)[2..], expected);
    assert_eq!(running.cache().len(), 5);
}
