//! Nothing is kept of what is over.

use crate::support::{ms, secs, take};
use informer_runtime::{DelayingQueue, RateLimitingQueue};
use std::{
    sync::{Arc, Weak},
    task::Poll,
};
use tokio::time::advance;

fn item(name: &'static str) -> (Arc<str>, Weak<str>) {
    let item: Arc<str> = name.into();
    let alive = Arc::downgrade(&item);
    (item, alive)
}

#[tokio::test(start_paused = true)]
async fn an_item_that_came_and_was_done_is_freed() {
    let queue = DelayingQueue::new();
    let (one, alive) = item("one");
    queue.add_after(Arc::clone(&one), ms(20));
    queue.add_after(Arc::clone(&one), ms(10));
    drop(one);
    advance(ms(10)).await;
    let Poll::Ready(Some(one)) = take(&queue) else { panic!("it came") };
    assert!(queue.done(&one));
    drop(one);
    assert_eq!(alive.strong_count(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_forgotten_item_is_freed() {
    let queue = RateLimitingQueue::default();
    let (one, alive) = item("one");
    queue.add_rate_limited(one);
    let one = queue.next().await.unwrap();
    queue.forget(&one);
    drop(one);
    assert_eq!(alive.strong_count(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_shut_down_frees_what_waits() {
    let queue = DelayingQueue::new();
    let (one, alive) = item("one");
    queue.add_after(one, secs(1000));
    queue.shut_down();
    assert_eq!(alive.strong_count(), 0);
}

#[tokio::test(start_paused = true)]
async fn the_last_handle_frees_all_and_no_task_is_left() {
    let queue = RateLimitingQueue::default();
    let (one, in_queue) = item("one");
    let (two, waits) = item("two");
    queue.add(one);
    queue.add_rate_limited(two);
    let tasks = || tokio::runtime::Handle::current().metrics().num_alive_tasks();
    assert_eq!(tasks(), 0, "a queue has no task of its own");
    drop(queue.clone());
    assert_eq!(queue.waiting(), 1);
    drop(queue);
    assert_eq!((in_queue.strong_count(), waits.strong_count(), tasks()), (0, 0, 0));
}
