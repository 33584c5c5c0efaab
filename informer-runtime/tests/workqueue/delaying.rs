//! Items for later: when they come, in which order, and what becomes of them at the end.

use crate::support::{ms, poll, secs, take};
use informer_runtime::DelayingQueue;
use std::{pin::pin, task::Poll, time::Duration};
use tokio::time::{Instant, advance};

/// Everything that comes within `within`, with its time in milliseconds from now. Ends the work on each at once.
async fn arrivals<T: Eq + std::hash::Hash + Clone>(queue: &DelayingQueue<T>, within: Duration) -> Vec<(u128, T)> {
    let start = Instant::now();
    let mut seen = Vec::new();
    while let Ok(Some(item)) = tokio::time::timeout_at(start + within, queue.get()).await {
        queue.done(&item);
        seen.push((start.elapsed().as_millis(), item));
    }
    seen
}

// K2: TestSimpleQueue

#[tokio::test(start_paused = true)]
async fn k2_simple_an_item_comes_at_its_time_and_once() {
    let queue = DelayingQueue::new();
    assert!(queue.add_after("a", ms(50)));
    assert_eq!((queue.len(), queue.waiting()), (0, 1));
    advance(ms(49)).await;
    assert!(take(&queue).is_pending());
    advance(ms(1)).await;
    assert_eq!((queue.len(), queue.waiting()), (1, 0));
    assert_eq!(take(&queue), Poll::Ready(Some("a")));
    assert!(queue.done(&"a"));
    assert_eq!(arrivals(&queue, secs(10)).await, []);
}

// K2: TestDeduping

#[tokio::test(start_paused = true)]
async fn k2_deduping_the_earliest_time_counts() {
    let queue = DelayingQueue::new();
    queue.add_after("a", ms(50));
    queue.add_after("a", ms(70)); // later: nothing
    assert_eq!(queue.waiting(), 1);
    assert_eq!(arrivals(&queue, ms(100)).await, [(50, "a")]);
    queue.add_after("a", ms(50));
    queue.add_after("a", ms(30)); // earlier
    queue.add_after("a", ms(40));
    assert_eq!(queue.waiting(), 1);
    assert_eq!(arrivals(&queue, ms(100)).await, [(30, "a")]);
}

// K2: TestAddTwoFireEarly

#[tokio::test(start_paused = true)]
async fn k2_add_two_fire_early_the_one_added_last_comes_first() {
    let queue = DelayingQueue::new();
    let waiter = tokio::spawn({
        let queue = queue.clone();
        async move { arrivals(&queue, secs(5)).await }
    });
    advance(Duration::ZERO).await;
    queue.add_after("slow", secs(1));
    advance(Duration::ZERO).await; // the waiter watches that time now
    queue.add_after("quick", ms(50));
    advance(ms(50)).await;
    queue.add_after("slower", secs(2));
    assert_eq!(waiter.await.unwrap(), [(50, "quick"), (1000, "slow"), (2050, "slower")]);
}

// K2: TestCopyShifting

#[tokio::test(start_paused = true)]
async fn k2_copy_shifting_items_come_in_the_order_of_their_times() {
    let queue = DelayingQueue::new();
    for (item, delay) in [("third", 500), ("second", 300), ("first", 100)] {
        queue.add_after(item, ms(delay));
    }
    advance(secs(1)).await; // all at once
    assert_eq!(queue.len(), 3);
    assert_eq!(arrivals(&queue, secs(1)).await, [(0, "first"), (0, "second"), (0, "third")]);
}

#[tokio::test(start_paused = true)]
async fn items_of_one_time_come_in_the_order_they_were_added() {
    let queue = DelayingQueue::new();
    for item in [5, 1, 4, 2, 3] {
        queue.add_after(item, ms(10));
    }
    advance(ms(5)).await;
    queue.add_after(0, ms(5));
    queue.add_after(5, ms(5)); // the same time again: keeps its turn
    queue.add_after(4, ms(4));
    let order: Vec<_> = arrivals(&queue, secs(1)).await.into_iter().map(|(_, item)| item).collect();
    assert_eq!(order, [4, 5, 1, 2, 3, 0]);
}

#[tokio::test(start_paused = true)]
async fn an_item_that_came_before_an_add_stands_before_it() {
    let queue = DelayingQueue::new();
    queue.add_after("earlier", ms(1));
    advance(ms(2)).await;
    queue.add("later"); // the first call since
    assert_eq!(arrivals(&queue, ms(1)).await, [(0, "earlier"), (0, "later")]);
}

#[test]
fn no_delay_is_an_add_and_needs_no_runtime() {
    let queue = DelayingQueue::new();
    assert!(queue.add_after("a", Duration::ZERO));
    assert_eq!((queue.len(), queue.waiting()), (1, 0));
    assert_eq!(take(&queue), Poll::Ready(Some("a")));
}

#[tokio::test(start_paused = true)]
async fn an_add_leaves_the_later_time_alone() {
    let queue = DelayingQueue::new();
    queue.add_after("a", ms(50));
    queue.add("a");
    queue.add_after("a", Duration::ZERO); // waits already
    assert_eq!(arrivals(&queue, secs(1)).await, [(0, "a"), (50, "a")]);
}

#[tokio::test(start_paused = true)]
async fn an_item_whose_time_comes_during_its_work_comes_back_when_done() {
    let queue = DelayingQueue::new();
    queue.add("a");
    assert_eq!(take(&queue), Poll::Ready(Some("a")));
    queue.add_after("a", ms(10));
    advance(ms(20)).await;
    assert!(take(&queue).is_pending(), "it is in work");
    assert!(queue.done(&"a"));
    assert_eq!(arrivals(&queue, secs(1)).await, [(0, "a")]);
}

#[tokio::test(start_paused = true)]
async fn the_longest_delay_is_thirty_years() {
    let queue = DelayingQueue::new();
    assert!(queue.add_after("a", Duration::MAX));
    assert!(take(&queue).is_pending());
    let year = secs(365 * 24 * 60 * 60);
    advance(29 * year).await;
    assert!(queue.is_empty());
    advance(year).await;
    assert_eq!(queue.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_shut_down_drops_what_waits_for_its_time() {
    for drain in [false, true] {
        let queue = DelayingQueue::new();
        queue.add_after("came", ms(10));
        queue.add_after("waits", ms(1000));
        let workers = [queue.clone(), queue.clone()].map(|queue| tokio::spawn(async move { queue.get().await }));
        tokio::time::sleep(ms(5)).await;
        advance(ms(5)).await;
        if drain {
            let mut drained = pin!(queue.shut_down_with_drain());
            assert!(poll(drained.as_mut()).is_pending(), "one item came");
            tokio::time::sleep(ms(1)).await;
            assert!(queue.done(&"came"));
            assert!(poll(drained.as_mut()).is_ready());
        } else {
            queue.shut_down();
        }
        assert_eq!(queue.waiting(), 0);
        assert!(!queue.add_after("late", ms(1)));
        assert!(!queue.add_after("late", Duration::ZERO));
        let [first, second] = workers;
        let mut seen = [first.await.unwrap(), second.await.unwrap()];
        seen.sort_unstable();
        assert_eq!(seen, [None, Some("came")], "the end comes at once, not after a second");
        assert_eq!(take(&queue), Poll::Ready(None));
    }
}
