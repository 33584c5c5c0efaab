//! `#[cfg]` attributes: what a program gets depends on the Kubernetes release and the cargo features that it chose.

use std::collections::BTreeSet;

use crate::code::{Code, format_ident, quote};
use crate::model::{Api, Group, Kind, Release, Users, Version, stretches};
use crate::names::Names;

/// The releases of a whole run, and whether groups have features.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gates<'a> {
    pub(super) all: &'a BTreeSet<Release>,
    pub(super) features: bool,
}

impl Gates<'_> {
    /// For the module of a group.
    pub(super) fn group(&self, group: &Group, feature: &str) -> Code {
        let releases = group.versions.iter().flat_map(|version| &version.kinds);
        attribute([self.feature(feature), releases_condition(&union(releases), self.all)])
    }

    /// For the module of a version, within its group.
    pub(super) fn version(&self, version: &Version, group: &Group) -> Code {
        let around = union(group.versions.iter().flat_map(|version| &version.kinds));
        self.within(&union(&version.kinds), &around)
    }

    /// For a kind, within its version.
    pub(super) fn kind(&self, kind: &Kind, version: &Version) -> Code {
        self.within(&kind.releases, &union(&version.kinds))
    }

    /// For what names a kind, or one in some of its releases, from outside of its group.
    pub(super) fn outside(&self, releases: &BTreeSet<Release>, feature: &str) -> Code {
        attribute([self.feature(feature), releases_condition(releases, self.all)])
    }

    /// For definitions that these kinds use; `names` has the features of all groups.
    pub(super) fn users(&self, users: &Users, api: &Api, names: &Names) -> Code {
        let groups = api.groups.iter().zip(&names.groups);
        let used = groups.filter(|(group, _)| users.groups.contains(&group.name));
        let features: Vec<Code> = used.filter_map(|(_, names)| self.feature(&names.module)).collect();
        let feature = match features.as_slice() {
            [] => None,
            [one] => Some(one.clone()),
            several => Some(quote!(any(#(#several),*))),
        };
        attribute([feature, releases_condition(&users.releases, self.all)])
    }

    fn within(&self, releases: &BTreeSet<Release>, around: &BTreeSet<Release>) -> Code {
        if releases == around { Code::new() } else { attribute([None, releases_condition(releases, self.all)]) }
    }

    fn feature(&self, name: &str) -> Option<Code> {
        self.features.then(|| quote!(feature = #name))
    }
}

fn union<'k>(kinds: impl IntoIterator<Item = &'k Kind>) -> BTreeSet<Release> {
    kinds.into_iter().flat_map(|kind| &kind.releases).copied().collect()
}

fn attribute(conditions: [Option<Code>; 2]) -> Code {
    let conditions: Vec<Code> = conditions.into_iter().flatten().collect();
    match conditions.as_slice() {
        [] => Code::new(),
        [one] => quote!(#[cfg(#one)]),
        all => quote!(#[cfg(all(#(#all),*))]),
    }
}

/// The condition for some of all releases; `None` when it is all of them.
fn releases_condition(some: &BTreeSet<Release>, all: &BTreeSet<Release>) -> Option<Code> {
    if some == all {
        return None;
    }
    let cfg = |release: Release| format_ident!("{}", release.cfg());
    let stretches = stretches(some, all).into_iter().filter_map(|stretch| match stretch {
        (None, None) => None,
        (Some(from), None) => Some(cfg(from)).map(|from| quote!(#from)),
        (None, Some(to)) => Some(cfg(to)).map(|to| quote!(not(#to))),
        (Some(from), Some(to)) => {
            let (from, to) = (cfg(from), cfg(to));
            Some(quote!(all(#from, not(#to))))
        }
    });
    let stretches: Vec<Code> = stretches.collect();
    match stretches.as_slice() {
        [one] => Some(one.clone()),
        several => Some(quote!(any(#(#several),*))),
    }
}
