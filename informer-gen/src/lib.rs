//! Generates typed Kubernetes informers, listers and types from CustomResourceDefinitions.
//!
//! ```text
//! document → model → names → render → tree → emit: write | check
//! ```
#![allow(dead_code)]

mod source;
mod problem;
mod tree;
mod request;
mod document;
mod pretty;

pub use problem::{Problem, Problems, Severity};
pub use request::{Input, Request};
pub use tree::Tree;

impl std::fmt::Display for Problems {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("")
    }
}
