//! The golden outputs of informer-gen, each as a module: here they are compiled, linted and documented like the crates that
//! they would be, in this edition and, by `informer-outputs-2021`, in the one before. Their types are tried with objects in
//! `tests/objects`.

/// `deep`
#[rustfmt::skip]
#[path = "../../../informer-gen/tests/data/deep/expected/src/lib.rs"]
pub mod deep;
/// `definitions`
#[rustfmt::skip]
#[path = "../../../informer-gen/tests/data/definitions/expected/src/lib.rs"]
pub mod definitions;
/// `docs`
#[rustfmt::skip]
#[path = "../../../informer-gen/tests/data/docs/expected/src/lib.rs"]
pub mod docs;
/// `extras`
#[rustfmt::skip]
#[path = "../../../informer-gen/tests/data/extras/expected/src/lib.rs"]
pub mod extras;
/// `facts`
#[rustfmt::skip]
#[path = "../../../informer-gen/tests/data/facts/expected/src/lib.rs"]
pub mod facts;
/// `fields`
#[rustfmt::skip]
#[path = "../../../informer-gen/tests/data/fields/expected/src/lib.rs"]
pub mod fields;
/// `free-form`
#[rustfmt::skip]
#[path = "../../../informer-gen/tests/data/free-form/expected/src/lib.rs"]
pub mod free_form;
/// `groups`
#[rustfmt::skip]
#[path = "../../../informer-gen/tests/data/groups/expected/src/lib.rs"]
pub mod groups;
/// `int-or-string`
#[rustfmt::skip]
#[path = "../../../informer-gen/tests/data/int-or-string/expected/src/lib.rs"]
pub mod int_or_string;
/// `kinds`
#[rustfmt::skip]
#[path = "../../../informer-gen/tests/data/kinds/expected/src/lib.rs"]
pub mod kinds;
/// `mapped`
#[rustfmt::skip]
#[path = "../../../informer-gen/tests/data/mapped/expected/src/lib.rs"]
pub mod mapped;
/// `names`
#[rustfmt::skip]
#[path = "../../../informer-gen/tests/data/names/expected/src/lib.rs"]
pub mod names;
/// `renames`
#[rustfmt::skip]
#[path = "../../../informer-gen/tests/data/renames/expected/src/lib.rs"]
pub mod renames;
/// `reserved`
#[rustfmt::skip]
#[path = "../../../informer-gen/tests/data/reserved/expected/src/lib.rs"]
pub mod reserved;
/// `roots`
#[rustfmt::skip]
#[path = "../../../informer-gen/tests/data/roots/expected/src/lib.rs"]
pub mod roots;
/// `shapes`
#[rustfmt::skip]
#[path = "../../../informer-gen/tests/data/shapes/expected/src/lib.rs"]
pub mod shapes;
/// `shared`
#[rustfmt::skip]
#[path = "../../../informer-gen/tests/data/shared/expected/src/lib.rs"]
pub mod shared;
/// `shop`
#[rustfmt::skip]
#[path = "../../../informer-gen/tests/data/shop/expected/src/lib.rs"]
pub mod shop;
/// `versions`
#[rustfmt::skip]
#[path = "../../../informer-gen/tests/data/versions/expected/src/lib.rs"]
pub mod versions;

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    #[test]
    fn every_golden_is_a_module() {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../informer-gen/tests/data");
        let folders = fs::read_dir(data).unwrap().map(|entry| entry.unwrap().path());
        let goldens = folders.filter(|folder| folder.join("expected/src/lib.rs").exists());
        let missing: Vec<String> = goldens
            .map(|folder| folder.file_name().unwrap().to_string_lossy().into_owned())
            .filter(|name| !include_str!("lib.rs").contains(&format!("/data/{name}/expected")))
            .collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
