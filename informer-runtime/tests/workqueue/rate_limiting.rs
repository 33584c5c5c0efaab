//! The queue that retries.

use crate::support::{ms, secs, take};
use informer_runtime::{ItemExponentialFailureRateLimiter, RateLimiter, RateLimitingQueue};
use std::{
    sync::{Arc, Mutex},
    task::Poll,
    time::Duration,
};
use tokio::{
    task::JoinSet,
    time::{Instant, advance},
};

fn queue<T: Eq + std::hash::Hash + Clone + Send + 'static>() -> RateLimitingQueue<T> {
    RateLimitingQueue::new(ItemExponentialFailureRateLimiter::new(ms(1), secs(1)))
}

// K2: TestRateLimitingQueue

#[tokio::test(start_paused = true)]
async fn k2_rate_limiting_queue_waits_as_its_limiter_says() {
    let queue = queue();
    for (item, nth, delay) in [("one", 1, 1), ("one", 2, 2), ("two", 1, 1), ("two", 2, 2)] {
        assert!(queue.add_rate_limited(item));
        assert_eq!(queue.num_requeues(&item), nth);
        advance(ms(delay - 1)).await;
        assert!(take(&queue).is_pending());
        advance(ms(1)).await;
        assert_eq!(take(&queue), Poll::Ready(Some(item)));
        queue.done(&item);
    }
    queue.forget(&"one");
    assert_eq!((queue.num_requeues(&"one"), queue.num_requeues(&"two")), (0, 2));
    queue.add_rate_limited("one");
    advance(ms(1)).await;
    assert_eq!(take(&queue), Poll::Ready(Some("one")));
}

#[tokio::test(start_paused = true)]
async fn k2_retries_of_one_item_come_at_doubling_times() {
    let queue = RateLimitingQueue::default();
    let start = Instant::now();
    queue.add("one");
    let mut times = Vec::new();
    for _ in 0..20 {
        let item = queue.next().await.unwrap();
        times.push(start.elapsed());
        assert!(queue.add_rate_limited(*item));
    }
    let waits: Vec<_> = times.windows(2).map(|pair| (pair[1] - pair[0]).as_millis()).collect();
    assert_eq!(waits[..4], [5, 10, 20, 40]);
    assert_eq!(waits[16..], [327_680, 655_360, 1_000_000]);
}

#[tokio::test(start_paused = true)]
async fn k2_failing_items_come_ten_a_second_after_the_first_hundred() {
    let queue = RateLimitingQueue::default();
    for item in 0..150 {
        queue.add_rate_limited(item);
    }
    let start = Instant::now();
    let mut times = Vec::new();
    for item in 0..150 {
        assert_eq!(queue.get().await, Some(item), "in the order in which they failed");
        times.push(start.elapsed().as_millis());
    }
    assert_eq!(times[..100], [5; 100]);
    assert_eq!(times[100..], std::array::from_fn::<_, 50, _>(|over| 100 * (over as u128 + 1)));
}

#[tokio::test(start_paused = true)]
async fn a_retry_in_work_and_one_that_waits_are_one() {
    let queue = queue();
    queue.add("one");
    let item = queue.next().await.unwrap();
    queue.add_rate_limited(*item);
    queue.add_rate_limited(*item); // a second later time: the first counts
    assert_eq!((queue.waiting(), queue.num_requeues(&"one")), (1, 2));
    queue.forget(&item);
    assert_eq!(queue.waiting(), 1, "forgetting changes the next failure, not this retry");
    drop(item);
    assert_eq!(queue.next().await.as_deref(), Some(&"one"));
}

#[tokio::test(start_paused = true)]
async fn a_shut_down_refuses_retries_and_does_not_count_them() {
    let queue = queue();
    queue.add("one");
    queue.add_rate_limited("waits");
    let item = queue.next().await.unwrap();
    let drained = tokio::spawn({
        let queue = queue.clone();
        async move { queue.shut_down_with_drain().await }
    });
    tokio::task::yield_now().await;
    assert!(queue.is_shutting_down());
    assert!(!queue.add_rate_limited(*item));
    assert_eq!(queue.num_requeues(&"one"), 0);
    assert_eq!(queue.waiting(), 0);
    assert!(!drained.is_finished());
    drop(item);
    drained.await.unwrap();
    assert_eq!(take(&queue), Poll::Ready(None));
}

#[tokio::test(start_paused = true)]
async fn workers_retry_until_it_works() {
    let queue = queue();
    let mut workers = JoinSet::new();
    let tries = Arc::new(Mutex::new(std::collections::BTreeMap::<u32, u32>::new()));
    for _ in 0..3 {
        let (queue, tries) = (queue.clone(), Arc::clone(&tries));
        workers.spawn(async move {
            while let Some(item) = queue.next().await {
                tokio::time::sleep(ms(1)).await;
                let times = {
                    let mut tries = tries.lock().unwrap();
                    let times = tries.entry(*item).or_default();
                    *times += 1;
                    *times
                };
                if times <= *item % 5 {
                    queue.add_rate_limited(*item);
                } else {
                    queue.forget(&item);
                }
            }
        });
    }
    for item in 0..100 {
        queue.add(item);
    }
    tokio::time::sleep(secs(10)).await;
    queue.shut_down_with_drain().await;
    workers.join_all().await;
    let tries = tries.lock().unwrap();
    assert!(tries.len() == 100 && tries.iter().all(|(item, times)| *times == item % 5 + 1));
    assert!((0..100).all(|item| queue.num_requeues(&item) == 0));
}

#[tokio::test(start_paused = true)]
async fn a_panic_of_the_limiter_is_the_callers_own() {
    struct Once(bool);
    impl RateLimiter<&'static str> for Once {
        fn when(&mut self, _item: &&'static str) -> Duration {
            assert!(std::mem::replace(&mut self.0, true), "as a limiter may");
            ms(1)
        }
        fn forget(&mut self, _item: &&'static str) {}
        fn num_requeues(&self, _item: &&'static str) -> u32 {
            0
        }
    }
    let queue = RateLimitingQueue::new(Once(false));
    let panics = tokio::spawn({
        let queue = queue.clone();
        async move { queue.add_rate_limited("one") }
    });
    assert!(panics.await.is_err());
    assert!(queue.add_rate_limited("one"));
    assert_eq!(queue.get().await, Some("one"));
}
