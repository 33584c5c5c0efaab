//! A seeded simulation: random histories, random faults, handlers that come and go; then quiet, and everything must be
//! as the server says.
//!
//! A seed makes a [`Plan`], plain data, and the plan is played on paused time on one thread: the same seed gives the
//! same requests and the same calls, byte for byte. What is checked while it runs is in `ledger.rs` and `fleet.rs`, what
//! is checked at the end in `checks.rs` and `rates.rs`.

mod fault;
mod plan;
mod draw;
mod trace;
mod weather;
mod rates;
mod world;
mod ledger;
mod fleet;
mod checks;
mod play;

pub use fault::FaultKind;
pub use plan::{Action, Change, Ending, Flavour, Form, InformerPlan, Kind, Leaving, Plan, Step, Weather};
pub use play::{Outcome, play, simulate};
