//! What the compiler can prove of the public types.

use informer_runtime::{
    BucketRateLimiter, DelayingQueue, ItemExponentialFailureRateLimiter, ItemFastSlowRateLimiter, MaxOfRateLimiter,
    ObjectKey, RateLimitingQueue, WithMaxWaitRateLimiter, WorkItem, WorkQueue,
};

fn send<T: Send>(_: &T) {}

const fn is_send<T: Send>() {}
const fn is_shared<T: Send + Sync + Clone>() {}

const _: () = {
    is_shared::<WorkQueue<ObjectKey>>();
    is_shared::<DelayingQueue<ObjectKey>>();
    is_shared::<RateLimitingQueue<ObjectKey>>();
    is_send::<WorkItem<ObjectKey>>();
    is_send::<ItemExponentialFailureRateLimiter<ObjectKey>>();
    is_send::<ItemFastSlowRateLimiter<ObjectKey>>();
    is_send::<BucketRateLimiter>();
    is_send::<MaxOfRateLimiter<ObjectKey>>();
    is_send::<WithMaxWaitRateLimiter<BucketRateLimiter>>();
};

#[test]
fn every_future_is_send() {
    let queue = RateLimitingQueue::<ObjectKey>::default();
    send(&queue.get());
    send(&queue.next());
    send(&queue.shut_down_with_drain());
}

#[test]
fn debug_output_shows_no_items() {
    let queue = RateLimitingQueue::<ObjectKey>::default();
    queue.add(ObjectKey::new("red", "one"));
    let text = format!("{queue:?}");
    assert!(text.contains("len: 1") && text.contains("waiting: 0") && !text.contains("red"), "{text}");
}

#[tokio::test(start_paused = true)]
async fn an_item_in_work_reads_like_the_item() {
    let queue = WorkQueue::new();
    queue.add(ObjectKey::new("red", "one"));
    let item = queue.next().await.unwrap();
    assert_eq!(item.to_string(), "red/one");
    assert_eq!(item.name(), "one");
}
