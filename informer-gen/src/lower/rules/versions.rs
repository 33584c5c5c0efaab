//! What the versions of a CRD say together: the server moves what is the same in all of them up to the CRD, and judges
//! it there.

use super::keyword::{key_span, present};
use super::trail::{At, Step, Teller};
use crate::document::node::Node;

/// Whether objects of a version have a status of their own.
pub(crate) fn has_status(version: Node<'_>) -> bool {
    present(version, "subresources").and_then(|all| present(all, "status")).is_some()
}

/// Whether that goes for the schemas of all versions, since they share one and some version has a status.
pub(crate) fn share_status(versions: Node<'_>) -> bool {
    versions.items().any(has_status) && same(versions, "schema")
}

/// Checks what goes wrong only for several versions.
pub(super) fn check<'a>(versions: Node<'a>, at: At, teller: &mut Teller<'_, 'a>) {
    const KEY: &str = "selectableFields";
    let Some(first) = versions.items().next() else { return };
    let selects = present(first, KEY).is_some_and(|fields| fields.items().len() > 0);
    if selects && same(versions, KEY) && !same(versions, "schema") {
        let at = teller.down(at, Step::Item(0));
        let at = teller.key(at, KEY);
        let message = "all versions have the same `selectableFields`, but different schemas: no server takes that";
        teller.error(key_span(first, KEY), at, message, "write the fields in another order in one of the versions");
    }
}

/// Whether all versions say the same under a key.
fn same(versions: Node<'_>, key: &str) -> bool {
    let mut values = versions.items().map(|version| present(version, key));
    let Some(Some(first)) = values.next() else { return false };
    values.all(|value| value.is_some_and(|value| value.same_json(first)))
}
