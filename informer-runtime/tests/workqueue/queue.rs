//! The plain queue: client-go's rules (rows K1 of its test suite), drains that wait for everything, stray ends of work.

use crate::support::{poll, take};
use informer_runtime::WorkQueue;
use std::{
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::Poll,
    time::Duration,
};
use tokio::{task::JoinSet, time::sleep};

// K1: TestBasic, TestAddWhileProcessing

#[tokio::test(start_paused = true)]
async fn k1_basic_add_while_processing_no_item_is_in_two_hands() {
    const KEYS: usize = 50;
    let queue = WorkQueue::new();
    let in_hand: Arc<[AtomicUsize; KEYS]> = Arc::new(std::array::from_fn(|_| AtomicUsize::new(0)));
    let worked: Arc<[AtomicUsize; KEYS]> = Arc::new(std::array::from_fn(|_| AtomicUsize::new(0)));
    let again = Arc::new(AtomicUsize::new(0));
    let mut producers = JoinSet::new();
    for _ in 0..10 {
        let queue = queue.clone();
        producers.spawn(async move {
            for key in 0..KEYS {
                assert!(queue.add(key));
                sleep(Duration::from_millis(1)).await;
            }
        });
    }
    let mut workers = JoinSet::new();
    for _ in 0..10 {
        let (queue, in_hand, worked, again) =
            (queue.clone(), Arc::clone(&in_hand), Arc::clone(&worked), Arc::clone(&again));
        workers.spawn(async move {
            while let Some(key) = queue.get().await {
                assert_eq!(in_hand[key].fetch_add(1, Ordering::SeqCst), 0, "{key} has one worker");
                sleep(Duration::from_millis(3)).await;
                let times = worked[key].fetch_add(1, Ordering::SeqCst) + 1;
                if times == 1 && queue.add(key) {
                    again.fetch_add(1, Ordering::SeqCst); // added during its work: comes back
                }
                in_hand[key].fetch_sub(1, Ordering::SeqCst);
                assert!(queue.done(&key));
            }
        });
    }
    producers.join_all().await;
    queue.shut_down_with_drain().await;
    workers.join_all().await;
    assert!(!queue.add(KEYS - 1), "refused after the shut-down");
    let twice = worked.iter().filter(|times| times.load(Ordering::SeqCst) >= 2).count();
    assert!(worked.iter().all(|times| times.load(Ordering::SeqCst) >= 1));
    assert!(twice > 0 && twice >= again.load(Ordering::SeqCst));
    assert_eq!(queue.len(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn k1_no_item_is_lost_between_threads() {
    let queue = WorkQueue::new();
    let mut workers = JoinSet::new();
    for _ in 0..4 {
        let queue = queue.clone();
        workers.spawn(async move {
            let mut seen = 0;
            while queue.next().await.is_some() {
                seen += 1;
            }
            seen
        });
    }
    for key in 0..10_000 {
        queue.add(key);
    }
    queue.shut_down_with_drain().await;
    assert_eq!(workers.join_all().await.into_iter().sum::<i32>(), 10_000);
}

// K1: TestLen, TestCollapseWhileProcessing, TestReinsert

#[test]
fn k1_len_adds_collapse_and_order_is_kept() {
    let queue = WorkQueue::new();
    for key in ["a", "b", "a", "c", "b"] {
        assert!(queue.add(key));
    }
    assert_eq!(queue.len(), 3);
    for key in ["a", "b", "c"] {
        assert_eq!(take(&queue), Poll::Ready(Some(key)));
    }
    assert!(take(&queue).is_pending());
    assert!(queue.is_empty());
}

#[test]
fn k1_collapse_while_processing_reinsert_an_item_comes_back_once_when_done() {
    let queue = WorkQueue::new();
    queue.add("a");
    assert_eq!(take(&queue), Poll::Ready(Some("a")));
    for _ in 0..3 {
        queue.add("a");
    }
    assert_eq!(queue.len(), 0);
    assert!(take(&queue).is_pending(), "another worker must not have it");
    queue.add("b");
    assert!(queue.done(&"a"));
    assert_eq!(take(&queue), Poll::Ready(Some("b")), "it comes back at the end");
    assert_eq!(take(&queue), Poll::Ready(Some("a")));
    assert!(queue.done(&"a"));
    assert!(queue.done(&"b"));
    assert!(take(&queue).is_pending());
    queue.add("a");
    assert_eq!(take(&queue), Poll::Ready(Some("a")), "a finished item can be added again");
}

// K1: TestGarbageCollection

#[test]
fn k1_garbage_collection_a_finished_item_is_freed() {
    let queue = WorkQueue::new();
    let item = Arc::new("a");
    let alive = Arc::downgrade(&item);
    queue.add(item);
    let Poll::Ready(Some(item)) = take(&queue) else { panic!("it was added") };
    assert!(queue.done(&item));
    drop(item);
    assert_eq!(alive.strong_count(), 0);
}

// K1: TestQueueDrainageUsingShutDownWithDrain and its three siblings; B30

#[test]
fn k1_b30_a_drain_waits_for_queued_items_and_for_those_in_work() {
    let queue = WorkQueue::new();
    for key in 1..=5 {
        queue.add(key);
    }
    assert_eq!(take(&queue), Poll::Ready(Some(1)));
    let mut drains = [Box::pin(queue.shut_down_with_drain()), Box::pin(queue.shut_down_with_drain())];
    let mut pending = || drains.iter_mut().all(|drain| poll(drain.as_mut()).is_pending());
    assert!(pending());
    assert!(queue.is_shutting_down());
    assert!(!queue.add(6));
    queue.done(&1);
    for key in 2..=5 {
        assert!(pending(), "{key} waits");
        assert_eq!(take(&queue), Poll::Ready(Some(key)));
        assert!(pending(), "{key} is in work");
        queue.done(&key);
    }
    assert!(drains.iter_mut().all(|drain| poll(drain.as_mut()).is_ready()), "both callers return");
    assert_eq!(take(&queue), Poll::Ready(None));
}

#[test]
fn k1_drain_of_an_idle_queue_returns_at_once() {
    let queue = WorkQueue::<u8>::new();
    assert!(poll(pin!(queue.shut_down_with_drain())).is_ready());
    assert_eq!(take(&queue), Poll::Ready(None));
}

#[test]
fn k1_b30_a_plain_shut_down_ends_a_drain() {
    let queue = WorkQueue::new();
    queue.add("a");
    assert_eq!(take(&queue), Poll::Ready(Some("a")));
    let mut drain = pin!(queue.shut_down_with_drain());
    assert!(poll(drain.as_mut()).is_pending());
    queue.shut_down();
    assert!(poll(drain.as_mut()).is_ready());
    assert!(queue.done(&"a"));
}

#[test]
fn what_was_added_before_a_shut_down_is_still_given_out() {
    let queue = WorkQueue::new();
    queue.add("a");
    queue.add("b");
    assert_eq!(take(&queue), Poll::Ready(Some("a")));
    queue.add("a"); // while in work
    queue.shut_down();
    assert!(!queue.add("b"));
    assert_eq!(take(&queue), Poll::Ready(Some("b")));
    // one worker waits for the item that comes back, and so does another
    let (mut first, mut second) = (pin!(queue.get()), pin!(queue.get()));
    assert!(poll(first.as_mut()).is_pending());
    assert!(poll(second.as_mut()).is_pending());
    assert!(queue.done(&"a"));
    assert_eq!(poll(first.as_mut()), Poll::Ready(Some("a")));
    assert_eq!(poll(second.as_mut()), Poll::Ready(None), "nothing is left for it");
}

#[tokio::test(start_paused = true)]
async fn waiting_workers_learn_of_a_shut_down() {
    let queue = WorkQueue::<u8>::new();
    let workers: JoinSet<_> = (0..3).map(|_| queue.clone()).map(|queue| async move { queue.get().await }).collect();
    sleep(Duration::from_secs(1)).await;
    queue.shut_down();
    assert_eq!(workers.join_all().await, [None, None, None]);
}

#[test]
fn b30_a_stray_done_changes_nothing() {
    let queue = WorkQueue::new();
    assert!(!queue.done(&"c"), "idle");
    queue.add("c");
    assert!(!queue.done(&"c"), "queued");
    assert_eq!(queue.len(), 1);
    assert_eq!(take(&queue), Poll::Ready(Some("c")));
    queue.add("c");
    assert!(queue.done(&"c"));
    assert!(!queue.done(&"c"), "done twice");
    assert_eq!(take(&queue), Poll::Ready(Some("c")));
    assert!(take(&queue).is_pending(), "it is in one pair of hands only");
    assert!(queue.done(&"c"));
    assert_eq!(queue.len(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_dropped_get_loses_neither_item_nor_wake_up() {
    let queue = WorkQueue::new();
    let other = tokio::spawn({
        let queue = queue.clone();
        async move { queue.get().await }
    });
    {
        let mut dropped = pin!(queue.get());
        assert!(poll(dropped.as_mut()).is_pending());
        queue.add("a"); // may wake the one that is dropped next
    }
    sleep(Duration::from_millis(1)).await;
    assert_eq!(other.await.unwrap(), Some("a"));
}

#[tokio::test(start_paused = true)]
async fn a_guard_ends_the_work_even_in_a_panic() {
    let queue = WorkQueue::new();
    queue.add("a");
    let panics = tokio::spawn({
        let queue = queue.clone();
        async move {
            let item = queue.next().await.unwrap();
            assert_eq!(*item, "a");
            queue.add(*item);
            panic!("as a worker may");
        }
    });
    assert!(panics.await.is_err());
    assert_eq!(queue.next().await.as_deref(), Some(&"a"));
    assert!(poll(pin!(queue.shut_down_with_drain())).is_ready());
}
