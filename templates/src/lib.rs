//! Templates of informer-gen: real Rust with the word `Placeholder` where a kind's name goes.
//!
//! Under test each is a module, compiled and run against the runtime; otherwise it is text. Three spellings stand for
//! a kind: `Placeholder` (its type), `placeholder` (in function names) and `placeholders` (its accessor). Whoever fills
//! a template replaces them in one pass, the longest first.

/// Informer and listers of a kind whose objects live in namespaces.
pub const NAMESPACED: &str = include_str!("namespaced/kind.rs");

/// Informer and lister of a kind whose objects belong to the cluster.
pub const CLUSTER: &str = include_str!("cluster/kind.rs");

/// [`NAMESPACED`] for a kind whose type exists already: all but the names is in the runtime.
pub const NAMESPACED_THIN: &str = include_str!("namespaced/thin.rs");

/// [`CLUSTER`] for a kind whose type exists already: all but the names is in the runtime.
pub const CLUSTER_THIN: &str = include_str!("cluster/thin.rs");

#[cfg(test)]
mod canned;
#[cfg(test)]
#[allow(unreachable_pub)] // the templates are public where they are filled
mod cluster;
#[cfg(test)]
#[allow(unreachable_pub)]
mod namespaced;
