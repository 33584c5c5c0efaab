//! The delays that limiters give, to the number.

use crate::support::{ms, secs};
use informer_runtime::{
    BucketRateLimiter, ItemExponentialFailureRateLimiter, ItemFastSlowRateLimiter, MaxOfRateLimiter, RateLimiter,
    WithMaxWaitRateLimiter,
};
use std::{
    sync::{Arc, Mutex},
    time::Duration,
};
use tokio::time::{Instant, advance};

fn delays<T>(limiter: &mut impl RateLimiter<T>, item: &T, count: usize) -> Vec<Duration> {
    (0..count).map(|_| limiter.when(item)).collect()
}

fn in_ms<T>(limiter: &mut impl RateLimiter<T>, item: &T, count: usize) -> Vec<u128> {
    delays(limiter, item, count).into_iter().map(|delay| delay.as_millis()).collect()
}

// K2: TestItemExponentialFailureRateLimiter

#[test]
fn k2_item_exponential_failure_doubles_per_item_up_to_the_cap() {
    let mut limiter = ItemExponentialFailureRateLimiter::new(ms(1), secs(1));
    assert_eq!(in_ms(&mut limiter, &"one", 5), [1, 2, 4, 8, 16]);
    assert_eq!(limiter.num_requeues(&"one"), 5);
    assert_eq!(in_ms(&mut limiter, &"two", 2), [1, 2]);
    assert_eq!(limiter.num_requeues(&"two"), 2);
    limiter.forget(&"one");
    assert_eq!(limiter.num_requeues(&"one"), 0);
    assert_eq!(in_ms(&mut limiter, &"one", 12), [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1000, 1000]);
    assert_eq!(limiter.num_requeues(&"two"), 2);
}

// K2: TestItemExponentialFailureRateLimiterOverFlow

#[test]
fn k2_item_exponential_failure_does_not_overflow() {
    let hour = secs(3600);
    for (base, longest) in [
        (ms(1), secs(1000)),
        (secs(60), 1000 * hour),
        (Duration::from_nanos(1), Duration::MAX),
        (Duration::MAX, Duration::MAX),
        (secs(2000), secs(1000)),
    ] {
        let mut limiter = ItemExponentialFailureRateLimiter::new(base, longest);
        let seen = delays(&mut limiter, &"one", 1000);
        assert!(seen.is_sorted());
        assert_eq!(seen.first(), Some(&base.min(longest)));
        assert_eq!(seen.last(), Some(&longest));
        assert_eq!(limiter.num_requeues(&"one"), 1000);
    }
    let mut limiter = ItemExponentialFailureRateLimiter::new(Duration::from_nanos(1), Duration::MAX);
    assert_eq!(delays(&mut limiter, &"one", 70)[65], Duration::from_nanos(1) * (1 << 31) * (1 << 31) * (1 << 3));
    let mut limiter = ItemExponentialFailureRateLimiter::new(Duration::ZERO, secs(1));
    assert_eq!(in_ms(&mut limiter, &"one", 1000), [0; 1000]);
}

// K2: TestItemFastSlowRateLimiter

#[test]
fn k2_item_fast_slow_changes_after_its_quick_tries() {
    let mut limiter = ItemFastSlowRateLimiter::new(ms(5), secs(10), 3);
    assert_eq!(in_ms(&mut limiter, &"one", 5), [5, 5, 5, 10_000, 10_000]);
    assert_eq!(limiter.num_requeues(&"one"), 5);
    assert_eq!(in_ms(&mut limiter, &"two", 2), [5, 5]);
    limiter.forget(&"one");
    assert_eq!(limiter.num_requeues(&"one"), 0);
    assert_eq!(in_ms(&mut limiter, &"one", 1), [5]);
    assert_eq!(limiter.num_requeues(&"two"), 2);
}

// K2: TestMaxOfRateLimiter

#[test]
fn k2_max_of_takes_the_longest_delay_and_tells_all() {
    let mut limiter = MaxOfRateLimiter::new()
        .with(ItemFastSlowRateLimiter::new(ms(5), secs(3), 3))
        .with(ItemExponentialFailureRateLimiter::new(ms(1), secs(1)));
    assert_eq!(in_ms(&mut limiter, &"one", 5), [5, 5, 5, 3000, 3000]);
    assert_eq!(limiter.num_requeues(&"one"), 5);
    assert_eq!(in_ms(&mut limiter, &"two", 2), [5, 5]);
    limiter.forget(&"one");
    assert_eq!(limiter.num_requeues(&"one"), 0);
    assert_eq!(in_ms(&mut limiter, &"one", 4), [5, 5, 5, 3000]);
    let mut of_none = MaxOfRateLimiter::default();
    assert_eq!((of_none.when(&"one"), of_none.num_requeues(&"one")), (Duration::ZERO, 0));
}

// K2: TestWithMaxWaitRateLimiter

