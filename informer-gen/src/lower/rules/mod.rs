//! What an API server refuses in a CRD, so that nobody generates from one that no cluster takes.
//!
//! Each rule has a broken CRD in `tests/data/refused`, with what a server said to it beside. Not judged here: what
//! expressions in CEL cost, and their types beyond the fields that they name.

mod trail;
mod keyword;
mod pattern;
mod cel_type;
mod cel;
mod validation;
mod list;
mod nested;
mod default;
mod structural;
mod version;
mod declaration;

use super::pointer::Pointer;
use crate::document::node::Node;
use crate::problem::Problems;
use trail::Teller;

/// Checks what a CRD says of itself, but for its versions and what a kind is made of.
pub(super) fn declaration(root: Node<'_>, crd: Option<&str>, problems: &mut Problems) {
    declaration::check(root, &mut Teller::new(crd, Pointer::default(), problems));
}

/// Checks a version but for its name and schema; `path` is the version's.
pub(super) fn version(version: Node<'_>, path: Pointer, crd: Option<&str>, problems: &mut Problems) {
    version::check(version, &mut Teller::new(crd, path, problems));
}

/// Checks the schema of a version and tells whether it is right; `path` is the schema's.
pub(super) fn schema(schema: Node<'_>, path: Pointer, crd: Option<&str>, problems: &mut Problems) -> bool {
    let mut teller = Teller::new(crd, path, problems);
    structural::check(schema, &mut teller);
    teller.is_content()
}
