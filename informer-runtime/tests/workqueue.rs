//! The work queue: client-go's rules (rows K1 of its test suite), drains that wait for everything, stray ends of work.

use informer_runtime::WorkQueue;
use proptest::prelude::*;
use std::{
    collections::{HashMap, VecDeque},
    future::Future,
    pin::{Pin, pin},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll, Waker},
    time::Duration,
};
use tokio::{task::JoinSet, time::sleep};

/// Polls once, outside any runtime's schedule.
fn poll<F: Future + ?Sized>(future: Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

/// What the queue has right now.
fn take<T: Eq + std::hash::Hash + Clone>(queue: &WorkQueue<T>) -> Poll<Option<T>> {
    poll(pin!(queue.get()))
}

// K1: TestBasic, TestAddWhileProcessing

#[tokio::test(start_paused = true)]
async fn producers_and_workers_meet_and_no_item_is_in_two_hands() {
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
async fn no_item_is_lost_between_threads() {
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
fn adds_collapse_and_order_is_kept() {
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
fn an_item_added_during_its_work_comes_back_once_when_done() {
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
fn a_finished_item_is_freed() {
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
fn a_drain_waits_for_queued_items_and_for_those_in_work() {
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
fn a_drain_of_an_idle_queue_returns_at_once() {
    let queue = WorkQueue::<u8>::new();
    assert!(poll(pin!(queue.shut_down_with_drain())).is_ready());
    assert_eq!(take(&queue), Poll::Ready(None));
}

#[test]
fn a_plain_shut_down_ends_a_drain() {
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
fn a_stray_done_changes_nothing() {
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

/// What may happen to a queue.
#[derive(Clone, Copy, Debug)]
enum Step {
    Add(u8),
    Take,
    Done(u8),
    ShutDown,
    Drain,
}

/// The rules, said once more: a list of waiting items and what is known of those in work.
#[derive(Default)]
struct Model {
    waiting: VecDeque<u8>,
    /// In work; `true`: added since.
    in_work: HashMap<u8, bool>,
    closed: bool,
    drains: bool,
}

impl Model {
    fn add(&mut self, key: u8) -> bool {
        if self.closed {
            return false;
        }
        if let Some(again) = self.in_work.get_mut(&key) {
            *again = true;
        } else if !self.waiting.contains(&key) {
            self.waiting.push_back(key);
        }
        true
    }

    fn take(&mut self) -> Poll<Option<u8>> {
        match self.waiting.pop_front() {
            Some(key) => {
                assert!(self.in_work.insert(key, false).is_none(), "never two workers on {key}");
                Poll::Ready(Some(key))
            }
            None if self.closed && !self.in_work.values().any(|again| *again) => Poll::Ready(None),
            None => Poll::Pending,
        }
    }

    fn done(&mut self, key: u8) -> bool {
        let again = self.in_work.remove(&key);
        if again == Some(true) {
            self.waiting.push_back(key);
        }
        again.is_some()
    }

    fn drained(&self) -> bool {
        !self.drains || (self.waiting.is_empty() && self.in_work.is_empty())
    }
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        8 => (0..6u8).prop_map(Step::Add),
        8 => Just(Step::Take),
        8 => (0..6u8).prop_map(Step::Done),
        1 => Just(Step::ShutDown),
        1 => Just(Step::Drain),
    ];
    proptest::collection::vec(step, 0..200)
}

proptest! {
    #[test]
    fn the_queue_follows_its_model(steps in steps()) {
        let queue = WorkQueue::new();
        let mut model = Model::default();
        let mut drains: Vec<Pin<Box<dyn Future<Output = ()>>>> = Vec::new();
        for step in steps {
            match step {
                Step::Add(key) => prop_assert_eq!(queue.add(key), model.add(key)),
                Step::Take => prop_assert_eq!(take(&queue), model.take()),
                Step::Done(key) => prop_assert_eq!(queue.done(&key), model.done(key)),
                Step::ShutDown => {
                    queue.shut_down();
                    (model.closed, model.drains) = (true, false);
                }
                Step::Drain => {
                    let queue = queue.clone();
                    drains.push(Box::pin(async move { queue.shut_down_with_drain().await }));
                    (model.closed, model.drains) = (true, true);
                }
            }
            drains.retain_mut(|drain| poll(drain.as_mut()).is_pending());
            prop_assert_eq!(drains.is_empty(), model.drained());
            prop_assert_eq!(queue.len(), model.waiting.len());
            prop_assert_eq!(queue.is_shutting_down(), model.closed);
        }
    }
}
