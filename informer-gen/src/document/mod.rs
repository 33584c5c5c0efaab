//! Opens the inputs and finds the CRDs in them.

pub(crate) mod node;
