//! (the map comes with the last stage)

pub mod key;
pub mod resource;
pub mod transport;

pub use key::ObjectKey;
pub use resource::{GroupVersionResource, Object, Resource};
pub use tokio_util::sync::CancellationToken;
pub use transport::{Transport, TransportError, TransportResponse};
