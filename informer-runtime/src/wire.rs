//! From chunks of bytes to events and items.

mod event;
mod lines;
mod list;

#[cfg(test)]
mod any_bytes;

pub(crate) use event::{EventType, parse_event};
pub(crate) use lines::{LineTooLong, Lines};
pub(crate) use list::ListEnvelope;