#[test]
fn k2_with_max_wait_cuts_delays_only() {
    let inner = ItemFastSlowRateLimiter::new(ms(5), secs(1000), 3);
    let mut limiter = WithMaxWaitRateLimiter::new(inner, secs(100));
    assert_eq!(in_ms(&mut limiter, &"one", 5), [5, 5, 5, 100_000, 100_000]);
    assert_eq!(limiter.num_requeues(&"one"), 5);
    limiter.forget(&"one");
    assert_eq!(limiter.num_requeues(&"one"), 0);
    assert_eq!(in_ms(&mut limiter, &"one", 1), [5]);
}

#[tokio::test(start_paused = true)]
async fn k2_bucket_gives_everybody_a_turn_of_their_own() {
    let mut limiter = BucketRateLimiter::new(10.0, 3);
    let turns = |limiter: &mut BucketRateLimiter, count: u32| -> Vec<u128> {
        (0..count).map(|item| limiter.when(&item).as_millis()).collect()
    };
    assert_eq!(turns(&mut limiter, 6), [0, 0, 0, 100, 200, 300]);
    limiter.forget(&0);
    assert_eq!(RateLimiter::<u32>::num_requeues(&limiter, &0), 0);
    advance(ms(350)).await; // half a token came since the last turn
    assert_eq!(turns(&mut limiter, 2), [50, 150]);
    advance(secs(3600)).await; // full, and not fuller
    assert_eq!(turns(&mut limiter, 4), [0, 0, 0, 100]);
}

#[test]
fn a_bucket_of_any_numbers() {
    let limiter = |qps, burst| in_ms(&mut BucketRateLimiter::with_clock(qps, burst, clock().0), &"one", 3);
    assert_eq!(limiter(1.0, 0), [0, 1000, 2000], "a burst of none is one of one");
    assert_eq!(limiter(f64::INFINITY, 1), [0; 3]);
    assert_eq!(limiter(f64::MAX, 1), [0; 3]);
    let years = 30 * 365 * 24 * 60 * 60 * 1000;
    for never in [0.0, -0.0, -1.0, f64::NAN, f64::NEG_INFINITY, f64::MIN_POSITIVE] {
        assert_eq!(limiter(never, 2)[..2], [0, 0], "{never}");
        assert!(limiter(never, 2)[2] >= years, "{never}");
        assert_eq!(limiter(never, u32::MAX), [0; 3], "{never}");
    }
}

#[test]
fn a_clock_that_goes_back_gives_no_tokens() {
    let (read, turn) = clock();
    let mut limiter = BucketRateLimiter::with_clock(1.0, 1, read);
    turn(secs(100));
    assert_eq!(in_ms(&mut limiter, &"one", 2), [0, 1000]);
    turn(secs(1));
    assert_eq!(in_ms(&mut limiter, &"one", 1), [2000]);
    turn(secs(102)); // two seconds later than the latest time it has seen
    assert_eq!(in_ms(&mut limiter, &"one", 1), [1000]);
}

#[test]
fn an_item_idle_for_a_day_after_its_delay_is_forgotten() {
    let day = secs(24 * 60 * 60);
    let (read, turn) = clock();
    let mut exponential = ItemExponentialFailureRateLimiter::with_clock(secs(1), secs(1000), read.clone());
    let mut fast_slow = ItemFastSlowRateLimiter::with_clock(secs(1), secs(2), 1, read);
    assert_eq!(in_ms(&mut exponential, &"one", 2), [1000, 2000]);
    assert_eq!(in_ms(&mut fast_slow, &"one", 2), [1000, 2000]);
    turn(day + ms(1999));
    assert_eq!((exponential.num_requeues(&"one"), fast_slow.num_requeues(&"one")), (2, 2));
    turn(day + secs(2));
    assert_eq!((exponential.num_requeues(&"one"), fast_slow.num_requeues(&"one")), (0, 0));
    assert_eq!(in_ms(&mut exponential, &"one", 2), [1000, 2000]);
    assert_eq!(in_ms(&mut fast_slow, &"one", 2), [1000, 2000]);
}

#[test]
fn a_limiter_can_be_shared() {
    let shared = Arc::new(Mutex::new(ItemExponentialFailureRateLimiter::new(ms(1), secs(1))));
    let (mut here, mut there) = (Arc::clone(&shared), Box::new(shared));
    assert_eq!(in_ms(&mut here, &"one", 1), [1]);
    assert_eq!(in_ms(&mut there, &"one", 1), [2]);
    assert_eq!(here.num_requeues(&"one"), 2);
    there.forget(&"one");
    assert_eq!(here.num_requeues(&"one"), 0);
}

/// A clock to read, and a way to set it, from its start.
fn clock() -> (impl Fn() -> Instant + Clone, impl Fn(Duration)) {
    let start = Instant::now();
    let now = Arc::new(Mutex::new(start));
    let set = Arc::clone(&now);
    (move || *now.lock().unwrap(), move |since| *set.lock().unwrap() = start + since)
}
