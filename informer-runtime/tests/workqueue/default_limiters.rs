//! The default limiters have client-go's numbers.

use crate::support::ms;
use informer_runtime::{RateLimiter, default_controller_rate_limiter, default_item_based_rate_limiter};
use tokio::time::advance;

#[tokio::test(start_paused = true)]
async fn k2_default_controller_limiter_doubles_per_item_from_5_ms_to_1000_s() {
    let mut limiter = default_controller_rate_limiter();
    let mut expected = 5;
    for failure in 1..=25 {
        assert_eq!(limiter.when(&"one"), ms(expected), "failure {failure}");
        assert_eq!(limiter.num_requeues(&"one"), failure);
        expected = (2 * expected).min(1_000_000);
    }
    limiter.forget(&"one");
    assert_eq!(limiter.when(&"one"), ms(5));
}

#[tokio::test(start_paused = true)]
async fn k2_default_controller_limiter_lets_100_through_then_10_a_second() {
    let mut limiter = default_controller_rate_limiter();
    for item in 0..100 {
        assert_eq!(limiter.when(&item), ms(5));
    }
    for over in 1..=50 {
        assert_eq!(limiter.when(&(100 + over)), ms(100 * over));
    }
    advance(ms(5_000 + 1_000)).await; // the debt, and ten tokens
    for item in 1000..1010 {
        assert_eq!(limiter.when(&item), ms(5));
    }
    assert_eq!(limiter.when(&1010), ms(100));
}

#[tokio::test(start_paused = true)]
async fn k2_default_item_based_limiter_doubles_from_1_ms_to_1000_s() {
    let mut limiter = default_item_based_rate_limiter();
    let delays: Vec<_> = (0..22).map(|_| limiter.when(&"one").as_millis()).collect();
    assert_eq!(delays[..4], [1, 2, 4, 8]);
    assert_eq!(delays[19..], [524_288, 1_000_000, 1_000_000]);
    assert_eq!(limiter.when(&"two"), ms(1), "no limit over all items");
}
