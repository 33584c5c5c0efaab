//! What an API server refuses in a CRD, so that nobody generates from one that no cluster takes.
//!
//! Each rule has a broken CRD in `tests/data/refused`, with what a server said to it beside; `tests/data/judged.tsv` has
//! what is at the edge. Left to the server: what expressions in CEL cost, their types beyond the fields that they name,
//! and whether defaults keep to rules in CEL. A CRD that the server takes is never refused here.

mod trail;
mod keyword;
mod regexp;
mod everywhere;
mod field_path;
mod cel_type;
mod cel;
mod validation;
mod list;
mod nested;
mod root;
mod verdict;
mod format;
mod number;
mod pattern;
mod value;
mod metadata;
mod default;
mod structural;
mod version;
mod versions;
mod webhook;
mod declaration;

use std::thread;

use super::pointer::Pointer;
use crate::document::node::Node;
use crate::problem::{Problem, Problems};
use trail::Teller;

/// Checks what a CRD says of itself, but for its versions and what a kind is made of.
pub(super) fn declaration(root: Node<'_>, crd: Option<&str>, problems: &mut Problems) {
    declaration::check(root, &mut Teller::new(crd, Pointer::default(), problems));
}

pub(super) use versions::{has_status, share_status};

/// Checks a version but for its name and schema; `path` is the version's.
pub(super) fn version(version: Node<'_>, path: Pointer, crd: Option<&str>, problems: &mut Problems) {
    version::check(version, &mut Teller::new(crd, path, problems));
}

/// Checks the schema of a version and tells whether it is right; `path` is the schema's, and `status` tells whether
/// objects have a status of their own. It does so on a thread that has the stack which the parser of CEL needs.
pub(super) fn schema(
    schema: Node<'_>,
    status: bool,
    path: Pointer,
    crd: Option<&str>,
    problems: &mut Problems,
) -> bool {
    let checked = thread::scope(|scope| {
        let check = || {
            let mut teller = Teller::new(crd, path, problems);
            structural::check(schema, status, &mut teller);
            teller.is_content()
        };
        let thread = thread::Builder::new().stack_size(cel::STACK).spawn_scoped(scope, check)?;
        Ok::<_, std::io::Error>(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    });
    checked.unwrap_or_else(|error| {
        problems.push(Problem::internal(format!("a schema could not be checked: no thread for it: {error}")));
        false
    })
}
