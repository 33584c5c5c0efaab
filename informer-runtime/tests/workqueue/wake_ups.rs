//! Workers sleep until there is something for them, and no wake-up is lost with one that is cancelled.

use crate::support::{ms, poll, secs};
use informer_runtime::DelayingQueue;
use proptest::prelude::*;
use std::{
    collections::BTreeMap,
    pin::pin,
    sync::{Arc, Mutex},
    time::Duration,
};
use tokio::time::{Instant, advance, sleep, timeout};

#[tokio::test(start_paused = true)]
async fn a_dropped_get_leaves_the_time_to_the_others() {
    let queue = DelayingQueue::new();
    let other = tokio::spawn({
        let queue = queue.clone();
        async move { queue.get().await }
    });
    advance(Duration::ZERO).await;
    {
        let mut dropped = pin!(queue.get());
        assert!(poll(dropped.as_mut()).is_pending());
        queue.add_after("a", ms(10));
        assert!(poll(dropped.as_mut()).is_pending(), "it watches the time now");
    }
    assert_eq!(timeout(ms(11), other).await.unwrap().unwrap(), Some("a"));
}

#[tokio::test(start_paused = true)]
async fn a_get_that_is_dropped_when_the_time_came_loses_no_item() {
    let queue = DelayingQueue::new();
    queue.add_after("a", ms(10));
    for _ in 0..4 {
        assert!(timeout(ms(2), queue.get()).await.is_err());
    }
    {
        let mut dropped = pin!(queue.get());
        assert!(poll(dropped.as_mut()).is_pending());
        advance(ms(2)).await; // it could have the item now
    }
    assert_eq!(timeout(ms(1), queue.get()).await, Ok(Some("a")));
}

#[tokio::test(start_paused = true)]
async fn waiting_workers_sleep_between_times() {
    let queue = DelayingQueue::new();
    queue.add_after("a", secs(1000));
    let polls = Arc::new(Mutex::new(0));
    let worker = tokio::spawn({
        let (queue, polls) = (queue.clone(), Arc::clone(&polls));
        async move {
            let mut get = pin!(queue.get());
            std::future::poll_fn(|context| {
                *polls.lock().unwrap() += 1;
                get.as_mut().poll(context)
            })
            .await
        }
    });
    assert_eq!(worker.await.unwrap(), Some("a"));
    assert!(*polls.lock().unwrap() <= 3, "no ticking");
}

/// What a producer does next.
#[derive(Clone, Copy, Debug)]
enum Step {
    Add(u8),
    AddAfter(u8, u64),
    Sleep(u64),
    /// Starts another worker, which is cancelled after so many milliseconds.
    Fleeting(u64),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        2 => (0..8u8).prop_map(Step::Add),
        4 => ((0..8u8), (0..40u64)).prop_map(|(item, delay)| Step::AddAfter(item, delay)),
        2 => (0..20u64).prop_map(Step::Sleep),
        2 => (0..30u64).prop_map(Step::Fleeting),
    ];
    proptest::collection::vec(step, 0..60)
}

/// Records when items arrive, and ends the work on them at once.
async fn work(queue: DelayingQueue<u8>, seen: Arc<Mutex<BTreeMap<u8, Instant>>>) {
    while let Some(item) = queue.next().await {
        seen.lock().unwrap().insert(*item, Instant::now());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]
    #[test]
    fn every_item_arrives_in_time_whoever_is_cancelled(steps in steps()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        runtime.block_on(async {
            let queue = DelayingQueue::new();
            let seen = Arc::new(Mutex::new(BTreeMap::new()));
            let steady = tokio::spawn(work(queue.clone(), Arc::clone(&seen)));
            // when each item was last queued, and when it will be again
            let (mut last, mut waits) = (BTreeMap::new(), BTreeMap::<u8, Instant>::new());
            for step in steps {
                let now = Instant::now();
                let came: Vec<_> = waits.iter().map(|(item, at)| (*item, *at)).filter(|(_, at)| *at <= now).collect();
                last.extend(came);
                waits.retain(|_, at| *at > now);
                match step {
                    Step::Add(item) => {
                        queue.add(item);
                        last.insert(item, now);
                    }
                    Step::AddAfter(item, 0) => {
                        queue.add_after(item, Duration::ZERO);
                        last.insert(item, now);
                    }
                    Step::AddAfter(item, delay) => {
                        let at = now + ms(delay);
                        queue.add_after(item, ms(delay));
                        waits.entry(item).and_modify(|first| *first = at.min(*first)).or_insert(at);
                    }
                    Step::Sleep(time) => sleep(ms(time)).await,
                    Step::Fleeting(time) => {
                        let worker = work(queue.clone(), Arc::clone(&seen));
                        tokio::spawn(async move { timeout(ms(time), worker).await });
                    }
                }
            }
            last.extend(waits);
            sleep(ms(100)).await;
            prop_assert_eq!((queue.len(), queue.waiting()), (0, 0), "nobody slept through it");
            prop_assert_eq!(&*seen.lock().unwrap(), &last);
            queue.shut_down_with_drain().await;
            steady.await.unwrap();
            Ok(())
        })?;
    }
}
