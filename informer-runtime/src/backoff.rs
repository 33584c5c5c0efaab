//! How long to wait after a failure. The clock and the randomness come from the caller.

use std::time::Duration;

use tokio::time::Instant;

/// Delays that double with every failure, as client-go's reflector has them (`tools/cache/reflector.go`): from 0.8 s
/// to 30 s, each times a random factor in [1, 2).
///
/// Unlike client-go, whose delays start anew every two minutes whatever happens, they start anew only after a healthy
/// period.
#[derive(Debug, Clone, PartialEq)]
pub struct BackoffPolicy {
    /// The first delay. Default 800 ms.
    pub initial: Duration,
    /// The longest delay, before the random factor. Default 30 s.
    pub cap: Duration,
    /// What each delay is multiplied by to get the next. Default 2.
    pub factor: f64,
    /// The random factor is between 1 and 1 plus this. Default 1.
    pub jitter: f64,
    /// How long all must have been well for the delays to start anew. Default 2 minutes.
    pub reset_after: Duration,
    /// The longest Retry-After that is waited for as it is; a longer one is taken as this. Default 5 minutes. client-go
    /// knows no bound: one wrong header puts an informer to sleep for as long as it says.
    pub max_retry_after: Duration,
}

impl Default for BackoffPolicy {
    fn default() -> Self {
        Self {
            initial: Duration::from_millis(800),
            cap: Duration::from_secs(30),
            factor: 2.0,
            jitter: 1.0,
            reset_after: Duration::from_secs(120),
            max_retry_after: Duration::from_secs(300),
        }
    }
}

/// No wait of an informer is longer than this: a day.
pub(crate) const LONGEST: Duration = Duration::from_secs(86_400);

/// Where one informer stands in its delays.
#[derive(Debug)]
pub(crate) struct Backoff {
    policy: BackoffPolicy,
    next: Duration,
    healthy_since: Option<Instant>,
}

impl Backoff {
    pub(crate) fn new(policy: BackoffPolicy) -> Self {
        Self { next: policy.initial, policy, healthy_since: None }
    }

    /// The server serves us.
    pub(crate) fn healthy(&mut self, now: Instant) {
        self.healthy_since.get_or_insert(now);
    }

    /// What is waited of a Retry-After.
    pub(crate) fn at_least(&self, retry_after: Option<Duration>) -> Duration {
        retry_after.unwrap_or_default().min(self.policy.max_retry_after)
    }

    /// A failure: the delay before the next try, no shorter than `retry_after` as far as that is waited for. `random`
    /// is in [0, 1).
    pub(crate) fn failed(&mut self, now: Instant, retry_after: Option<Duration>, random: f64) -> Duration {
        if let Some(since) = self.healthy_since.take()
            && now.duration_since(since) >= self.policy.reset_after
        {
            self.next = self.policy.initial;
        }
        let delay = times(self.next, 1.0 + self.policy.jitter.max(0.0) * random);
        self.next = times(self.next, self.policy.factor.max(1.0)).min(self.policy.cap);
        delay.max(self.at_least(retry_after))
    }
}

/// A time so many times as long; the longest one where that is no time, or longer.
fn times(time: Duration, factor: f64) -> Duration {
    Duration::try_from_secs_f64(time.as_secs_f64() * factor).unwrap_or(LONGEST).min(LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn delays(backoff: &mut Backoff, now: Instant, count: usize) -> Vec<u128> {
        (0..count).map(|_| backoff.failed(now, None, 0.0).as_millis()).collect()
    }

    #[test]
    fn doubles_to_the_cap_and_starts_anew_only_after_a_healthy_period() {
        let start = Instant::now();
        let mut backoff = Backoff::new(BackoffPolicy::default());
        assert_eq!(delays(&mut backoff, start, 8), [800, 1600, 3200, 6400, 12800, 25600, 30000, 30000]);
        // An outage of an hour is no healthy period.
        assert_eq!(delays(&mut backoff, start + Duration::from_secs(3600), 1), [30000]);
        backoff.healthy(start + Duration::from_secs(4000));
        assert_eq!(delays(&mut backoff, start + Duration::from_secs(4119), 1), [30000]);
        backoff.healthy(start + Duration::from_secs(5000));
        backoff.healthy(start + Duration::from_secs(5100));
        assert_eq!(delays(&mut backoff, start + Duration::from_secs(5120), 2), [800, 1600]);
    }

    #[test]
    fn honours_retry_after_and_jitter() {
        let now = Instant::now();
        let mut backoff = Backoff::new(BackoffPolicy::default());
        assert_eq!(backoff.failed(now, Some(Duration::from_secs(7)), 0.0), Duration::from_secs(7));
        assert_eq!(backoff.failed(now, None, 0.5), Duration::from_millis(2400));
        assert_eq!(backoff.failed(now, Some(Duration::MAX), 0.0), Duration::from_secs(300));
    }

    #[test]
    fn no_policy_makes_it_panic() {
        let day = Duration::from_secs(86_400);
        let policy = BackoffPolicy {
            initial: Duration::MAX,
            factor: f64::NAN,
            jitter: f64::INFINITY,
            cap: Duration::MAX,
            ..BackoffPolicy::default()
        };
        let mut backoff = Backoff::new(policy);
        assert_eq!([0.0, 0.5].map(|random| backoff.failed(Instant::now(), None, random)), [day, day]);
    }
}
