//! Queues of keys to work on, for controllers: [`WorkQueue`], [`DelayingQueue`], [`RateLimitingQueue`].
//!
//! Handlers put keys in, workers take them out, look up the current object, and make the world match it. A key that is
//! added many times is worked on once; what matters is not how often something changed but that it is looked at again.
//!
//! No queue has a task of its own: time passes in those who wait for items. So nothing is left when a queue is shut
//! down or dropped.

mod room;
mod items;
mod delays;
mod queue;
mod delaying;
mod limiter;
mod failures;
mod exponential;
mod fast_slow;
mod bucket;
mod max_of;
mod max_wait;
mod default_limiter;
mod rate_limiting;

pub use bucket::BucketRateLimiter;
pub use default_limiter::{default_controller_rate_limiter, default_item_based_rate_limiter};
pub use delaying::DelayingQueue;
pub use exponential::ItemExponentialFailureRateLimiter;
pub use fast_slow::ItemFastSlowRateLimiter;
pub use limiter::RateLimiter;
pub use max_of::MaxOfRateLimiter;
pub use max_wait::WithMaxWaitRateLimiter;
pub use queue::{WorkItem, WorkQueue};
pub use rate_limiting::RateLimitingQueue;
