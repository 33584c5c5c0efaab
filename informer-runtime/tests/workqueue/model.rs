//! Any sequence of calls does what a simple model of the queue does.

use crate::support::{ms, poll, take};
use informer_runtime::DelayingQueue;
use proptest::prelude::*;
use std::{
    collections::{HashMap, VecDeque},
    future::Future,
    pin::Pin,
    task::Poll,
};
use tokio::time::advance;

/// What may happen to a queue. Times are in milliseconds.
#[derive(Clone, Copy, Debug)]
enum Step {
    Add(u8),
    AddAfter(u8, u64),
    Advance(u64),
    Take,
    Done(u8),
    ShutDown,
    Drain,
}

/// The rules, said once more: lists of waiting items and what is known of those in work.
#[derive(Default)]
struct Model {
    now: u64,
    /// Items whose time has not come, with that time, in the order in which it was asked for.
    delayed: Vec<(u64, u8)>,
    queued: VecDeque<u8>,
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
        } else if !self.queued.contains(&key) {
            self.queued.push_back(key);
        }
        true
    }

    fn add_after(&mut self, key: u8, delay: u64) -> bool {
        if delay == 0 || self.closed {
            return self.add(key);
        }
        let at = self.now + delay;
        match self.delayed.iter().position(|(_, other)| *other == key) {
            Some(known) if self.delayed[known].0 <= at => return true,
            Some(known) => drop(self.delayed.remove(known)),
            None => {}
        }
        self.delayed.push((at, key));
        true
    }

    fn advance(&mut self, time: u64) {
        self.now += time;
        let (mut came, later): (Vec<_>, Vec<_>) = self.delayed.drain(..).partition(|(at, _)| *at <= self.now);
        self.delayed = later;
        came.sort_by_key(|(at, _)| *at); // stable
        for (_, key) in came {
            self.add(key);
        }
    }

    fn take(&mut self) -> Poll<Option<u8>> {
        match self.queued.pop_front() {
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
            self.queued.push_back(key);
        }
        again.is_some()
    }

    fn close(&mut self, drains: bool) {
        (self.closed, self.drains) = (true, drains);
        self.delayed.clear();
    }

    fn drained(&self) -> bool {
        !self.drains || (self.queued.is_empty() && self.in_work.is_empty())
    }
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        16 => (0..6u8).prop_map(Step::Add),
        16 => ((0..6u8), (0..20u64)).prop_map(|(key, delay)| Step::AddAfter(key, delay)),
        8 => (0..10u64).prop_map(Step::Advance),
        16 => Just(Step::Take),
        16 => (0..6u8).prop_map(Step::Done),
        1 => Just(Step::ShutDown),
        1 => Just(Step::Drain),
    ];
    proptest::collection::vec(step, 0..200)
}

async fn compare(steps: Vec<Step>) -> Result<(), TestCaseError> {
    let queue = DelayingQueue::new();
    let mut model = Model::default();
    let mut drains: Vec<Pin<Box<dyn Future<Output = ()>>>> = Vec::new();
    for step in steps {
        match step {
            Step::Add(key) => prop_assert_eq!(queue.add(key), model.add(key)),
            Step::AddAfter(key, delay) => prop_assert_eq!(queue.add_after(key, ms(delay)), model.add_after(key, delay)),
            Step::Advance(time) => {
                advance(ms(time)).await;
                model.advance(time);
            }
            Step::Take => prop_assert_eq!(take(&queue), model.take()),
            Step::Done(key) => prop_assert_eq!(queue.done(&key), model.done(key)),
            Step::ShutDown => {
                queue.shut_down();
                model.close(false);
            }
            Step::Drain => {
                let queue = queue.clone();
                drains.push(Box::pin(async move { queue.shut_down_with_drain().await }));
                model.close(true);
            }
        }
        drains.retain_mut(|drain| poll(drain.as_mut()).is_pending());
        prop_assert_eq!(drains.is_empty(), model.drained());
        prop_assert_eq!(queue.len(), model.queued.len());
        prop_assert_eq!(queue.waiting(), model.delayed.len());
        prop_assert_eq!(queue.is_shutting_down(), model.closed);
    }
    Ok(())
}

proptest! {
    #[test]
    fn the_queue_follows_its_model(steps in steps()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        runtime.block_on(compare(steps))?;
    }
}
