//! The work queues and rate limiters: client-go's rules (rows K1 and K2 of its test suite, under those names), models,
//! and what is ours. Time is paused throughout.

mod support;

mod default_limiters;
mod delaying;
mod limiters;
mod memory;
mod model;
mod promises;
mod queue;
mod rate_limiting;
mod wake_ups;
