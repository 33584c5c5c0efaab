//! The registered tables: what `for_resource` knows.

use std::collections::BTreeMap;

use crate::error::{Error, Kind};
use crate::resource::{GroupVersionResource, Resource};

/// How many near names an error lists.
const NEAR: usize = 3;

/// Rows of all tables, by group, version and plural.
#[derive(Debug, Default)]
pub(super) struct Resources {
    rows: BTreeMap<(String, String, String), Resource>,
}

impl Resources {
    /// Takes a table in. A row that is there already is the same row.
    pub(super) fn add(&mut self, table: &[Resource]) -> Result<(), Error> {
        for row in table {
            let key = (row.group().to_owned(), row.version().to_owned(), row.plural().to_owned());
            match self.rows.get(&key) {
                Some(there) if there != row => {
                    return Err(Kind::ResourceConflict { first: there.clone(), second: row.clone() }.into());
                }
                _ => self.rows.insert(key, row.clone()),
            };
        }
        Ok(())
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Resource> {
        self.rows.values()
    }

    pub(super) fn find(&self, wanted: &GroupVersionResource) -> Result<&Resource, Error> {
        let key = (wanted.group.clone(), wanted.version.clone(), wanted.resource.clone());
        self.rows
            .get(&key)
            .ok_or_else(|| Kind::UnknownResource { wanted: wanted.clone(), near: self.near(wanted) }.into())
    }

    /// What somebody may have meant: the name in another group or version, the kind in place of the plural, a slip of
    /// the finger.
    fn near(&self, wanted: &GroupVersionResource) -> Vec<String> {
        let distance = |row: &Resource| {
            let name = if row.kind().eq_ignore_ascii_case(&wanted.resource) {
                0
            } else {
                strsim::damerau_levenshtein(row.plural(), &wanted.resource)
            };
            let group = strsim::damerau_levenshtein(row.group(), &wanted.group);
            (name <= 2).then_some((name, group, row.version() != wanted.version))
        };
        let mut near: Vec<_> = self.iter().filter_map(|row| Some((distance(row)?, row))).collect();
        near.sort();
        let name = |row: &Resource| format!("{}/{}", row.api_version(), row.plural());
        near.into_iter().take(NEAR).map(|(_, row)| name(row)).collect()
    }
}
