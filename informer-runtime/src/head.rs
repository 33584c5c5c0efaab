//! What every stage knows of an object without decoding it.

mod labels;
mod scan;
mod uid;

pub(crate) use labels::LabelInterner;
pub use labels::Labels;
pub(crate) use scan::{ScannedObject, scan_object};
pub use uid::Uid;
